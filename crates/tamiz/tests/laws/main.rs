//! The laws of the contract, each on at least 20,000 generated hostile requests, and each seen to fail on an engine
//! that breaks it.
//!
//! Requests come from a seed. `TAMIZ_SEED=7 cargo test --test laws` tries others; a failure says which seed it had.

mod bodies;
mod bounds;
mod broken;
mod forgery;
mod generator;
mod law;
mod model;
mod random;
mod secrets;
mod wire;

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

use tamiz::{Config, Document, Engine, FLAGS, Flag, Framed, Next, Parts, ScriptName, Splitter};

use law::{BoxedCanon, Verdict, Violation};
use random::Rng;

/// How many requests each law is tried on.
const CASES: usize = 20_000;

/// How many different violations are worth printing.
const SHOWN: usize = 25;

#[expect(clippy::disallowed_methods, reason = "the tests may be told to try other requests; documents stay the same")]
fn seed() -> u64 {
    std::env::var("TAMIZ_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(2025)
}

/// The first violation of each kind, with the number of the case and how often the kind was seen.
fn violations(name: &str, cases: usize, mut law: impl FnMut(&mut Rng) -> Verdict) -> Vec<(usize, usize, Violation)> {
    // Every law has requests of its own.
    let seed = name.bytes().fold(seed(), |seed, byte| seed.wrapping_mul(31).wrapping_add(u64::from(byte)));
    let mut found: BTreeMap<String, (usize, usize, Violation)> = BTreeMap::new();
    for case in 0..cases {
        let verdict = catch_unwind(AssertUnwindSafe(|| law(&mut Rng::new(seed, case as u64))));
        // The law on totality finds the request; here it is only kept from hiding all other violations.
        let panicked = || Err(Violation { kind: "panic".to_owned(), message: "a panic".to_owned() });
        if let Err(violation) = verdict.unwrap_or_else(|_| panicked()) {
            found.entry(violation.kind.clone()).or_insert((case, 0, violation)).1 += 1;
            if found.len() >= SHOWN {
                break;
            }
        }
    }
    found.into_values().collect()
}

#[track_caller]
fn holds(name: &str, cases: usize, law: impl FnMut(&mut Rng) -> Verdict) {
    let found = violations(name, cases, law);
    let shown: Vec<String> = found
        .iter()
        .map(|(case, count, violation)| format!("case {case}, {count} like it: {}", violation.message))
        .collect();
    assert!(
        found.is_empty(),
        "{name}, TAMIZ_SEED={}: {} kinds of violation\n\n{}",
        seed(),
        found.len(),
        shown.join("\n\n")
    );
}

#[track_caller]
fn is_broken(name: &str, mut law: impl FnMut(&mut Rng) -> Verdict) {
    let mut found = false;
    // The first violation is enough.
    violations(name, CASES, |rng| {
        if found {
            return Ok(());
        }
        let verdict = law(rng);
        found = verdict.is_err();
        verdict
    });
    assert!(found, "{name}, TAMIZ_SEED={}: the law does not see it", seed());
}

fn canon(config: &Config) -> impl FnMut(&[u8]) -> String + use<> {
    let mut engine = Engine::new(config);
    move |request| {
        let mut document = String::new();
        engine.canonicalize(request, &mut document);
        document
    }
}

fn all_switches() -> Config {
    let mut config = Config::default();
    config.flags.enable = FLAGS.iter().filter(|row| row.switch).map(|row| row.flag).collect();
    config
}

/// Limits that small requests run into.
fn small_limits() -> Config {
    let mut config = all_switches();
    config.limits.body_depth = 3;
    config.limits.body_fields = 20;
    config.limits.inflated_bytes = 1000;
    config
}

/// Any configuration that a file can give.
fn random_config(rng: &mut Rng) -> Config {
    let scheme = rng.pick(&["http", "https", "ws", "a+b.c-1"]).to_owned();
    let mut config = Config { scheme, ..Config::default() };
    config.lines.local_flags = rng.one_in(2);
    config.lines.keys_sorted = rng.one_in(2);
    config.lines.query_by_key = rng.one_in(2);
    config.flags.enable = FLAGS.iter().filter(|row| row.switch && rng.one_in(2)).map(|row| row.flag).collect();
    config.flags.disable = FLAGS.iter().filter(|_| rng.one_in(12)).map(|row| row.flag).collect();
    config.flags.max_per_name = rng.between(1, 4);
    config.limits.long_value = rng.below(20);
    config.limits.user_agent_tokens = rng.between(1, 4);
    config.limits.body_depth = rng.below(6);
    config.limits.body_fields = *rng.pick(&[&1, &2, &5, &20, &4096]);
    config.limits.inflated_bytes = *rng.pick(&[&0, &50, &(8 << 20)]);
    config.limits.inflation_ratio = rng.between(1, 3);
    config.limits.buckets = rng
        .pick::<[u64]>(&[&[0], &[1, 2, 3], &[7, 100], &[15, 31, 63, 127, 255, 511, 1023], &[4_294_967_295]])
        .to_vec();
    config.shapes.entropy = rng.one_in(2);
    config.shapes.length_bucket = rng.one_in(2);
    config.headers.normalise_values = rng.one_in(2);
    config.headers.known =
        rng.pick::<[&str]>(&[&[], &["x-custom", "x_under"]]).iter().map(|&name| name.to_owned()).collect();
    config.secrets.extra_names = rng
        .pick::<[&str]>(&[&[], &["clave", "user-id"], &["a"], &["contraseña"]])
        .iter()
        .map(|&name| name.to_owned())
        .collect();
    let scripts = rng.pick::<[&str]>(&[&["Latin", "Cyrillic", "Greek"], &[], &["Latin", "Han"]]);
    config.scripts.mixed = scripts.iter().filter_map(|name| name.parse::<ScriptName>().ok()).collect();
    config
}

/// A law with another configuration every now and then.
fn with_configurations(
    mut config: impl FnMut() -> Config,
    mut law: impl FnMut(&mut law::Canon<'_>, &mut Rng) -> Verdict,
) -> impl FnMut(&mut Rng) -> Verdict {
    const EACH: usize = 40;
    let mut count = 0;
    let mut canonicaliser: Box<law::Canon<'static>> = Box::new(canon(&config()));
    move |rng| {
        if count % EACH == 0 {
            canonicaliser = Box::new(canon(&config()));
        }
        count += 1;
        law(&mut *canonicaliser, rng)
    }
}

#[test]
fn a_document_is_a_fixed_point() {
    let mut canon = canon(&Config::default());
    holds("fixed point", CASES, |rng| law::document_is_fixed_point(&mut canon, rng));
}

#[test]
fn the_function_is_total() {
    let mut canon = canon(&all_switches());
    holds("total", CASES, |rng| law::function_is_total(&mut canon, rng));
}

#[test]
fn the_function_is_total_in_any_configuration() {
    let mut rng = Rng::new(seed(), 0);
    holds("total, configured", CASES, with_configurations(|| random_config(&mut rng), law::function_is_total));
}

#[test]
fn random_configurations_are_configurations() {
    for case in 0..500 {
        let config = random_config(&mut Rng::new(seed(), case));
        assert_eq!(Config::from_toml(&config.to_toml()), Ok(config));
    }
}

#[test]
fn documents_are_determined() {
    const BATCH: usize = 50;
    let boxed = |mut engine: Engine| -> BoxedCanon {
        Box::new(move |request| {
            let mut document = String::new();
            engine.canonicalize(request, &mut document);
            document
        })
    };
    let original = Engine::default();
    holds("determinism", CASES / BATCH, |rng| {
        law::documents_are_determined(&|| boxed(Engine::default()), &|| boxed(original.clone()), BATCH, rng)
    });
}

#[test]
fn secrets_do_not_interfere() {
    let mut canon = canon(&Config::default());
    holds("non-interference", 2 * CASES, |rng| law::secrets_do_not_interfere(&mut canon, rng));
}

#[test]
fn secrets_do_not_interfere_in_any_configuration() {
    let mut rng = Rng::new(seed(), 1);
    let config = || {
        let mut config = random_config(&mut rng);
        // It says how a value is made, also of one that only has a secret somewhere in it.
        config.shapes.entropy = false;
        config
    };
    holds("non-interference, configured", CASES, with_configurations(config, law::secrets_do_not_interfere));
}

/// Everything that is said about a request: its document, in text and in fields, and how it came about.
fn told(config: &Config) -> impl FnMut(&[u8]) -> String + use<> {
    let mut engine = Engine::new(config);
    move |request| {
        let mut document = String::new();
        engine.canonicalize(request, &mut document);
        let explanation = engine.explain(request);
        assert!(explanation.document == document, "an explanation of another document");
        let fields = Document::parse(&document);
        format!("{document}\n{fields:?}\n{:#?}\n{:#?}", explanation.findings, explanation.steps)
    }
}

#[test]
fn secrets_are_not_explained() {
    let mut told = told(&all_switches());
    holds("explanations", 2 * CASES, |rng| law::secrets_do_not_interfere(&mut told, rng));
}

#[test]
fn messages_are_silent() {
    let mut engine = Engine::default();
    holds("messages", CASES, |rng| {
        let place = rng.below(1 << 20);
        law::messages_are_silent(&mut |request, secret| messages(&mut engine, request, secret, place), rng)
    });
}

/// Everything that the crate says about a request, and about a document and a configuration with a secret in them.
fn messages(engine: &mut Engine, request: &[u8], secret: &str, place: usize) -> String {
    let mut document = String::new();
    engine.canonicalize(request, &mut document);
    let mut said = format!("{engine:?}");
    let places: Vec<usize> = document.char_indices().map(|(at, _)| at).collect();
    document.insert_str(places[place % places.len()], secret);
    if let Err(error) = Document::parse(&document) {
        said.push_str(&format!("{error} {error:?}"));
    }
    if let Err(error) = Document::parse(&String::from_utf8_lossy(request)) {
        said.push_str(&format!("{error} {error:?}"));
    }
    for text in [
        format!("scheme = \"{secret} \""),
        format!("scheme = {secret}"),
        format!("scheme = \"{secret}"),
        format!("lines = \"{secret}\""),
        format!("[flags]\nenable = [\"{secret}\"]\nmax_per_name = \"{secret}\""),
        format!("limits.buckets = [1, \"{secret}\"]"),
        format!("headers.known = [\"{secret} \"]"),
        format!("scripts.mixed = [\"{secret}\"]"),
    ] {
        for error in Config::from_toml(&text).err().unwrap_or_default() {
            said.push_str(&format!("{error} {error:?}"));
        }
    }
    for key in ["lines.local_flags", "flags.disable", "limits.long_value", "scripts.mixed"] {
        if let Err(error) = Config::default().set(key, secret) {
            said.push_str(&format!("{error} {error:?}"));
        }
    }
    said
}

#[test]
fn clothes_do_not_matter() {
    let mut canon = canon(&Config::default());
    holds("clothes", CASES, |rng| law::clothes_do_not_matter(&mut canon, rng));
}

#[test]
fn clothes_do_not_matter_with_all_switches() {
    let mut canon = canon(&all_switches());
    holds("clothes, all switches", CASES, |rng| law::clothes_do_not_matter(&mut canon, rng));
}

#[test]
fn nothing_is_forged() {
    let mut canon = canon(&Config::default());
    holds("forgery", CASES, |rng| law::nothing_is_forged(&mut canon, rng));
}

fn from_parts(engine: &mut Engine, parts: &Parts<'_>) -> String {
    let mut document = String::new();
    engine.canonicalize_parts(parts, &mut document);
    document
}

#[test]
fn parts_are_the_whole() {
    let (mut canon, mut engine) = (canon(&Config::default()), Engine::default());
    holds("parts", CASES, |rng| law::parts_are_the_whole(&mut canon, &mut |parts| from_parts(&mut engine, parts), rng));
}

#[cfg(feature = "decompress")]
#[test]
fn codings_do_not_matter() {
    let mut canon = canon(&Config::default());
    holds("codings", CASES, |rng| law::codings_do_not_matter(&mut canon, rng));
}

/// The documents of a stream that arrives in pieces.
fn split(engine: &mut Engine, stream: &[u8], cuts: &[usize]) -> Vec<String> {
    let mut documents = Vec::new();
    let mut splitter = Splitter::new();
    let mut at = 0;
    let ends = cuts.iter().map(|&end| (end, false)).chain([(stream.len(), true)]);
    for (end, at_end) in ends {
        loop {
            match splitter.next(&stream[at.min(end)..end], at_end) {
                Next::Request { framed, consumed, .. } => {
                    documents.push(from_frame(engine, &framed));
                    at += consumed;
                }
                Next::Skipped { bytes } => at += bytes,
                Next::More | Next::End => break,
            }
        }
    }
    documents
}

fn from_frame(engine: &mut Engine, framed: &Framed<'_>) -> String {
    let mut document = String::new();
    engine.canonicalize_framed(framed, &mut document);
    document
}

#[test]
fn streams_are_their_requests() {
    let (mut engine, mut other) = (Engine::default(), Engine::default());
    holds("streams", CASES, |rng| {
        let one = &mut |framed: &Framed<'_>| from_frame(&mut other, framed);
        law::streams_are_their_requests(&mut |stream, cuts| split(&mut engine, stream, cuts), one, rng)
    });
}

#[test]
fn pieces_do_not_matter() {
    let mut engine = Engine::default();
    holds("pieces", CASES, |rng| law::pieces_do_not_matter(&mut |stream, cuts| split(&mut engine, stream, cuts), rng));
}

#[test]
fn the_generator_reaches_every_flag() {
    let mut canon = canon(&small_limits());
    let mut counts: BTreeMap<&str, usize> = FLAGS.iter().map(|row| (row.name, 0)).collect();
    let mut bytes = 0;
    for case in 0..CASES {
        let request = generator::hostile(&mut Rng::new(seed(), case as u64));
        bytes += request.len();
        let document = canon(&request);
        let parsed = Document::parse(&document).unwrap_or_else(|error| panic!("{error}\n{document}"));
        for flag in parsed.flag_names().filter_map(Flag::from_name) {
            *counts.entry(flag.name()).or_default() += 1;
        }
    }
    if cfg!(not(feature = "decompress")) {
        counts.remove("BOMB");
    }
    let missing: Vec<&str> = counts.iter().filter(|(_, count)| **count == 0).map(|(name, _)| *name).collect();
    assert!(missing.is_empty(), "TAMIZ_SEED={}: {missing:?} are never raised; all: {counts:?}", seed());
    // The laws have to run in seconds.
    assert!(bytes / CASES < 600, "a request has {} bytes on average", bytes / CASES);
}

#[test]
fn every_law_can_fail() {
    type Change = fn(&[u8], String) -> String;
    let against_fixed_point: [(&str, Change); 5] = [
        ("no last line end", broken::no_last_line_end),
        ("unsorted flags", broken::unsorted_flags),
        ("miscounted", broken::miscounted),
        ("miscounts fields", broken::miscounts_fields),
        ("forgets to close arrays", broken::forgets_to_close_arrays),
    ];
    for (name, change) in against_fixed_point {
        let mut canon = broken::changed(change);
        is_broken(name, |rng| law::document_is_fixed_point(&mut canon, rng));
    }
    let against_total: [(&str, Change); 3] = [
        ("panics on NUL", broken::panics_on_nul),
        ("panics on depth", broken::panics_on_depth),
        ("refuses bad UTF-8", broken::refuses_bad_utf8),
    ];
    for (name, change) in against_total {
        let mut canon = broken::changed(change);
        is_broken(name, |rng| law::function_is_total(&mut canon, rng));
    }

    let good = || -> BoxedCanon { Box::new(canon(&Config::default())) };
    is_broken("counts", |rng| law::documents_are_determined(&broken::counts, &good, 50, rng));
    is_broken("remembers", |rng| law::documents_are_determined(&broken::remembers, &good, 50, rng));
    is_broken("keeps fields", |rng| law::documents_are_determined(&broken::keeps_fields, &good, 50, rng));
    is_broken("poor copy", |rng| law::documents_are_determined(&good, &broken::poor_copy, 50, rng));

    let against_secrets: [(&str, Change); 5] = [
        ("leaks a value", broken::leaks_a_value),
        ("leaks from JSON", broken::leaks_from_json),
        ("leaks from file names", broken::leaks_from_file_names),
        ("leaks from XML", broken::leaks_from_xml),
        ("leaks a bit", broken::leaks_a_bit),
    ];
    for (name, change) in against_secrets {
        let mut canon = broken::changed(change);
        is_broken(name, |rng| law::secrets_do_not_interfere(&mut canon, rng));
    }
    let mut canon = broken::changed(broken::leaks_from_a_cache());
    is_broken("leaks from a cache", |rng| law::secrets_do_not_interfere(&mut canon, rng));
    let mut told = broken::explains_too_much();
    is_broken("explains too much", |rng| law::secrets_do_not_interfere(&mut told, rng));
    is_broken("talks", |rng| law::messages_are_silent(&mut |request, _| broken::talks(request), rng));

    let against_clothes: [(&str, Change); 3] = [
        ("sees the length", broken::sees_the_length),
        ("sees the order", broken::sees_the_order),
        ("sees empty elements", broken::sees_empty_elements),
    ];
    for (name, change) in against_clothes {
        let mut canon = broken::changed(change);
        is_broken(name, |rng| law::clothes_do_not_matter(&mut canon, rng));
    }
    let mut canon = broken::forgets_a_letter();
    is_broken("forgets a letter", |rng| law::clothes_do_not_matter(&mut canon, rng));

    let mut canon = broken::forgets_an_escape_of_json();
    is_broken("forgets an escape of JSON", |rng| law::clothes_do_not_matter(&mut canon, rng));

    let against_forgery: [(&str, Change); 11] = [
        ("forgets an escape", broken::forgets_an_escape),
        ("lets line ends through", broken::lets_line_ends_through),
        ("lets brackets through", broken::lets_brackets_through),
        ("drops a flag", broken::drops_a_flag),
        ("hides placeholders", broken::hides_placeholders),
        ("believes flags", broken::believes_flags),
        ("joins names", broken::joins_names),
        ("opens arrays", broken::opens_arrays),
        ("lets fields through", broken::lets_fields_through),
        ("believes texts", broken::believes_texts),
        ("believes depths", broken::believes_depths),
    ];
    for (name, change) in against_forgery {
        let mut canon = broken::changed(change);
        is_broken(name, |rng| law::nothing_is_forged(&mut canon, rng));
    }

    let mut raw = broken::changed(|_, document| document);
    is_broken("forgets the authority", |rng| {
        law::parts_are_the_whole(&mut raw, &mut broken::forgets_the_authority, rng)
    });
    is_broken("forgets headers", |rng| law::parts_are_the_whole(&mut raw, &mut broken::forgets_headers, rng));
    is_broken("cuts bodies", |rng| law::parts_are_the_whole(&mut raw, &mut broken::cuts_bodies, rng));
    if cfg!(feature = "decompress") {
        is_broken("believes codings", |rng| law::parts_are_the_whole(&mut raw, &mut broken::believes_codings, rng));
    }
    let mut canon = broken::reads_no_codings();
    is_broken("reads no codings", |rng| law::codings_do_not_matter(&mut canon, rng));

    let mut engine = Engine::default();
    is_broken("impatient", |rng| {
        let one = &mut |framed: &Framed<'_>| from_frame(&mut engine, framed);
        law::streams_are_their_requests(&mut broken::impatient, one, rng)
    });
    is_broken("leaves chunks", |rng| {
        let split = &mut |stream: &[u8], cuts: &[usize]| split(&mut Engine::default(), stream, cuts);
        law::streams_are_their_requests(split, &mut broken::leaves_chunks, rng)
    });
    is_broken("impatient, hostile", |rng| law::pieces_do_not_matter(&mut broken::impatient, rng));
}
