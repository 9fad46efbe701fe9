//! Runs the golden vectors of `spec/vectors`, which any implementation of the contract can run.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use tamiz::{Config, Document, Engine, FLAGS};

/// One case of a vector file. A field that is not listed here is an error.
#[derive(Default)]
struct Case {
    name: String,
    request: Vec<u8>,
    config: String,
    document: Option<String>,
    lines: Vec<String>,
    flags: Vec<String>,
    not_flags: Vec<String>,
    present: Vec<String>,
    absent: Vec<String>,
}

#[test]
fn every_case_holds() {
    let mut failures = Vec::new();
    let mut count = 0;
    for file in vector_files() {
        for case in read_cases(&file) {
            count += 1;
            for fault in faults(&case) {
                failures.push(format!("{}: {}: {fault}", file.file_name().unwrap().to_string_lossy(), case.name));
            }
        }
    }
    assert!(failures.is_empty(), "{} faults in {count} cases:\n{}", failures.len(), failures.join("\n"));
}

#[test]
fn every_flag_has_a_case_and_a_near_miss() {
    let cases: Vec<Case> = vector_files().iter().flat_map(|file| read_cases(file)).collect();
    let names = |list: fn(&Case) -> &Vec<String>| -> BTreeSet<String> {
        let texts = cases.iter().flat_map(list);
        texts.map(|flag| flag.split(':').next().unwrap().to_owned()).collect()
    };
    let (raised, near_misses) = (names(|case| &case.flags), names(|case| &case.not_flags));
    let lacking = |seen: &BTreeSet<String>| -> Vec<&str> {
        FLAGS.iter().map(|row| row.name).filter(|name| !seen.contains(*name)).collect()
    };
    assert_eq!(lacking(&raised), [""; 0], "flags that no case raises");
    assert_eq!(lacking(&near_misses), [""; 0], "flags without a near miss");
}

#[test]
fn case_names_are_unique() {
    for file in vector_files() {
        let mut names = BTreeSet::new();
        for case in read_cases(&file) {
            assert!(names.insert(case.name.clone()), "{}: {} stands twice", file.display(), case.name);
        }
    }
}

fn faults(case: &Case) -> Vec<String> {
    let document = canonicalize(case);
    let mut faults = Vec::new();
    let parsed = match Document::parse(&document) {
        Ok(parsed) => parsed,
        Err(error) => return vec![format!("not a document: {error}\n{document}")],
    };
    let mut again = String::new();
    parsed.write(&mut again);
    if again != document {
        faults.push(format!("not a fixed point:\n{document}---\n{again}"));
    }
    if let Some(wanted) = &case.document
        && *wanted != document
    {
        faults.push(format!("wanted\n{wanted}got\n{document}"));
    }
    let fits = |line: &str, wanted: &str| {
        line.strip_prefix(wanted).is_some_and(|rest| rest.is_empty() || rest.starts_with(' ') || wanted.ends_with(':'))
    };
    for wanted in &case.lines {
        if !document.lines().any(|line| fits(line, wanted)) {
            faults.push(format!("no line `{wanted}` in\n{document}"));
        }
    }
    let raised: BTreeSet<&str> = parsed.flags().iter().copied().collect();
    for flag in case.flags.iter().filter(|flag| !raised.contains(flag.as_str())) {
        faults.push(format!("{flag} is not raised in\n{document}"));
    }
    for flag in case.not_flags.iter().filter(|flag| raised.contains(flag.as_str())) {
        faults.push(format!("{flag} is raised in\n{document}"));
    }
    for text in case.present.iter().filter(|text| !document.contains(text.as_str())) {
        faults.push(format!("`{text}` is missing in\n{document}"));
    }
    for text in case.absent.iter().filter(|text| document.contains(text.as_str())) {
        faults.push(format!("`{text}` stands in\n{document}"));
    }
    faults
}

fn canonicalize(case: &Case) -> String {
    let config = Config::from_toml(&case.config).unwrap_or_else(|errors| panic!("{}: {errors:?}", case.name));
    let mut document = String::new();
    Engine::new(&config).canonicalize(&case.request, &mut document);
    document
}

fn vector_files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../spec/vectors");
    let mut files: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|ending| ending == "toml"));
    files.sort();
    assert!(!files.is_empty());
    files
}

fn read_cases(file: &Path) -> Vec<Case> {
    let text = fs::read_to_string(file).unwrap();
    let table: toml::Table = text.parse().unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    assert!(table.keys().eq(["case"]), "{}: only [[case]] may stand here", file.display());
    table["case"].as_array().unwrap().iter().map(|case| read_case(file, case.as_table().unwrap())).collect()
}

fn read_case(file: &Path, table: &toml::Table) -> Case {
    let mut case = Case::default();
    for (field, value) in table {
        let text = || value.as_str().unwrap_or_else(|| panic!("{}: {field} is no string", file.display())).to_owned();
        let list = || value.as_array().unwrap().iter().map(|item| item.as_str().unwrap().to_owned()).collect();
        match field.as_str() {
            "name" => case.name = text(),
            "request" => case.request = text().into_bytes(),
            "request_hex" => case.request = from_hex(&text()),
            "config" => case.config = text(),
            "document" => case.document = Some(text()),
            "lines" => case.lines = list(),
            "flags" => case.flags = list(),
            "not_flags" => case.not_flags = list(),
            "present" => case.present = list(),
            "absent" => case.absent = list(),
            _ => panic!("{}: unknown field {field}", file.display()),
        }
    }
    assert!(!case.name.is_empty(), "{}: a case without a name", file.display());
    case
}

fn from_hex(text: &str) -> Vec<u8> {
    let digits: Vec<u32> = text.chars().filter(|c| !c.is_whitespace()).map(|c| c.to_digit(16).unwrap()).collect();
    digits.chunks(2).map(|pair| (pair[0] << 4 | pair[1]) as u8).collect()
}
