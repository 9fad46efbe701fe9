//! A warm engine does not allocate on ordinary ASCII traffic. Decoders of compressed bodies do.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use tamiz::Engine;

struct Counting;

thread_local! {
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
}

fn count() {
    // The thread may be on its way out.
    let _ = ALLOCATIONS.try_with(|count| count.set(count.get() + 1));
}

#[expect(unsafe_code, reason = "an allocator cannot be written without it; this is a test")]
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count();
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        unsafe { System.dealloc(place, layout) }
    }

    unsafe fn realloc(&self, place: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count();
        unsafe { System.realloc(place, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Ordinary traffic: what browsers, API clients and forms send.
const REQUESTS: &[&str] = &[
    "GET /shop/list.html?page=2&sort=price&q=red%20wine HTTP/1.1\r\nHost: www.example.com\r\n\
     User-Agent: Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36\r\n\
     Accept: text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8\r\n\
     Accept-Language: en-US,en;q=0.5\r\nAccept-Encoding: gzip, deflate, br\r\nConnection: keep-alive\r\n\
     Cookie: session=0123456789abcdef; theme=dark\r\nReferer: https://www.example.com/shop?page=1\r\n\
     Sec-Ch-Ua: \"Chromium\";v=\"130\", \"Not?A_Brand\";v=\"99\"\r\nUpgrade-Insecure-Requests: 1\r\n\r\n",
    "POST /login HTTP/1.1\r\nHost: www.example.com:8443\r\nContent-Type: application/x-www-form-urlencoded\r\n\
     Content-Length: 46\r\nUser-Agent: curl/8.5.0\r\nAccept: */*\r\n\r\nuser=alice&password=hunter2&next=%2Fshop%3Fa%3D1",
    "GET /api/v1/items/550e8400-e29b-41d4-a716-446655440000?fields=name,price HTTP/1.1\r\nHost: api.example.com\r\n\
     Authorization: Bearer abcdef0123456789abcdef\r\nX-Request-Id: 550e8400-e29b-41d4-a716-446655440000\r\n\
     X-Forwarded-For: 203.0.113.9, 10.0.0.1\r\nIf-None-Match: \"33a64df551425fcc55e4d42a148795d9f25f89d4\"\r\n\r\n",
    "GET http://proxy.example.com/a/../b//c?id=1' HTTP/1.1\r\nHost: proxy.example.com\r\nX-Odd:  two   spaces\r\n\r\n",
];

/// Bodies, some of them with the faults and oddities that a scanner sends.
const BODIES: &[&str] = &[
    "POST /api HTTP/1.1\r\nHost: api.example.com\r\nContent-Type: application/json\r\n\r\n\
     {\"user\":{\"name\":\"alice\",\"password\":\"hunter2\",\"tags\":[\"a\",\"b\\u0027\",null,true,1.5e3]},\"items\":\
     [{\"id\":1,\"note\":\"it's \\\"new\\\"\"},{\"id\":2,\"id\":3,\"x\":{}}],\"token\":[[\"a.b\"],[]]}",
    "POST /graphql HTTP/1.1\r\nHost: api.example.com\r\nContent-Type: application/json\r\n\r\n\
     {\"query\":\"query Cart($id: ID!) { cart(id: $id, note: \\\"x\\\") { items { id } } }\",\
     \"variables\":{\"id\":\"7\"}}",
    "POST /api HTTP/1.1\r\nHost: api.example.com\r\nTransfer-Encoding: chunked\r\n\
     Content-Type: application/json\r\n\r\na\r\n{\"a\":'b',\r\n9\r\nc: /*x*/ \r\n6\r\n[1,]]}\r\n0\r\n\r\n",
    "POST /upload HTTP/1.1\r\nHost: www.example.com\r\nContent-Type: multipart/form-data; boundary=XX\r\n\r\n\
     --XX\r\nContent-Disposition: form-data; name=\"title\"\r\n\r\nA 'title'\r\n\
     --XX\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\nhunter2\r\n\
     --XX\r\nContent-Disposition: form-data; name=\"file\"; filename=\"../shell.php.png\"\r\n\
     Content-Type: image/png\r\nX-Odd: 1\r\n\r\nGIF89a\r\n\
     --XX\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.txt\"\r\n\r\ntext\r\n--XX--\r\n",
    "POST /soap HTTP/1.1\r\nHost: www.example.com\r\nContent-Type: text/xml\r\n\r\n\
     <?xml version=\"1.0\"?><!DOCTYPE a [<!ENTITY x SYSTEM \"file:///x\">]><s:Envelope xmlns:s=\"urn:s\"><s:Body>\
     <order id=\"7\" note='it&apos;s'><item>one &amp; two</item><item/><![CDATA[<b>]]>&x;</order>\
     <wsse:Password Type=\"text\">hunter2</wsse:Password><!-- ' --></s:Body></s:Envelop>",
];

#[test]
fn a_warm_engine_does_not_allocate() {
    let mut engine = Engine::default();
    let mut out = String::new();
    let mut pass = || {
        for request in REQUESTS.iter().chain(BODIES) {
            out.clear();
            engine.canonicalize(request.as_bytes(), &mut out);
        }
    };
    pass();
    pass();
    let before = ALLOCATIONS.get();
    pass();
    assert_eq!(ALLOCATIONS.get() - before, 0, "allocations in a warm pass");
}

#[test]
fn bodies_are_what_they_seem() {
    for (request, kind) in BODIES.iter().zip(["json", "json", "json", "multipart", "xml"]) {
        let mut document = String::new();
        Engine::default().canonicalize(request.as_bytes(), &mut document);
        assert!(document.contains(&format!("\nB:{kind} ")), "{document}");
    }
}

#[test]
fn the_counter_counts() {
    let before = ALLOCATIONS.get();
    let text = std::hint::black_box(String::from("x"));
    assert!(ALLOCATIONS.get() > before, "{text}");
}
