//! What the fuzz targets share: the laws that hold of every document, whatever it was made from.

use std::cell::RefCell;

use tamiz::{Config, Document, Engine, FLAGS};

thread_local! {
    /// They have seen every input so far: nothing of one may show in the next.
    static WARM: RefCell<[Engine; 2]> = RefCell::new([Engine::default(), Engine::new(&everything())]);
}

/// Every line and every flag that is off by default, and limits that small inputs reach.
fn everything() -> Config {
    let mut config = Config::default();
    config.lines.keys_sorted = true;
    config.lines.query_by_key = true;
    config.flags.enable = FLAGS.iter().filter(|row| row.switch).map(|row| row.flag).collect();
    config.flags.max_per_name = 2;
    config.limits.long_value = 24;
    config.limits.user_agent_tokens = 3;
    config.limits.body_depth = 3;
    config.limits.body_fields = 5;
    config.limits.inflated_bytes = 100;
    config.shapes.entropy = true;
    config.shapes.length_bucket = true;
    config
}

/// Makes a document in each of two configurations. It must be a fixed point, and the same from an engine that has
/// seen much and from one that has seen nothing. Returns that of the default configuration.
pub fn assert_documents(canonicalize: impl Fn(&mut Engine, &mut String)) -> String {
    WARM.with_borrow_mut(|engines| {
        let [default, _] = engines.each_mut().map(|warm| {
            let mut document = String::new();
            canonicalize(warm, &mut document);
            assert_fixed_point(&document);
            let mut again = String::new();
            canonicalize(&mut warm.clone(), &mut again);
            assert_eq!(again, document, "a second engine gives another document");
            document
        });
        default
    })
}

/// The text is read by the strict parser, and is written again as it was.
#[track_caller]
pub fn assert_fixed_point(document: &str) {
    match Document::parse(document) {
        Ok(parsed) => {
            let mut again = String::new();
            parsed.write(&mut again);
            assert_eq!(again, document, "not a fixed point");
        }
        Err(error) => panic!("not a document: {error}\n{document}"),
    }
}
