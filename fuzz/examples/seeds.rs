//! Fills `fuzz/corpus` from the golden vectors: their requests, the documents of those, and their configurations.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::Path;

use tamiz::{Config, Engine};
use toml::de::DeTable;

fn main() -> io::Result<()> {
    let fuzz = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut requests = BTreeSet::new();
    let mut configs = BTreeSet::from([Config::default().to_toml()]);
    for entry in fs::read_dir(fuzz.join("../spec/vectors"))? {
        let path = entry?.path();
        let text = fs::read_to_string(&path)?;
        let table = DeTable::parse(&text).map_err(|error| io::Error::other(format!("{}: {error}", path.display())))?;
        let cases = table.get_ref().get("case").and_then(|cases| cases.get_ref().as_array()).into_iter().flatten();
        for case in cases {
            let field = |name: &str| case.get_ref().get(name).and_then(|value| value.get_ref().as_str());
            requests.extend(field("request").map(|request| request.as_bytes().to_vec()));
            requests.extend(field("request_hex").and_then(from_hex));
            configs.extend(field("config").map(str::to_owned));
        }
    }
    // Requests of a vector may have a configuration of their own; as seeds they need none.
    let mut engine = Engine::default();
    let documents: BTreeSet<Vec<u8>> = requests
        .iter()
        .map(|request| {
            let mut document = String::new();
            engine.canonicalize(request, &mut document);
            document.into_bytes()
        })
        .collect();
    let corpus = fuzz.join("corpus");
    write(&corpus.join("request"), requests.iter().cloned())?;
    write(&corpus.join("body"), requests.iter().filter_map(|request| body_seed(request)))?;
    // Without lengths of pieces: the target tries the whole and byte by byte anyway.
    write(&corpus.join("stream"), requests.iter().map(|request| [&b"\0"[..], request].concat()))?;
    write(&corpus.join("document"), documents)?;
    write(&corpus.join("config"), configs.into_iter().map(String::into_bytes))
}

/// The body of a request behind the number of its type in the target, by how it begins, and that of no coding.
fn body_seed(request: &[u8]) -> Option<Vec<u8>> {
    let ends = [&b"\r\n\r\n"[..], b"\n\n"];
    let body = ends.iter().find_map(|end| {
        let at = request.windows(end.len()).position(|window| window == *end)?;
        Some(&request[at + end.len()..])
    })?;
    let kind = match body.first()? {
        b'{' | b'[' => 0,
        b'-' => 3,
        b'<' => 4,
        _ => 7,
    };
    Some([&[kind, 0][..], body].concat())
}

fn write(folder: &Path, seeds: impl IntoIterator<Item = Vec<u8>>) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    let mut count = 0;
    for seed in seeds {
        fs::write(folder.join(format!("vector-{count:04}")), seed)?;
        count += 1;
    }
    println!("{count:5} seeds in {}", folder.display());
    Ok(())
}

fn from_hex(text: &str) -> Option<Vec<u8>> {
    let digits: Option<Vec<u32>> = text.chars().filter(|c| !c.is_whitespace()).map(|c| c.to_digit(16)).collect();
    Some(digits?.chunks(2).map(|pair| pair.iter().fold(0, |byte, &digit| byte << 4 | digit as u8)).collect())
}
