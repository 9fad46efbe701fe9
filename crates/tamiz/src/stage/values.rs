//! Header values in their canonical form, one function a rule.
//!
//! A normaliser sees only text in which redaction found nothing; other text is written literally, with placeholders.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::ops::Range;

use crate::bytes::{self, Classes};
use crate::findings::Findings;
use crate::hidden::Hidden;
use crate::memo::Memo;
use crate::settings::Settings;
use crate::stage::content::ANY_DANGEROUS;
use crate::stage::frame::plain_number;
use crate::stage::redact::{Escape, Literal, Redact, SafeSpan};
use crate::table::agents::{is_ordinary, platform};
use crate::table::flags::Flag;
use crate::table::headers::{self, Syntax, ValueRule};
use crate::table::secrets::AUTH_SCHEMES;

/// What every rule needs.
pub(crate) struct Context<'a> {
    pub(crate) redact: &'a mut Redact,
    pub(crate) settings: &'a Settings,
    pub(crate) findings: &'a mut Findings,
}

impl Context<'_> {
    fn literal(&mut self, text: Hidden<'_>, kind: Literal, lower: bool) {
        self.redact.push_literal(text, kind, Escape::Value, lower, self.settings, self.findings);
    }

    fn clean(&mut self, text: Hidden<'_>, lower: bool) {
        self.redact.push_clean(text, Escape::Value, lower, self.findings);
    }
}

/// The kind of literal text that a rule's value is: normalised and URL values keep their words.
const fn literal_kind(rule: ValueRule) -> Literal {
    match rule {
        ValueRule::Literal => Literal::Value,
        _ => Literal::Text,
    }
}

/// A value without its normaliser.
pub(crate) fn literal(text: Hidden<'_>, rule: ValueRule, context: &mut Context<'_>) {
    context.literal(text, literal_kind(rule), false);
}

/// An item of a list value.
struct Item {
    range: Range<usize>,
    /// The value without its parameters.
    main: Range<usize>,
    /// In millionths; `None` for a malformed item.
    quality: Option<u32>,
    wildcards: u8,
}

/// The normalisers of list values and user agents, with their buffers.
#[derive(Default)]
pub(crate) struct Normaliser {
    items: Vec<Item>,
    lowered: Vec<u8>,
    agent: String,
    pub(crate) memo: Memo,
    /// Name, name and length, order of arrival.
    cookies: Vec<(SafeSpan, SafeSpan, usize)>,
}

impl Normaliser {
    /// Writes a value. Returns whether redaction had nothing to say about it.
    pub(crate) fn run(
        &mut self,
        text: Hidden<'_>,
        rule: ValueRule,
        classes: Classes,
        context: &mut Context<'_>,
    ) -> bool {
        match rule {
            ValueRule::ContentLength => content_length(text, context),
            ValueRule::Literal | ValueRule::Url => {
                literal(text, rule, context);
                return false;
            }
            _ if !context.redact.is_clean(text, Literal::Text, context.settings, context.findings) => {
                context.literal(text, Literal::Text, rule == ValueRule::UserAgent);
                return false;
            }
            ValueRule::UserAgent => user_agent(text, &mut self.agent, context),
            ValueRule::Accept => self.accept(text, classes, context),
            ValueRule::AcceptLanguage => self.by_quality(text, is_language, language_case, context),
            ValueRule::AcceptCharset => self.by_quality(text, bytes::is_token, lower_case, context),
            ValueRule::AcceptEncoding => self.encodings(text, context),
            _ => literal(text, rule, context),
        }
        true
    }

    fn accept(&mut self, text: Hidden<'_>, classes: Classes, context: &mut Context<'_>) {
        self.read_items(text.bytes(), is_media_range);
        self.lower(text.bytes(), classes);
        let Normaliser { items, lowered, .. } = self;
        let key = |item: &Item| item.quality.map_or((true, 0), |_| (false, item.wildcards));
        items.sort_unstable_by(|a, b| {
            let by_type = || match (a.quality, b.quality) {
                (Some(p), Some(q)) => lowered[a.main.clone()].cmp(&lowered[b.main.clone()]).then(q.cmp(&p)),
                _ => std::cmp::Ordering::Equal,
            };
            key(a).cmp(&key(b)).then_with(by_type).then(a.range.start.cmp(&b.range.start))
        });
        self.write(text, context, |item, quality, context| {
            context.clean(text.slice(item.main.start, item.main.end), true);
            push_parameters(text, item, quality, context);
        });
    }

    /// Writes the items in their order: malformed ones as they came, others as `well_formed` does.
    fn write(&self, text: Hidden<'_>, context: &mut Context<'_>, well_formed: impl Fn(&Item, u32, &mut Context<'_>)) {
        for (n, item) in self.items.iter().enumerate() {
            if n > 0 {
                context.redact.safe.push(" ");
            }
            match item.quality {
                Some(quality) => well_formed(item, quality, context),
                None => context.clean(text.slice(item.range.start, item.range.end), false),
            }
        }
    }

    /// The lower-case twin of the value, for comparing.
    fn lower(&mut self, text: &[u8], classes: Classes) {
        self.lowered.clear();
        self.lowered.extend_from_slice(text);
        if classes.has(Classes::UPPER) {
            self.lowered.make_ascii_lowercase();
        }
    }

    fn by_quality(
        &mut self,
        text: Hidden<'_>,
        fits: fn(&[u8]) -> bool,
        case: fn(&[u8], usize) -> Case,
        context: &mut Context<'_>,
    ) {
        self.read_items(text.bytes(), |main| main == b"*" || fits(main));
        self.items.sort_unstable_by_key(|item| {
            (item.quality.is_none(), std::cmp::Reverse(item.quality.unwrap_or(0)), item.range.start)
        });
        self.write(text, context, |item, quality, context| {
            push_cased(text.slice(item.main.start, item.main.end), case, context);
            push_parameters(text, item, quality, context);
        });
    }

    fn encodings(&mut self, text: Hidden<'_>, context: &mut Context<'_>) {
        self.read_items(text.bytes(), |main| main == b"*" || bytes::is_token(main));
        self.lower(text.bytes(), Classes::UPPER);
        let Normaliser { items, lowered, .. } = self;
        let refused = |item: &Item| item.quality == Some(0);
        items.sort_unstable_by(|a, b| {
            let by_name = || match (a.quality, b.quality) {
                (Some(_), Some(_)) => {
                    lowered[a.main.clone()].cmp(&lowered[b.main.clone()]).then(refused(a).cmp(&refused(b)))
                }
                _ => std::cmp::Ordering::Equal,
            };
            let malformed = (a.quality.is_none()).cmp(&b.quality.is_none());
            malformed.then_with(by_name).then(a.range.start.cmp(&b.range.start))
        });
        items.dedup_by(|b, a| {
            let same = lowered[a.main.clone()] == lowered[b.main.clone()];
            a.quality.is_some() && b.quality.is_some() && same && refused(a) == refused(b)
        });
        self.write(text, context, |item, quality, context| {
            context.clean(text.slice(item.main.start, item.main.end), true);
            if quality == 0 {
                context.redact.safe.push(";q0.0");
            }
        });
    }

    /// Splits a value at its commas; `fits` says whether the main part of an item is well formed.
    fn read_items(&mut self, text: &[u8], fits: impl Fn(&[u8]) -> bool) {
        self.items.clear();
        let mut start = 0;
        while start <= text.len() {
            let end = unquoted(text, start, b',');
            let range = trimmed(text, start..end);
            start = end + 1;
            if range.is_empty() {
                continue;
            }
            let main = trimmed(text, range.start..unquoted(&text[..range.end], range.start, b';'));
            let mut item = Item { range, main: main.clone(), quality: None, wildcards: wildcards(&text[main.clone()]) };
            item.quality = if fits(&text[main]) { quality(text, &item) } else { None };
            self.items.push(item);
        }
    }
}

fn is_media_range(text: &[u8]) -> bool {
    let Some(slash) = memchr::memchr(b'/', text) else { return false };
    let (kind, sub) = (&text[..slash], &text[slash + 1..]);
    bytes::is_token(kind) && bytes::is_token(sub) && (kind != b"*" || sub == b"*")
}

/// How general a media range is: `*/*` two, `text/*` one.
fn wildcards(text: &[u8]) -> u8 {
    match text {
        b"*/*" => 2,
        _ if text.ends_with(b"/*") => 1,
        _ => 0,
    }
}

/// The next `byte` outside quotes, or the end.
fn unquoted(text: &[u8], start: usize, byte: u8) -> usize {
    let mut quoted = false;
    let mut at = start;
    while at < text.len() {
        match text[at] {
            b'"' => quoted = !quoted,
            b'\\' if quoted => at += 1,
            b if b == byte && !quoted => return at,
            _ => {}
        }
        at += 1;
    }
    text.len()
}

fn trimmed(text: &[u8], range: Range<usize>) -> Range<usize> {
    let part = &text[range.clone()];
    let lead = part.iter().take_while(|&&b| bytes::is_blank(b)).count();
    let start = range.start + lead;
    start..start + bytes::trim(part).len()
}

/// The parameters of an item, trimmed.
fn parameters<'a>(text: &'a [u8], item: &Item) -> impl Iterator<Item = Range<usize>> + 'a {
    let end = item.range.end;
    let mut start = unquoted(&text[..end], item.range.start, b';') + 1;
    std::iter::from_fn(move || {
        while start <= end {
            let stop = unquoted(&text[..end], start, b';');
            let parameter = trimmed(text, start..stop);
            start = stop + 1;
            if !parameter.is_empty() {
                return Some(parameter);
            }
        }
        None
    })
}

fn is_quality(parameter: &[u8]) -> bool {
    matches!(parameter, [b'q' | b'Q', rest @ ..] if bytes::trim(rest).starts_with(b"="))
}

/// The quality of an item in millionths; `None` where a parameter is malformed.
fn quality(text: &[u8], item: &Item) -> Option<u32> {
    let mut quality = None;
    for parameter in parameters(text, item) {
        let parameter = &text[parameter];
        if is_quality(parameter) {
            let equals = memchr::memchr(b'=', parameter)?;
            if quality.replace(read_quality(bytes::trim(&parameter[equals + 1..]))?).is_some() {
                return None;
            }
        } else if !headers::fits(Syntax::Params, parameter) {
            return None;
        }
    }
    Some(quality.unwrap_or(MILLION))
}

const MILLION: u32 = 1_000_000;

/// `0`, `1`, or either with a fraction, at most 1. Six digits are kept.
fn read_quality(text: &[u8]) -> Option<u32> {
    let (whole, fraction) = match text {
        [whole @ (b'0' | b'1')] => (*whole, &[][..]),
        [whole @ (b'0' | b'1'), b'.', fraction @ ..] => (*whole, fraction),
        _ => return None,
    };
    if !fraction.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let mut value = u32::from(whole - b'0') * MILLION;
    let mut unit = MILLION / 10;
    for &digit in fraction {
        value += u32::from(digit - b'0') * unit;
        unit /= 10;
    }
    (value <= MILLION).then_some(value)
}

/// The parameters of an item as they came, and its quality last.
fn push_parameters(text: Hidden<'_>, item: &Item, quality: u32, context: &mut Context<'_>) {
    for parameter in parameters(text.bytes(), item) {
        if !is_quality(&text.bytes()[parameter.clone()]) {
            context.redact.safe.push(";");
            context.clean(text.slice(parameter.start, parameter.end), false);
        }
    }
    push_quality(quality, context);
}

/// `;q` and the shortest decimal with one digit at least.
fn push_quality(quality: u32, context: &mut Context<'_>) {
    let safe = &mut context.redact.safe;
    safe.push(if quality >= MILLION { ";q1." } else { ";q0." });
    let mut rest = quality % MILLION;
    let mut unit = MILLION / 10;
    loop {
        safe.number((rest / unit) as usize);
        rest %= unit;
        unit /= 10;
        if rest == 0 || unit == 0 {
            return;
        }
    }
}

/// How a part of a tag is written.
#[derive(Clone, Copy)]
enum Case {
    Lower,
    Upper,
    Title,
}

/// Letters, digits and hyphens.
fn is_language(tag: &[u8]) -> bool {
    tag.split(|&b| b == b'-').all(|part| !part.is_empty() && part.iter().all(u8::is_ascii_alphanumeric))
}

/// BCP 47: language in lower case, script in title case, region in upper case.
fn language_case(part: &[u8], index: usize) -> Case {
    let letters = part.iter().all(u8::is_ascii_alphabetic);
    match part.len() {
        2 if index > 0 && letters => Case::Upper,
        4 if index > 0 && letters => Case::Title,
        _ => Case::Lower,
    }
}

fn lower_case(_: &[u8], _: usize) -> Case {
    Case::Lower
}

fn push_cased(tag: Hidden<'_>, case: fn(&[u8], usize) -> Case, context: &mut Context<'_>) {
    let mut start = 0;
    for (index, part) in tag.bytes().split(|&b| b == b'-').enumerate() {
        let end = start + part.len();
        if index > 0 {
            context.redact.safe.push("-");
        }
        let mut buffer = [0; 4];
        match case(part, index) {
            Case::Lower => context.clean(tag.slice(start, end), true),
            Case::Upper | Case::Title if part.len() > buffer.len() => context.clean(tag.slice(start, end), false),
            style => {
                let cased = &mut buffer[..part.len()];
                cased.copy_from_slice(part);
                cased.make_ascii_lowercase();
                match style {
                    Case::Title => cased[0].make_ascii_uppercase(),
                    _ => cased.make_ascii_uppercase(),
                }
                context.clean(Hidden::new(cased, tag.whole().start), false);
            }
        }
        start = end + 1;
    }
}

/// A plain number as its bucket: the exact figure is noise to a model.
fn content_length(text: Hidden<'_>, context: &mut Context<'_>) {
    match plain_number(text.bytes()) {
        Some(number) => context.redact.safe.bucket(context.settings.buckets.label(number)),
        None => context.literal(text, Literal::Text, false),
    }
}

/// `name<len:n>` for every cookie, by name as written. Returns what was written and how many there are.
pub(crate) fn cookie(text: Hidden<'_>, normaliser: &mut Normaliser, context: &mut Context<'_>) -> (SafeSpan, usize) {
    let cookies = &mut normaliser.cookies;
    cookies.clear();
    let bytes = text.bytes();
    let mut start = 0;
    for part in bytes.split(|&b| b == b';') {
        let range = trimmed(bytes, start..start + part.len());
        start += part.len() + 1;
        if range.is_empty() {
            continue;
        }
        let equals = memchr::memchr(b'=', &bytes[range.clone()]).map(|n| range.start + n);
        let (name, value) = match equals {
            // `Zm9vYmFy==` is a value with its padding, not a name with the value `=`.
            Some(equals) if &bytes[equals..range.end] == b"==" => (range.start..range.start, range),
            Some(equals) => (trimmed(bytes, range.start..equals), trimmed(bytes, equals + 1..range.end)),
            None => (range.start..range.start, range),
        };
        let begin = context.redact.safe.begin();
        context.redact.cookie_name(text.slice(name.start, name.end), context.settings, context.findings);
        let name = context.redact.safe.since(begin);
        context.redact.push_length(text.slice(value.start, value.end), context.findings);
        cookies.push((name, context.redact.safe.since(begin), cookies.len()));
    }
    // By the name as written: the order of names that are secrets must not tell them apart.
    let safe = &mut context.redact.safe;
    cookies.sort_unstable_by(|a, b| safe.get(a.0).cmp(safe.get(b.0)).then(a.2.cmp(&b.2)));
    let begin = safe.begin();
    for (n, &(_, cookie, _)) in cookies.iter().enumerate() {
        if n > 0 {
            safe.push(" ");
        }
        safe.again_in_value(cookie);
    }
    (safe.since(begin), cookies.len())
}

/// The attributes of a cookie that say nothing about the user.
const COOKIE_ATTRIBUTES: &[&str] =
    &["domain", "expires", "httponly", "max-age", "partitioned", "path", "priority", "samesite", "secure"];

/// `name<len:n>` and the attributes, in order of arrival.
pub(crate) fn set_cookie(text: Hidden<'_>, context: &mut Context<'_>) {
    let smuggled = context.redact.smuggled_in(text.bytes(), context.settings);
    let whole = text;
    let text = text.slice(0, smuggled.unwrap_or(text.len()));
    write_set_cookie(text, context);
    if let Some(at) = smuggled {
        context.redact.push_secret(whole.slice(at, whole.len()), context.findings);
    }
}

fn write_set_cookie(text: Hidden<'_>, context: &mut Context<'_>) {
    let bytes = text.bytes();
    let mut start = 0;
    let mut first = true;
    for part in bytes.split(|&b| b == b';') {
        let range = trimmed(bytes, start..start + part.len());
        start += part.len() + 1;
        if range.is_empty() {
            continue;
        }
        if !first {
            context.redact.safe.push("; ");
        }
        let equals = memchr::memchr(b'=', &bytes[range.clone()]).map(|n| range.start + n);
        let name = trimmed(bytes, range.start..equals.unwrap_or(range.end));
        let attribute =
            COOKIE_ATTRIBUTES.iter().any(|known| bytes[name.clone()].eq_ignore_ascii_case(known.as_bytes()));
        if !first && attribute {
            context.literal(text.slice(range.start, range.end), Literal::Text, false);
        } else {
            let value = equals.map_or(name.clone(), |equals| trimmed(bytes, equals + 1..range.end));
            if equals.is_some() {
                context.redact.cookie_name(text.slice(name.start, name.end), context.settings, context.findings);
            }
            context.redact.push_length(text.slice(value.start, value.end), context.findings);
        }
        first = false;
    }
}

/// `<SECRET:scheme:n>`; n is the length of the credentials, or of the whole value where there is no scheme.
pub(crate) fn authorization(text: Hidden<'_>, context: &mut Context<'_>) {
    let bytes = text.bytes();
    if crate::placeholder::is_whole(bytes) {
        context.clean(text, false);
        return;
    }
    let space = memchr::memchr(b' ', bytes);
    let scheme = &bytes[..space.unwrap_or(0)];
    let credentials = text.slice(space.map_or(0, |space| space + 1), bytes.len());
    let word = if scheme.eq_ignore_ascii_case(b"bearer") {
        context.findings.raise(Flag::AuthBearer, text.whole());
        "bearer"
    } else if scheme.eq_ignore_ascii_case(b"basic") {
        context.findings.raise(Flag::AuthBasic, text.whole());
        "basic"
    } else if scheme.eq_ignore_ascii_case(b"digest") {
        "digest"
    } else {
        "other"
    };
    if crate::placeholder::is_whole(credentials.bytes()) {
        return context.clean(credentials, false);
    }
    // Only a scheme tells where credentials begin; without one, a space is part of the secret.
    let known =
        bytes::is_token(scheme) || AUTH_SCHEMES.iter().any(|known| scheme.eq_ignore_ascii_case(known.as_bytes()));
    context.redact.push_credentials(if known { credentials } else { text }, word, context.settings, context.findings);
}

/// The class of every hop, joined by commas.
pub(crate) fn addresses(text: Hidden<'_>, rule: ValueRule, context: &mut Context<'_>) {
    if rule != ValueRule::ClientIp {
        context.findings.raise(Flag::Xff, text.whole());
    }
    // A hop cannot end a secret that runs to the end of the value.
    if !context.redact.is_clean(text, Literal::Text, context.settings, context.findings) {
        return context.literal(text, Literal::Value, false);
    }
    let bytes = text.bytes();
    let mut start = 0;
    let mut first = true;
    while start <= bytes.len() {
        let end = unquoted(bytes, start, b',');
        let hop = trimmed(bytes, start..end);
        start = end + 1;
        if hop.is_empty() {
            continue;
        }
        if !first {
            context.redact.safe.push(",");
        }
        first = false;
        let address = if rule == ValueRule::Forwarded { forwarded_for(bytes, hop.clone()) } else { Some(hop.clone()) };
        let class = address.map_or("other", |address| address_class(&bytes[address]));
        let hop_text = text.slice(hop.start, hop.end);
        // What would be dropped although it is dangerous stays visible.
        let hides = class == "other" || rule == ValueRule::Forwarded;
        let syntax = headers::fits(Syntax::Params, hop_text.bytes());
        if hides && !syntax && bytes::classes(hop_text.bytes()).has(ANY_DANGEROUS) {
            context.literal(hop_text, Literal::Value, false);
        } else {
            context.redact.safe.push(class);
        }
    }
}

/// The `for=` of one element of a Forwarded header.
fn forwarded_for(text: &[u8], element: Range<usize>) -> Option<Range<usize>> {
    let mut start = element.start;
    while start <= element.end {
        let end = unquoted(&text[..element.end], start, b';');
        let pair = trimmed(text, start..end);
        start = end + 1;
        let equals = memchr::memchr(b'=', &text[pair.clone()]).map(|n| pair.start + n);
        if let Some(equals) = equals
            && bytes::trim(&text[pair.start..equals]).eq_ignore_ascii_case(b"for")
        {
            return Some(trimmed(text, equals + 1..pair.end));
        }
    }
    None
}

/// `ipv4`, `ipv6`, `private` or `other`. Quotes, brackets and a port may stand around an address.
fn address_class(text: &[u8]) -> &'static str {
    let text = text.strip_prefix(b"\"").and_then(|rest| rest.strip_suffix(b"\"")).unwrap_or(text);
    let address = match text {
        [b'[', rest @ ..] => {
            let end = memchr::memchr(b']', rest).unwrap_or(rest.len());
            let port = rest.get(end + 1..).unwrap_or_default();
            if !(port.is_empty() || port.starts_with(b":")) {
                return "other";
            }
            &rest[..end]
        }
        _ => match memchr::memchr(b':', text) {
            Some(colon) if memchr::memchr(b'.', &text[..colon]).is_some() => &text[..colon],
            _ => text,
        },
    };
    match std::str::from_utf8(address).ok().and_then(|address| address.parse().ok()) {
        Some(IpAddr::V4(address)) if is_private_v4(address) => "private",
        Some(IpAddr::V4(_)) => "ipv4",
        Some(IpAddr::V6(address)) if is_private_v6(address) => "private",
        Some(IpAddr::V6(_)) => "ipv6",
        None => "other",
    }
}

fn is_private_v4(address: Ipv4Addr) -> bool {
    let [a, b, ..] = address.octets();
    address.is_private() || address.is_loopback() || address.is_link_local() || (a == 100 && (64..128).contains(&b))
}

fn is_private_v6(address: Ipv6Addr) -> bool {
    let first = address.segments()[0];
    let mapped = address.to_ipv4_mapped().is_some_and(is_private_v4);
    address.is_loopback() || first & 0xFE00 == 0xFC00 || first & 0xFFC0 == 0xFE80 || mapped
}

/// `name/version` tokens in lower case, wherever they stand; comment items that say something, words joined by `:`.
fn user_agent(text: Hidden<'_>, lowered: &mut String, context: &mut Context<'_>) {
    if !headers::fits(Syntax::Comments, text.bytes()) {
        // Odd content is evidence: nothing of it is dropped or rearranged.
        context.literal(text, Literal::Text, true);
        return;
    }
    lowered.clear();
    lowered.push_str(std::str::from_utf8(text.bytes()).unwrap_or_default());
    lowered.make_ascii_lowercase();
    let mut tokens = Tokens { limit: context.settings.user_agent_tokens, count: 0, base: text.whole().start };
    let mut depth = 0usize;
    let mut rest = lowered.as_str();
    loop {
        let end = rest.find(['(', ')', '[', ']']).unwrap_or(rest.len());
        let outside = &rest[..end];
        if depth == 0 {
            outside.split(' ').filter(|word| !word.is_empty()).for_each(|word| tokens.push(word, context));
        } else {
            outside.split([';', ',']).for_each(|item| tokens.push_item(item.trim_matches(' '), context));
        }
        match rest.as_bytes().get(end) {
            Some(b'(' | b'[') => depth += 1,
            Some(_) => depth = depth.saturating_sub(1),
            None => break,
        }
        rest = &rest[end + 1..];
    }
    if tokens.count > tokens.limit {
        context.findings.raise(Flag::UaTrunc, text.whole());
    }
}

/// The tokens of a user agent, written up to a limit.
struct Tokens {
    limit: usize,
    count: usize,
    base: usize,
}

impl Tokens {
    /// One item of a comment: platforms with their versions, an ordinary phrase, or something to show.
    fn push_item(&mut self, mut item: &str, context: &mut Context<'_>) {
        /// A longer item is no list of platforms, and is not searched for any.
        const LONGEST_ITEM: usize = 256;
        while item.len() <= LONGEST_ITEM
            && !is_ordinary(item)
            && let Some(platform) = platform(item)
        {
            if self.begin(context) {
                context.redact.safe.push(platform.name);
                context.redact.safe.push("/");
                self.word(platform.version, context);
            }
            item = platform.rest;
        }
        // Products inside a comment stand for themselves; the words between them go together.
        while let Some((before, product, after)) = split_at_product(item) {
            self.push_phrase(before, context);
            self.push(product, context);
            item = after;
        }
        self.push_phrase(item, context);
    }

    fn push_phrase(&mut self, phrase: &str, context: &mut Context<'_>) {
        let phrase = phrase.trim_matches(' ');
        if phrase.is_empty() || is_ordinary(phrase) || !self.begin(context) {
            return;
        }
        for (n, word) in phrase.split(' ').enumerate() {
            if n > 0 {
                context.redact.safe.push(":");
            }
            self.word(word, context);
        }
    }

    fn push(&mut self, word: &str, context: &mut Context<'_>) {
        if self.begin(context) {
            self.word(word, context);
        }
    }

    /// Counts a token; returns whether it is still written.
    fn begin(&mut self, context: &mut Context<'_>) -> bool {
        self.count += 1;
        if self.count > 1 && self.count <= self.limit {
            context.redact.safe.push(" ");
        }
        self.count <= self.limit
    }

    fn word(&self, word: &str, context: &mut Context<'_>) {
        context.clean(Hidden::new(word.as_bytes(), self.base), true);
    }
}

/// A phrase around its first `name/version`.
fn split_at_product(phrase: &str) -> Option<(&str, &str, &str)> {
    let slash = phrase.find('/')?;
    let start = phrase[..slash].rfind(' ').map_or(0, |space| space + 1);
    let end = phrase[slash..].find(' ').map_or(phrase.len(), |space| slash + space);
    Some((&phrase[..start], &phrase[start..end], &phrase[end..]))
}
