//! The union of all flags: sorted, each once, and at most so many of one name.

use std::cmp::Ordering;

use crate::findings::{Finding, Findings, FlagSet, Line, Param, Span};
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
    left_out: Vec<Finding>,
}

/// Collects the flags that were raised.
pub(crate) fn run(findings: &mut Findings, rollup: &mut Rollup, safe: &Safe, settings: &Settings) {
    let Rollup { all, local, left_out } = rollup;
    all.clear();
    local.clear();
    left_out.clear();
    findings.list_mut().sort_unstable_by_key(|finding| (finding.line, finding.turn));
    let mut plain = FlagSet::default();
    for finding in findings.list() {
        match finding.param {
            Param::None => {
                if plain.insert(finding.flag) {
                    all.push(*finding);
                }
            }
            _ => {
                let mut same_name = all.iter().filter(|known| known.flag == finding.flag);
                if same_name.clone().any(|known| compare(known, finding, safe).is_eq()) {
                    // Shown on another line already.
                } else if same_name.by_ref().count() < settings.max_per_name {
                    all.push(*finding);
                } else {
                    left_out.push(*finding);
                    continue;
                }
            }
        }
        local.push(*finding);
    }
    left_out.sort_unstable_by(|a, b| compare(a, b, safe));
    left_out.dedup_by(|a, b| compare(a, b, safe).is_eq());
    if !left_out.is_empty() && findings.is_enabled(Flag::FlagOverflow) {
        let count = Param::Count(left_out.len());
        all.push(Finding {
            line: Line::Nowhere,
            flag: Flag::FlagOverflow,
            param: count,
            span: Span::default(),
            turn: 0,
        });
    }
    all.sort_unstable_by(|a, b| compare(a, b, safe));
    local.sort_unstable_by(|a, b| a.line.cmp(&b.line).then_with(|| compare(a, b, safe)));
    local.dedup_by(|a, b| a.line == b.line && compare(a, b, safe).is_eq());
}

/// The order of two flags as documents write them. The table is in byte order of names, so that only flags of the
/// same name need to look at what follows it.
fn compare(a: &Finding, b: &Finding, safe: &Safe) -> Ordering {
    a.flag.cmp(&b.flag).then_with(|| match (a.param, b.param) {
        (Param::Text(a), Param::Text(b)) => safe.get(a).cmp(safe.get(b)),
        (Param::Count(a), Param::Count(b)) => digits(a).cmp(&digits(b)),
        _ => Ordering::Equal,
    })
}

/// A number in the order of its decimal text.
fn digits(number: usize) -> impl Ord {
    number.to_string()
}
