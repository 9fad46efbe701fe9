//! One JSON object a line.
//!
//! Nothing that serde_json says is passed on: its messages quote the input.

use super::Work;
use super::output::Carried;
use super::source::Source;
use crate::report::{Place, Stop, shown_word};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::error::Category;
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::fmt;
use tamiz::{Parts, Target};

pub(super) fn read(source: &mut Source, work: &mut Work<'_>, carry: &[String]) -> Result<(), Stop> {
    let mut reader = Reader::new(carry);
    let mut line = 1;
    // How far the window is known to hold no line end.
    let mut scanned = 0;
    loop {
        let pending = source.pending();
        let (text, consumed) = match pending[scanned..].iter().position(|byte| *byte == b'\n') {
            Some(at) => (&pending[..scanned + at], scanned + at + 1),
            None if source.ended() => (pending, pending.len()),
            None => {
                scanned = pending.len();
                work.fill(source)?;
                continue;
            }
        };
        if consumed == 0 {
            return Ok(());
        }
        if let Err(refusal) = reader.record(text, work)? {
            work.report.record(Place { file: source.name(), line, column: refusal.column }, &refusal);
        }
        source.consume(consumed);
        line += 1;
        scanned = 0;
    }
}

/// The fields a request can have, each at its index in [`Record::request`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Field {
    RawB64,
    Raw,
    Method,
    Target,
    Scheme,
    Authority,
    Path,
    Headers,
    Body,
    BodyB64,
}

impl Field {
    const ALL: [Field; 10] = [
        Field::RawB64,
        Field::Raw,
        Field::Method,
        Field::Target,
        Field::Scheme,
        Field::Authority,
        Field::Path,
        Field::Headers,
        Field::Body,
        Field::BodyB64,
    ];

    const fn name(self) -> &'static str {
        match self {
            Field::RawB64 => "raw_b64",
            Field::Raw => "raw",
            Field::Method => "method",
            Field::Target => "target",
            Field::Scheme => "scheme",
            Field::Authority => "authority",
            Field::Path => "path",
            Field::Headers => "headers",
            Field::Body => "body",
            Field::BodyB64 => "body_b64",
        }
    }
}

/// Why a record is not read. Only places and our own words.
struct Refusal {
    reason: Reason,
    column: Option<usize>,
}

enum Reason {
    NotUtf8,
    Malformed,
    Unfinished,
    NotAnObject,
    /// The name is ours, or a word that `--carry` gave.
    Twice(String),
    NotAString(&'static str),
    NotBase64(&'static str),
    NotHeaders,
    Both(&'static str, &'static str),
    Missing(&'static str),
    NoRequest,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.reason {
            Reason::NotUtf8 => f.write_str("not UTF-8"),
            Reason::Malformed => f.write_str("malformed JSON"),
            Reason::Unfinished => f.write_str("the JSON ends too soon"),
            Reason::NotAnObject => f.write_str("not a JSON object"),
            Reason::Twice(name) => write!(f, "`{}` stands twice", shown_word(name)),
            Reason::NotAString(field) => write!(f, "`{field}` is not a string"),
            Reason::NotBase64(field) => write!(f, "`{field}`: standard base64 with padding is expected"),
            Reason::NotHeaders => f.write_str("`headers` is not an array of [name, value]"),
            Reason::Both(one, other) => write!(f, "both `{one}` and `{other}`"),
            Reason::Missing(field) => write!(f, "`{field}` is missing"),
            Reason::NoRequest => f.write_str("no request: neither `raw_b64` nor `raw` nor `method`"),
        }
    }
}

impl From<Reason> for Refusal {
    fn from(reason: Reason) -> Refusal {
        Refusal { reason, column: None }
    }
}

/// What lives longer than a record.
struct Reader<'c> {
    /// `id` and `label`, then what `--carry` names, each once.
    carry: Vec<&'c str>,
    raw: Vec<u8>,
    body: Vec<u8>,
}

impl<'c> Reader<'c> {
    fn new(names: &'c [String]) -> Reader<'c> {
        let mut carry = vec!["id", "label"];
        for name in names {
            if !carry.contains(&name.as_str()) {
                carry.push(name);
            }
        }
        Reader { carry, raw: Vec::new(), body: Vec::new() }
    }

    /// Writes the document of one line; blank lines are no records.
    fn record(&mut self, line: &[u8], work: &mut Work<'_>) -> Result<Result<(), Refusal>, Stop> {
        if line.trim_ascii().is_empty() {
            return Ok(Ok(()));
        }
        work.document.clear();
        match self.canonicalize(line, work) {
            Ok(carried) => work.write(&Carried { fields: &carried }).map(Ok),
            Err(refusal) => Ok(Err(refusal)),
        }
    }

    fn canonicalize<'l>(
        &mut self,
        line: &'l [u8],
        work: &mut Work<'_>,
    ) -> Result<Vec<(&'c str, Option<&'l RawValue>)>, Refusal> {
        let text = std::str::from_utf8(line)
            .map_err(|error| Refusal { reason: Reason::NotUtf8, column: Some(error.valid_up_to() + 1) })?;
        let record = Record::parse(text, &self.carry)?;
        if record.has(Field::Raw) && record.has(Field::RawB64) {
            return Err(Reason::Both("raw", "raw_b64").into());
        }
        if record.bytes(Field::RawB64, &mut self.raw)? || record.bytes(Field::Raw, &mut self.raw)? {
            work.engine.canonicalize(&self.raw, &mut work.document);
        } else {
            self.canonicalize_parts(&record, work)?;
        }
        Ok(self.carry.iter().copied().zip(record.carried).collect())
    }

    fn canonicalize_parts(&mut self, record: &Record<'_>, work: &mut Work<'_>) -> Result<(), Refusal> {
        let split = [Field::Scheme, Field::Authority, Field::Path];
        let Some(method) = record.string(Field::Method)? else {
            let given = [Field::Target, Field::Headers, Field::Body, Field::BodyB64].into_iter().chain(split);
            let parts = given.filter(|field| record.has(*field)).count() > 0;
            return Err(if parts { Reason::Missing("method") } else { Reason::NoRequest }.into());
        };
        let target = record.string(Field::Target)?;
        let [scheme, authority, path] = split.map(|field| record.string(field));
        let (scheme, authority, path) = (scheme?, authority?, path?);
        let target = match &target {
            Some(target) => match split.into_iter().find(|field| record.has(*field)) {
                Some(field) => return Err(Reason::Both("target", field.name()).into()),
                None => Target::Raw(target.as_bytes()),
            },
            None if path.is_none() && authority.is_none() => return Err(Reason::Missing("target").into()),
            None => Target::Split {
                scheme: scheme.as_deref().unwrap_or_default().as_bytes(),
                authority: authority.as_deref().unwrap_or_default().as_bytes(),
                path: path.as_deref().unwrap_or_default().as_bytes(),
            },
        };
        let headers = record.headers()?;
        let headers: Vec<_> = headers.iter().map(|(name, value)| (name.as_bytes(), value.as_bytes())).collect();
        if record.has(Field::Body) && record.has(Field::BodyB64) {
            return Err(Reason::Both("body", "body_b64").into());
        }
        if !record.bytes(Field::BodyB64, &mut self.body)? && !record.bytes(Field::Body, &mut self.body)? {
            self.body.clear();
        }
        let parts = Parts { method: method.as_bytes(), target, headers: &headers, body: &self.body };
        work.engine.canonicalize_parts(&parts, &mut work.document);
        Ok(())
    }
}

/// One object: the fields we know, still as JSON text.
struct Record<'l> {
    request: [Option<&'l RawValue>; Field::ALL.len()],
    carried: Vec<Option<&'l RawValue>>,
    /// Two values under one name: another reader might take the other one.
    twice: Option<Reason>,
}

impl<'l> Record<'l> {
    fn parse(text: &'l str, carry: &[&str]) -> Result<Record<'l>, Refusal> {
        let mut json = serde_json::Deserializer::from_str(text);
        let refused = |error: serde_json::Error| match error.classify() {
            Category::Eof => Refusal { reason: Reason::Unfinished, column: Some(error.column()) },
            Category::Syntax | Category::Io => Refusal { reason: Reason::Malformed, column: Some(error.column()) },
            Category::Data => Reason::NotAnObject.into(),
        };
        let record = Fields { carry }.deserialize(&mut json).map_err(refused)?;
        json.end().map_err(refused)?;
        match record.twice {
            Some(reason) => Err(reason.into()),
            None => Ok(record),
        }
    }

    /// A field that is null is not there.
    fn value(&self, field: Field) -> Option<&'l str> {
        self.request[field as usize].map(RawValue::get).filter(|json| *json != "null")
    }

    fn has(&self, field: Field) -> bool {
        self.value(field).is_some()
    }

    fn string(&self, field: Field) -> Result<Option<Cow<'l, str>>, Refusal> {
        let Some(json) = self.value(field) else {
            return Ok(None);
        };
        // Borrowed where there is no escape in it.
        if let Some(plain) = json.strip_prefix('"').and_then(|json| json.strip_suffix('"'))
            && !plain.contains('\\')
        {
            return Ok(Some(Cow::Borrowed(plain)));
        }
        match serde_json::from_str::<String>(json) {
            Ok(text) => Ok(Some(Cow::Owned(text))),
            Err(_) => Err(Reason::NotAString(field.name()).into()),
        }
    }

    /// Puts the bytes of a field into `bytes`; false where it is not there.
    fn bytes(&self, field: Field, bytes: &mut Vec<u8>) -> Result<bool, Refusal> {
        let Some(text) = self.string(field)? else {
            return Ok(false);
        };
        bytes.clear();
        if matches!(field, Field::RawB64 | Field::BodyB64) {
            let decoded = STANDARD.decode_vec(text.as_bytes(), bytes);
            decoded.map_err(|_| Reason::NotBase64(field.name()))?;
        } else {
            bytes.extend_from_slice(text.as_bytes());
        }
        Ok(true)
    }

    fn headers(&self) -> Result<Vec<(String, String)>, Refusal> {
        let json = self.value(Field::Headers).unwrap_or("[]");
        serde_json::from_str(json).map_err(|_| Reason::NotHeaders.into())
    }
}

/// Reads an object into a [`Record`].
struct Fields<'c> {
    carry: &'c [&'c str],
}

impl<'l> DeserializeSeed<'l> for Fields<'_> {
    type Value = Record<'l>;

    fn deserialize<D: Deserializer<'l>>(self, json: D) -> Result<Record<'l>, D::Error> {
        json.deserialize_map(self)
    }
}

impl<'l> Visitor<'l> for Fields<'_> {
    type Value = Record<'l>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'l>>(self, mut map: A) -> Result<Record<'l>, A::Error> {
        let mut record =
            Record { request: [None; Field::ALL.len()], carried: vec![None; self.carry.len()], twice: None };
        while let Some(key) = map.next_key_seed(KeyOf { carry: self.carry })? {
            let (slot, name) = match key {
                Key::Request(field) => (&mut record.request[field as usize], field.name()),
                Key::Carried(index) => (&mut record.carried[index], self.carry[index]),
                Key::Other => {
                    map.next_value::<IgnoredAny>()?;
                    continue;
                }
            };
            if slot.replace(map.next_value()?).is_some() {
                record.twice = Some(Reason::Twice(name.to_owned()));
            }
        }
        Ok(record)
    }
}

enum Key {
    Request(Field),
    Carried(usize),
    Other,
}

struct KeyOf<'c> {
    carry: &'c [&'c str],
}

impl<'l> DeserializeSeed<'l> for KeyOf<'_> {
    type Value = Key;

    fn deserialize<D: Deserializer<'l>>(self, json: D) -> Result<Key, D::Error> {
        json.deserialize_str(self)
    }
}

impl Visitor<'_> for KeyOf<'_> {
    type Value = Key;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key")
    }

    fn visit_str<E>(self, name: &str) -> Result<Key, E> {
        let field = Field::ALL.into_iter().find(|field| field.name() == name);
        let carried = || self.carry.iter().position(|carried| *carried == name);
        Ok(field.map(Key::Request).or_else(|| carried().map(Key::Carried)).unwrap_or(Key::Other))
    }
}
