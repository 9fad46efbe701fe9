//! The floor: a bare parse and decode with the usual crates. It does far less than tamiz: nothing is flagged, redacted,
//! normalised or written, and a request that `httparse` refuses is given up where it is refused.

use httparse::{EMPTY_HEADER, Request, Status};

/// The number of decoded bytes, so that the work cannot be left out; `None` where the request is refused.
pub(crate) fn decode(raw: &[u8]) -> Option<usize> {
    let mut headers = [EMPTY_HEADER; 64];
    let mut request = Request::new(&mut headers);
    let Ok(Status::Complete(head)) = request.parse(raw) else { return None };
    let target = request.path.unwrap_or_default();
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let mut decoded = percent_encoding::percent_decode_str(path).decode_utf8_lossy().len() + pairs(query.as_bytes());
    let mut is_form = false;
    for header in request.headers.iter() {
        decoded += String::from_utf8_lossy(header.value).len();
        is_form |= header.name.eq_ignore_ascii_case("content-type")
            && header.value.starts_with(b"application/x-www-form-urlencoded");
    }
    Some(if is_form { decoded + pairs(&raw[head..]) } else { decoded })
}

fn pairs(text: &[u8]) -> usize {
    form_urlencoded::parse(text).map(|(key, value)| key.len() + value.len()).sum()
}
