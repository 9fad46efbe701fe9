//! Header fields to lines: names, order, duplicates, then the value of each line.

use crate::bytes::{self, Classes};
use crate::findings::{Findings, Line};
use crate::hidden::Hidden;
use crate::memo::Memo;
use crate::settings::Settings;
use crate::stage::content::{self, Place};
use crate::stage::decode::{self, Layers};
use crate::stage::host::{Fault, Host};
use crate::stage::redact::{self, Escape, Literal, Redact, SafeSpan};
use crate::stage::unfold::{Field, Fields};
use crate::stage::values::{self, Normaliser};
use crate::table::changes::Change;
use crate::table::flags::Flag;
use crate::table::headers::{self, HEADERS, HeaderRow, ValueRule};
use crate::table::limits::LONG_FIELD;

/// A field with its name read.
struct Named {
    /// As written: fields are sorted and compared by it.
    name: SafeSpan,
    row: Option<&'static HeaderRow>,
    sensitive: bool,
    /// Characters of the name, for HLEN.
    length: usize,
}

/// One `H:` line.
#[derive(Clone, Copy)]
pub(crate) struct HeaderLine {
    pub(crate) name: SafeSpan,
    pub(crate) value: SafeSpan,
}

/// The header lines of one request, with the buffers of this stage.
#[derive(Default)]
pub(crate) struct Headers {
    pub(crate) lines: Vec<HeaderLine>,
    /// Characters of `name: value` over the lines, before the normalisers.
    pub(crate) length: usize,
    named: Vec<Named>,
    /// Positions of fields, by name, then by arrival.
    order: Vec<usize>,
    line_of_field: Vec<usize>,
    merged: Vec<u8>,
    merged_map: Vec<usize>,
    normaliser: Normaliser,
}

/// Writes the header lines.
pub(crate) fn run(
    fields: &Fields,
    hosts: &[Host],
    headers: &mut Headers,
    layers: &mut Layers,
    redact: &mut Redact,
    settings: &Settings,
    findings: &mut Findings,
) {
    headers.lines.clear();
    headers.length = 0;
    headers.named.clear();
    for (i, field) in fields.list.iter().enumerate() {
        findings.on(Line::Field(i));
        headers.named.push(read_name(fields, field, layers, redact, settings, findings));
    }
    sort(headers, redact);
    let order = std::mem::take(&mut headers.order);
    headers.line_of_field.clear();
    headers.line_of_field.resize(order.len(), 0);
    let mut hosts = hosts.iter();
    let mut host_line = None;
    let mut rest = order.as_slice();
    while let Some(&first) = rest.first() {
        let name = |i: usize| redact.safe.get(headers.named[i].name);
        let same = rest.iter().take_while(|&&i| name(i) == name(first)).count();
        let (group, others) = rest.split_at(same);
        rest = others;
        write_group(fields, group, &mut hosts, &mut host_line, headers, redact, settings, findings);
    }
    headers.order = order;
    findings.settle(&headers.line_of_field, host_line);
}

fn sort(headers: &mut Headers, redact: &Redact) {
    let mut order = std::mem::take(&mut headers.order);
    order.clear();
    order.extend(0..headers.named.len());
    let name = |i: usize| redact.safe.get(headers.named[i].name);
    order.sort_unstable_by(|&a, &b| name(a).cmp(name(b)).then(a.cmp(&b)));
    headers.order = order;
}

fn read_name(
    fields: &Fields,
    field: &Field,
    layers: &mut Layers,
    redact: &mut Redact,
    settings: &Settings,
    findings: &mut Findings,
) -> Named {
    let raw = fields.name(field);
    let good = !field.no_colon && !field.space_before_colon && is_good_name(raw.bytes());
    if good && let Some(position) = position(raw.bytes()) {
        return read_known(position, raw, redact, settings, findings);
    }
    let name = decode::nfkc_name(raw, layers, findings);
    let start = redact.safe.begin();
    redact.push_literal(name, Literal::Name, Escape::Name, true, settings, findings);
    let written = redact.safe.since(start);
    if !good {
        content::hidden_characters(name.bytes(), name.whole(), findings);
        findings.raise_named(Flag::BadHdrName, written, raw.whole());
    }
    let row = headers::row(redact.safe.get(written));
    if row.is_some_and(|row| row.hop_by_hop) {
        findings.raise_named(Flag::HopByHop, written, raw.whole());
    }
    let known = row.is_some()
        || settings.known_headers.binary_search_by(|known| known.as_str().cmp(redact.safe.get(written))).is_ok();
    if !known {
        findings.raise_named(Flag::UnkHdr, written, raw.whole());
    }
    let sensitive = redact.is_sensitive(name.bytes(), settings);
    Named { name: written, row, sensitive, length: redact::length(name.bytes()) }
}

/// The row of a name in any case. What is in the table needs no redaction.
fn position(name: &[u8]) -> Option<usize> {
    let mut lowered = [0; 64];
    let lowered = lowered.get_mut(..name.len())?;
    lowered.copy_from_slice(name);
    lowered.make_ascii_lowercase();
    headers::position(std::str::from_utf8(lowered).ok()?)
}

fn read_known(
    position: usize,
    raw: Hidden<'_>,
    redact: &mut Redact,
    settings: &Settings,
    findings: &mut Findings,
) -> Named {
    let row = &HEADERS[position];
    let start = redact.safe.begin();
    redact.safe.push(row.name);
    let name = redact.safe.since(start);
    if row.hop_by_hop {
        findings.raise_named(Flag::HopByHop, name, raw.whole());
    }
    Named { name, row: Some(row), sensitive: settings.sensitive_rows[position], length: row.name.len() }
}

/// An RFC 9110 token without an underscore, which proxies and gateways read in different ways.
fn is_good_name(name: &[u8]) -> bool {
    bytes::is_token(name) && !name.contains(&b'_')
}

/// Fields of one name: one line where they may be joined, a line each otherwise.
#[expect(clippy::too_many_arguments, reason = "one call, and every argument is a different thing")]
fn write_group(
    fields: &Fields,
    group: &[usize],
    hosts: &mut std::slice::Iter<'_, Host>,
    host_line: &mut Option<usize>,
    headers: &mut Headers,
    redact: &mut Redact,
    settings: &Settings,
    findings: &mut Findings,
) {
    let Named { name, row, .. } = headers.named[group[0]];
    let rule = row.map_or(ValueRule::Literal, |row| row.value);
    let repeated = group.len() > 1 && rule != ValueRule::SetCookie;
    let merge = group.len() > 1 && row.is_some_and(|row| row.merge);
    let mut cookies = 0;
    for (n, &i) in group.iter().enumerate() {
        let field = &fields.list[i];
        findings.on(Line::Field(i));
        for flag in field.oddities.iter() {
            findings.raise(flag, field.span);
        }
        if repeated {
            findings.raise_named(Flag::DupHdr, name, field.span);
        }
        if fields.name(field).len() + ": ".len() + fields.value(field).len() > LONG_FIELD {
            findings.raise_named(Flag::HLong, name, field.span);
        }
        headers.line_of_field[i] = headers.lines.len();
        if merge && n > 0 {
            findings.change(Change::HeaderMerged, field.span);
        } else if headers.lines.len() != i {
            findings.change(Change::HeaderMoved, field.span);
        }
        if merge && n + 1 < group.len() {
            continue;
        }
        let mut normaliser = std::mem::take(&mut headers.normaliser);
        let (mut merged, mut map) = (std::mem::take(&mut headers.merged), std::mem::take(&mut headers.merged_map));
        let value =
            if merge { join(fields, group, &mut merged, &mut map, findings.is_traced()) } else { fields.value(field) };
        // A line without a colon has no value that its words could make a secret.
        let sensitive = headers.named[i].sensitive && !(field.no_colon && value.bytes().is_empty());
        let line = Value { name, row, rule, sensitive, text: value };
        headers.length += headers.named[i].length + ": ".len() + redact::length(value.bytes());
        let written = match rule {
            ValueRule::Host => {
                host_line.get_or_insert(headers.lines.len());
                line.host(hosts.next(), redact, settings, findings)
            }
            _ => line.write(&mut normaliser, &mut cookies, redact, settings, findings),
        };
        if redact.safe.get(written).as_bytes() != value.bytes() {
            findings.change(Change::ValueNormalised, value.whole());
        }
        (headers.normaliser, headers.merged, headers.merged_map) = (normaliser, merged, map);
        headers.lines.push(HeaderLine { name, value: written });
    }
    if rule == ValueRule::Cookie {
        // Still on the last line of the group.
        findings.raise_count(Flag::Cookie, cookies, fields.list[group[group.len() - 1]].span);
    }
}

fn join<'a>(
    fields: &Fields,
    group: &[usize],
    merged: &'a mut Vec<u8>,
    map: &'a mut Vec<usize>,
    traced: bool,
) -> Hidden<'a> {
    merged.clear();
    map.clear();
    for &i in group {
        let value = fields.value(&fields.list[i]);
        if !merged.is_empty() || i != group[0] {
            merged.extend_from_slice(b", ");
            if traced {
                map.extend([value.whole().start; 2]);
            }
        }
        merged.extend_from_slice(value.bytes());
        if traced {
            map.extend((0..value.len()).map(|at| value.span(at, at).start));
        }
    }
    // An empty last value leaves the space of its separator behind.
    let len = bytes::trim(merged).len();
    merged.truncate(len);
    if traced {
        map.truncate(len);
        map.push(fields.value(&fields.list[group[group.len() - 1]]).whole().end);
    }
    Hidden::mapped(merged, 0, map)
}

/// The value of one line, before it is written.
pub(crate) struct Value<'a> {
    name: SafeSpan,
    row: Option<&'static HeaderRow>,
    rule: ValueRule,
    sensitive: bool,
    text: Hidden<'a>,
}

impl Value<'_> {
    fn host(&self, host: Option<&Host>, redact: &mut Redact, settings: &Settings, findings: &mut Findings) -> SafeSpan {
        let Some(host) = host else {
            let start = redact.safe.begin();
            redact.push_literal(self.text, Literal::Text, Escape::Value, true, settings, findings);
            return redact.safe.since(start);
        };
        if host.fault == Some(Fault::Character) {
            findings.raise_named(Flag::BadHdrName, self.name, self.text.whole());
        }
        host.header
    }

    fn write(
        &self,
        normaliser: &mut Normaliser,
        cookies: &mut usize,
        redact: &mut Redact,
        settings: &Settings,
        findings: &mut Findings,
    ) -> SafeSpan {
        let remember = settings.normalise_values && Memo::takes(self.rule, self.text.bytes()) && findings.is_quiet();
        if remember && let Some(known) = normaliser.memo.get(self.rule, self.text.bytes()) {
            known.flags.iter().for_each(|flag| findings.raise(flag, self.text.whole()));
            let start = redact.safe.begin();
            redact.safe.push_kept(known.written);
            return redact.safe.since(start);
        }
        let classes = bytes::classes(self.text.bytes());
        self.look_at_content(classes, settings, findings);
        if self.rule == ValueRule::Cookie {
            let mut context = values::Context { redact, settings, findings };
            let (written, count) = values::cookie(self.text, normaliser, &mut context);
            *cookies += count;
            return written;
        }
        let start = redact.safe.begin();
        let mut clean = false;
        let mut context = values::Context { redact, settings, findings };
        match self.rule {
            ValueRule::SetCookie => values::set_cookie(self.text, &mut context),
            ValueRule::Authorization => values::authorization(self.text, &mut context),
            ValueRule::ForwardedFor | ValueRule::Forwarded | ValueRule::ClientIp => {
                values::addresses(self.text, self.rule, &mut context);
            }
            _ if self.sensitive => {
                context.redact.push_value(self.text, classes, true, settings, context.findings);
            }
            rule if settings.normalise_values => clean = normaliser.run(self.text, rule, classes, &mut context),
            rule => values::literal(self.text, rule, &mut context),
        }
        let written = redact.safe.since(start);
        if remember && clean {
            normaliser.memo.put(self.rule, self.text.bytes(), written, findings.on_this_line(), &redact.safe);
        }
        written
    }

    /// What the value shows. A secret is not looked into, and a header's own syntax is no content.
    fn look_at_content(&self, classes: Classes, settings: &Settings, findings: &mut Findings) {
        let secret =
            self.sensitive || matches!(self.rule, ValueRule::Cookie | ValueRule::SetCookie | ValueRule::Authorization);
        let fits = self.row.is_some_and(|row| headers::fits(row.syntax, self.text.bytes()));
        let place = if secret || fits { Place::Syntax } else { Place::Header };
        let span = self.text;
        if classes.has(Classes::HIGH) && self.rule == ValueRule::Url {
            content::characters(span, &settings.scripts, findings);
        }
        content::run(span, classes, place, &settings.scripts, findings);
    }
}
