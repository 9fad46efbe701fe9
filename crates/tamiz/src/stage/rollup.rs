//! The union of all flags: sorted, each once, and at most so many of one name.

use std::cmp::Ordering;

use crate::findings::{Finding, Findings, Line, Param, Span};
use crate::settings::Settings;
use crate::stage::redact::Safe;
use crate::table::flags::Flag;

/// The flags of a document.
#[derive(Default)]
pub(crate) struct Rollup {
    /// By bytes, each once.
    pub(crate) all: Vec<Finding>,
    /// By line, then by bytes, each once a line.
    pub(crate) local: Vec<Finding>,
    distinct: Vec<Finding>,
}

/// Collects the flags that were raised.
pub(crate) fn run(findings: &mut Findings, rollup: &mut Rollup, safe: &Safe, settings: &Settings) {
    let Rollup { all, local, distinct } = rollup;
    all.clear();
    distinct.clear();
    let by_text = |a: &Finding, b: &Finding| compare(a, b, safe);
    let when = |finding: &Finding| (finding.line, finding.turn);

    // Each flag once, with the first place where it was seen; then the first ones of each name, in the order of lines.
    findings.list_mut().sort_unstable_by(|a, b| by_text(a, b).then_with(|| when(a).cmp(&when(b))));
    distinct.extend_from_slice(findings.list());
    distinct.dedup_by(|later, earlier| by_text(later, earlier).is_eq());
    distinct.sort_unstable_by_key(|finding| (finding.flag, when(finding)));
    for same_name in distinct.chunk_by(|a, b| a.flag == b.flag) {
        all.extend_from_slice(&same_name[..same_name.len().min(settings.max_per_name)]);
    }
    let left_out = distinct.len() - all.len();
    all.sort_unstable_by(by_text);

    local.clear();
    let shown = |finding: &&Finding| left_out == 0 || all.binary_search_by(|known| by_text(known, finding)).is_ok();
    local.extend(findings.list().iter().filter(shown));
    local.sort_unstable_by(|a, b| a.line.cmp(&b.line).then_with(|| by_text(a, b)).then_with(|| a.turn.cmp(&b.turn)));
    local.dedup_by(|later, earlier| later.line == earlier.line && by_text(later, earlier).is_eq());

    if left_out > 0 && findings.is_enabled(Flag::FlagOverflow) {
        let param = Param::Count(left_out);
        let overflow = Finding { line: Line::Nowhere, flag: Flag::FlagOverflow, param, span: Span::default(), turn: 0 };
        let place = all.partition_point(|known| by_text(known, &overflow).is_lt());
        all.insert(place, overflow);
    }
}

/// The order of two flags as documents write them. The table is in byte order of names, so that only flags of the
/// same name need to look at what follows it.
fn compare(a: &Finding, b: &Finding, safe: &Safe) -> Ordering {
    a.flag.cmp(&b.flag).then_with(|| match (a.param, b.param) {
        (Param::Text(a), Param::Text(b)) => safe.get(a).cmp(safe.get(b)),
        (Param::Word(a), Param::Word(b)) => a.cmp(b),
        (Param::Count(a), Param::Count(b)) => digits(a).cmp(&digits(b)),
        _ => Ordering::Equal,
    })
}

/// A number in the order of its decimal text.
fn digits(number: usize) -> impl Ord {
    number.to_string()
}
