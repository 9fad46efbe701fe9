//! `tamiz diff`: where two documents differ, and which flags explain it.

use crate::args::{DiffArgs, Lang};
use crate::canon::{Kind, Source, kind_of, note_more_requests, one};
use crate::config;
use crate::flags::{meaning, row_of};
use crate::paint::Paint;
use crate::report::{Place, Report, Stop, shown};
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
        let names = [&args.a, &args.b].map(|path| shown(path));
        writeln!(out, "{}--- {}{:#}", paint.removed, names[0], paint.removed)?;
        writeln!(out, "{}+++ {}{:#}", paint.added, names[1], paint.added)?;
        let pairs = aligned(&a, &b);
        let mut meanings = Meanings::new(&pairs, args.lang);
        for pair in &pairs {
            pair.write(&mut out, &mut meanings, paint)?;
        }
    }
    Ok(out.flush()?)
}

/// The document of a file that holds a raw request, or the document itself.
fn document(path: &Path, engine: &mut Engine, report: &mut Report) -> Result<String, Stop> {
    let mut source = Source::open(path)?;
    while source.fill()? {}
    if kind_of(source.pending(), true) != Some(Kind::Canonical) {
        note_more_requests(&source, report);
        let mut text = String::new();
        engine.canonicalize(source.pending(), &mut text);
        return Ok(text);
    }
    one(source.pending()).map_err(|fault| {
        let place = Place { file: source.name(), line: fault.line as u64, column: Some(fault.column) };
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

/// The kinds of line in the order of documents.
const KINDS: &[&str] = &["M:", "U:", "P:", "Q:", "KEYS_SORTED:", "QK:", "B:", "FLAGS:", "H:", "HCNT:"];

/// All lines of both, each with its partner, in the order of documents.
fn aligned<'d>(a: &'d str, b: &'d str) -> Vec<Pair<'d>> {
    let mut groups: BTreeMap<_, (Vec<&str>, Vec<&str>)> = BTreeMap::new();
    for line in a.lines() {
        groups.entry(slot(line)).or_default().0.push(line);
    }
    for line in b.lines() {
        groups.entry(slot(line)).or_default().1.push(line);
    }
    groups.values().flat_map(|(a, b)| partners(a, b)).collect()
}

/// Where a line stands: its kind, and its header name or key.
fn slot(line: &str) -> (usize, &str) {
    let kind = KINDS.iter().position(|kind| line.starts_with(kind)).unwrap_or(KINDS.len());
    // In a header name and in a key `=` is escaped: the first one ends it.
    let name = match line.split_once(':') {
        Some(("H" | "QK", rest)) => rest.split('=').next().unwrap_or(rest),
        _ => "",
    };
    (kind, name)
}

/// The lines of one slot: those that say the same together, and what is between them in its order.
fn partners<'d>(a: &[&'d str], b: &[&'d str]) -> Vec<Pair<'d>> {
    let mut pairs = Vec::new();
    let (mut i, mut j) = (0, 0);
    for (x, y) in common(a, b).into_iter().chain([(a.len(), b.len())]) {
        let (gone, come) = (&a[i..x], &b[j..y]);
        let between = 0..gone.len().max(come.len());
        pairs.extend(between.map(|at| Pair { a: gone.get(at).copied(), b: come.get(at).copied() }));
        pairs.push(Pair { a: a.get(x).copied(), b: b.get(y).copied() });
        (i, j) = (x + 1, y + 1);
    }
    pairs
}

/// A longest common subsequence of lines, flags aside, as indices into both.
fn common(a: &[&str], b: &[&str]) -> Vec<(usize, usize)> {
    /// Only a hostile request has so many lines of one name; they are paired by turn.
    const LARGEST: usize = 1 << 22;
    let same = |i: usize, j: usize| without_flags(a[i]) == without_flags(b[j]);
    let width = b.len() + 1;
    if a.len().saturating_mul(width) > LARGEST {
        return (0..a.len().min(b.len())).map(|turn| (turn, turn)).collect();
    }
    // How many lines `a[i..]` and `b[j..]` have in common.
    let mut rest = vec![0_u32; (a.len() + 1) * width];
    for i in (0..a.len()).rev() {
        for j in (0..b.len()).rev() {
            let at = i * width + j;
            let longer = rest[at + 1].max(rest[at + width]);
            rest[at] = if same(i, j) { rest[at + width + 1] + 1 } else { longer };
        }
    }
    let mut indices = Vec::new();
    let (mut i, mut j) = (0, 0);
    while i < a.len() && j < b.len() {
        let at = i * width + j;
        if same(i, j) {
            indices.push((i, j));
            (i, j) = (i + 1, j + 1);
        } else if rest[at + 1] >= rest[at + width] {
            j += 1;
        } else {
            i += 1;
        }
    }
    indices
}

impl<'d> Pair<'d> {
    fn is_rollup(&self) -> bool {
        self.a.or(self.b).is_some_and(|line| line.starts_with("FLAGS:["))
    }

    /// The flags that only one side has, with the sign of the side.
    fn flags(&self) -> Vec<(char, &'d str)> {
        let read = if self.is_rollup() { rollup } else { local_flags };
        let [a, b] = [self.a, self.b].map(|line| line.map(read).unwrap_or_default());
        only_in_one(&a, &b)
    }

    fn write(&self, out: &mut impl Write, meanings: &mut Meanings<'d>, paint: &Paint) -> io::Result<()> {
        if self.a == self.b {
            return Ok(());
        }
        if self.is_rollup() {
            for (side, flag) in self.flags() {
                let tint = if side == '-' { paint.removed } else { paint.added };
                writeln!(out, "{tint}{side} FLAGS:[{flag}]{tint:#}{}", meanings.at_rollup(flag))?;
            }
            return Ok(());
        }
        if let Some(line) = self.a {
            writeln!(out, "{}- {line}{:#}", paint.removed, paint.removed)?;
        }
        if let Some(line) = self.b {
            writeln!(out, "{}+ {line}{:#}", paint.added, paint.added)?;
        }
        // What was seen on one side only is the reason, as far as a flag can tell.
        for (side, flag) in self.flags() {
            let faint = paint.faint;
            writeln!(out, "    {faint}{side} {flag}{}{faint:#}", meanings.at_line(flag))?;
        }
        Ok(())
    }
}

/// Says what each flag means, once: where a line shows it, else at the roll-up.
struct Meanings<'d> {
    lang: Lang,
    /// Names of flags that a line shows.
    at_lines: BTreeSet<&'d str>,
    said: BTreeSet<&'d str>,
}

impl<'d> Meanings<'d> {
    fn new(pairs: &[Pair<'d>], lang: Lang) -> Meanings<'d> {
        let lines = pairs.iter().filter(|pair| pair.a != pair.b && !pair.is_rollup());
        let at_lines = lines.flat_map(Pair::flags).map(|(_, flag)| name(flag)).collect();
        Meanings { lang, at_lines, said: BTreeSet::new() }
    }

    fn at_line(&mut self, flag: &'d str) -> String {
        if !self.said.insert(name(flag)) {
            return String::new();
        }
        row_of(flag).map(|row| format!("  {}", meaning(row, self.lang))).unwrap_or_default()
    }

    fn at_rollup(&mut self, flag: &'d str) -> String {
        if self.at_lines.contains(name(flag)) { String::new() } else { self.at_line(flag) }
    }
}

/// A flag without its parameter: the meaning does not depend on it.
fn name(flag: &str) -> &str {
    flag.split(':').next().unwrap_or(flag)
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
    let text = without_flags(line);
    line[text.len()..].split_ascii_whitespace().map(|word| &word[1..word.len() - 1]).collect()
}

fn without_flags(line: &str) -> &str {
    let mut text = line;
    while let Some((before, word)) = text.rsplit_once(' ')
        && word.len() > 2
        && word.starts_with('[')
        && word.ends_with(']')
    {
        text = before;
    }
    text
}
