//! `tamiz flags`: the flag table, for reading.

use crate::args::{FlagsArgs, Lang};
use crate::paint::Paint;
use crate::report::{Report, Stop};
use serde_json::{Value, json};
use std::io::{self, BufWriter, Write};
use tamiz::{Class, FLAGS, FlagRow, Origin, Param, Stage};

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
        (Class::Context, Lang::En) => "context",
        (Class::Odd, Lang::En) => "odd",
        (Class::Attack, Lang::En) => "attack",
        (Class::Context, Lang::Es) => "contexto",
        (Class::Odd, Lang::Es) => "raro",
        (Class::Attack, Lang::Es) => "ataque",
    }
}

pub(crate) fn stage(stage: Stage) -> &'static str {
    match stage {
        Stage::Frame => "frame",
        Stage::Unfold => "unfold",
        Stage::Target => "target",
        Stage::Decode => "decode",
        Stage::Content => "content",
        Stage::Path => "path",
        Stage::Query => "query",
        Stage::Headers => "headers",
        Stage::Body => "body",
        Stage::Rollup => "rollup",
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
                report.failure(format_args!("there is no flag `{name}`; `tamiz flags` lists them"));
                unknown = true;
            }
        }
    }
    if unknown { Err(Stop::Said) } else { Ok(rows) }
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
    writeln!(out, "  {:9} {}", labels[3], stage(row.stage))?;
    writeln!(out, "  {:9} {}", labels[4], origin(row))?;
    writeln!(out, "  {:9} {}", labels[5], row.example.escape_debug())
}

fn to_json(row: &FlagRow) -> Value {
    json!({
        "name": row.name,
        "param": param(row.param),
        "class": class(row.class, Lang::En),
        "stage": stage(row.stage),
        "origin": origin(row),
        "switch": row.switch,
        "default": row.default,
        "en": row.en,
        "es": row.es,
        "example": row.example,
    })
}

/// The flag as documents write it, with a word for its parameter.
fn form(row: &FlagRow) -> String {
    match param(row.param) {
        Some(word) => format!("{}:<{word}>", row.name),
        None => row.name.to_owned(),
    }
}

fn param(param: Param) -> Option<&'static str> {
    match param {
        Param::None => None,
        Param::Key => Some("key"),
        Param::Header => Some("header"),
        Param::Count => Some("n"),
    }
}

fn origin(row: &FlagRow) -> &'static str {
    match row.origin {
        Origin::Original(name) => name,
        Origin::Extension => "extension",
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
