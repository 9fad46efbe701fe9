//! `tamiz canon`: requests in, documents out.
//!
//! Each kind of input has a reader in its own file; all of them pull bytes from a [`Source`], work on one record at a
//! time in buffers that are used again, and hand documents to the [`Sink`]. Memory is bounded by the longest record.

mod documents;
mod jsonl;
mod output;
mod source;
mod stream;

pub(crate) use documents::one;
pub(crate) use source::{Kind, Source, kind_of};
pub(crate) use stream::note_more_requests;

use crate::args::{CanonArgs, Input, Output};
use crate::config;
use crate::report::{Report, Stop};
use output::{Carried, Sink};
use std::path::Path;
use tamiz::{Document, Engine};

pub(crate) fn run(args: &CanonArgs, report: &mut Report) -> Result<(), Stop> {
    let engine = config::engine(&args.settings, report)?;
    let mut work = Work { engine, sink: Sink::stdout(args.to), report, document: String::new() };
    work.report.watch();
    work.sink.begin()?;
    let stdin = [Path::new("-").to_path_buf()];
    let files = if args.files.is_empty() { &stdin } else { args.files.as_slice() };
    for file in files {
        let done = Source::open(file).and_then(|mut source| work.read(&mut source, args));
        work.report.file_done(done)?;
    }
    work.sink.end()
}

/// What the readers share.
struct Work<'r> {
    engine: Engine,
    sink: Sink,
    report: &'r mut Report,
    /// The document being written; its allocation serves all records.
    document: String,
}

impl Work<'_> {
    fn read(&mut self, source: &mut Source, args: &CanonArgs) -> Result<(), Stop> {
        let kind = match args.from {
            Input::Auto => source.detect()?,
            Input::Raw => return self.read_one(source),
            Input::Stream => Kind::Stream,
            Input::Jsonl => Kind::Jsonl,
            Input::Canonical => Kind::Canonical,
        };
        match kind {
            Kind::Stream => stream::read(source, self),
            Kind::Jsonl => source.skip_bom().and_then(|()| jsonl::read(source, self, &args.carry)),
            Kind::Canonical => source.skip_bom().and_then(|()| documents::read(source, self)),
        }
    }

    /// The whole file is one request, the empty file too.
    fn read_one(&mut self, source: &mut Source) -> Result<(), Stop> {
        while self.fill(source)? {}
        self.document.clear();
        self.engine.canonicalize(source.pending(), &mut self.document);
        self.write(&Carried::NOTHING)
    }

    /// Reads on. What was written so far goes out first: a live pipe sees each document when its request has arrived.
    fn fill(&mut self, source: &mut Source) -> Result<bool, Stop> {
        self.sink.flush()?;
        let before = source.pending().len();
        let more = source.fill()?;
        self.report.advance(0, source.pending().len() - before);
        Ok(more)
    }

    /// Writes `self.document`.
    fn write(&mut self, carried: &Carried<'_>) -> Result<(), Stop> {
        self.report.advance(1, 0);
        if self.sink.form == Output::Text {
            return self.sink.text(&self.document);
        }
        match Document::parse(&self.document) {
            Ok(document) => self.sink.object(&document, &self.document, carried),
            // The engine and the strict parser agree on every document. Where they do not, it is a defect of ours: it
            // must be seen, and it must not stop the rest.
            Err(error) => {
                let (line, column, reason) = (error.line(), error.column(), error.reason());
                self.report.failure(format_args!("defect: our document does not parse ({line}:{column}: {reason})"));
                Ok(())
            }
        }
    }
}
