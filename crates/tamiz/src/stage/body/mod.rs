//! The body: from bytes to content, which reader fits it, and what it says.

mod coding;
mod finds;
mod graphql;
mod json;
mod listing;
mod multipart;
mod xml;

use crate::bytes;
use crate::findings::{Findings, Line};
use crate::hidden::Hidden;
use crate::settings::Settings;
use crate::stage::decode::Layers;
use crate::stage::frame::{Chunks, dechunk};
use crate::stage::lengths::Lengths;
use crate::stage::query::{self, Pair, Pairs, Source};
use crate::stage::redact::Redact;
use crate::stage::unfold::{Fields, Known};
use crate::table::changes::Change;
use crate::table::finds::{FindRow, Sign};
use crate::table::flags::Flag;

use coding::{Coding, Undone};
use json::JsonScratch;
use listing::{Listing, Tools};
use multipart::MultipartScratch;
use xml::XmlScratch;

pub(crate) use graphql::Graphql;

/// What the `B:` line says. The pairs or fields are in [`BodyScratch`].
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Body {
    None,
    Raw { len: usize },
    Form,
    Json,
    Multipart,
    Xml { depth: usize },
}

/// How a body came here decides what can be held against it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Arrival {
    /// All that follows a head.
    Raw,
    /// Cut out of a stream, its chunks joined.
    Framed { bad_chunks: bool },
    /// Taken apart by somebody else, who may have undone its codings.
    Parts,
}

/// The buffers of this stage, and what was read.
#[derive(Default)]
pub(crate) struct BodyScratch {
    coded: CodedScratch,
    readers: Readers,
}

impl BodyScratch {
    /// The pairs of a form, or the fields of any other structure.
    pub(crate) fn fields(&self, body: Body) -> &[Pair] {
        if body == Body::Form { &self.readers.form.list } else { &self.readers.listing.fields }
    }

    pub(crate) fn graphql(&self) -> &Graphql {
        &self.readers.graphql
    }
}

/// Reads the body. `unexpected`: the method has none.
#[expect(clippy::too_many_arguments, reason = "one call, and every argument is a different thing")]
pub(crate) fn run(
    raw: Hidden<'_>,
    arrival: Arrival,
    unexpected: bool,
    fields: &Fields,
    lengths: Lengths,
    scratch: &mut BodyScratch,
    layers: &mut Layers,
    redact: &mut Redact,
    settings: &Settings,
    findings: &mut Findings,
) -> Body {
    let BodyScratch { coded, readers } = scratch;
    readers.clear();
    findings.on(Line::Body);
    let CodedScratch { joined, inflated } = coded;
    let body = joined.run(raw, arrival, lengths, findings);
    if unexpected && !bytes::is_line_ends(body.bytes()) {
        findings.raise(Flag::BodyUnexpected, body.whole());
    }
    let content = match inflated.run(body, arrival, fields, settings, findings) {
        Ok(content) => content,
        Err(Undone::TooLarge) => {
            findings.raise(Flag::Bomb, body.whole());
            return Body::Raw { len: body.len() };
        }
        Err(Undone::Malformed) => {
            findings.raise(Flag::CeBad, body.whole());
            // What was never coded is read by a server that does not look at codings.
            if !finds::has_any_structure(body.bytes()) {
                return Body::Raw { len: body.len() };
            }
            body
        }
    };
    if content.bytes().is_empty() {
        // Nothing to show, and no line to show it on.
        findings.move_to_nowhere(Line::Body);
        return Body::None;
    }
    let declared = Declared::read(fields);
    let find = declared.find(content.bytes());
    let contradicted = find.is_some_and(|find| declared.is_contradicted_by(find));
    if let Some(find) = find.filter(|_| contradicted) {
        findings.raise_word(Flag::BodyMismatch, find.name, content.whole());
    }
    if declared.charset.is_some_and(is_odd_charset) {
        findings.raise(Flag::BodyCharset, content.whole());
    }
    let kind = declared.kind.unwrap_or_else(|| find.map_or(Kind::Raw, Kind::of_find));
    if matches!(kind, Kind::Json { .. } | Kind::Xml) || (kind == Kind::Raw && declared.is_text()) {
        raise_bom(content, findings);
    }
    let is_other = declared.kind.is_some() && contradicted && find.is_some_and(|find| find.sign == Sign::Structure);
    readers.run(content, kind, is_other, declared.boundary, &mut Tools { layers, redact, settings, findings })
}

#[derive(Default)]
struct CodedScratch {
    joined: Joined,
    inflated: Inflated,
}

/// The body without its chunks.
#[derive(Default)]
struct Joined {
    bytes: Vec<u8>,
    /// The input offset of every byte and of the end, while a request is being explained.
    map: Vec<usize>,
}

impl Joined {
    fn run<'a>(
        &'a mut self,
        raw: Hidden<'a>,
        arrival: Arrival,
        lengths: Lengths,
        findings: &mut Findings,
    ) -> Hidden<'a> {
        if let Arrival::Framed { bad_chunks } = arrival {
            if bad_chunks {
                findings.raise(Flag::ChunkBad, raw.whole());
            }
            return raw;
        }
        if !lengths.chunked {
            let extra = lengths.length.and_then(|length| raw.bytes().get(length..)).unwrap_or_default();
            if arrival == Arrival::Raw && !bytes::is_line_ends(extra) {
                findings.raise(Flag::ExtraData, raw.span(raw.len() - extra.len(), raw.len()));
            }
            return raw;
        }
        let Joined { bytes, map } = self;
        let traced = findings.is_traced();
        let place = |at: usize| raw.span(at, at).start;
        map.clear();
        let chunks = dechunk(raw.bytes(), bytes, |start, end| {
            if traced {
                map.extend((start..end).map(place));
            }
        });
        let Chunks::Whole { end, odd } = chunks else {
            // Somebody else may have joined them already, or have kept the head alone.
            if arrival == Arrival::Raw && !raw.bytes().is_empty() {
                findings.raise(Flag::ChunkBad, raw.whole());
            }
            return raw;
        };
        if odd {
            findings.raise(Flag::ChunkBad, raw.whole());
        }
        // What stands behind the chunks is content all the same: a byte too many must not hide what the chunks say,
        // nor the chunks the byte.
        let extra = &raw.bytes()[end..];
        if !bytes::is_line_ends(extra) {
            findings.raise(Flag::ExtraData, raw.span(end, raw.len()));
            bytes.extend_from_slice(extra);
            if traced {
                map.extend((end..raw.len()).map(place));
            }
        }
        if traced {
            map.push(place(raw.len()));
        }
        findings.change(Change::Dechunked, raw.whole());
        Hidden::mapped(bytes, raw.whole().start, map)
    }
}

/// The body without its content codings.
#[derive(Default)]
struct Inflated {
    bytes: Vec<u8>,
    before: Vec<u8>,
    codings: Vec<Coding>,
}

impl Inflated {
    fn run<'a>(
        &'a mut self,
        body: Hidden<'a>,
        arrival: Arrival,
        fields: &Fields,
        settings: &Settings,
        findings: &mut Findings,
    ) -> Result<Hidden<'a>, Undone> {
        let Inflated { bytes, before, codings } = self;
        if body.bytes().is_empty() {
            return Ok(body);
        }
        coding::declared(fields, codings)?;
        let undone_elsewhere =
            arrival == Arrival::Parts && codings.last().is_some_and(|coding| !coding.begins(body.bytes()));
        if codings.is_empty() || undone_elsewhere {
            return Ok(body);
        }
        for (n, &coding) in codings.iter().rev().enumerate() {
            std::mem::swap(bytes, before);
            let input = if n == 0 { body.bytes() } else { before.as_slice() };
            coding::undo(coding, input, bytes, coding::bound(input.len(), settings))?;
        }
        findings.change(Change::CodingUndone, body.whole());
        Ok(Hidden::new(bytes, 0).with_origin(Some(body.whole())))
    }
}

/// Which reader a body gets.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Form,
    Multipart,
    Json {
        /// One value a line.
        lines: bool,
    },
    Xml,
    Raw,
}

impl Kind {
    /// By a media type without parameters.
    fn of_type(media_type: &[u8]) -> Kind {
        const TYPES: &[(&str, Kind)] = &[
            ("application/x-www-form-urlencoded", Kind::Form),
            ("multipart/form-data", Kind::Multipart),
            ("application/json", Kind::Json { lines: false }),
            ("text/json", Kind::Json { lines: false }),
            ("application/csp-report", Kind::Json { lines: false }),
            ("application/x-ndjson", Kind::Json { lines: true }),
            ("application/ndjson", Kind::Json { lines: true }),
            ("application/jsonl", Kind::Json { lines: true }),
            ("application/x-jsonlines", Kind::Json { lines: true }),
            ("application/json-seq", Kind::Json { lines: true }),
            ("application/xml", Kind::Xml),
            ("text/xml", Kind::Xml),
        ];
        const SUFFIXES: &[(&str, Kind)] = &[("+json", Kind::Json { lines: false }), ("+xml", Kind::Xml)];
        let ends = |suffix: &str| {
            let start = media_type.len().checked_sub(suffix.len());
            start.is_some_and(|start| media_type[start..].eq_ignore_ascii_case(suffix.as_bytes()))
        };
        let named = TYPES.iter().find(|(name, _)| media_type.eq_ignore_ascii_case(name.as_bytes()));
        named.or_else(|| SUFFIXES.iter().find(|(suffix, _)| ends(suffix))).map_or(Kind::Raw, |&(_, kind)| kind)
    }

    /// What a body without a type is read as.
    fn of_find(find: &FindRow) -> Kind {
        match find.name {
            "form" => Kind::Form,
            "multipart" => Kind::Multipart,
            "json" => Kind::Json { lines: false },
            "xml" => Kind::Xml,
            _ => Kind::Raw,
        }
    }

    /// Where several types are declared, the first of these counts.
    const fn rank(self) -> usize {
        match self {
            Kind::Form => 0,
            Kind::Multipart => 1,
            Kind::Json { .. } => 2,
            Kind::Xml => 3,
            Kind::Raw => 4,
        }
    }
}

/// What the content-type fields say.
#[derive(Default)]
struct Declared<'a> {
    /// `None` where no type is declared.
    kind: Option<Kind>,
    /// The type itself, without parameters.
    media_type: &'a [u8],
    boundary: Option<multipart::Boundary<'a>>,
    charset: Option<&'a [u8]>,
}

impl<'a> Declared<'a> {
    fn read(fields: &'a Fields) -> Declared<'a> {
        let mut declared = Declared::default();
        for field in fields.list.iter().filter(|field| field.known == Some(Known::ContentType)) {
            let value = fields.value(field);
            // Two types may have been joined in one field.
            for one in value.bytes().split(|&b| b == b',') {
                // Some servers end a type at a space, and what follows it must not hide the type from us.
                let ends = |b: &u8| matches!(b, b';' | b' ' | b'\t') || b.is_ascii_control();
                let media_type = bytes::trim(one).split(ends).next().unwrap_or_default();
                if media_type.is_empty() {
                    continue;
                }
                let kind = Kind::of_type(media_type);
                if declared.kind.is_none_or(|known| kind.rank() < known.rank()) {
                    declared.kind = Some(kind);
                    declared.media_type = media_type;
                }
            }
            declared.boundary = multipart::boundary(value, declared.boundary);
            declared.charset = declared.charset.or(multipart::charset(value));
        }
        declared
    }

    /// What the content looks like. The parts of a multipart body are looked at one by one.
    fn find(&self, content: &[u8]) -> Option<&'static FindRow> {
        match self.kind {
            Some(Kind::Multipart) if content.trim_ascii_start().starts_with(b"--") => None,
            // To look at all of a form again would only say that it is one.
            Some(Kind::Form) => finds::of_body(content, "form"),
            _ => finds::of_body(content, ""),
        }
    }

    fn is_contradicted_by(&self, find: &FindRow) -> bool {
        let Some(kind) = self.kind else { return true };
        if kind != Kind::Raw {
            return kind.rank() != Kind::of_find(find).rank();
        }
        let says_nothing = self.media_type.eq_ignore_ascii_case(b"application/octet-stream");
        match find.sign {
            _ if find.is_home(self.media_type) => false,
            Sign::Structure => !says_nothing,
            _ => !find.passive || ["text", "image", "audio", "video", "font"].iter().any(|class| self.is_of(class)),
        }
    }

    /// Whether the content is text as far as anybody says.
    fn is_text(&self) -> bool {
        self.kind.is_none() || self.is_of("text")
    }

    fn is_of(&self, class: &str) -> bool {
        let declared = self.media_type.split(|&b| b == b'/').next().unwrap_or_default();
        declared.eq_ignore_ascii_case(class.as_bytes())
    }
}

/// A character set in which ASCII characters may be other bytes: what is looked for would not be found.
fn is_odd_charset(name: &[u8]) -> bool {
    const PLAIN: &[&str] =
        &["", "utf-8", "utf8", "us-ascii", "ascii", "iso-8859-1", "iso-8859-15", "latin1", "windows-1252", "cp1252"];
    !PLAIN.iter().any(|plain| name.eq_ignore_ascii_case(plain.as_bytes()))
}

/// The readers of content, each with its buffers.
#[derive(Default)]
struct Readers {
    form: Pairs,
    listing: Listing,
    graphql: Graphql,
    json: JsonScratch,
    multipart: MultipartScratch,
    xml: XmlScratch,
}

impl Readers {
    fn clear(&mut self) {
        self.form.clear();
        self.listing.clear();
        self.graphql.clear();
    }

    fn run(
        &mut self,
        content: Hidden<'_>,
        kind: Kind,
        is_other: bool,
        boundary: Option<multipart::Boundary<'_>>,
        tools: &mut Tools<'_>,
    ) -> Body {
        let Readers { form, listing, graphql, json, multipart, xml } = self;
        listing.begin(content.len());
        let body = match kind {
            Kind::Raw => return Body::Raw { len: content.len() },
            Kind::Form => {
                let source = if is_other { Source::NoForm } else { Source::Form };
                read_form(content, source, form, tools);
                return Body::Form;
            }
            Kind::Json { lines } => {
                tools.findings.raise(Flag::BodyJson, content.whole());
                let text = without_bom(content, tools.findings);
                json::run(text, lines, is_other, json, listing, graphql, tools);
                Body::Json
            }
            Kind::Multipart => {
                tools.findings.raise(Flag::BodyMultipart, content.whole());
                multipart::run(content, boundary, multipart, listing, tools);
                Body::Multipart
            }
            Kind::Xml => {
                tools.findings.raise(Flag::BodyXml, content.whole());
                let text = without_bom(content, tools.findings);
                Body::Xml { depth: xml::run(text, is_other, xml, listing, tools) }
            }
        };
        listing.finish(graphql.left_out, content.whole(), tools.findings);
        body
    }
}

fn read_form(content: Hidden<'_>, source: Source, form: &mut Pairs, tools: &mut Tools<'_>) {
    let Tools { layers, redact, settings, findings } = tools;
    findings.raise(Flag::BodyForm, content.whole());
    let text = bytes::without_line_end(content.bytes());
    if text.len() < content.len() {
        findings.change(Change::LineEndDropped, content.span(text.len(), content.len()));
    }
    query::run(content.slice(0, text.len()), source, form, layers, redact, settings, findings);
}

const UTF8_BOM: &[u8] = "\u{FEFF}".as_bytes();

fn raise_bom(content: Hidden<'_>, findings: &mut Findings) {
    let marks = [UTF8_BOM, b"\xFE\xFF", b"\xFF\xFE"];
    if let Some(mark) = marks.iter().find(|mark| content.bytes().starts_with(mark)) {
        findings.raise(Flag::Bom, content.span(0, mark.len()));
    }
}

/// The text behind a byte order mark, which is dropped where it is UTF-8.
fn without_bom<'a>(content: Hidden<'a>, findings: &mut Findings) -> Hidden<'a> {
    if !content.bytes().starts_with(UTF8_BOM) {
        return content;
    }
    findings.change(Change::BomDropped, content.span(0, UTF8_BOM.len()));
    content.slice(UTF8_BOM.len(), content.len())
}
