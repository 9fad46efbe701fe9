//! A query, or a form body: separators, pairs, keys and the shapes of values.

use std::ops::Range;

use crate::bytes::{self, Classes};
use crate::findings::Findings;
use crate::hidden::Hidden;
use crate::settings::Settings;
use crate::stage::content;
use crate::stage::decode::{self, Component, Layers, reference_at};
use crate::stage::redact::{Escape, Redact, SafeSpan, Standing};
use crate::table::changes::Change;
use crate::table::flags::Flag;

/// A key and the shape of its value; a bare key has none.
#[derive(Clone, Copy)]
pub(crate) struct Pair {
    pub(crate) key: SafeSpan,
    pub(crate) value: Option<SafeSpan>,
}

/// The pairs of a query or a form, in order of arrival, and their order by key.
#[derive(Default)]
pub(crate) struct Pairs {
    pub(crate) list: Vec<Pair>,
    /// Positions in `list`, by key, then by arrival.
    pub(crate) by_key: Vec<usize>,
    separators: Vec<Separator>,
    repeated: Vec<usize>,
}

impl Pairs {
    pub(crate) fn clear(&mut self) {
        self.list.clear();
        self.by_key.clear();
    }

    /// The positions of the pairs of each key, by key.
    pub(crate) fn groups<'a>(&'a self, redact: &'a Redact) -> impl Iterator<Item = &'a [usize]> {
        self.by_key.chunk_by(move |&a, &b| redact.safe.get(self.list[a].key) == redact.safe.get(self.list[b].key))
    }
}

#[derive(Clone)]
struct Separator {
    range: Range<usize>,
    semicolon: bool,
}

/// What pairs are read from.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Source {
    Query,
    /// A body, where `+` is a space.
    Form,
    /// A body that is said to be a form and looks like something else: its keys are none.
    NoForm,
}

/// Reads pairs.
pub(crate) fn run(
    raw: Hidden<'_>,
    source: Source,
    pairs: &mut Pairs,
    layers: &mut Layers,
    redact: &mut Redact,
    settings: &Settings,
    findings: &mut Findings,
) {
    pairs.clear();
    if source == Source::Query {
        content::line_ends(raw, findings);
    }
    find_separators(raw, &mut pairs.separators, findings);
    choose_separators(raw, &mut pairs.separators, findings);
    let mut start = 0;
    let Pairs { separators, list, .. } = pairs;
    let end = raw.len()..raw.len();
    let mut source = source;
    // The last pair of a form was a secret: what follows without `=` may be the rest of it, behind a raw `&`.
    let mut behind_sensitive = false;
    for separator in separators.iter().map(|separator| &separator.range).chain([&end]) {
        if separator.start > start {
            let token = raw.slice(start, separator.start);
            if source == Source::Form && begins_no_pair(token.bytes()) {
                source = Source::NoForm;
            }
            let (pair, sensitive) = read_pair(token, source, behind_sensitive, layers, redact, settings, findings);
            behind_sensitive = sensitive || (behind_sensitive && pair.value.is_none());
            list.push(pair);
        }
        start = separator.end;
    }
    sort_by_key(pairs, raw, redact, findings);
}

/// Every `&` and `;` that could separate. A character reference does not, unless it is one to `&` itself.
fn find_separators(raw: Hidden<'_>, separators: &mut Vec<Separator>, findings: &mut Findings) {
    separators.clear();
    let text = raw.bytes();
    let mut at = 0;
    while let Some(found) = memchr::memchr2(b'&', b';', &text[at..]) {
        let start = at + found;
        if text[start] == b';' {
            separators.push(Separator { range: start..start + 1, semicolon: true });
            at = start + 1;
            continue;
        }
        let reference = reference_at(&text[start..]);
        at = start + reference.as_ref().map_or(1, |reference| reference.len);
        if reference.as_ref().is_none_or(decode::Reference::is_ampersand) {
            separators.push(Separator { range: start..at, semicolon: false });
        }
        if reference.is_some_and(|reference| reference.is_ampersand()) {
            findings.raise(Flag::HtmlEnt, raw.span(start, at));
        }
    }
}

/// `;` separates where it dominates: three pairs or more, every token a pair, at least as many `;` as `&`.
fn choose_separators(raw: Hidden<'_>, separators: &mut Vec<Separator>, findings: &mut Findings) {
    let semicolons = separators.iter().filter(|separator| separator.semicolon).count();
    let Some(first) = separators.iter().find(|separator| separator.semicolon) else { return };
    let span = raw.span(first.range.start, first.range.end);
    let mut start = 0;
    let mut tokens = 0;
    let end = raw.len()..raw.len();
    let mut all_pairs = true;
    for separator in separators.iter().map(|separator| &separator.range).chain([&end]) {
        let token = &raw.bytes()[start..separator.start.max(start)];
        start = separator.end;
        if !token.is_empty() {
            tokens += 1;
            all_pairs &= memchr::memchr(b'=', token).is_some_and(|equals| equals > 0);
        }
    }
    if tokens >= 3 && all_pairs && semicolons >= separators.len() - semicolons {
        findings.raise(Flag::QSemiSep, span);
    } else {
        findings.raise(Flag::QRawSemi, span);
        separators.retain(|separator| !separator.semicolon);
    }
}

/// Whether what stands before the `=` is no key that anybody writes: from there on the text is something else, and its
/// pieces may be values.
fn begins_no_pair(token: &[u8]) -> bool {
    let key = token.split(|&b| b == b'=').next().unwrap_or_default();
    let foreign =
        [Classes::LESS, Classes::GREATER, Classes::BRACE, Classes::QUOTE, Classes::SPACE, Classes::ANY_CONTROL];
    let classes = bytes::classes(key);
    foreign.iter().any(|&class| classes.has(class))
}

/// Reads one pair, and says whether its key is sensitive.
fn read_pair(
    token: Hidden<'_>,
    source: Source,
    behind_sensitive: bool,
    layers: &mut Layers,
    redact: &mut Redact,
    settings: &Settings,
    findings: &mut Findings,
) -> (Pair, bool) {
    findings.change(Change::PairRead, token.whole());
    let form = source != Source::Query;
    let equals = memchr::memchr(b'=', token.bytes());
    let key_text = token.slice(0, equals.unwrap_or(token.len()));
    let key = {
        let key = decode::run(key_text, Component::Key, form, layers, findings);
        content::key(&key, key_text.whole(), settings, findings);
        let escape = if form { Escape::FormKey } else { Escape::Key };
        // A text that is no pair at all stands in the place of a key.
        let is_text =
            || key.classes().has(Classes::SPACE.or(Classes::ANY_CONTROL)) || key.text().bytes().contains(&b',');
        let bare = form && equals.is_none();
        let standing = match source {
            Source::NoForm => Standing::Misplaced { secret: behind_sensitive },
            Source::Form if bare && is_text() => Standing::Misplaced { secret: behind_sensitive },
            // `passwordhunter2` has lost its `=`; `password=hunter&2` has an `&` of its own.
            Source::Form if bare && (behind_sensitive || redact.is_sensitive(key.text().bytes(), settings)) => {
                Standing::BelowSensitive
            }
            _ => Standing::Key,
        };
        let array = key.text().bytes().ends_with(b"[]");
        let key = redact.key(&key, standing, escape, settings, findings);
        if array {
            findings.raise_named(Flag::QArray, key.written, key_text.whole());
        }
        key
    };
    let Some(equals) = equals else {
        findings.raise(Flag::QBare, token.whole());
        return (Pair { key: key.written, value: None }, key.sensitive);
    };
    let value_text = token.slice(equals + 1, token.len());
    let value = decode::run(value_text, Component::Value, form, layers, findings);
    let text = value.text();
    if text.bytes().is_empty() {
        findings.raise(Flag::QEmptyVal, token.whole());
    }
    if value.residue {
        findings.raise_named(Flag::MultiEnc, key.written, value_text.whole());
    }
    content::value(&value, value_text.whole(), settings, findings);
    let value = redact.value(text, value.classes(), key.sensitive, settings, findings);
    (Pair { key: key.written, value: Some(value) }, key.sensitive)
}

/// Orders pairs by key and raises QREPEAT, in order of arrival, for every key that comes again.
fn sort_by_key(pairs: &mut Pairs, raw: Hidden<'_>, redact: &Redact, findings: &mut Findings) {
    let mut by_key = std::mem::take(&mut pairs.by_key);
    let mut repeated = std::mem::take(&mut pairs.repeated);
    by_key.clear();
    repeated.clear();
    by_key.extend(0..pairs.list.len());
    let key = |i: usize| redact.safe.get(pairs.list[i].key);
    by_key.sort_unstable_by(|&a, &b| key(a).cmp(key(b)).then(a.cmp(&b)));
    pairs.by_key = by_key;
    for group in pairs.groups(redact) {
        if let [_, second, ..] = *group {
            repeated.push(second);
        }
    }
    repeated.sort_unstable();
    for &i in &repeated {
        findings.raise_named(Flag::QRepeat, pairs.list[i].key, raw.whole());
    }
    pairs.repeated = repeated;
}
