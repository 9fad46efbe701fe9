//! The engine: a configuration and the buffers that requests are worked on in.

use std::sync::Arc;

use crate::config::Config;
use crate::explain::{self, Explanation};
use crate::pipeline;
use crate::scratch::Scratch;
use crate::settings::Settings;
use crate::stage::frame::Framed;

/// Turns requests into documents. Make one for a thread and use it again and again.
///
/// ```
/// let mut engine = tamiz::Engine::default();
/// let mut document = String::new();
/// engine.canonicalize(b"GET /%61dmin//?pwd=hunter2 HTTP/1.1\r\nHost: EX.com\r\n\r\n", &mut document);
/// assert_eq!(document, "\
/// M:GET
/// U:http://ex.com/admin?pwd=<SECRET:lowernum:7>
/// P:/admin PLEN:6@0-15 PMAX:5@0-15 [MULTIPLESLASH]
/// Q:1 KEYS:pwd
/// FLAGS:[MULTIPLESLASH]
/// H:host=ex.com
/// HCNT:1 HLEN:12@0-15
/// ");
/// ```
pub struct Engine {
    settings: Arc<Settings>,
    scratch: Scratch,
}

/// A request that somebody else has taken apart: a server, a proxy, an HTTP/2 or HTTP/3 library, a log record.
///
/// ```
/// use tamiz::{Engine, Parts, Target};
/// let parts = Parts {
///     method: b"GET",
///     target: Target::Split { scheme: b"https", authority: b"ex.com", path: b"/a?b=1" },
///     headers: &[(b"accept", b"*/*")],
///     body: b"",
/// };
/// let mut document = String::new();
/// Engine::default().canonicalize_parts(&parts, &mut document);
/// assert!(document.contains("U:https://ex.com/a?b=<num:1>\n"));
/// ```
#[derive(Clone, Copy)]
pub struct Parts<'a> {
    /// The method, in its own case.
    pub method: &'a [u8],
    /// The target.
    pub target: Target<'a>,
    /// Names and values, in order of arrival.
    pub headers: &'a [(&'a [u8], &'a [u8])],
    /// The body, with any transfer coding still on it or already taken off.
    pub body: &'a [u8],
}

/// The target of a request given as parts.
///
/// ```
/// use tamiz::Target;
/// let from_request_line = Target::Raw(b"/a?b=1");
/// let from_http2 = Target::Split { scheme: b"https", authority: b"ex.com", path: b"/a?b=1" };
/// # let _ = (from_request_line, from_http2);
/// ```
#[derive(Clone, Copy)]
pub enum Target<'a> {
    /// As it stands in a request line.
    Raw(&'a [u8]),
    /// As the pseudo-header fields of HTTP/2 and HTTP/3 give it.
    Split {
        /// `:scheme`; empty for the configured one.
        scheme: &'a [u8],
        /// `:authority`; acts as Host where there is none.
        authority: &'a [u8],
        /// `:path`, with the query.
        path: &'a [u8],
    },
}

impl Engine {
    /// An engine with a configuration.
    ///
    /// ```
    /// use tamiz::{Config, Engine};
    /// let config = Config::from_toml("scheme = \"https\"\n").unwrap();
    /// let mut document = String::new();
    /// Engine::new(&config).canonicalize(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n", &mut document);
    /// assert!(document.contains("U:https://a/\n"));
    /// ```
    #[must_use]
    pub fn new(config: &Config) -> Engine {
        Engine::with(Arc::new(Settings::new(config)))
    }

    fn with(settings: Arc<Settings>) -> Engine {
        let scratch = Scratch::new(&settings);
        Engine { settings, scratch }
    }

    /// Appends the document of a raw request to `out`. All that follows the head is the body.
    ///
    /// Total: any bytes give a document.
    ///
    /// ```
    /// let mut document = String::new();
    /// tamiz::Engine::default().canonicalize(b"\xff\x00 nonsense", &mut document);
    /// assert!(tamiz::Document::parse(&document).is_ok());
    /// ```
    pub fn canonicalize(&mut self, raw: &[u8], out: &mut String) {
        pipeline::raw(raw, &self.settings, &mut self.scratch, false, out);
    }

    /// Appends the document of a request cut out of a stream to `out`.
    ///
    /// ```
    /// use tamiz::{Engine, Next, Splitter};
    /// let mut document = String::new();
    /// if let Next::Request { framed, .. } = Splitter::new().next(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n", true) {
    ///     Engine::default().canonicalize_framed(&framed, &mut document);
    /// }
    /// assert!(document.starts_with("M:GET\n"));
    /// ```
    pub fn canonicalize_framed(&mut self, request: &Framed<'_>, out: &mut String) {
        pipeline::framed(request, &self.settings, &mut self.scratch, out);
    }

    /// Appends the document of a request given as parts to `out`. Clean parts give the document of the raw request.
    ///
    /// ```
    /// use tamiz::{Engine, Parts, Target};
    /// let (mut from_parts, mut from_raw) = (String::new(), String::new());
    /// let mut engine = Engine::default();
    /// engine.canonicalize(b"GET /a HTTP/1.1\r\nHost: ex.com\r\n\r\n", &mut from_raw);
    /// let target = Target::Split { scheme: b"http", authority: b"ex.com", path: b"/a" };
    /// engine.canonicalize_parts(&Parts { method: b"GET", target, headers: &[], body: b"" }, &mut from_parts);
    /// assert_eq!(from_parts, from_raw);
    /// ```
    pub fn canonicalize_parts(&mut self, parts: &Parts<'_>, out: &mut String) {
        pipeline::parts(parts, &self.settings, &mut self.scratch, out);
    }

    /// How a raw request becomes its document: what each stage changed, and which bytes raised which flag.
    ///
    /// ```
    /// let explanation = tamiz::Engine::default().explain(b"GET /a%252e HTTP/1.1\r\nHost: ex.com\r\n\r\n");
    /// assert_eq!(explanation.findings[0].text, "DOUBLEPCT");
    /// ```
    pub fn explain(&mut self, raw: &[u8]) -> Explanation {
        explain::run(raw, &self.settings, &mut self.scratch)
    }
}

impl Default for Engine {
    fn default() -> Engine {
        Engine::new(&Config::default())
    }
}

/// A second engine with the same configuration and buffers of its own, for another thread.
impl Clone for Engine {
    fn clone(&self) -> Engine {
        Engine::with(Arc::clone(&self.settings))
    }
}

/// Says nothing of the requests that went through.
impl std::fmt::Debug for Engine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Engine").finish_non_exhaustive()
    }
}
