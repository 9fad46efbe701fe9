//! One request, stage by stage: what was changed, and which bytes raised which flag.

use std::ops::Range;

use crate::bytes;
use crate::findings::{Finding as Raised, Line, Param, Span};
use crate::pipeline;
use crate::scratch::Scratch;
use crate::settings::Settings;
use crate::stage::redact::Safe;
use crate::table::changes::Change;
use crate::table::flags::{Flag, Stage};

/// How a request became its document. Holds no secret.
///
/// ```
/// let explanation = tamiz::Engine::default().explain(b"GET /a/%2e%2e/b HTTP/1.1\r\nHost: ex.com\r\n\r\n");
/// let dotdot = &explanation.findings[0];
/// assert_eq!((dotdot.text.as_str(), dotdot.line.as_str(), dotdot.span.clone()), ("DOTDOT", "P", Some(7..13)));
/// assert_eq!(dotdot.excerpt.as_deref(), Some("%2e%2e"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// The document itself.
    pub document: String,
    /// What stages changed, in the order of the stages.
    pub steps: Vec<Step>,
    /// The flags, in the order of their lines.
    pub findings: Vec<Finding>,
}

/// One kind of change that a stage made, and everywhere it made it.
///
/// ```
/// let explanation = tamiz::Engine::default().explain(b"GET /a//b HTTP/1.1\r\nHost: ex.com\r\n\r\n");
/// let step = explanation.steps.iter().find(|step| step.stage == tamiz::Stage::Path).unwrap();
/// assert_eq!((step.change.en(), step.spans.as_slice()), ("dropped an empty segment", &[7..8][..]));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The stage.
    pub stage: Stage,
    /// What it did.
    pub change: Change,
    /// Where, as byte ranges of the request.
    pub spans: Vec<Range<usize>>,
}

/// One flag on one line.
///
/// ```
/// let explanation = tamiz::Engine::default().explain(b"GET /?pwd=a%27b HTTP/1.1\r\nHost: ex.com\r\n\r\n");
/// let quote = explanation.findings.iter().find(|finding| finding.flag == tamiz::Flag::Quote).unwrap();
/// // The place of the quote is said; its bytes are part of a password and are not.
/// assert_eq!((quote.span.clone(), quote.excerpt.clone()), (Some(11..14), None));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The flag.
    pub flag: Flag,
    /// With its parameter, as the document writes it.
    pub text: String,
    /// `P`, `Q`, `B`, `H:<name>`, or empty where no line shows it.
    pub line: String,
    /// The bytes of the request that raised it; `None` where it is about something that is not there.
    pub span: Option<Range<usize>>,
    /// Those bytes, escaped, where they are short and no part of a secret.
    pub excerpt: Option<String>,
}

pub(crate) fn run(raw: &[u8], settings: &Settings, scratch: &mut Scratch) -> Explanation {
    let mut document = String::new();
    pipeline::raw(raw, settings, scratch, true, &mut document);
    let secrets = secrets(scratch);
    let findings = scratch.rollup.local.iter().map(|raised| explain(raised, raw, &secrets, scratch)).collect();
    Explanation { document, steps: steps(scratch), findings }
}

fn steps(scratch: &Scratch) -> Vec<Step> {
    let mut changes: Vec<(Change, Span)> = scratch.findings.changes().to_vec();
    changes.sort_by_key(|&(change, span)| (change.stage(), change, span.start, span.end));
    changes.dedup();
    changes
        .chunk_by(|a, b| a.0 == b.0)
        .map(|same| {
            let change = same[0].0;
            Step { stage: change.stage(), change, spans: same.iter().map(|(_, span)| span.start..span.end).collect() }
        })
        .collect()
}

/// What no excerpt may show: what was replaced. By start, without overlaps.
fn secrets(scratch: &Scratch) -> Vec<Span> {
    let hidden = |change: Change| {
        use Change::{CodingUndone, GraphqlRead, Inspected, NotEntered, Redacted, Shaped, Withheld};
        matches!(change, CodingUndone | GraphqlRead | Inspected | NotEntered | Redacted | Shaped | Withheld)
    };
    let changes = scratch.findings.changes().iter();
    // A place without length still hides what begins there.
    let widened = |&(_, span): &(Change, Span)| Span::new(span.start, span.end.max(span.start + 1));
    let mut spans: Vec<Span> = changes.filter(|(change, _)| hidden(*change)).map(widened).collect();
    spans.sort_unstable_by_key(|span| (span.start, span.end));
    spans.dedup_by(|later, earlier| {
        let overlap = later.start <= earlier.end;
        if overlap {
            earlier.end = earlier.end.max(later.end);
        }
        overlap
    });
    spans
}

fn explain(raised: &Raised, raw: &[u8], secrets: &[Span], scratch: &Scratch) -> Finding {
    let safe = &scratch.redact.safe;
    let line = match raised.line {
        Line::Path => "P".to_owned(),
        Line::Query => "Q".to_owned(),
        Line::Body => "B".to_owned(),
        Line::Header(n) => {
            scratch.headers.lines.get(n).map(|line| format!("H:{}", safe.get(line.name))).unwrap_or_default()
        }
        _ => String::new(),
    };
    let Span { start, end } = raised.span;
    let span = (start < end && end <= raw.len()).then_some(start..end);
    let excerpt = span.clone().filter(|span| may_show(raised, span, secrets, scratch)).map(|span| excerpt(&raw[span]));
    Finding { flag: raised.flag, text: text(raised, safe), line, span, excerpt }
}

/// Bytes of a request as text of one line.
fn excerpt(raw: &[u8]) -> String {
    let mut text = String::new();
    for chunk in raw.utf8_chunks() {
        for c in chunk.valid().chars() {
            if bytes::is_hidden(c) { text.extend(c.escape_default()) } else { text.push(c) }
        }
        text.extend(chunk.invalid().iter().flat_map(|byte| byte.escape_ascii()).map(char::from));
    }
    text
}

/// The longest piece of a request that an explanation shows.
const LONGEST_EXCERPT: usize = 12;

/// Only what raised a flag by its characters, and only where nothing was replaced. A flag about a whole value or line
/// would show that value.
fn may_show(raised: &Raised, span: &Range<usize>, secrets: &[Span], scratch: &Scratch) -> bool {
    let by_characters = matches!(raised.flag.row().stage, Stage::Content | Stage::Decode | Stage::Path)
        || matches!(raised.flag, Flag::QComment | Flag::QDotDot | Flag::QSemiSep | Flag::QRawSemi | Flag::QNul);
    by_characters
        && !is_line(scratch, raised.span)
        && raised.line != Line::Nowhere
        && span.len() <= LONGEST_EXCERPT
        && !touches(secrets, span)
}

/// Whether a place meets one of the spans, which are by start and do not overlap.
fn touches(spans: &[Span], place: &Range<usize>) -> bool {
    let first = spans.partition_point(|span| span.end <= place.start);
    spans.get(first).is_some_and(|span| span.start < place.end)
}

/// Whether a flag points at a header line as a whole.
fn is_line(scratch: &Scratch, span: Span) -> bool {
    let lines = &scratch.fields.list;
    lines.binary_search_by_key(&span.start, |field| field.span.start).is_ok_and(|at| lines[at].span == span)
}

fn text(raised: &Raised, safe: &Safe) -> String {
    let name = raised.flag.name();
    match raised.param {
        Param::None => name.to_owned(),
        Param::Text(param) => format!("{name}:{}", safe.get(param)),
        Param::Word(word) => format!("{name}:{word}"),
        Param::Count(count) => format!("{name}:{count}"),
    }
}
