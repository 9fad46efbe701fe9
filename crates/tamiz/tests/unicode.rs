//! The Unicode version that the crate names is the one that its data has.

use icu_properties::props::Script;
use icu_properties::{CodePointMapData, PropertyNamesLong};
use unicode_script::UnicodeScript;

#[test]
fn data_has_the_version_it_says() {
    let (major, minor, _) = unicode_script::UNICODE_VERSION;
    assert_eq!(tamiz::UNICODE, format!("{major}.{minor}"), "the independent table is of another version");
    let (scripts, names) = (CodePointMapData::<Script>::new(), PropertyNamesLong::<Script>::new());
    let differs = |&c: &char| names.get(scripts.get(c)) != Some(c.script().full_name());
    assert_eq!(('\0'..='\u{10FFFF}').find(differs), None);
}
