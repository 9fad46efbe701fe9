//! The examples of the flag table do what they say.

use tamiz::{Config, Document, Engine, FLAGS};

#[test]
fn every_example_raises_its_flag() {
    let mut failures = Vec::new();
    for row in FLAGS {
        let mut config = Config::default();
        if row.switch {
            config.flags.enable.push(row.flag);
        }
        let mut document = String::new();
        Engine::new(&config).canonicalize(row.example.as_bytes(), &mut document);
        let parsed = Document::parse(&document).unwrap();
        if !parsed.flag_names().any(|name| name == row.name) {
            failures.push(format!("{} is not raised in\n{document}", row.name));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn every_flag_can_be_disabled() {
    for row in FLAGS {
        let mut config = Config::default();
        config.flags.enable.push(row.flag);
        config.flags.disable.push(row.flag);
        let mut document = String::new();
        Engine::new(&config).canonicalize(row.example.as_bytes(), &mut document);
        let parsed = Document::parse(&document).unwrap();
        assert!(!parsed.flag_names().any(|name| name == row.name), "{}", row.name);
    }
}
