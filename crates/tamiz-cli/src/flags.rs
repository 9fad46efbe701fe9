//! `tamiz flags`: the flag table, for reading.

use crate::args::{FlagsArgs, Lang};
use crate::paint::Paint;
use crate::report::{Report, Stop, shown_word};
use serde_json::{Value, json};
use std::io::{self, BufWriter, Write};
use tamiz::{Class, FLAGS, FlagRow, Origin, Param};

pub(crate) fn run(args: &FlagsArgs, paint: &Paint, report: &mut Report) -> Result<(), Stop> {
    let rows = chosen(&args.names, report)?;
    let mut out = BufWriter::new(io::stdout().lock());
    if args.json {
        let rows: Vec<Value> = rows.iter().map(|row| to_json(row)).collect();
        serde_json::to_writer_pretty(&mut out, &rows).map_err(io::Error::from)?;
        writeln!(out)?;
    } else if args.names.is_empty() {
        list(&mut out, &rows, args.lang, paint)?;
    } else {
        for (index, row) in rows.iter().enumerate() {
            if index > 0 {
                writeln!(out)?;
            }
            in_full(&mut out, row, args.lang, paint)?;
        }
    }
    Ok(out.flush()?)
}

/// The meaning in the language asked for.
pub(crate) fn meaning(row: &FlagRow, lang: Lang) -> &'static str {
    match lang {
        Lang::En => row.en,
        Lang::Es => row.es,
    }
}

pub(crate) fn class(class: Class, lang: Lang) -> &'static str {
    match (class, lang) {
        (_, Lang::En) => class.name(),
        (Class::Context, Lang::Es) => "contexto",
        (Class::Odd, Lang::Es) => "raro",
        (Class::Attack, Lang::Es) => "ataque",
    }
}

/// The row of a flag as documents write it, parameter included.
pub(crate) fn row_of(flag: &str) -> Option<&'static FlagRow> {
    let name = flag.split(':').next().unwrap_or(flag);
    FLAGS.iter().find(|row| row.name.eq_ignore_ascii_case(name))
}

/// All rows, or those of the names given.
fn chosen(names: &[String], report: &mut Report) -> Result<Vec<&'static FlagRow>, Stop> {
    if names.is_empty() {
        return Ok(FLAGS.iter().collect());
    }
    let mut rows = Vec::new();
    let mut unknown = false;
    for name in names {
        match row_of(name) {
            Some(row) => rows.push(row),
            None => {
                let name = shown_word(name);
                match closest(&name) {
                    Some(row) => {
                        report.failure(format_args!("there is no flag `{name}`; did you mean `{}`?", row.name))
                    }
                    None => report.failure(format_args!("there is no flag `{name}`; `tamiz flags` lists them")),
                }
                unknown = true;
            }
        }
    }
    if unknown { Err(Stop::Said) } else { Ok(rows) }
}

/// The row whose name is at most two edits away.
fn closest(flag: &str) -> Option<&'static FlagRow> {
    let name = flag.split(':').next().unwrap_or(flag).to_ascii_uppercase();
    let near = FLAGS.iter().map(|row| (edits(&name, row.name), row)).filter(|(edits, _)| *edits <= 2);
    near.min_by_key(|(edits, _)| *edits).map(|(_, row)| row)
}

/// How many bytes must come, go or change to make one word the other.
fn edits(a: &str, b: &str) -> usize {
    let mut above: Vec<usize> = (0..=b.len()).collect();
    for (i, from) in a.bytes().enumerate() {
        let mut diagonal = std::mem::replace(&mut above[0], i + 1);
        for (j, to) in b.bytes().enumerate() {
            let changed = diagonal + usize::from(from != to);
            diagonal = above[j + 1];
            above[j + 1] = changed.min(diagonal + 1).min(above[j] + 1);
        }
    }
    above[b.len()]
}

/// One line a flag, so that it can be searched.
fn list(out: &mut impl Write, rows: &[&FlagRow], lang: Lang, paint: &Paint) -> io::Result<()> {
    let width = rows.iter().map(|row| form(row).len()).max().unwrap_or(0);
    for row in rows {
        let (form, class, meaning) = (form(row), class(row.class, lang), meaning(row, lang));
        let (strong, tint) = (paint.strong, paint.class(row.class));
        let raised = raised(row, lang);
        writeln!(out, "{strong}{form:width$}{strong:#}  {raised:7}  {tint}{class:8}{tint:#}  {meaning}")?;
    }
    Ok(())
}

fn in_full(out: &mut impl Write, row: &FlagRow, lang: Lang, paint: &Paint) -> io::Result<()> {
    let (strong, tint) = (paint.strong, paint.class(row.class));
    let labels = match lang {
        Lang::En => ["meaning", "class", "raised", "stage", "origin", "example"],
        Lang::Es => ["qué dice", "clase", "activa", "etapa", "origen", "ejemplo"],
    };
    writeln!(out, "{strong}{}{strong:#}", form(row))?;
    writeln!(out, "  {:9} {}", labels[0], meaning(row, lang))?;
    writeln!(out, "  {:9} {tint}{}{tint:#}", labels[1], class(row.class, lang))?;
    let switch = match (row.switch, lang) {
        (true, Lang::En) => " (flags.enable, flags.disable)",
        (false, Lang::En) => " (but for flags.disable)",
        (true, Lang::Es) => " (flags.enable, flags.disable)",
        (false, Lang::Es) => " (salvo flags.disable)",
    };
    writeln!(out, "  {:9} {}{switch}", labels[2], raised(row, lang))?;
    writeln!(out, "  {:9} {}", labels[3], row.stage.name())?;
    writeln!(out, "  {:9} {}", labels[4], origin(row, lang))?;
    writeln!(out, "  {:9} {}", labels[5], on_one_line(row.example))
}

/// Text with its controls, and what else cannot be seen, as escapes; quotes and backslashes are themselves.
fn on_one_line(text: &str) -> String {
    let mut line = String::new();
    for c in text.chars() {
        match c {
            '\'' | '"' | '\\' => line.push(c),
            '\r' | '\n' | '\t' => line.extend(c.escape_default()),
            c if c.is_ascii_control() => line.extend(std::ascii::escape_default(c as u8).map(char::from)),
            c => line.extend(c.escape_debug()),
        }
    }
    line
}

fn to_json(row: &FlagRow) -> Value {
    json!({
        "name": row.name,
        "param": param(row.param),
        "class": class(row.class, Lang::En),
        "stage": row.stage.name(),
        "origin": origin(row, Lang::En),
        "switch": row.switch,
        "default": row.default,
        "en": row.en,
        "es": row.es,
        "example": row.example,
    })
}

/// The flag as documents write it, with a word for its parameter.
fn form(row: &FlagRow) -> String {
    format!("{}{}", row.name, row.param.placeholder())
}

/// The word alone.
fn param(param: Param) -> Option<&'static str> {
    param.placeholder().strip_prefix(":<").and_then(|word| word.strip_suffix('>'))
}

fn origin(row: &FlagRow, lang: Lang) -> &'static str {
    match (row.origin, lang) {
        (Origin::Original(name), _) => name,
        (Origin::Extension, Lang::En) => "extension",
        (Origin::Extension, Lang::Es) => "extensión",
    }
}

fn raised(row: &FlagRow, lang: Lang) -> &'static str {
    match (row.switch, row.default, lang) {
        (false, _, Lang::En) => "always",
        (false, _, Lang::Es) => "siempre",
        (true, true, Lang::En) => "on",
        (true, true, Lang::Es) => "sí",
        (true, false, Lang::En) => "off",
        (true, false, Lang::Es) => "no",
    }
}
