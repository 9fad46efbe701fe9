//! Any bytes give a document that is a fixed point, whichever engine makes it, and an explanation tells of that
//! document.

#![no_main]

use tamiz::Engine;

libfuzzer_sys::fuzz_target!(|raw: &[u8]| {
    tamiz_fuzz::assert_documents(|engine, out| engine.canonicalize(raw, out));
    tamiz_fuzz::assert_documents(|engine: &mut Engine, out| {
        let explanation = engine.explain(raw);
        let mut document = String::new();
        engine.canonicalize(raw, &mut document);
        assert_eq!(explanation.document, document, "the explanation tells of another document");
        let spans = explanation.findings.iter().filter_map(|finding| finding.span.as_ref());
        for span in spans.chain(explanation.steps.iter().flat_map(|step| &step.spans)) {
            assert!(span.start <= span.end && span.end <= raw.len(), "{span:?} is no place in the request");
        }
        out.push_str(&document);
    });
});
