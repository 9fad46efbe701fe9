//! Documents out: as text, as one JSON array, or as one JSON object a line.

use crate::args::Output;
use crate::report::Stop;
use serde_json::value::RawValue;
use std::io::{self, BufWriter, Write};
use tamiz::{Body, Document, LineLabel, Pair};

/// Fields of the input record that go to the output, in order, as the JSON they were.
pub(super) struct Carried<'a> {
    pub(super) fields: &'a [(&'a str, Option<&'a RawValue>)],
}

impl Carried<'_> {
    pub(super) const NOTHING: Carried<'static> = Carried { fields: &[] };
}

pub(super) struct Sink {
    out: BufWriter<io::StdoutLock<'static>>,
    pub(super) form: Output,
    first: bool,
    /// The object being written: its many small pieces are cheaper here than in the writer.
    line: Vec<u8>,
}

impl Sink {
    pub(super) fn stdout(form: Output) -> Sink {
        Sink { out: BufWriter::with_capacity(256 * 1024, io::stdout().lock()), form, first: true, line: Vec::new() }
    }

    pub(super) fn begin(&mut self) -> Result<(), Stop> {
        if self.form == Output::Json {
            self.out.write_all(b"[")?;
        }
        Ok(())
    }

    /// `text` is one document, with the line end of its last line.
    pub(super) fn text(&mut self, text: &str) -> Result<(), Stop> {
        if !std::mem::take(&mut self.first) {
            self.out.write_all(b"\n")?;
        }
        Ok(self.out.write_all(text.as_bytes())?)
    }

    /// `document` is what `text` parses to.
    pub(super) fn object(&mut self, document: &Document<'_>, text: &str, carried: &Carried<'_>) -> Result<(), Stop> {
        let first = std::mem::take(&mut self.first);
        self.line.clear();
        if self.form == Output::Json {
            self.line.extend_from_slice(if first { b"\n" } else { b",\n" });
        }
        object(&mut self.line, document, text, carried)?;
        if self.form == Output::Jsonl {
            self.line.push(b'\n');
        }
        Ok(self.out.write_all(&self.line)?)
    }

    pub(super) fn flush(&mut self) -> Result<(), Stop> {
        Ok(self.out.flush()?)
    }

    pub(super) fn end(&mut self) -> Result<(), Stop> {
        if self.form == Output::Json {
            self.out.write_all(if self.first { b"]\n" } else { b"\n]\n" })?;
        }
        self.flush()
    }
}

/// The fields and their order are the contract's.
fn object(out: &mut Vec<u8>, document: &Document<'_>, text: &str, carried: &Carried<'_>) -> io::Result<()> {
    out.write_all(b"{")?;
    for (name, value) in carried.fields {
        if let Some(value) = value {
            string(out, name)?;
            out.write_all(b":")?;
            one_line(out, value.get())?;
            out.write_all(b",")?;
        }
    }
    write!(out, "\"contract\":\"{}\",\"canonical\":", tamiz::CONTRACT)?;
    string(out, text)?;
    out.write_all(b",\"flags\":")?;
    array(out, document.flags(), |out, flag| string(out, flag))?;
    out.write_all(b",\"flag_names\":")?;
    array(out, document.flag_names(), string)?;
    out.write_all(b",\"method\":")?;
    string(out, document.method())?;
    out.write_all(b",\"url\":")?;
    optional(out, document.url(), string)?;
    out.write_all(b",\"path\":")?;
    optional(out, document.path(), string)?;
    out.write_all(b",\"plen\":")?;
    optional(out, document.plen(), |out, plen| write!(out, "{}", plen.len))?;
    out.write_all(b",\"pmax\":")?;
    optional(out, document.pmax(), |out, pmax| write!(out, "{}", pmax.len))?;
    out.write_all(b",\"query\":")?;
    optional(out, document.query(), pairs)?;
    out.write_all(b",\"body\":")?;
    optional(out, document.body(), body)?;
    out.write_all(b",\"headers\":")?;
    array(out, document.headers(), |out, header| array(out, [header.name, header.value], string))?;
    write!(out, ",\"hcnt\":{},\"hlen\":{},\"local\":{{", document.hcnt(), document.hlen().len)?;
    for (index, (line, flags)) in by_line(document).iter().enumerate() {
        if index > 0 {
            out.write_all(b",")?;
        }
        string(out, &line.to_string())?;
        out.write_all(b":")?;
        array(out, flags, |out, flag| string(out, flag))?;
    }
    out.write_all(b"}}")
}

/// The local flags, in the order of the lines; those of headers with the same name together.
fn by_line<'d>(document: &'d Document<'_>) -> Vec<(LineLabel<'d>, Vec<&'d str>)> {
    let mut lines: Vec<(LineLabel<'_>, Vec<&str>)> = Vec::new();
    for (label, flags) in document.local() {
        match lines.last_mut() {
            // Headers are sorted by name: equal names are neighbours.
            Some((last, union)) if *last == label => {
                union.extend(flags);
                union.sort_unstable();
                union.dedup();
            }
            _ => lines.push((label, flags.to_vec())),
        }
    }
    lines
}

fn pairs(out: &mut Vec<u8>, pairs: &[Pair<'_>]) -> io::Result<()> {
    array(out, pairs, |out, pair| {
        out.write_all(b"[")?;
        string(out, pair.key)?;
        out.write_all(b",")?;
        optional(out, pair.value, string)?;
        out.write_all(b"]")
    })
}

fn body(out: &mut Vec<u8>, body: &Body<'_>) -> io::Result<()> {
    write!(out, "{{\"kind\":\"{}\"", body.kind())?;
    if let Some(listed) = body.pairs() {
        out.write_all(b",\"pairs\":")?;
        pairs(out, listed)?;
    }
    match body {
        Body::Form { .. } | Body::Multipart { .. } => {}
        Body::Json { graphql, .. } => {
            out.write_all(b",\"graphql\":")?;
            optional(out, graphql.as_ref(), |out, graphql| {
                out.write_all(b"{\"operations\":")?;
                array(out, &graphql.operations, |out, operation| string(out, operation))?;
                write!(out, ",\"depth\":{}}}", graphql.depth)
            })?;
        }
        Body::Xml { depth, .. } => write!(out, ",\"depth\":{depth}")?,
        Body::Raw { len } => write!(out, ",\"len\":{}", len.len)?,
    }
    out.write_all(b"}")
}

fn array<T>(
    out: &mut Vec<u8>,
    items: impl IntoIterator<Item = T>,
    mut write: impl FnMut(&mut Vec<u8>, T) -> io::Result<()>,
) -> io::Result<()> {
    out.write_all(b"[")?;
    for (index, item) in items.into_iter().enumerate() {
        if index > 0 {
            out.write_all(b",")?;
        }
        write(out, item)?;
    }
    out.write_all(b"]")
}

fn optional<T>(
    out: &mut Vec<u8>,
    value: Option<T>,
    write: impl FnOnce(&mut Vec<u8>, T) -> io::Result<()>,
) -> io::Result<()> {
    match value {
        Some(value) => write(out, value),
        None => out.write_all(b"null"),
    }
}

fn string(out: &mut Vec<u8>, text: &str) -> io::Result<()> {
    Ok(serde_json::to_writer(out, text)?)
}

/// JSON from the input, as it was, but for what some readers of JSONL take for a line end. Outside strings only the
/// carriage return can stand, as white space.
fn one_line(out: &mut Vec<u8>, json: &str) -> io::Result<()> {
    let mut rest = json;
    while let Some(at) = rest.find(['\r', '\u{85}', '\u{2028}', '\u{2029}']) {
        out.write_all(&rest.as_bytes()[..at])?;
        let mut behind = rest[at..].chars();
        match behind.next() {
            Some('\r') | None => out.write_all(b" ")?,
            Some(other) => write!(out, "\\u{:04x}", u32::from(other))?,
        }
        rest = behind.as_str();
    }
    out.write_all(rest.as_bytes())
}
