//! An explanation says where, and never what a secret is.

use tamiz::{Change, Engine, Flag};

/// Requests with `CANARY` where a secret stands.
const REQUESTS: &[&str] = &[
    "GET /?pwd=CANARY' HTTP/1.1\r\nHost: ex.com\r\n\r\n",
    "GET /?p%61ss=%3CCANARY%00 HTTP/1.1\r\nHost: ex.com\r\n\r\n",
    "GET http://bob:CANARY@ex.com/a//b HTTP/1.1\r\nHost: ex.com\r\n\r\n",
    "GET /a;jsessionid=CANARY/../b HTTP/1.1\r\nHost: ex.com\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: ex.com\r\nAuthorization: Bearer CANARY\x01\r\nCookie: sid=CANARY\x01\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: ex.com\r\nX-A:  b\r\n Authorization: Basic CANARY\r\n\r\n",
    "GET / HTTP/1.1\r\n\tpwd=CANARY\x01\r\nHost: ex.com\r\n\r\n",
    "POST / HTTP/1.1\r\nHost: ex.com\r\nContent-Type: application/x-www-form-urlencoded\r\n\r\ntoken=CANARY';--",
    "GET / HTTP/1.1\r\nHost: ex.com\r\nReferer: https://h/?code=CANARY'#token=CANARY\r\n\r\n",
];

#[test]
fn secrets_never_show() {
    let mut engine = Engine::default();
    for request in REQUESTS {
        let one = engine.explain(request.replace("CANARY", "qxw7zj3K").as_bytes());
        let other = engine.explain(request.replace("CANARY", "vkj4xq9Z").as_bytes());
        assert_eq!(one, other, "{request}");
        assert!(!format!("{one:?}").contains("qxw7"), "{one:?}");
    }
}

#[test]
fn what_was_replaced_is_not_shown_by_its_neighbours() {
    let texts = [
        "GET /a;pass=ключ／x HTTP/1.1\r\nHost: h\r\n\r\n",
        "GET /a;pass=ab／cd HTTP/1.1\r\nHost: h\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: h\r\nX-Token=клю，: v\r\n\r\n",
    ];
    for request in texts {
        let shown = format!("{:?}", Engine::default().explain(request.as_bytes()).findings);
        assert!(!shown.contains('к') && !shown.contains("\\xd0") && !shown.contains('b'), "{shown}");
    }
    let lines: &[u8] = b"GET / HTTP/1.1\r\nHost: h\r\nA: b@c.d\xff\r\n\r\n";
    let explanation = Engine::default().explain(lines);
    assert!(explanation.findings.iter().all(|finding| finding.line != "H:a" || finding.excerpt.is_none()));
}

#[test]
fn places_are_those_of_the_raw_bytes() {
    let request =
        "GET /a//b/%2e%2e?q=%253C&r=a&lt;b HTTP/1.1\r\nHost: ex.com\r\nX-Two:  words\r\n  more\r\nX-Q: it's\r\n\r\n";
    let explanation = Engine::default().explain(request.as_bytes());
    let at = |flag: Flag| {
        let finding = explanation.findings.iter().find(|finding| finding.flag == flag);
        finding.and_then(|finding| finding.span.clone()).map(|span| &request[span])
    };
    assert_eq!(at(Flag::MultipleSlash), Some("/"));
    assert_eq!(at(Flag::DotDot), Some("%2e%2e"));
    assert_eq!(at(Flag::DoublePct), Some("%253C"));
    assert_eq!(at(Flag::HtmlEnt), Some("&lt;"));
    assert_eq!(at(Flag::Angle), Some("&lt;"));
    assert_eq!(at(Flag::Quote), Some("'"));
    assert_eq!(at(Flag::ObsFold), Some("X-Two:  words\r\n  more"));
    let changed = |change: Change| {
        let step = explanation.steps.iter().find(|step| step.change == change);
        step.map(|step| step.spans.iter().map(|span| &request[span.clone()]).collect::<Vec<_>>())
    };
    assert_eq!(changed(Change::PercentDecoded), Some(vec!["%2e", "%2e", "%25"]));
    assert_eq!(changed(Change::PairRead), Some(vec!["q=%253C", "r=a&lt;b"]));
}

#[test]
fn places_stay_inside_the_request() {
    for request in
        [&b"T h://\xff"[..], b"GET http://\xff\xff\xff'h/abc?next=alice HTTP/1.1\r\n\r\n", b"", b"\r", b"GET"]
    {
        let explanation = Engine::default().explain(request);
        let spans = explanation.steps.iter().flat_map(|step| step.spans.iter().cloned());
        for span in spans.chain(explanation.findings.iter().filter_map(|finding| finding.span.clone())) {
            assert!(span.start <= span.end && span.end <= request.len(), "{span:?} of {}", request.len());
        }
    }
}
