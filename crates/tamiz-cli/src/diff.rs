//! `tamiz diff`: where two documents differ, and which flags explain it.

use crate::args::{DiffArgs, Lang};
use crate::canon::{Kind, Source, checked, kind_of};
use crate::config;
use crate::flags::{meaning, row_of};
use crate::paint::Paint;
use crate::report::{Place, Report, Stop};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, BufWriter, Write};
use std::path::Path;
use tamiz::Engine;

pub(crate) fn run(args: &DiffArgs, paint: &Paint, report: &mut Report) -> Result<(), Stop> {
    if args.a == Path::new("-") && args.b == Path::new("-") {
        report.failure("only one of the two can be standard input");
        return Err(Stop::Said);
    }
    let mut engine = config::engine(&args.settings, report)?;
    let a = document(&args.a, &mut engine, report)?;
    let b = document(&args.b, &mut engine, report)?;
    let mut out = BufWriter::new(io::stdout().lock());
    if a == b {
        writeln!(out, "same document")?;
    } else {
        report.differs();
        let names = [&args.a, &args.b].map(|path| path.display().to_string());
        writeln!(out, "{}--- {}{:#}", paint.removed, names[0], paint.removed)?;
        writeln!(out, "{}+++ {}{:#}", paint.added, names[1], paint.added)?;
        for pair in aligned(&a, &b).values() {
            pair.write(&mut out, args.lang, paint)?;
        }
    }
    Ok(out.flush()?)
}

/// The document of a file that holds a raw request, or the document itself.
fn document(path: &Path, engine: &mut Engine, report: &mut Report) -> Result<String, Stop> {
    let mut source = Source::open(path)?;
    while source.fill()? {}
    let bytes = source.pending();
    if kind_of(bytes, true) != Some(Kind::Canonical) {
        let mut text = String::new();
        engine.canonicalize(bytes, &mut text);
        return Ok(text);
    }
    let blank = bytes.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    checked(&bytes[blank..]).map(str::to_owned).map_err(|fault| {
        let above = bytes[..blank].iter().filter(|byte| **byte == b'\n').count();
        let line = (above + fault.line) as u64;
        let place = Place { file: source.name(), line, column: Some(fault.column) };
        report.failure(format_args!("{place}: {}", fault.reason));
        Stop::Said
    })
}

/// The lines of two documents that have the same place in them.
#[derive(Default)]
struct Pair<'d> {
    a: Option<&'d str>,
    b: Option<&'d str>,
}

/// Where a line stands: its kind, its header name or key, and its turn among those that have the same.
type Slot<'d> = (usize, &'d str, usize);

/// The kinds of line in the order of documents.
const KINDS: &[&str] = &["M:", "U:", "P:", "Q:", "KEYS_SORTED:", "QK:", "B:", "FLAGS:", "H:", "HCNT:"];

/// All lines of both, each with its partner, in the order of documents.
fn aligned<'d>(a: &'d str, b: &'d str) -> BTreeMap<Slot<'d>, Pair<'d>> {
    let mut pairs: BTreeMap<Slot<'d>, Pair<'d>> = BTreeMap::new();
    for (slot, line) in slots(a) {
        pairs.entry(slot).or_default().a = Some(line);
    }
    for (slot, line) in slots(b) {
        pairs.entry(slot).or_default().b = Some(line);
    }
    pairs
}

fn slots(document: &str) -> impl Iterator<Item = (Slot<'_>, &str)> {
    let mut turns: BTreeMap<(usize, &str), usize> = BTreeMap::new();
    document.lines().map(move |line| {
        let kind = KINDS.iter().position(|kind| line.starts_with(kind)).unwrap_or(KINDS.len());
        // In a header name and in a key `=` is escaped: the first one ends it.
        let name = match line.split_once(':') {
            Some(("H" | "QK", rest)) => rest.split('=').next().unwrap_or(rest),
            _ => "",
        };
        let turn = turns.entry((kind, name)).or_default();
        *turn += 1;
        ((kind, name, *turn), line)
    })
}

impl Pair<'_> {
    fn write(&self, out: &mut impl Write, lang: Lang, paint: &Paint) -> io::Result<()> {
        if self.a == self.b {
            return Ok(());
        }
        if self.a.or(self.b).is_some_and(|line| line.starts_with("FLAGS:[")) {
            return self.write_rollup(out, lang, paint);
        }
        if let Some(line) = self.a {
            writeln!(out, "{}- {line}{:#}", paint.removed, paint.removed)?;
        }
        if let Some(line) = self.b {
            writeln!(out, "{}+ {line}{:#}", paint.added, paint.added)?;
        }
        // What was seen on one side only is the reason, as far as a flag can tell.
        let [a, b] = [self.a, self.b].map(|line| line.map(local_flags).unwrap_or_default());
        for (side, flag) in only_in_one(&a, &b) {
            let faint = paint.faint;
            writeln!(out, "    {faint}{side} {flag}{}{faint:#}", explained(flag, lang))?;
        }
        Ok(())
    }

    fn write_rollup(&self, out: &mut impl Write, lang: Lang, paint: &Paint) -> io::Result<()> {
        let [a, b] = [self.a, self.b].map(|line| line.map(rollup).unwrap_or_default());
        for (side, flag) in only_in_one(&a, &b) {
            let tint = if side == '-' { paint.removed } else { paint.added };
            writeln!(out, "{tint}{side} FLAGS:[{flag}]{tint:#}{}", explained(flag, lang))?;
        }
        Ok(())
    }
}

/// The flags of one side that the other has not, with the sign of the side, in the order of documents.
fn only_in_one<'d>(a: &BTreeSet<&'d str>, b: &BTreeSet<&'d str>) -> Vec<(char, &'d str)> {
    let mut flags: Vec<_> = a.difference(b).map(|flag| ('-', *flag)).collect();
    flags.extend(b.difference(a).map(|flag| ('+', *flag)));
    flags.sort_by_key(|(_, flag)| *flag);
    flags
}

fn rollup(line: &str) -> BTreeSet<&str> {
    let flags = line.strip_prefix("FLAGS:[").and_then(|flags| flags.strip_suffix(']'));
    flags.map(|flags| flags.split(' ').collect()).unwrap_or_default()
}

/// The ` [FLAG]` at the end of a line. A flag has no space in it, and content cannot forge one.
fn local_flags(line: &str) -> BTreeSet<&str> {
    let is_flag = |word: &&str| word.len() > 2 && word.starts_with('[') && word.ends_with(']');
    line.rsplit(' ').take_while(is_flag).map(|word| &word[1..word.len() - 1]).collect()
}

fn explained(flag: &str, lang: Lang) -> String {
    row_of(flag).map(|row| format!("  {}", meaning(row, lang))).unwrap_or_default()
}
