//! The before and after of the README are real.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use tamiz::Engine;

#[test]
fn before_gives_after() {
    let readme = include_str!("../../../README.md");
    let request = block(readme, "```http\n").trim_end_matches('\n').replace('\n', "\r\n");
    let mut document = String::new();
    Engine::default().canonicalize(request.as_bytes(), &mut document);
    assert_eq!(block(readme, "```text\n"), document);
}

fn block<'a>(readme: &'a str, fence: &str) -> &'a str {
    let start = readme.find(fence).unwrap() + fence.len();
    &readme[start..start + readme[start..].find("```").unwrap()]
}
