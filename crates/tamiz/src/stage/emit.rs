//! The document: every line, in its order, from text that went through redaction.

use crate::findings::{Finding, Line, Param};
use crate::placeholder::Placeholder;
use crate::settings::Settings;
use crate::stage::body::{Body, BodyScratch};
use crate::stage::headers::Headers;
use crate::stage::query::{Pair, Pairs};
use crate::stage::redact::{Redact, Safe, SafeSpan, push_number};
use crate::stage::rollup::Rollup;
use crate::stage::target::Scheme;

/// Everything that a document says.
pub(crate) struct Facts<'a> {
    pub(crate) method: SafeSpan,
    pub(crate) url: Url,
    /// `None` for CONNECT with an authority.
    pub(crate) path: Option<SafeSpan>,
    /// `None` where the target has no `?`.
    pub(crate) query: Option<&'a Pairs>,
    pub(crate) body: Body,
    pub(crate) body_scratch: &'a BodyScratch,
    pub(crate) headers: &'a Headers,
    pub(crate) rollup: &'a Rollup,
    pub(crate) redact: &'a Redact,
    pub(crate) settings: &'a Settings,
}

/// What `U:` says.
#[derive(Clone, Copy)]
pub(crate) enum Url {
    /// No host is known: the line is left out.
    Unknown,
    /// `host:port` alone.
    Authority(SafeSpan),
    Absolute {
        scheme: Scheme,
        host: SafeSpan,
    },
}

/// Appends the document to `out`.
pub(crate) fn run(facts: &Facts<'_>, out: &mut String) {
    let mut writer = Writer { facts, safe: &facts.redact.safe, local: &facts.rollup.local, out };
    writer.method();
    writer.url();
    writer.path();
    writer.query();
    writer.body();
    writer.flags();
    writer.headers();
}

struct Writer<'a, 'b> {
    facts: &'a Facts<'a>,
    safe: &'a Safe,
    /// The local flags of the lines that are still to come.
    local: &'a [Finding],
    out: &'b mut String,
}

impl Writer<'_, '_> {
    fn method(&mut self) {
        self.text("M:");
        self.span(self.facts.method);
        self.text("\n");
    }

    fn url(&mut self) {
        match self.facts.url {
            Url::Unknown => return,
            Url::Authority(host) => {
                self.text("U:");
                self.span(host);
            }
            Url::Absolute { scheme, host } => {
                self.text("U:");
                self.text(scheme.text(self.facts.redact, self.facts.settings));
                self.text("://");
                self.span(host);
                self.span(self.facts.path.unwrap_or_default());
                if let Some(pairs) = self.facts.query {
                    self.text("?");
                    self.pairs(&pairs.list);
                }
            }
        }
        self.text("\n");
    }

    fn path(&mut self) {
        let Some(path) = self.facts.path else { return };
        self.text("P:");
        self.span(path);
        let (whole, longest) = path_lengths(self.safe.get(path));
        self.text(" PLEN:");
        self.metric(whole);
        self.text(" PMAX:");
        self.metric(longest);
        self.end_line(Line::Path);
    }

    fn query(&mut self) {
        let Some(pairs) = self.facts.query else { return };
        self.text("Q:");
        self.number(pairs.list.len());
        self.text(" KEYS:");
        self.keys(&pairs.list);
        self.end_line(Line::Query);
        let (redact, settings) = (self.facts.redact, self.facts.settings);
        if settings.keys_sorted {
            self.text("KEYS_SORTED:");
            for (n, group) in pairs.groups(redact).enumerate() {
                self.text(if n > 0 { "," } else { "" });
                self.span(pairs.list[group[0]].key);
            }
            self.text("\n");
        }
        // Without a U: line nothing else would show the shapes.
        if settings.query_by_key || matches!(self.facts.url, Url::Unknown) {
            for group in pairs.groups(redact) {
                self.text("QK:");
                self.span(pairs.list[group[0]].key);
                for (n, &i) in group.iter().enumerate() {
                    self.text(if n > 0 { "|" } else { "=" });
                    self.span(pairs.list[i].value.unwrap_or_default());
                }
                self.text("\n");
            }
        }
    }

    fn body(&mut self) {
        match self.facts.body {
            Body::None => return,
            Body::Raw { len } => {
                self.text("B:raw BLEN:");
                self.metric(len);
            }
            Body::Form => self.fields("B:form "),
            Body::Multipart => self.fields("B:multipart "),
            Body::Json => {
                self.fields("B:json ");
                self.graphql();
            }
            Body::Xml { depth } => {
                self.fields("B:xml ");
                self.text(" DEPTH:");
                self.number(depth);
            }
        }
        self.end_line(Line::Body);
    }

    fn fields(&mut self, label: &'static str) {
        let fields = self.facts.body_scratch.fields(self.facts.body);
        self.text(label);
        self.number(fields.len());
        self.text(" KEYS:");
        self.keys(fields);
        if !fields.is_empty() {
            self.text(" ");
            self.pairs(fields);
        }
    }

    fn graphql(&mut self) {
        let graphql = self.facts.body_scratch.graphql();
        for (n, operation) in graphql.operations.iter().enumerate() {
            self.text(if n > 0 { "," } else { " GRAPHQL:" });
            self.text(operation.kind.word());
            if !self.safe.get(operation.name).is_empty() {
                self.text(":");
                self.span(operation.name);
            }
        }
        if !graphql.operations.is_empty() {
            self.text(" DEPTH:");
            self.number(graphql.depth);
        }
    }

    fn flags(&mut self) {
        for (n, flag) in self.facts.rollup.all.iter().enumerate() {
            self.text(if n > 0 { " " } else { "FLAGS:[" });
            self.flag(flag);
        }
        if !self.facts.rollup.all.is_empty() {
            self.text("]\n");
        }
    }

    fn headers(&mut self) {
        let headers = self.facts.headers;
        for (n, line) in headers.lines.iter().enumerate() {
            self.text("H:");
            self.span(line.name);
            self.text("=");
            self.span(line.value);
            self.end_line(Line::Header(n));
        }
        self.text("HCNT:");
        self.number(headers.lines.len());
        self.text(" HLEN:");
        self.metric(headers.length);
        self.text("\n");
    }

    fn pairs(&mut self, pairs: &[Pair]) {
        for (n, pair) in pairs.iter().enumerate() {
            self.text(if n > 0 { "&" } else { "" });
            self.span(pair.key);
            if let Some(value) = pair.value {
                self.text("=");
                self.span(value);
            }
        }
    }

    fn keys(&mut self, pairs: &[Pair]) {
        for (n, pair) in pairs.iter().enumerate() {
            self.text(if n > 0 { "," } else { "" });
            self.span(pair.key);
        }
    }

    fn end_line(&mut self, line: Line) {
        let before = self.local.partition_point(|finding| finding.line < line);
        let after = self.local.partition_point(|finding| finding.line <= line);
        if self.facts.settings.local_flags {
            for finding in &self.local[before..after] {
                self.text(" [");
                self.flag(finding);
                self.text("]");
            }
        }
        self.local = &self.local[after..];
        self.text("\n");
    }

    fn flag(&mut self, finding: &Finding) {
        self.text(finding.flag.name());
        match finding.param {
            Param::None => {}
            Param::Text(name) => {
                self.text(":");
                self.span(name);
            }
            Param::Word(word) => {
                self.text(":");
                self.text(word);
            }
            Param::Count(count) => {
                self.text(":");
                self.number(count);
            }
        }
    }

    fn metric(&mut self, len: usize) {
        self.number(len);
        self.text("@");
        self.text(self.facts.settings.buckets.label(len));
    }

    fn number(&mut self, number: usize) {
        push_number(self.out, number);
    }

    fn span(&mut self, span: SafeSpan) {
        self.out.push_str(self.safe.get(span));
    }

    fn text(&mut self, text: &str) {
        self.out.push_str(text);
    }
}

/// The characters of a path as written, and those of its longest segment. A placeholder counts with its length.
fn path_lengths(path: &str) -> (usize, usize) {
    let bytes = path.as_bytes();
    let (mut whole, mut segment, mut longest) = (0, 0, 0);
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        if byte == b'<'
            && let Some(placeholder) = Placeholder::without_space(&bytes[at..])
        {
            whole += placeholder.chars as usize;
            segment += placeholder.chars as usize;
            at += placeholder.bytes;
        } else {
            // Continuation bytes belong to the character before them.
            let begins = usize::from(byte & 0xC0 != 0x80);
            whole += begins;
            segment = if byte == b'/' { 0 } else { segment + begins };
            at += 1;
        }
        longest = longest.max(segment);
    }
    (whole, longest)
}
