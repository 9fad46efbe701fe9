//! How fast tamiz is: requests to documents, the strict parser and explanations, beside a bare parse and decode.

mod bare;
mod corpus;

use std::hint::black_box;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use corpus::{Corpus, ROWS};
use tamiz::{Document, Engine};

const USAGE: &str = "\
How fast tamiz is, beside a bare parse and decode that does far less.

usage: tamiz-bench [options] [FILE...]
       tamiz-bench --count CORPUS [--what WHAT]

  FILE            a stream of raw requests, measured as one more corpus

  --only CORPUS   only that corpus; may be given again
  --rounds N      rounds of which the best counts [15]
  --ms N          milliseconds of one measurement in a round [30]
  --count CORPUS  one pass over a corpus (or a file) and nothing else, for callgrind
  --what WHAT     what --count runs: canon, parse, explain or bare [canon]
  --help          this page
";

/// The corpus that stands for all where one is enough.
const TYPICAL: &str = "browser";

/// What is done to each request.
#[derive(Clone, Copy, PartialEq)]
enum What {
    Canon,
    Parse,
    Explain,
    Bare,
}

const WHATS: &[(&str, What)] =
    &[("canon", What::Canon), ("parse", What::Parse), ("explain", What::Explain), ("bare", What::Bare)];

struct Options {
    only: Vec<String>,
    rounds: usize,
    measure: Duration,
    count: Option<String>,
    what: What,
    files: Vec<String>,
}

fn main() -> ExitCode {
    let options = match read_options(std::env::args().skip(1)) {
        Ok(Some(options)) => options,
        Ok(None) => {
            println!("{USAGE}\ncorpora:");
            for row in ROWS {
                println!("  {:<14}  {}", row.name, row.about);
            }
            return ExitCode::SUCCESS;
        }
        Err(message) => {
            eprintln!("tamiz-bench: {message}; see --help");
            return ExitCode::from(2);
        }
    };
    let done = match &options.count {
        Some(name) => find(name).map(|corpus| count(&corpus, options.what)),
        None => corpora(&options).map(|corpora| compare(&corpora, &options)),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("tamiz-bench: {message}");
            ExitCode::FAILURE
        }
    }
}

/// `None` where help is wanted.
fn read_options(mut args: impl Iterator<Item = String>) -> Result<Option<Options>, String> {
    let mut options = Options {
        only: Vec::new(),
        rounds: 15,
        measure: Duration::from_millis(30),
        count: None,
        what: What::Canon,
        files: Vec::new(),
    };
    while let Some(arg) = args.next() {
        let mut value = || args.next().ok_or_else(|| format!("{arg} needs a value"));
        match arg.as_str() {
            "--help" | "-h" => return Ok(None),
            "--only" => options.only.push(value()?),
            "--rounds" => options.rounds = number(&value()?)?,
            "--ms" => options.measure = Duration::from_millis(number(&value()?)? as u64),
            "--count" => options.count = Some(value()?),
            "--what" => {
                let name = value()?;
                let found = WHATS.iter().find(|(known, _)| *known == name);
                options.what = found.ok_or_else(|| format!("`{name}` is none of canon, parse, explain, bare"))?.1;
            }
            _ if arg.starts_with('-') => return Err(format!("unknown option `{arg}`")),
            _ => options.files.push(arg),
        }
    }
    Ok(Some(options))
}

fn number(text: &str) -> Result<usize, String> {
    text.parse().ok().filter(|&n| n > 0).ok_or_else(|| format!("`{text}` is no number above 0"))
}

fn find(name: &str) -> Result<Corpus, String> {
    match ROWS.iter().find(|row| row.name == name) {
        Some(row) => Ok(row.corpus()),
        None => from_file(name),
    }
}

fn from_file(path: &str) -> Result<Corpus, String> {
    let stream = std::fs::read(path).map_err(|error| format!("{path}: neither a corpus nor a file: {error}"))?;
    let name = path.rsplit('/').next().unwrap_or(path);
    let corpus = Corpus::from_stream(name, &stream);
    if corpus.requests.is_empty() { Err(format!("{path}: no request in it")) } else { Ok(corpus) }
}

fn corpora(options: &Options) -> Result<Vec<Corpus>, String> {
    if let Some(name) = options.only.iter().find(|name| ROWS.iter().all(|row| row.name != **name)) {
        return Err(format!("no corpus `{name}`; see --help"));
    }
    let wanted = |name: &str| options.only.is_empty() || options.only.iter().any(|only| only == name);
    let built = ROWS.iter().filter(|row| wanted(row.name)).map(|row| Ok(row.corpus()));
    built.chain(options.files.iter().map(|path| from_file(path))).collect()
}

/// The engine and the buffers of a measurement, made before it begins.
struct Bench<'a> {
    corpus: &'a Corpus,
    what: What,
    engine: Engine,
    out: String,
    /// For the parser: it reads what the engine wrote.
    documents: Vec<String>,
}

impl<'a> Bench<'a> {
    fn new(corpus: &'a Corpus, what: What) -> Bench<'a> {
        let mut engine = Engine::default();
        let mut document = |request: &Vec<u8>| {
            let mut document = String::new();
            engine.canonicalize(request, &mut document);
            document
        };
        let documents =
            if what == What::Parse { corpus.requests.iter().map(&mut document).collect() } else { Vec::new() };
        Bench { corpus, what, engine, out: String::new(), documents }
    }

    /// The bytes that one pass reads.
    fn bytes(&self) -> usize {
        match self.what {
            What::Parse => self.documents.iter().map(String::len).sum(),
            _ => self.corpus.bytes(),
        }
    }

    /// Never inlined: callgrind counts between its beginning and its end.
    #[inline(never)]
    fn pass(&mut self) {
        match self.what {
            What::Canon => {
                for request in &self.corpus.requests {
                    self.out.clear();
                    self.engine.canonicalize(request, &mut self.out);
                    black_box(self.out.as_str());
                }
            }
            What::Parse => {
                for document in &self.documents {
                    let _ = black_box(Document::parse(document));
                }
            }
            What::Explain => {
                for request in &self.corpus.requests {
                    black_box(self.engine.explain(request));
                }
            }
            What::Bare => {
                for request in &self.corpus.requests {
                    black_box(bare::decode(request));
                }
            }
        }
    }

    /// How many requests are given up: they cost next to nothing, so a figure means little where this is high.
    fn refused(&self) -> usize {
        match self.what {
            What::Bare => self.corpus.requests.iter().filter(|request| bare::decode(request).is_none()).count(),
            // tamiz refuses nothing.
            _ => 0,
        }
    }

    fn nanoseconds(&mut self, at_least: Duration) -> f64 {
        let start = Instant::now();
        let mut passes = 0u32;
        loop {
            self.pass();
            passes += 1;
            let elapsed = start.elapsed();
            if elapsed >= at_least {
                return elapsed.as_nanos() as f64 / f64::from(passes);
            }
        }
    }
}

/// Exactly one pass, so that two runs execute the same instructions.
fn count(corpus: &Corpus, what: What) {
    let mut bench = Bench::new(corpus, what);
    let (requests, bytes) = (corpus.requests.len(), bench.bytes());
    bench.pass();
    println!("{}: {requests} requests, {bytes} bytes", corpus.name);
}

fn compare(corpora: &[Corpus], options: &Options) {
    let mut benches: Vec<Bench<'_>> = Vec::new();
    for corpus in corpora {
        benches.push(Bench::new(corpus, What::Canon));
        benches.push(Bench::new(corpus, What::Bare));
        if corpus.name == TYPICAL {
            benches.push(Bench::new(corpus, What::Parse));
            benches.push(Bench::new(corpus, What::Explain));
        }
    }
    let mut best = vec![f64::INFINITY; benches.len()];
    // Interleaved: what disturbs the machine for a while disturbs all of them, and the best round of each counts.
    for _ in 0..options.rounds {
        for (bench, best) in benches.iter_mut().zip(&mut best) {
            *best = best.min(bench.nanoseconds(options.measure));
        }
    }
    println!(
        "{:<14} {:<8} {:>9} {:>10} {:>12} {:>9} {:>9} {:>8}",
        "corpus", "what", "requests", "bytes", "requests/s", "MB/s", "ns/byte", "refused"
    );
    for (bench, best) in benches.iter().zip(best) {
        let (requests, bytes) = (bench.corpus.requests.len(), bench.bytes());
        let what = WHATS.iter().find(|(_, what)| *what == bench.what).map_or("", |(name, _)| name);
        println!(
            "{:<14} {:<8} {:>9} {:>10} {:>12.0} {:>9.1} {:>9.2} {:>8}",
            bench.corpus.name,
            what,
            requests,
            bytes,
            requests as f64 * 1e9 / best,
            bytes as f64 * 1e3 / best,
            best / bytes as f64,
            bench.refused(),
        );
    }
    println!(
        "\nThe best of {} interleaved rounds, one thread.\n\
         canon    a request to its document\n\
         parse    the strict parser on those documents; bytes are of the documents\n\
         explain  as `tamiz explain`\n\
         bare     httparse, percent-encoding and form_urlencoded, which do far less: nothing is flagged, redacted,\n\
         \u{20}        normalised or written, and a request that is refused is given up",
        options.rounds
    );
}
