//! What the strict parser takes for a document is written again as it was.

#![no_main]

use tamiz::{Document, Documents};

libfuzzer_sys::fuzz_target!(|text: &str| {
    // Each document of a series or an error, and then an end: every step reads at least one line.
    assert!(Documents::new(text).count() <= 1 + text.lines().count());
    let Ok(document) = Document::parse(text) else { return };
    let mut again = String::new();
    document.write(&mut again);
    // The last LF may be missing; it is written all the same.
    assert_eq!(again.strip_suffix('\n'), Some(text.strip_suffix('\n').unwrap_or(text)), "not what was read");
    assert_eq!(Document::parse(&again).as_ref(), Ok(&document), "the text with its last LF is another document");
    let mut series = Documents::new(text);
    assert!(matches!(series.next(), Some(Ok(first)) if first == document) && series.next().is_none());
});
