//! `tamiz explain`: what each stage did to one raw request, and why each flag was raised.

use crate::args::{ExplainArgs, Lang};
use crate::canon::{Kind, Source, kind_of, note_more_requests};
use crate::config;
use crate::flags::{class, meaning};
use crate::paint::Paint;
use crate::report::{Report, Stop};
use serde_json::{Value, json};
use std::io::{self, BufWriter, Write};
use std::ops::Range;
use tamiz::{Change, Explanation, Finding, Step};

pub(crate) fn run(args: &ExplainArgs, paint: &Paint, report: &mut Report) -> Result<(), Stop> {
    let mut engine = config::engine(&args.settings, report)?;
    let mut source = Source::open(&args.file)?;
    while source.fill()? {}
    let looks_like = match kind_of(source.pending(), true) {
        Some(Kind::Jsonl) => Some("JSONL"),
        Some(Kind::Canonical) => Some("a document"),
        Some(Kind::Stream) | None => None,
    };
    if let Some(looks_like) = looks_like {
        report.failure(format_args!("{}: explain takes one raw request; this looks like {looks_like}", source.name()));
        return Err(Stop::Said);
    }
    note_more_requests(&source, report);
    let explanation = engine.explain(source.pending());
    let mut out = BufWriter::new(io::stdout().lock());
    if args.json {
        serde_json::to_writer_pretty(&mut out, &to_json(&explanation, args.lang)).map_err(io::Error::from)?;
        writeln!(out)?;
    } else {
        text(&mut out, &explanation, args.lang, paint)?;
    }
    Ok(out.flush()?)
}

fn text(out: &mut impl Write, explanation: &Explanation, lang: Lang, paint: &Paint) -> io::Result<()> {
    let strong = paint.strong;
    let [stages, flags, document, none] = match lang {
        Lang::En => ["Stages", "Flags", "Document", "none"],
        Lang::Es => ["Etapas", "Marcas", "Documento", "ninguna"],
    };
    writeln!(out, "{strong}{stages}{strong:#}")?;
    let mut above = None;
    for step in &explanation.steps {
        // The name of a stage stands at its first change only.
        let name = if above == Some(step.stage) { "" } else { step.stage.name() };
        above = Some(step.stage);
        write_step(out, name, step, lang, paint)?;
    }
    writeln!(out, "\n{strong}{flags}{strong:#}")?;
    if explanation.findings.is_empty() {
        writeln!(out, "  {none}")?;
    }
    for finding in &explanation.findings {
        write_finding(out, finding, lang, paint)?;
    }
    writeln!(out, "\n{strong}{document}{strong:#}")?;
    for line in explanation.document.lines() {
        writeln!(out, "  {line}")?;
    }
    Ok(())
}

/// So many places of one change are listed; a hostile request has thousands.
const PLACES: usize = 8;

fn write_step(out: &mut impl Write, name: &str, step: &Step, lang: Lang, paint: &Paint) -> io::Result<()> {
    let (strong, faint) = (paint.strong, paint.faint);
    write!(out, "  {strong}{name:8}{strong:#} {}", what(step.change, lang))?;
    if !step.spans.is_empty() {
        let places: Vec<String> = step.spans.iter().take(PLACES).map(range).collect();
        write!(out, "  {faint}{} {}", byte_word(lang), places.join(" "))?;
        if step.spans.len() > PLACES {
            write!(out, " +{}", step.spans.len() - PLACES)?;
        }
        write!(out, "{faint:#}")?;
    }
    writeln!(out)
}

fn write_finding(out: &mut impl Write, finding: &Finding, lang: Lang, paint: &Paint) -> io::Result<()> {
    let row = finding.flag.row();
    let (tint, faint) = (paint.class(row.class), paint.faint);
    write!(out, "  {tint}{}{tint:#}  {}", finding.text, class(row.class, lang))?;
    if !finding.line.is_empty() {
        write!(out, "  {}", finding.line)?;
    }
    if let Some(span) = &finding.span {
        write!(out, "  {faint}{} {}{faint:#}", byte_word(lang), range(span))?;
    }
    if let Some(excerpt) = &finding.excerpt {
        write!(out, "  `{excerpt}`")?;
    }
    writeln!(out, "\n      {}", meaning(row, lang))
}

fn what(change: Change, lang: Lang) -> &'static str {
    match lang {
        Lang::En => change.en(),
        Lang::Es => change.es(),
    }
}

fn byte_word(lang: Lang) -> &'static str {
    match lang {
        Lang::En => "at bytes",
        Lang::Es => "en los bytes",
    }
}

fn range(span: &Range<usize>) -> String {
    format!("{}..{}", span.start, span.end)
}

fn to_json(explanation: &Explanation, lang: Lang) -> Value {
    let span = |span: &Range<usize>| json!([span.start, span.end]);
    let step = |step: &Step| {
        json!({
            "stage": step.stage.name(),
            "what": what(step.change, lang),
            "spans": step.spans.iter().map(span).collect::<Vec<_>>(),
        })
    };
    let finding = |finding: &Finding| {
        let row = finding.flag.row();
        json!({
            "flag": finding.text,
            "name": row.name,
            "class": class(row.class, Lang::En),
            "meaning": meaning(row, lang),
            "line": Some(&finding.line).filter(|line| !line.is_empty()),
            "span": finding.span.as_ref().map(span),
            "excerpt": finding.excerpt,
        })
    };
    json!({
        "contract": tamiz::CONTRACT,
        "steps": explanation.steps.iter().map(step).collect::<Vec<_>>(),
        "findings": explanation.findings.iter().map(finding).collect::<Vec<_>>(),
        "document": explanation.document,
    })
}
