//! A stream is cut into the same requests in whatever pieces it arrives, and all of it is read.
//!
//! The first byte says how many bytes behind it are lengths of pieces; the rest is the stream.

#![no_main]

use tamiz::{Next, Splitter};

/// Reading a growing buffer byte by byte is quadratic by nature: longer streams only slow the search down.
const LONGEST: usize = 8 << 10;

#[derive(Debug, PartialEq)]
struct Request {
    /// Where its head begins in the stream.
    at: usize,
    head: Vec<u8>,
    body: Vec<u8>,
    truncated: bool,
    bad_chunks: bool,
}

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    let Some((&count, rest)) = input.split_first() else { return };
    let Some((lengths, stream)) = rest.split_at_checked(usize::from(count % 16)) else { return };
    let stream = &stream[..stream.len().min(LONGEST)];

    let whole = cut(stream, &[stream.len()]);
    assert_eq!(whole, cut(stream, &[1]), "byte by byte it is cut in another way");
    let lengths: Vec<usize> = lengths.iter().map(|&length| 1 + usize::from(length)).collect();
    if !lengths.is_empty() {
        assert_eq!(whole, cut(stream, &lengths), "in pieces of {lengths:?} it is cut in another way");
    }
    for request in &whole {
        let Request { head, body, truncated, bad_chunks, .. } = request;
        let framed = tamiz::Framed { head, body, truncated: *truncated, bad_chunks: *bad_chunks };
        tamiz_fuzz::assert_documents(|engine, out| engine.canonicalize_framed(&framed, out));
    }
});

/// The requests of a stream that arrives in pieces of these lengths, again and again.
fn cut(stream: &[u8], lengths: &[usize]) -> Vec<Request> {
    let mut requests = Vec::new();
    let mut splitter = Splitter::new();
    let (mut at, mut arrived) = (0, 0);
    let mut lengths = lengths.iter().cycle();
    loop {
        arrived = stream.len().min(arrived + lengths.next().copied().unwrap_or_default());
        let at_end = arrived == stream.len();
        loop {
            let pending = &stream[at..arrived];
            let done = match splitter.next(pending, at_end) {
                Next::Request { framed, at: begin, consumed } => {
                    assert!(begin <= consumed && pending[begin..].starts_with(framed.head));
                    let (head, body) = (framed.head.to_vec(), framed.body.to_vec());
                    let (truncated, bad_chunks) = (framed.truncated, framed.bad_chunks);
                    requests.push(Request { at: at + begin, head, body, truncated, bad_chunks });
                    consumed
                }
                Next::Skipped { bytes } => bytes,
                Next::More => {
                    assert!(!at_end, "waits for more where there is no more");
                    break;
                }
                Next::End => {
                    assert!(at_end, "ends before the stream does");
                    assert!(pending.iter().all(|byte| matches!(byte, b'\r' | b'\n')), "ends before all is read");
                    return requests;
                }
            };
            assert!(0 < done && done <= pending.len(), "no progress");
            at += done;
        }
    }
}
