//! The path: decoded, split into segments, collapsed, never resolved.

use std::ops::Range;

use crate::bytes::{self, Classes};
use crate::findings::{Findings, Line};
use crate::hidden::{Hidden, PRESERVED};
use crate::settings::Settings;
use crate::stage::content::{self, Place};
use crate::stage::decode::{self, Component, Layers};
use crate::stage::redact::{Redact, SafeSpan, users_in_path};
use crate::stage::target::PathKind;
use crate::table::changes::Change;
use crate::table::flags::Flag;

/// Buffers of this stage, kept by the engine.
#[derive(Default)]
pub(crate) struct PathScratch {
    joined: Vec<u8>,
    map: Vec<usize>,
    users: Vec<Range<usize>>,
    users_before: Vec<Range<usize>>,
}

/// Reads a path and writes it in its canonical form.
pub(crate) fn run(
    raw: Hidden<'_>,
    kind: PathKind,
    scratch: &mut PathScratch,
    layers: &mut Layers,
    redact: &mut Redact,
    settings: &Settings,
    findings: &mut Findings,
) -> SafeSpan {
    findings.on(Line::Path);
    content::line_ends(raw, findings);
    let decoded = decode::run(raw, Component::Path, false, layers, findings);
    let text = decoded.text();
    content::run(text, decoded.classes(), Place::Path, &settings.scripts, findings);
    if decoded.classes().has(Classes::PERCENT) && findings.is_enabled(Flag::PercentInPath) {
        let at = memchr::memchr(b'%', text.bytes()).unwrap_or(0);
        findings.raise(Flag::PercentInPath, text.span(at, at + 1));
    }
    scratch.users_before.clear();
    let needs_slash = raw.bytes().first() != Some(&b'/');
    if kind == PathKind::Formless {
        user_in_front(text.bytes(), &mut scratch.users_before);
    }
    users_in_path(text.bytes(), decoded.classes(), &mut scratch.users_before);
    for user in &scratch.users_before {
        findings.raise(Flag::UserInfo, text.span(user.start, user.end));
    }
    dotdots(text, findings);
    collapse(text, needs_slash, scratch, findings);
    let joined = Hidden::mapped(&scratch.joined, text.whole().start, &scratch.map);
    if joined.bytes() == b"/" {
        findings.raise(Flag::Home, raw.whole());
    }
    if kind == PathKind::Secret && joined.len() > 1 {
        scratch.users.clear();
        scratch.users.push(1..joined.len());
    }
    redact.path(joined, &scratch.users, settings, findings)
}

/// A target that has none of the forms may be an authority that failed to be one: its user information is secret too.
fn user_in_front(text: &[u8], users: &mut Vec<Range<usize>>) {
    let first = &text[..memchr::memchr(b'/', text).unwrap_or(text.len())];
    if let Some(at) = memchr::memrchr(b'@', first).filter(|&at| at > 0) {
        users.push(0..at);
    }
}

/// Joins the segments that say something. The result begins with a slash and ends in none, unless it is `/`.
fn collapse(text: Hidden<'_>, needs_slash: bool, scratch: &mut PathScratch, findings: &mut Findings) {
    let traced = findings.is_traced();
    let PathScratch { joined, map, users, users_before } = scratch;
    joined.clear();
    map.clear();
    users.clear();
    let bytes = text.bytes();
    let mut users_before = users_before.iter().peekable();
    let mut start = usize::from(!needs_slash && bytes.first() == Some(&b'/'));
    while start <= bytes.len() {
        let end = memchr::memchr(b'/', &bytes[start..]).map_or(bytes.len(), |n| start + n);
        let last = end == bytes.len();
        match &bytes[start..end] {
            // An empty last segment is a trailing slash, which goes without saying.
            [] if last => {
                if start > 1 {
                    findings.change(Change::TrailingSlashDropped, text.span(start - 1, start));
                }
            }
            [] => {
                findings.raise(Flag::MultipleSlash, text.span(start, end + 1));
                findings.change(Change::SlashesCollapsed, text.span(start, end + 1));
            }
            [b'.'] => {
                findings.raise(Flag::DotCur, text.span(start, end));
                findings.change(Change::DotDropped, text.span(start, end));
            }
            segment => {
                joined.push(b'/');
                let offset = joined.len();
                joined.extend_from_slice(segment);
                if traced {
                    map.push(text.span(start.saturating_sub(1), start).start);
                    map.extend((start..end).map(|i| text.span(i, i).start));
                }
                while let Some(user) = users_before.next_if(|user| user.start < end) {
                    if user.start >= start {
                        users.push(offset + user.start - start..offset + user.end.min(end) - start);
                    }
                }
            }
        }
        start = end + 1;
    }
    if joined.is_empty() {
        joined.push(b'/');
        if traced {
            map.push(text.whole().start);
        }
    }
    if traced {
        map.push(text.whole().end);
    }
}

/// DOTDOT: `..` between slashes of any kind, or before a path parameter. DOTDOTN: the longest run of such segments.
fn dotdots(text: Hidden<'_>, findings: &mut Findings) {
    let bytes = text.bytes();
    if memchr::memmem::find(bytes, b"..").is_none() {
        return;
    }
    let (mut run, mut longest) = (0usize, 0usize);
    let mut start = 0;
    let mut first = None;
    while start <= bytes.len() {
        let (end, next) = segment_end(bytes, start);
        match &bytes[start..end] {
            [b'.', b'.'] | [b'.', b'.', b';', ..] => {
                run += 1;
                first.get_or_insert(start);
            }
            // What collapses away does not interrupt a run.
            [] | [b'.'] => {}
            _ => run = 0,
        }
        longest = longest.max(run);
        start = next;
    }
    if let Some(at) = first {
        findings.raise(Flag::DotDot, text.span(at, at + 2));
        findings.raise_count(Flag::DotDotN, longest, text.span(at, at + 2));
    }
}

/// The end of the segment at `start`, and the start of the next one: delimited by `/`, `\`, `%2F` or `%5C`.
fn segment_end(bytes: &[u8], start: usize) -> (usize, usize) {
    for (i, &byte) in bytes[start..].iter().enumerate() {
        let at = start + i;
        match byte {
            b'/' | b'\\' => return (at, at + 1),
            PRESERVED => return (at, at + 2),
            b'%' if matches!(bytes::hex_byte(&bytes[at + 1..]), Some(b'/' | b'\\')) => return (at, at + 3),
            _ => {}
        }
    }
    (bytes.len(), bytes.len() + 1)
}
