//! The document: a typed view of its lines, and the strict parser that is the only way to get one from text.
//!
//! The parser accepts what some configuration of tamiz writes and refuses everything else. What is said twice must
//! agree (counts, `U:` and `P:`, `KEYS:`, `KEYS_SORTED:` and `QK:`, local flags and the roll-up), what is sorted must
//! be sorted, what is escaped must be escaped. So reading a document and writing it again from the typed fields gives
//! the same bytes, and a text that passes carries no structure that a request could have forged.
//!
//! What the parser does not do is guess which flags should be there: a configuration can turn any of them off.
//!
//! Every line is read once, from left to right. The only work that is not linear is the sorting of keys, where lines in
//! the order of the keys, or flags that name keys, are to be compared with them. Nothing is recursive.

use std::cell::LazyCell;
use std::fmt::{self, Write as _};
use std::iter::FusedIterator;

use crate::bytes::{hex_byte, is_hidden};
use crate::placeholder::{self, BodyKind, Label, MAX_CHARS, NUMBER_DIGITS, Placeholder};
use crate::table::finds::is_find;
use crate::table::flags::{Flag, Param};

/// One canonical document, read from its text and borrowed from it.
///
/// There is no way to build or to change one: what you hold has passed the parser.
///
/// ```
/// let text = "\
/// M:GET
/// U:http://ex.com/a/<script>?id=<num:5>
/// P:/a/<script> PLEN:11@0-15 PMAX:8@0-15 [ANGLE]
/// Q:1 KEYS:id
/// FLAGS:[ANGLE]
/// H:host=ex.com
/// HCNT:1 HLEN:12@0-15
/// ";
/// let document = tamiz::Document::parse(text)?;
/// assert_eq!(document.method(), "GET");
/// assert_eq!(document.path(), Some("/a/<script>"));
/// assert_eq!(document.flags(), ["ANGLE"]);
///
/// let mut again = String::new();
/// document.write(&mut again);
/// assert_eq!(again, text);
/// # Ok::<(), tamiz::ParseError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Document<'a> {
    method: &'a str,
    url: Option<Url<'a>>,
    path: Option<Path<'a>>,
    query: Option<Query<'a>>,
    body: Option<(Body<'a>, Vec<&'a str>)>,
    flags: Vec<&'a str>,
    headers: Vec<Header<'a>>,
    hlen: Metric<'a>,
}

/// A length and the label of the bucket it falls into, as in `PLEN:12@0-15`.
///
/// ```
/// let text = "M:GET\nP:/a PLEN:2@0-15 PMAX:1@0-15\nHCNT:0 HLEN:0@0-15\n";
/// let plen = tamiz::Document::parse(text)?.plen().unwrap();
/// assert_eq!((plen.len, plen.bucket), (2, "0-15"));
/// assert_eq!(plen.to_string(), "2@0-15");
/// # Ok::<(), tamiz::ParseError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Metric<'a> {
    /// The length.
    pub len: u64,
    /// The label of the bucket.
    pub bucket: &'a str,
}

/// One pair of a query or of a body, as written.
///
/// ```
/// let text = "M:GET\nU:http://h/?a&b=<num:1>\nP:/ PLEN:1@0-15 PMAX:0@0-15\nQ:2 KEYS:a,b\nHCNT:0 HLEN:0@0-15\n";
/// let document = tamiz::Document::parse(text)?;
/// let pairs = document.query().unwrap();
/// assert_eq!((pairs[0].key, pairs[0].value), ("a", None));
/// assert_eq!((pairs[1].key, pairs[1].value), ("b", Some("<num:1>")));
/// # Ok::<(), tamiz::ParseError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Pair<'a> {
    /// The key. In a JSON or XML body it is the path to the value.
    pub key: &'a str,
    /// The placeholder of the value, and of a part of a multipart body also its media type, behind a colon. `None` for
    /// a key without `=`, which queries and forms can have.
    pub value: Option<&'a str>,
}

/// What the `B:` line says about the body.
///
/// ```
/// use tamiz::{Body, Document};
///
/// let text = "M:PUT\nP:/a PLEN:2@0-15 PMAX:1@0-15\nB:raw BLEN:20@16-31\nHCNT:0 HLEN:0@0-15\n";
/// let document = Document::parse(text)?;
/// assert!(matches!(document.body(), Some(Body::Raw { len }) if len.len == 20));
/// # Ok::<(), tamiz::ParseError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Body<'a> {
    /// A form, with its pairs in order of arrival.
    ///
    /// ```
    /// # use tamiz::{Body, Document};
    /// let text = "M:POST\nP:/ PLEN:1@0-15 PMAX:0@0-15\nB:form 2 KEYS:a,b a=<num:1>&b\nHCNT:0 HLEN:0@0-15\n";
    /// let document = Document::parse(text)?;
    /// let Some(Body::Form { pairs }) = document.body() else { panic!() };
    /// assert_eq!((pairs[1].key, pairs[1].value), ("b", None));
    /// # Ok::<(), tamiz::ParseError>(())
    /// ```
    Form {
        /// The pairs.
        pairs: Vec<Pair<'a>>,
    },
    /// JSON, with its leaves in order of arrival.
    ///
    /// ```
    /// # use tamiz::{Body, Document};
    /// let text = "\
    /// M:POST
    /// P:/ PLEN:1@0-15 PMAX:0@0-15
    /// B:json 2 KEYS:user.id,tags[] user.id=<num:4>&tags[]=<null>
    /// HCNT:0 HLEN:0@0-15
    /// ";
    /// let document = Document::parse(text)?;
    /// let Some(Body::Json { pairs, graphql: None }) = document.body() else { panic!() };
    /// assert_eq!((pairs[1].key, pairs[1].value), ("tags[]", Some("<null>")));
    /// # Ok::<(), tamiz::ParseError>(())
    /// ```
    Json {
        /// The leaves, each with its path.
        pairs: Vec<Pair<'a>>,
        /// What the GraphQL in it asks for; `None` where there is none.
        graphql: Option<Graphql<'a>>,
    },
    /// `multipart/form-data`, with its parts in order of arrival.
    ///
    /// ```
    /// # use tamiz::{Body, Document};
    /// let text = "\
    /// M:POST
    /// P:/ PLEN:1@0-15 PMAX:0@0-15
    /// B:multipart 1 KEYS:avatar avatar=<file:png:68>:image/png
    /// HCNT:0 HLEN:0@0-15
    /// ";
    /// let document = Document::parse(text)?;
    /// let Some(Body::Multipart { pairs }) = document.body() else { panic!() };
    /// assert_eq!(pairs[0].value, Some("<file:png:68>:image/png"));
    /// # Ok::<(), tamiz::ParseError>(())
    /// ```
    Multipart {
        /// The parts, each with its name.
        pairs: Vec<Pair<'a>>,
    },
    /// XML, with its texts and attributes in order of arrival.
    ///
    /// ```
    /// # use tamiz::{Body, Document};
    /// let text = "\
    /// M:POST
    /// P:/ PLEN:1@0-15 PMAX:0@0-15
    /// B:xml 2 KEYS:order.item.@id,order.item order.item.@id=<num:1>&order.item=<lower:3> DEPTH:2
    /// HCNT:0 HLEN:0@0-15
    /// ";
    /// let document = Document::parse(text)?;
    /// let Some(Body::Xml { pairs, depth: 2 }) = document.body() else { panic!() };
    /// assert_eq!(pairs[0].key, "order.item.@id");
    /// # Ok::<(), tamiz::ParseError>(())
    /// ```
    Xml {
        /// The texts and attributes, each with its path.
        pairs: Vec<Pair<'a>>,
        /// How deep elements are nested.
        depth: u64,
    },
    /// Any other body.
    ///
    /// ```
    /// # use tamiz::{Body, Document};
    /// let text = "M:PUT\nP:/ PLEN:1@0-15 PMAX:0@0-15\nB:raw BLEN:20@16-31\nHCNT:0 HLEN:0@0-15\n";
    /// let document = Document::parse(text)?;
    /// let Some(Body::Raw { len }) = document.body() else { panic!() };
    /// assert_eq!(len.to_string(), "20@16-31");
    /// # Ok::<(), tamiz::ParseError>(())
    /// ```
    Raw {
        /// Its length in bytes.
        len: Metric<'a>,
    },
}

/// What the GraphQL documents in a JSON body ask for.
///
/// ```
/// use tamiz::{Body, Document};
///
/// let text = "\
/// M:POST
/// P:/ PLEN:1@0-15 PMAX:0@0-15
/// B:json 1 KEYS:query query=<graphql:52> GRAPHQL:query:Cart,mutation DEPTH:3
/// HCNT:0 HLEN:0@0-15
/// ";
/// let document = Document::parse(text)?;
/// let Some(Body::Json { graphql: Some(graphql), .. }) = document.body() else { panic!() };
/// assert_eq!(graphql.operations, ["query:Cart", "mutation"]);
/// assert_eq!(graphql.depth, 3);
/// # Ok::<(), tamiz::ParseError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Graphql<'a> {
    /// `query`, `mutation` or `subscription`, with `:` and the name where an operation has one; in order of arrival.
    pub operations: Vec<&'a str>,
    /// How deep selection sets are nested.
    pub depth: u64,
}

/// One `H:` line.
///
/// ```
/// let text = "\
/// M:GET
/// P:/a PLEN:2@0-15 PMAX:1@0-15
/// FLAGS:[COOKIE:1]
/// H:cookie=id<len:32> [COOKIE:1]
/// HCNT:1 HLEN:43@32-63
/// ";
/// let document = tamiz::Document::parse(text)?;
/// let header = &document.headers()[0];
/// assert_eq!((header.name, header.value), ("cookie", "id<len:32>"));
/// assert_eq!(header.flags, ["COOKIE:1"]);
/// # Ok::<(), tamiz::ParseError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Header<'a> {
    /// The name.
    pub name: &'a str,
    /// The value, redacted.
    pub value: &'a str,
    /// The flags that were seen on this line.
    pub flags: Vec<&'a str>,
}

/// A line that can carry local flags. Displayed as the line begins: `P`, `Q`, `B`, `H:<name>`.
///
/// ```
/// assert_eq!(tamiz::LineLabel::Header("host").to_string(), "H:host");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LineLabel<'a> {
    /// The path.
    Path,
    /// The query.
    Query,
    /// The body.
    Body,
    /// The header of that name.
    Header(&'a str),
}

/// Where a text is no document, and why. It holds no piece of the text, which may be anything, a secret included.
///
/// ```
/// let error = tamiz::Document::parse("M:GET\nP:/a PLEN:3@0-15 PMAX:1@0-15\n").unwrap_err();
/// assert_eq!((error.line(), error.column()), (2, 11));
/// assert_eq!(error.to_string(), "line 2, column 11: PLEN is not the length of the path");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseError {
    line: usize,
    column: usize,
    reason: &'static str,
}

/// The documents of a stream, separated by one empty line each.
///
/// After a text that is no document, reading goes on behind the next empty line. Lines in errors count from the start
/// of the stream.
///
/// ```
/// let stream = "\
/// M:GET
/// P:/a PLEN:2@0-15 PMAX:1@0-15
/// HCNT:0 HLEN:0@0-15
///
/// no document
///
/// M:GET
/// P:/b PLEN:2@0-15 PMAX:1@0-15
/// HCNT:0 HLEN:0@0-15
/// ";
/// let read: Vec<_> = tamiz::Documents::new(stream).collect();
/// assert_eq!(read[0].as_ref().unwrap().path(), Some("/a"));
/// assert_eq!(read[1].as_ref().unwrap_err().line(), 5);
/// assert_eq!(read[2].as_ref().unwrap().path(), Some("/b"));
/// ```
#[derive(Clone, Debug)]
pub struct Documents<'a> {
    rest: &'a str,
    /// Lines in front of `rest`.
    lines: usize,
    /// An empty line was the last thing read: a document must follow.
    separated: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Url<'a> {
    text: &'a str,
    /// `None` in the form that CONNECT has, where the authority is all there is.
    scheme: Option<&'a str>,
    authority: &'a str,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Path<'a> {
    text: &'a str,
    plen: Metric<'a>,
    pmax: Metric<'a>,
    flags: Vec<&'a str>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Query<'a> {
    pairs: Vec<Pair<'a>>,
    flags: Vec<&'a str>,
    keys_sorted: Option<Vec<&'a str>>,
    /// The document has `QK:` lines. What they say is in `pairs`.
    by_key: bool,
}

impl<'a> Document<'a> {
    /// Reads one document. Every line ends in LF, which may be missing at the very end of the text.
    ///
    /// # Errors
    ///
    /// The first place where the text is not what tamiz writes.
    ///
    /// ```
    /// use tamiz::Document;
    ///
    /// assert!(Document::parse("M:GET\nP:/ PLEN:1@0-15 PMAX:0@0-15\nHCNT:0 HLEN:0@0-15\n").is_ok());
    /// let error = Document::parse("GET / HTTP/1.1\r\n\r\n").unwrap_err();
    /// assert_eq!(error.reason(), "expected the `M:` line");
    /// ```
    pub fn parse(text: &'a str) -> Result<Document<'a>, ParseError> {
        if text.is_empty() {
            return Err(ParseError { line: 1, column: 1, reason: "no document" });
        }
        let mut reader = Reader::new(text);
        let method = reader.method()?;
        let (url, path, query) = match reader.url(method)? {
            Some(Target { url, resource: None }) => (Some(url), None, None),
            Some(Target { url, resource: Some(resource) }) => {
                let path = reader.path(Some(&resource))?;
                let query = reader.query(Some(resource))?;
                (Some(url), Some(path), query)
            }
            None => (None, Some(reader.path(None)?), reader.query(None)?),
        };
        let body = reader.body()?;
        let (flags, flags_at) = reader.flags()?;
        let headers = reader.headers()?;
        let hlen = reader.counts(headers.len())?;
        reader.local_flags_are_in(&flags)?;
        let document = Document { method, url, path, query, body, flags, headers, hlen };
        if let Some(at) = flags_at {
            document.parameters_name_lines(at)?;
        }
        Ok(document)
    }

    /// Writes the document, from its fields. For what [`Document::parse`] read from `text`, that is `text` again, with
    /// its last LF.
    ///
    /// ```
    /// let text = "M:CONNECT\nU:db.example.com:5432\nHCNT:0 HLEN:0@0-15\n";
    /// let mut out = String::new();
    /// tamiz::Document::parse(text)?.write(&mut out);
    /// assert_eq!(out, text);
    /// # Ok::<(), tamiz::ParseError>(())
    /// ```
    pub fn write(&self, out: &mut String) {
        // Writing to a String cannot fail.
        let _ = writeln!(out, "M:{}", self.method);
        if let Some(url) = &self.url {
            out.push_str("U:");
            if let Some(scheme) = url.scheme {
                out.push_str(scheme);
                out.push_str("://");
            }
            out.push_str(url.authority);
            out.push_str(self.path().unwrap_or_default());
            if let Some(pairs) = self.query() {
                out.push('?');
                write_pairs(out, pairs);
            }
            out.push('\n');
        }
        if let Some(Path { text, plen, pmax, flags }) = &self.path {
            let _ = write!(out, "P:{text} PLEN:{plen} PMAX:{pmax}");
            end_line(out, flags);
        }
        if let Some(query) = &self.query {
            query.write(out);
        }
        if let Some((body, flags)) = &self.body {
            body.write(out);
            end_line(out, flags);
        }
        if !self.flags.is_empty() {
            out.push_str("FLAGS:[");
            write_joined(out, ' ', self.flags.iter().copied());
            out.push_str("]\n");
        }
        for Header { name, value, flags } in &self.headers {
            let _ = write!(out, "H:{name}={value}");
            end_line(out, flags);
        }
        let _ = writeln!(out, "HCNT:{} HLEN:{}", self.headers.len(), self.hlen);
    }

    /// The method.
    ///
    /// ```
    /// # let text = "M:GET\nP:/ PLEN:1@0-15 PMAX:0@0-15\nHCNT:0 HLEN:0@0-15\n";
    /// assert_eq!(tamiz::Document::parse(text)?.method(), "GET");
    /// # Ok::<(), tamiz::ParseError>(())
    /// ```
    #[must_use]
    pub fn method(&self) -> &'a str {
        self.method
    }

    /// The URL, or for CONNECT the authority. `None` where the request named no usable host.
    ///
    /// ```
    /// let text = "M:GET\nU:http://h/a?b\nP:/a PLEN:2@0-15 PMAX:1@0-15\nQ:1 KEYS:b\nHCNT:0 HLEN:0@0-15\n";
    /// assert_eq!(tamiz::Document::parse(text)?.url(), Some("http://h/a?b"));
    /// # Ok::<(), tamiz::ParseError>(())
    /// ```
    #[must_use]
    pub fn url(&self) -> Option<&'a str> {
        self.url.map(|url| url.text)
    }

    /// The path. `None` for CONNECT with an authority.
    ///
    /// ```
    /// # let text = "M:GET\nP:/ PLEN:1@0-15 PMAX:0@0-15\nHCNT:0 HLEN:0@0-15\n";
    /// assert_eq!(tamiz::Document::parse(text)?.path(), Some("/"));
    /// # Ok::<(), tamiz::ParseError>(())
    /// ```
    #[must_use]
    pub fn path(&self) -> Option<&'a str> {
        self.path.as_ref().map(|path| path.text)
    }

    /// The length of the path in characters; what was redacted counts with its own length.
    ///
    /// ```
    /// # let text = "M:GET\nP:/a/bcd PLEN:6@0-15 PMAX:3@0-15\nHCNT:0 HLEN:0@0-15\n";
    /// assert_eq!(tamiz::Document::parse(text)?.plen().map(|plen| plen.len), Some(6));
    /// # Ok::<(), tamiz::ParseError>(())
    /// ```
    #[must_use]
    pub fn plen(&self) -> Option<Metric<'a>> {
        self.path.as_ref().map(|path| path.plen)
    }

    /// The length of the longest segment of the path.
    ///
    /// ```
    /// # let text = "M:GET\nP:/a/bcd PLEN:6@0-15 PMAX:3@0-15\nHCNT:0 HLEN:0@0-15\n";
    /// assert_eq!(tamiz::Document::parse(text)?.pmax().map(|pmax| pmax.len), Some(3));
    /// # Ok::<(), tamiz::ParseError>(())
    /// ```
    #[must_use]
    pub fn pmax(&self) -> Option<Metric<'a>> {
        self.path.as_ref().map(|path| path.pmax)
    }

    /// The pairs of the query, in order of arrival. `None` where the target had no `?`.
    ///
    /// Without `U:` they come from the `QK:` lines; the order is still that of arrival.
    ///
    /// ```
    /// let text = "M:GET\nP:/ PLEN:1@0-15 PMAX:0@0-15\nQ:2 KEYS:x,id\nQK:id=<num:1>\nQK:x=\nHCNT:0 HLEN:0@0-15\n";
    /// let document = tamiz::Document::parse(text)?;
    /// let keys: Vec<_> = document.query().unwrap().iter().map(|pair| pair.key).collect();
    /// assert_eq!(keys, ["x", "id"]);
    /// # Ok::<(), tamiz::ParseError>(())
    /// ```
    #[must_use]
    pub fn query(&self) -> Option<&[Pair<'a>]> {
        self.query.as_ref().map(|query| query.pairs.as_slice())
    }

    /// The keys of the query, sorted by bytes, each once. `None` where the line is not there.
    ///
    /// ```
    /// let text = "\
    /// M:GET
    /// U:http://h/?b&a&b
    /// P:/ PLEN:1@0-15 PMAX:0@0-15
    /// Q:3 KEYS:b,a,b
    /// KEYS_SORTED:a,b
    /// HCNT:0 HLEN:0@0-15
    /// ";
    /// assert_eq!(tamiz::Document::parse(text)?.keys_sorted(), Some(&["a", "b"][..]));
    /// # Ok::<(), tamiz::ParseError>(())
    /// ```
    #[must_use]
    pub fn keys_sorted(&self) -> Option<&[&'a str]> {
        self.query.as_ref()?.keys_sorted.as_deref()
    }

    /// The body. `None` where there was none.
    ///
    /// ```
    /// use tamiz::{Body, Document};
    ///
    /// let text = "M:POST\nP:/ PLEN:1@0-15 PMAX:0@0-15\nB:form 1 KEYS:a a=<num:1>\nHCNT:0 HLEN:0@0-15\n";
    /// assert!(matches!(Document::parse(text)?.body(), Some(Body::Form { pairs }) if pairs[0].key == "a"));
    /// # Ok::<(), tamiz::ParseError>(())
    /// ```
    #[must_use]
    pub fn body(&self) -> Option<&Body<'a>> {
        self.body.as_ref().map(|(body, _)| body)
    }

    /// All flags, with their parameters, sorted by bytes.
    ///
    /// ```
    /// # let text = "M:GET\nP:/< PLEN:2@0-15 PMAX:1@0-15\nFLAGS:[ANGLE COOKIE:3]\nH:cookie=\nHCNT:1 HLEN:8@0-15\n";
    /// assert_eq!(tamiz::Document::parse(text)?.flags(), ["ANGLE", "COOKIE:3"]);
    /// # Ok::<(), tamiz::ParseError>(())
    /// ```
    #[must_use]
    pub fn flags(&self) -> &[&'a str] {
        &self.flags
    }

    /// The names of the flags, without their parameters, each once.
    ///
    /// ```
    /// # let text = "M:GET\nP:/< PLEN:2@0-15 PMAX:1@0-15\nFLAGS:[ANGLE COOKIE:3]\nH:cookie=\nHCNT:1 HLEN:8@0-15\n";
    /// let document = tamiz::Document::parse(text)?;
    /// assert_eq!(document.flag_names().collect::<Vec<_>>(), ["ANGLE", "COOKIE"]);
    /// # Ok::<(), tamiz::ParseError>(())
    /// ```
    pub fn flag_names(&self) -> impl Iterator<Item = &'a str> + '_ {
        // Flags of one name have the prefix `NAME:` in common, so byte order puts them side by side.
        let mut previous = "";
        self.flags.iter().filter_map(move |flag| {
            let name = flag_name(flag);
            let new = name != previous;
            previous = name;
            new.then_some(name)
        })
    }

    /// The headers, sorted by name.
    ///
    /// ```
    /// # let text = "M:GET\nP:/ PLEN:1@0-15 PMAX:0@0-15\nH:host=h\nHCNT:1 HLEN:7@0-15\n";
    /// assert_eq!(tamiz::Document::parse(text)?.headers()[0].value, "h");
    /// # Ok::<(), tamiz::ParseError>(())
    /// ```
    #[must_use]
    pub fn headers(&self) -> &[Header<'a>] {
        &self.headers
    }

    /// The number of `H:` lines.
    ///
    /// ```
    /// # let text = "M:GET\nP:/ PLEN:1@0-15 PMAX:0@0-15\nH:host=h\nHCNT:1 HLEN:7@0-15\n";
    /// assert_eq!(tamiz::Document::parse(text)?.hcnt(), 1);
    /// # Ok::<(), tamiz::ParseError>(())
    /// ```
    #[must_use]
    pub fn hcnt(&self) -> usize {
        self.headers.len()
    }

    /// The characters of all headers, as they were before their values were normalised.
    ///
    /// ```
    /// # let text = "M:GET\nP:/ PLEN:1@0-15 PMAX:0@0-15\nH:host=h\nHCNT:1 HLEN:7@0-15\n";
    /// assert_eq!(tamiz::Document::parse(text)?.hlen().len, 7);
    /// # Ok::<(), tamiz::ParseError>(())
    /// ```
    #[must_use]
    pub fn hlen(&self) -> Metric<'a> {
        self.hlen
    }

    /// The lines that carry local flags, with these flags, in the order of the lines.
    ///
    /// ```
    /// use tamiz::{Document, LineLabel};
    ///
    /// let text = "M:GET\nP:/< PLEN:2@0-15 PMAX:1@0-15 [ANGLE]\nFLAGS:[ANGLE]\nHCNT:0 HLEN:0@0-15\n";
    /// let document = Document::parse(text)?;
    /// assert_eq!(document.local().collect::<Vec<_>>(), [(LineLabel::Path, &["ANGLE"][..])]);
    /// # Ok::<(), tamiz::ParseError>(())
    /// ```
    pub fn local(&self) -> impl Iterator<Item = (LineLabel<'a>, &[&'a str])> {
        let path = self.path.iter().map(|path| (LineLabel::Path, path.flags.as_slice()));
        let query = self.query.iter().map(|query| (LineLabel::Query, query.flags.as_slice()));
        let body = self.body.iter().map(|(_, flags)| (LineLabel::Body, flags.as_slice()));
        let headers = self.headers.iter().map(|header| (LineLabel::Header(header.name), header.flags.as_slice()));
        path.chain(query).chain(body).chain(headers).filter(|(_, flags)| !flags.is_empty())
    }

    /// A flag's parameter is written as its key or its header is written in its own line, so there must be that line.
    fn parameters_name_lines(&self, mut at: Cursor<'a>) -> Result<(), ParseError> {
        let in_body = self.body().and_then(Body::pairs).unwrap_or_default();
        let in_query = self.query().unwrap_or_default();
        let all_keys = LazyCell::new(|| sorted_keys(in_query.iter().chain(in_body)));
        for flag in &self.flags {
            let (name, parameter) = flag.split_once(':').unwrap_or((flag, ""));
            let named = match (name, self.body()) {
                // What comes twice may do so behind the last field that is listed: only its form can be checked.
                ("JSONDUPKEY", Some(Body::Json { .. })) => is_key(parameter, BodyKind::Json),
                ("MPDUPNAME", Some(Body::Multipart { .. })) => is_key(parameter, BodyKind::Multipart),
                ("JSONDUPKEY" | "MPDUPNAME", _) => false,
                _ => match Flag::from_name(name).map(|flag| flag.row().param) {
                    Some(Param::Key) => all_keys.binary_search(&parameter).is_ok(),
                    Some(Param::Header) => self.headers.binary_search_by(|header| header.name.cmp(parameter)).is_ok(),
                    Some(Param::None | Param::Count | Param::Word) | None => true,
                },
            };
            if !named {
                return Err(at.fail("the parameter of the flag names no key or header of the document"));
            }
            at.at += flag.len() + 1;
        }
        Ok(())
    }
}

impl<'a> Body<'a> {
    /// The word that the line begins with: `form`, `json`, `multipart`, `xml` or `raw`.
    ///
    /// ```
    /// # let text = "M:PUT\nP:/ PLEN:1@0-15 PMAX:0@0-15\nB:xml 0 KEYS: DEPTH:0\nHCNT:0 HLEN:0@0-15\n";
    /// assert_eq!(tamiz::Document::parse(text)?.body().map(|body| body.kind()), Some("xml"));
    /// # Ok::<(), tamiz::ParseError>(())
    /// ```
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Body::Form { .. } => "form",
            Body::Json { .. } => "json",
            Body::Multipart { .. } => "multipart",
            Body::Xml { .. } => "xml",
            Body::Raw { .. } => "raw",
        }
    }

    /// What the body holds, whatever its kind, in order of arrival. `None` for a body that was not looked into.
    ///
    /// ```
    /// let text = "M:PUT\nP:/ PLEN:1@0-15 PMAX:0@0-15\nB:json 1 KEYS:a a=<bool>\nHCNT:0 HLEN:0@0-15\n";
    /// let document = tamiz::Document::parse(text)?;
    /// assert_eq!(document.body().unwrap().pairs().unwrap()[0].value, Some("<bool>"));
    /// # Ok::<(), tamiz::ParseError>(())
    /// ```
    #[must_use]
    pub fn pairs(&self) -> Option<&[Pair<'a>]> {
        match self {
            Body::Form { pairs } | Body::Json { pairs, .. } | Body::Multipart { pairs } | Body::Xml { pairs, .. } => {
                Some(pairs)
            }
            Body::Raw { .. } => None,
        }
    }

    fn write(&self, out: &mut String) {
        let _ = write!(out, "B:{}", self.kind());
        if let Some(pairs) = self.pairs() {
            let _ = write!(out, " {} KEYS:", pairs.len());
            write_joined(out, ',', pairs.iter().map(|pair| pair.key));
            if !pairs.is_empty() {
                out.push(' ');
                write_pairs(out, pairs);
            }
        }
        let _ = match self {
            Body::Form { .. } | Body::Multipart { .. } | Body::Json { graphql: None, .. } => Ok(()),
            Body::Json { graphql: Some(Graphql { operations, depth }), .. } => {
                out.push_str(" GRAPHQL:");
                write_joined(out, ',', operations.iter().copied());
                write!(out, " DEPTH:{depth}")
            }
            Body::Xml { depth, .. } => write!(out, " DEPTH:{depth}"),
            Body::Raw { len } => write!(out, " BLEN:{len}"),
        };
    }
}

impl Query<'_> {
    fn write(&self, out: &mut String) {
        let _ = write!(out, "Q:{} KEYS:", self.pairs.len());
        write_joined(out, ',', self.pairs.iter().map(|pair| pair.key));
        end_line(out, &self.flags);
        if let Some(keys) = &self.keys_sorted {
            out.push_str("KEYS_SORTED:");
            write_joined(out, ',', keys.iter().copied());
            out.push('\n');
        }
        if self.by_key {
            for group in by_key(&self.pairs).chunk_by(same_key) {
                let _ = write!(out, "QK:{}=", group[0].0);
                write_joined(out, '|', group.iter().map(|&(_, arrival)| self.pairs[arrival].value.unwrap_or_default()));
                out.push('\n');
            }
        }
    }
}

impl fmt::Display for Metric<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}@{}", self.len, self.bucket)
    }
}

impl fmt::Display for LineLabel<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LineLabel::Path => f.write_str("P"),
            LineLabel::Query => f.write_str("Q"),
            LineLabel::Body => f.write_str("B"),
            LineLabel::Header(name) => write!(f, "H:{name}"),
        }
    }
}

impl ParseError {
    /// The line, from 1, within the text that was read.
    ///
    /// ```
    /// assert_eq!(tamiz::Document::parse("M:GET\nx").unwrap_err().line(), 2);
    /// ```
    #[must_use]
    pub fn line(&self) -> usize {
        self.line
    }

    /// The column, from 1, in characters.
    ///
    /// ```
    /// assert_eq!(tamiz::Document::parse("M:Ñ GET").unwrap_err().column(), 4);
    /// ```
    #[must_use]
    pub fn column(&self) -> usize {
        self.column
    }

    /// What is wrong there.
    ///
    /// ```
    /// assert_eq!(tamiz::Document::parse("").unwrap_err().reason(), "no document");
    /// ```
    #[must_use]
    pub fn reason(&self) -> &'static str {
        self.reason
    }

    /// The same error in a text that has that many lines in front: for a caller that cuts a stream itself.
    ///
    /// ```
    /// assert_eq!(tamiz::Document::parse("").unwrap_err().below(10).line(), 11);
    /// ```
    #[must_use]
    pub fn below(self, lines: usize) -> ParseError {
        ParseError { line: self.line.saturating_add(lines), ..self }
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: {}", self.line, self.column, self.reason)
    }
}

impl std::error::Error for ParseError {}

impl<'a> Documents<'a> {
    /// The documents of `text`. An empty text has none.
    ///
    /// ```
    /// assert_eq!(tamiz::Documents::new("").count(), 0);
    /// ```
    #[must_use]
    pub fn new(text: &'a str) -> Documents<'a> {
        Documents { rest: text, lines: 0, separated: false }
    }
}

impl<'a> Iterator for Documents<'a> {
    type Item = Result<Document<'a>, ParseError>;

    fn next(&mut self) -> Option<Self::Item> {
        let lines = self.lines;
        // A run of empty lines is one mistake, not one each.
        let behind = self.rest.trim_start_matches('\n');
        let empty = self.rest.len() - behind.len();
        if empty > 0 || (behind.is_empty() && self.separated) {
            *self = Documents { rest: behind, lines: lines + empty, separated: false };
            let reason = "an empty line that separates no documents";
            // The separator itself is the empty line too many where nothing follows.
            let line = if empty > 0 { lines + 1 } else { lines };
            return Some(Err(ParseError { line, column: 1, reason }));
        }
        if behind.is_empty() {
            return None;
        }
        let (block, rest) = match self.rest.find("\n\n") {
            Some(end) => (&self.rest[..=end], Some(&self.rest[end + 2..])),
            None => (self.rest, None),
        };
        *self = Documents {
            rest: rest.unwrap_or_default(),
            lines: lines + block.matches('\n').count() + 1,
            separated: rest.is_some(),
        };
        Some(Document::parse(block).map_err(|error| error.below(lines)))
    }
}

impl FusedIterator for Documents<'_> {}

/// What `U:` says.
struct Target<'a> {
    url: Url<'a>,
    /// `None` for CONNECT with an authority.
    resource: Option<Resource<'a>>,
}

/// What `U:` says a first time, for `P:` and `Q:` to agree with.
struct Resource<'a> {
    path: SizedPath<'a>,
    /// `None` where there is no `?`.
    pairs: Option<Vec<Pair<'a>>>,
}

/// A path that was checked, and what PLEN and PMAX must say of it.
#[derive(Clone, Copy)]
struct SizedPath<'a> {
    text: &'a str,
    chars: u64,
    longest: u64,
    /// It has a placeholder whose length is only a lower bound, so both figures are.
    at_least: bool,
}

/// Whether a header name has no capital outside of its escapes and placeholders.
fn is_lower_case(name: &str) -> bool {
    let mut rest = name.as_bytes();
    while let [first, after @ ..] = rest {
        rest = match Placeholder::without_space(rest) {
            Some(placeholder) => &rest[placeholder.bytes..],
            None if *first == b'%' && hex_byte(after).is_some() => &after[2..],
            None if first.is_ascii_uppercase() => return false,
            None => after,
        };
    }
    true
}

/// The lines of the document, taken one after the other in the one order there is.
struct Reader<'a> {
    /// From the next line on; `None` behind the last.
    rest: Option<&'a str>,
    /// Lines that were read.
    lines: usize,
    /// Every local flag and its place, until the roll-up has been read.
    local: Vec<(Cursor<'a>, &'a str)>,
}

impl<'a> Reader<'a> {
    fn new(text: &'a str) -> Reader<'a> {
        Reader { rest: Some(text.strip_suffix('\n').unwrap_or(text)), lines: 0, local: Vec::new() }
    }

    fn method(&mut self) -> Result<&'a str, ParseError> {
        let mut cursor = self.required("M:", "expected the `M:` line")?;
        let method = cursor.until(b" =");
        cursor.end("a character that is escaped in a method")?;
        Ok(method)
    }

    fn url(&mut self, method: &str) -> Result<Option<Target<'a>>, ParseError> {
        let Some(mut cursor) = self.line("U:")? else {
            return Ok(None);
        };
        let text = cursor.rest();
        // An authority has no `/`, so this cannot take one form for the other.
        if method == "CONNECT" && !text.contains("://") {
            let authority = cursor.authority()?;
            cursor.end("a character that is escaped in an authority")?;
            if !authority.contains(':') {
                return Err(cursor.fail("expected `:` and a port"));
            }
            return Ok(Some(Target { url: Url { text, scheme: None, authority }, resource: None }));
        }
        let scheme = cursor.scheme()?;
        cursor.expect("://", "expected `://`")?;
        let authority = cursor.authority()?;
        let path = cursor.path()?;
        let mut pairs = None;
        if cursor.eat("?") {
            pairs = Some(if cursor.is_at_end() { Vec::new() } else { cursor.pairs(None)? });
            cursor.end("expected `&` or the end of the line")?;
        }
        cursor.end("a character that is escaped in a path")?;
        let resource = Some(Resource { path, pairs });
        Ok(Some(Target { url: Url { text, scheme: Some(scheme), authority }, resource }))
    }

    fn path(&mut self, named: Option<&Resource<'a>>) -> Result<Path<'a>, ParseError> {
        let mut cursor = self.required("P:", "expected the `P:` line")?;
        let start = cursor;
        let path = match named {
            Some(Resource { path, .. }) => {
                if cursor.until(b" ?#") != path.text {
                    return Err(start.fail("the path is not that of `U:`"));
                }
                *path
            }
            None => cursor.path()?,
        };
        let fits = |len, size| if path.at_least { len >= size } else { len == size };
        cursor.expect(" PLEN:", "expected ` PLEN:`")?;
        let start = cursor;
        let plen = cursor.metric()?;
        if !fits(plen.len, path.chars) {
            return Err(start.fail("PLEN is not the length of the path"));
        }
        cursor.expect(" PMAX:", "expected ` PMAX:`")?;
        let start = cursor;
        let pmax = cursor.metric()?;
        // The slash in front of the segment is a character too.
        if !fits(pmax.len, path.longest) || pmax.len >= plen.len {
            return Err(start.fail("PMAX is not the length of the longest segment"));
        }
        let flags = self.local_flags(cursor)?;
        Ok(Path { text: path.text, plen, pmax, flags })
    }

    fn query(&mut self, named: Option<Resource<'a>>) -> Result<Option<Query<'a>>, ParseError> {
        let has_url = named.is_some();
        let named = named.and_then(|resource| resource.pairs);
        let Some(mut cursor) = self.line("Q:")? else {
            if named.is_some() {
                return Err(self.fail("expected the `Q:` line"));
            }
            return Ok(None);
        };
        if has_url && named.is_none() {
            return Err(cursor.fail("a `Q:` line where `U:` has no query"));
        }
        let mut pairs = named.unwrap_or_default();
        let start = cursor;
        let count = cursor.number()?;
        cursor.expect(" KEYS:", "expected ` KEYS:`")?;
        cursor.keys(start, count, |arrival, key| {
            if !has_url {
                pairs.push(Pair { key, value: None });
            }
            pairs.get(arrival).is_some_and(|pair| pair.key == key)
        })?;
        if pairs.len() as u64 != count {
            return Err(start.fail("fewer keys than in `U:`"));
        }
        let flags = self.local_flags(cursor)?;

        let must_be_by_key = !has_url && !pairs.is_empty();
        let (mut keys_sorted, mut has_by_key) = (None, false);
        if must_be_by_key || self.next_is("KEYS_SORTED:") || self.next_is("QK:") {
            let order = by_key(&pairs);
            keys_sorted = self.keys_sorted(&order)?;
            has_by_key = must_be_by_key || self.next_is("QK:");
            if has_by_key {
                self.query_by_key(&order, &mut pairs, has_url)?;
            }
        }
        Ok(Some(Query { pairs, flags, keys_sorted, by_key: has_by_key }))
    }

    fn keys_sorted(&mut self, order: &[(&'a str, usize)]) -> Result<Option<Vec<&'a str>>, ParseError> {
        const REASON: &str = "KEYS_SORTED is not the keys, in byte order, each once";
        let Some(mut cursor) = self.line("KEYS_SORTED:")? else {
            return Ok(None);
        };
        let mut keys = Vec::new();
        for group in order.chunk_by(same_key) {
            if !keys.is_empty() {
                cursor.expect(",", REASON)?;
            }
            let start = cursor;
            let key = cursor.key()?;
            if key != group[0].0 {
                return Err(start.fail(REASON));
            }
            keys.push(key);
        }
        cursor.end(REASON)?;
        Ok(Some(keys))
    }

    /// The `QK:` lines: they must agree with the values of `U:`, or are the only place where the values are.
    fn query_by_key(
        &mut self,
        order: &[(&'a str, usize)],
        pairs: &mut [Pair<'a>],
        has_url: bool,
    ) -> Result<(), ParseError> {
        for group in order.chunk_by(same_key) {
            let mut cursor = self.required("QK:", "expected a `QK:` line for each key")?;
            let start = cursor;
            let key = cursor.key()?;
            if key != group[0].0 {
                return Err(start.fail("the `QK:` lines are not the keys, in byte order, each once"));
            }
            cursor.expect("=", "expected `=`")?;
            for (place, &(_, arrival)) in group.iter().enumerate() {
                if place > 0 {
                    cursor.expect("|", "fewer values than the key has")?;
                }
                let start = cursor;
                let bare = cursor.is_at_end() || cursor.rest().starts_with('|');
                let value = if bare { None } else { Some(cursor.value(None)?) };
                if has_url && value != pairs[arrival].value {
                    return Err(start.fail("the value is not that of `U:`"));
                }
                if key.is_empty() && bare {
                    return Err(start.fail("a pair without key and value"));
                }
                pairs[arrival].value = value;
            }
            cursor.end("more values than the key has")?;
        }
        Ok(())
    }

    fn body(&mut self) -> Result<Option<(Body<'a>, Vec<&'a str>)>, ParseError> {
        let Some(mut cursor) = self.line("B:")? else {
            return Ok(None);
        };
        let body = cursor.body()?;
        Ok(Some((body, self.local_flags(cursor)?)))
    }

    /// The roll-up, and where its first flag stands.
    fn flags(&mut self) -> Result<(Vec<&'a str>, Option<Cursor<'a>>), ParseError> {
        let Some(mut cursor) = self.line("FLAGS:")? else {
            return Ok((Vec::new(), None));
        };
        cursor.expect("[", "expected `[`")?;
        let first = cursor;
        let Some(list) = cursor.rest().strip_suffix(']') else {
            cursor.at = cursor.text.len();
            return Err(cursor.fail("expected `]`"));
        };
        let mut flags: Vec<&str> = Vec::new();
        for flag in list.split(' ') {
            let name = flag_name(flag);
            let parameter = flag.split_once(':').map(|(_, parameter)| parameter);
            let Some(row) = Flag::from_name(name).map(Flag::row) else {
                return Err(cursor.fail("no flag has this name"));
            };
            match (row.param, parameter) {
                (Param::None, None) | (Param::Key | Param::Header, Some(_)) => {}
                (Param::Count, Some(count)) if is_number(count) => {}
                (Param::Word, Some(word)) if is_find(word) => {}
                (Param::None, Some(_)) => return Err(cursor.fail("the flag has no parameter")),
                (Param::Count, Some(_)) => return Err(cursor.fail("the parameter of the flag is not a number")),
                (Param::Word, Some(_)) => return Err(cursor.fail("the parameter of the flag is none of the finds")),
                (Param::Key | Param::Header | Param::Count | Param::Word, None) => {
                    return Err(cursor.fail("the flag needs a parameter"));
                }
            }
            if let Some(&previous) = flags.last() {
                if previous >= flag {
                    return Err(cursor.fail("the flags are not in byte order, each once"));
                }
                // There is one number of flags, and one of fields, that were left out. Flags of one name stand side by
                // side.
                if matches!(name, "BODYCUT" | "FLAGOVERFLOW") && flag_name(previous) == name {
                    return Err(cursor.fail("more than one number of what was left out"));
                }
            }
            flags.push(flag);
            cursor.at += flag.len() + 1;
        }
        Ok((flags, Some(first)))
    }

    fn headers(&mut self) -> Result<Vec<Header<'a>>, ParseError> {
        let mut headers: Vec<Header<'a>> = Vec::new();
        while let Some(mut cursor) = self.line("H:")? {
            let start = cursor;
            let name = cursor.until(b" =");
            cursor.expect("=", "expected `=`, and a space is escaped in a name")?;
            if !is_lower_case(name) {
                return Err(start.fail("a header name in upper case"));
            }
            if headers.last().is_some_and(|previous| previous.name > name) {
                return Err(start.fail("the headers are not in the byte order of their names"));
            }
            let start = cursor;
            let value = cursor.until_flags();
            if value.starts_with(' ') {
                return Err(start.fail("a space at the border of a value"));
            }
            if value.ends_with(' ') {
                cursor.at -= 1;
                return Err(cursor.fail("a space at the border of a value"));
            }
            headers.push(Header { name, value, flags: self.local_flags(cursor)? });
        }
        Ok(headers)
    }

    /// The last line, and that it is the last.
    fn counts(&mut self, headers: usize) -> Result<Metric<'a>, ParseError> {
        let mut cursor = self.required("HCNT:", "a line that is unknown, repeated or out of order")?;
        let start = cursor;
        if cursor.number()? != headers as u64 {
            return Err(start.fail("HCNT is not the number of `H:` lines"));
        }
        cursor.expect(" HLEN:", "expected ` HLEN:`")?;
        let start = cursor;
        let hlen = cursor.metric()?;
        if headers == 0 && hlen.len > 0 {
            return Err(start.fail("HLEN without headers is 0"));
        }
        if hlen.len < 2 * headers as u64 {
            return Err(start.fail("HLEN is less than the colons and spaces of the headers"));
        }
        cursor.end("expected the end of the line")?;
        if self.rest.is_some() {
            return Err(self.fail("a line behind the last"));
        }
        Ok(hlen)
    }

    /// The ` [FLAG]`s to the end of the line.
    fn local_flags(&mut self, mut cursor: Cursor<'a>) -> Result<Vec<&'a str>, ParseError> {
        let mut flags: Vec<&str> = Vec::new();
        while !cursor.is_at_end() {
            cursor.expect(" [", "expected ` [`, a flag and `]`, or the end of the line")?;
            let start = cursor;
            // A parameter may contain brackets (`[QARRAY:items[]]`), but no space.
            let Some(flag) = cursor.until(b" ").strip_suffix(']') else {
                return Err(cursor.fail("expected `]`"));
            };
            if flags.last().is_some_and(|&previous| previous >= flag) {
                return Err(start.fail("the flags are not in byte order, each once"));
            }
            flags.push(flag);
            self.local.push((start, flag));
        }
        Ok(flags)
    }

    fn local_flags_are_in(&self, roll_up: &[&str]) -> Result<(), ParseError> {
        match self.local.iter().find(|(_, flag)| roll_up.binary_search(flag).is_err()) {
            Some((at, _)) => Err(at.fail("the flag is not in `FLAGS:`")),
            None => Ok(()),
        }
    }

    fn next_is(&self, label: &str) -> bool {
        self.rest.is_some_and(|rest| rest.starts_with(label))
    }

    /// The next line, if it is the one of that label, from behind the label. No character in it is one that is escaped
    /// everywhere; what else is escaped depends on the field.
    fn line(&mut self, label: &str) -> Result<Option<Cursor<'a>>, ParseError> {
        let Some(rest) = self.rest.filter(|rest| rest.starts_with(label)) else {
            return Ok(None);
        };
        let (text, rest) = rest.split_once('\n').map_or((rest, None), |(text, rest)| (text, Some(rest)));
        self.rest = rest;
        self.lines += 1;
        let cursor = Cursor { line: self.lines, text, at: label.len() };
        match text.char_indices().find(|&(_, c)| is_hidden(c)) {
            Some((at, _)) => Err(Cursor { at, ..cursor }.fail("a character that is escaped everywhere")),
            None => Ok(Some(cursor)),
        }
    }

    fn required(&mut self, label: &str, reason: &'static str) -> Result<Cursor<'a>, ParseError> {
        match self.line(label)? {
            Some(cursor) => Ok(cursor),
            None => Err(self.fail(reason)),
        }
    }

    /// The next line is not what it should be.
    fn fail(&self, reason: &'static str) -> ParseError {
        let reason = match self.rest {
            None => "the document ends too early",
            Some(rest) if rest.is_empty() || rest.starts_with('\n') => "an empty line inside a document",
            Some(_) => reason,
        };
        ParseError { line: self.lines + 1, column: 1, reason }
    }
}

/// A place in a line. Copied, it remembers where a field began.
#[derive(Clone, Copy)]
struct Cursor<'a> {
    /// The number of the line.
    line: usize,
    /// The whole line.
    text: &'a str,
    /// Bytes of it that were read; always at the border of a character.
    at: usize,
}

impl<'a> Cursor<'a> {
    fn fail(&self, reason: &'static str) -> ParseError {
        // Only an error counts characters, so a line is not counted again and again.
        let column = self.text.char_indices().take_while(|&(at, _)| at < self.at).count() + 1;
        ParseError { line: self.line, column, reason }
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn is_at_end(&self) -> bool {
        self.at >= self.text.len()
    }

    fn end(&self, reason: &'static str) -> Result<(), ParseError> {
        if self.is_at_end() { Ok(()) } else { Err(self.fail(reason)) }
    }

    fn eat(&mut self, literal: &str) -> bool {
        let found = self.rest().starts_with(literal);
        if found {
            self.at += literal.len();
        }
        found
    }

    fn expect(&mut self, literal: &str, reason: &'static str) -> Result<(), ParseError> {
        if self.eat(literal) { Ok(()) } else { Err(self.fail(reason)) }
    }

    fn take(&mut self, bytes: usize) -> &'a str {
        let taken = &self.rest()[..bytes];
        self.at += bytes;
        taken
    }

    /// What was read since `start`.
    fn since(&self, start: Cursor<'a>) -> &'a str {
        &self.text[start.at..self.at]
    }

    /// What stands in front of the first of these ASCII bytes, or the rest of the line.
    fn until(&mut self, stops: &[u8]) -> &'a str {
        let rest = self.rest();
        self.take(rest.bytes().position(|byte| stops.contains(&byte)).unwrap_or(rest.len()))
    }

    /// What stands in front of the local flags. A `[` behind a space is escaped in every other text.
    fn until_flags(&mut self) -> &'a str {
        let rest = self.rest();
        self.take(rest.find(" [").unwrap_or(rest.len()))
    }

    fn number(&mut self) -> Result<u64, ParseError> {
        let Some((number, digits)) = placeholder::number(self.rest().as_bytes(), NUMBER_DIGITS) else {
            return Err(self.fail("expected a number without leading zeros"));
        };
        self.at += digits;
        Ok(number)
    }

    fn metric(&mut self) -> Result<Metric<'a>, ParseError> {
        let len = self.number()?;
        self.expect("@", "expected `@`")?;
        let Some(label) = Label::at_start(self.rest().as_bytes()) else {
            return Err(self.fail("expected the label of a bucket"));
        };
        if !label.contains(len) {
            return Err(self.fail("the number is not in the bucket"));
        }
        Ok(Metric { len, bucket: self.take(label.bytes) })
    }

    fn scheme(&mut self) -> Result<&'a str, ParseError> {
        let rest = self.rest().as_bytes();
        if !rest.first().is_some_and(u8::is_ascii_alphabetic) {
            return Err(self.fail("expected a scheme"));
        }
        let more = |byte: &&u8| byte.is_ascii_alphanumeric() || b"+-.".contains(byte);
        Ok(self.take(rest.iter().take_while(more).count()))
    }

    /// An authority, as far as it goes. It may be a bad one, so of its form only this is sure: user information is a
    /// placeholder.
    fn authority(&mut self) -> Result<&'a str, ParseError> {
        let mut place = *self;
        let authority = self.until(b" /?#");
        if let Some(user) = Placeholder::without_space(authority.as_bytes())
            && authority[user.bytes..].starts_with('@')
        {
            place.at += user.bytes + 1;
        }
        // An `@` can also belong to the bucket of a placeholder.
        while place.at < self.at {
            place.at += place.text[place.at..self.at].find(['<', '@']).unwrap_or(self.at - place.at);
            match Placeholder::without_space(place.rest().as_bytes()) {
                Some(found) => place.at += found.bytes,
                None if place.rest().starts_with('<') => place.at += 1,
                None if place.at < self.at => return Err(place.fail("user information that is no placeholder")),
                None => {}
            }
        }
        Ok(authority)
    }

    /// A path, as far as it goes: to the first character that would be escaped in it.
    fn path(&mut self) -> Result<SizedPath<'a>, ParseError> {
        let start = *self;
        let text = self.until(b" ?#");
        let Some(segments) = text.strip_prefix('/') else {
            return Err(start.fail("a path begins with `/`"));
        };
        start.escapes_are_upper_case(text)?;
        let mut path = SizedPath { text, chars: 0, longest: 0, at_least: false };
        let mut place = Cursor { at: start.at + 1, ..start };
        for segment in segments.split('/') {
            if segment == "." || (segment.is_empty() && text != "/") {
                return Err(place.fail("an empty segment, or one that is `.`"));
            }
            let (chars, at_least) = measure(segment);
            path.chars += 1 + chars;
            path.longest = path.longest.max(chars);
            path.at_least |= at_least;
            place.at += segment.len() + 1;
        }
        Ok(path)
    }

    /// What a `B:` line says, up to its flags.
    fn body(&mut self) -> Result<Body<'a>, ParseError> {
        if self.eat("raw BLEN:") {
            return Ok(Body::Raw { len: self.metric()? });
        }
        if self.eat("form ") {
            return Ok(Body::Form { pairs: self.counted_pairs(BodyKind::Form)? });
        }
        if self.eat("multipart ") {
            return Ok(Body::Multipart { pairs: self.counted_pairs(BodyKind::Multipart)? });
        }
        if self.eat("xml ") {
            return Ok(Body::Xml { pairs: self.counted_pairs(BodyKind::Xml)?, depth: self.depth(0)? });
        }
        self.expect("json ", "expected `form `, `json `, `multipart `, `xml ` or `raw BLEN:`")?;
        let pairs = self.counted_pairs(BodyKind::Json)?;
        let start = *self;
        let graphql = if self.eat(" GRAPHQL:") { Some(self.graphql()?) } else { None };
        // A document has at least one operation. There can be more: not every document is listed, or shown as one.
        let documents = pairs.iter().filter(|pair| pair.value.is_some_and(|value| value.starts_with("<graphql:")));
        if documents.count() > graphql.as_ref().map_or(0, |graphql| graphql.operations.len()) {
            return Err(start.fail("fewer operations than GraphQL documents"));
        }
        Ok(Body::Json { pairs, graphql })
    }

    /// The number of pairs, their keys, and the pairs, which must all agree.
    fn counted_pairs(&mut self, body: BodyKind) -> Result<Vec<Pair<'a>>, ParseError> {
        let start = *self;
        let count = self.number()?;
        self.expect(" KEYS:", "expected ` KEYS:`")?;
        let mut keys = *self;
        let mut pairs = Vec::new();
        if count > 0 {
            self.until(b" ");
            self.expect(" ", "expected the pairs")?;
            pairs = self.pairs(Some(body))?;
        }
        keys.keys(start, count, |arrival, key| pairs.get(arrival).is_some_and(|pair| pair.key == key))?;
        if pairs.len() as u64 != count {
            return Err(start.fail("the number is not that of the pairs"));
        }
        if count == 0 {
            *self = keys;
        } else if !keys.rest().starts_with(' ') {
            return Err(keys.fail("a character that is escaped in a key"));
        }
        Ok(pairs)
    }

    fn graphql(&mut self) -> Result<Graphql<'a>, ParseError> {
        let mut operations = Vec::new();
        loop {
            let start = *self;
            if !["query", "mutation", "subscription"].iter().any(|operation| self.eat(operation)) {
                return Err(self.fail("expected `query`, `mutation` or `subscription`"));
            }
            if self.eat(":") && self.key()?.is_empty() {
                return Err(self.fail("expected the name of the operation"));
            }
            operations.push(self.since(start));
            if !self.eat(",") {
                break;
            }
        }
        // An operation has a selection set.
        Ok(Graphql { operations, depth: self.depth(1)? })
    }

    fn depth(&mut self, least: u64) -> Result<u64, ParseError> {
        self.expect(" DEPTH:", "expected ` DEPTH:`")?;
        let start = *self;
        let depth = self.number()?;
        if depth < least { Err(start.fail("DEPTH is less than it can be")) } else { Ok(depth) }
    }

    /// A key, as far as it goes: to the first character that would be escaped in it.
    fn key(&mut self) -> Result<&'a str, ParseError> {
        let start = *self;
        let key = self.until(b" ,=&;|#");
        start.escapes_are_upper_case(key)?;
        Ok(key)
    }

    /// A list of keys, each one given to `agrees` with its place in the list.
    fn keys(
        &mut self,
        counted: Cursor<'a>,
        count: u64,
        mut agrees: impl FnMut(usize, &'a str) -> bool,
    ) -> Result<(), ParseError> {
        let mut found = 0;
        // No key and one empty key look the same: the count tells them apart.
        if count > 0 || !(self.is_at_end() || self.rest().starts_with(' ')) {
            loop {
                let start = *self;
                let key = self.key()?;
                if !agrees(found, key) {
                    return Err(start.fail("the keys are not those of the pairs"));
                }
                found += 1;
                if !self.eat(",") {
                    break;
                }
            }
        }
        if found as u64 == count { Ok(()) } else { Err(counted.fail("the number is not that of the keys")) }
    }

    /// One or more pairs, of such a body or of the query.
    fn pairs(&mut self, body: Option<BodyKind>) -> Result<Vec<Pair<'a>>, ParseError> {
        let can_be_bare = matches!(body, None | Some(BodyKind::Form));
        let mut pairs = Vec::new();
        loop {
            let start = *self;
            let key = self.key()?;
            if let Some(body) = body {
                start.brackets_are_those_of(body, key)?;
            }
            let mut value = None;
            if self.eat("=") {
                value = Some(self.value(body)?);
            } else if !can_be_bare {
                return Err(self.fail("expected `=`"));
            } else if key.is_empty() {
                return Err(start.fail("a pair without key and value"));
            }
            pairs.push(Pair { key, value });
            if !self.eat("&") {
                return Ok(pairs);
            }
        }
    }

    /// What stands for a value of such a body or of the query.
    fn value(&mut self, body: Option<BodyKind>) -> Result<&'a str, ParseError> {
        let start = *self;
        let text = self.rest().as_bytes();
        let in_body = body.and_then(|body| placeholder::in_body(text, body));
        let Some(bytes) = in_body.or_else(|| placeholder::at_start(text)) else {
            return Err(self.fail("expected a placeholder"));
        };
        self.at += bytes;
        if body == Some(BodyKind::Multipart) && self.eat(":") && self.key()?.is_empty() {
            return Err(self.fail("expected a media type"));
        }
        Ok(self.since(start))
    }

    /// In `key`, which begins here, a `[` stands only where such a body can have one.
    fn brackets_are_those_of(self, body: BodyKind, key: &str) -> Result<(), ParseError> {
        let (bracket, reason) = match body {
            // The first key stands behind a space, where `[` begins a flag.
            BodyKind::Form | BodyKind::Multipart => {
                (key.starts_with('[').then_some(0), "a character that is escaped at the start of a key")
            }
            // Only the path itself has brackets, and no flag begins with `[]`.
            BodyKind::Json => {
                let alone = |at: &usize| !key[at + 1..].starts_with(']');
                (key.match_indices('[').map(|(at, _)| at).find(alone), "a character that is escaped in a name")
            }
            BodyKind::Xml => (key.find('['), "a character that is escaped in a name"),
        };
        match bracket {
            Some(at) => Err(Cursor { at: self.at + at, ..self }.fail(reason)),
            None => Ok(()),
        }
    }

    /// In `text`, which begins here, every `%hh` has upper-case digits.
    fn escapes_are_upper_case(self, text: &str) -> Result<(), ParseError> {
        for (at, escape) in text.as_bytes().windows(3).enumerate() {
            if let [b'%', high, low] = escape
                && high.is_ascii_hexdigit()
                && low.is_ascii_hexdigit()
                && (high.is_ascii_lowercase() || low.is_ascii_lowercase())
            {
                return Err(Cursor { at: self.at + at, ..self }.fail("an escape in lower case"));
            }
        }
        Ok(())
    }
}

/// The characters of a segment, where a placeholder counts as many as it stands for; and whether that is a lower bound.
fn measure(segment: &str) -> (u64, bool) {
    let (mut chars, mut at_least) = (0, false);
    let mut rest = segment;
    while let Some(open) = rest.find('<') {
        chars += rest[..open].chars().count() as u64;
        rest = &rest[open..];
        match Placeholder::without_space(rest.as_bytes()) {
            Some(found) => {
                chars += found.chars;
                at_least |= found.chars == MAX_CHARS;
                rest = &rest[found.bytes..];
            }
            None => {
                chars += 1;
                rest = &rest[1..];
            }
        }
    }
    (chars + rest.chars().count() as u64, at_least)
}

fn sorted_keys<'p, 'a: 'p>(pairs: impl Iterator<Item = &'p Pair<'a>>) -> Vec<&'a str> {
    let mut keys: Vec<&str> = pairs.map(|pair| pair.key).collect();
    keys.sort_unstable();
    keys
}

/// Whether `text` is what such a body can have for a key.
fn is_key(text: &str, body: BodyKind) -> bool {
    let start = Cursor { line: 0, text, at: 0 };
    let mut cursor = start;
    cursor.key().is_ok() && cursor.is_at_end() && start.brackets_are_those_of(body, text).is_ok()
}

/// The keys with their place of arrival, sorted by key and then by place.
fn by_key<'a>(pairs: &[Pair<'a>]) -> Vec<(&'a str, usize)> {
    let mut order: Vec<_> = pairs.iter().enumerate().map(|(arrival, pair)| (pair.key, arrival)).collect();
    order.sort_unstable();
    order
}

fn same_key(a: &(&str, usize), b: &(&str, usize)) -> bool {
    a.0 == b.0
}

fn flag_name(flag: &str) -> &str {
    flag.split_once(':').map_or(flag, |(name, _)| name)
}

fn is_number(text: &str) -> bool {
    placeholder::number(text.as_bytes(), NUMBER_DIGITS).is_some_and(|(_, digits)| digits == text.len())
}

fn end_line(out: &mut String, flags: &[&str]) {
    for flag in flags {
        out.push_str(" [");
        out.push_str(flag);
        out.push(']');
    }
    out.push('\n');
}

fn write_joined<'t>(out: &mut String, separator: char, parts: impl Iterator<Item = &'t str>) {
    for (place, part) in parts.enumerate() {
        if place > 0 {
            out.push(separator);
        }
        out.push_str(part);
    }
}

fn write_pairs(out: &mut String, pairs: &[Pair<'_>]) {
    for (place, Pair { key, value }) in pairs.iter().enumerate() {
        if place > 0 {
            out.push('&');
        }
        out.push_str(key);
        if let Some(value) = value {
            out.push('=');
            out.push_str(value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One of each line there can be.
    const FULL: &str = "\
M:POST
U:http://<SECRET:lower:3@0-15>@ex.com:8080/a/../c%2Ejsp?k=<num:1>&items[]&k=<b64url:34@32-63 rand4.7>&=<mixed:0>&token=<SECRET:jwt:108>
P:/a/../c%2Ejsp PLEN:13@0-15 PMAX:7@0-15 [DOTDOT] [DOUBLEPCT]
Q:5 KEYS:k,items[],k,,token [QARRAY:items[]] [QBARE] [QREPEAT:k]
KEYS_SORTED:,items[],k,token
QK:=<mixed:0>
QK:items[]=
QK:k=<num:1>|<b64url:34@32-63 rand4.7>
QK:token=<SECRET:jwt:108>
B:form 2 KEYS:%5Bx],y %5Bx]=<alpha:4>&y [BODYFORM] [QBARE]
FLAGS:[BODYFORM COOKIE:2 DOTDOT DOUBLEPCT DUPHDR:cookie FLAGOVERFLOW:3 OBSFOLD QARRAY:items[] QBARE QREPEAT:k USERINFO]
H:=x
H:cookie=b<len:1>
H:cookie=a<len:2> [COOKIE:2] [DUPHDR:cookie]
H:host=ex.com:8080
H:x-test=valor1 %5Bvalor2 %0a[x] [OBSFOLD]
HCNT:5 HLEN:2000@>1023
";

    /// The smallest there is.
    const SMALL: &str = "M:\nP:/ PLEN:1@0-15 PMAX:0@0-15\nHCNT:0 HLEN:0@0-15\n";

    /// An ordinary one.
    const PLAIN: &str = "\
M:GET
U:http://ex.com/a/b?x=<num:1>&y
P:/a/b PLEN:4@0-15 PMAX:1@0-15 [DOTDOT]
Q:2 KEYS:x,y
FLAGS:[DOTDOT QBARE]
H:accept=*/*;q1.0
H:host=ex.com
HCNT:2 HLEN:23@16-31
";

    /// Without a host, the shapes are in the lines by key.
    const NO_HOST: &str = "\
M:GET
P:/a PLEN:2@0-15 PMAX:1@0-15
Q:4 KEYS:x,id,x,x
QK:id=<num:1>
QK:x=|<num:1>|
FLAGS:[BADHOST QBARE QREPEAT:x]
HCNT:0 HLEN:0@0-15
";

    const CONNECT: &str = "M:CONNECT\nU:h:1\nHCNT:0 HLEN:0@0-15\n";

    const FORM: &str = "\
M:POST
P:/a PLEN:2@0-15 PMAX:1@0-15
B:form 2 KEYS:a,b a=<num:1>&b=<SECRET:lower:3> [BODYFORM]
FLAGS:[BODYFORM]
HCNT:0 HLEN:0@0-15
";

    const JSON: &str = "\
M:POST
P:/a PLEN:2@0-15 PMAX:1@0-15
B:json 4 KEYS:[].id,[].user.tags[],[].user.on,[].query [].id=<b64url:34 rand4.7>&[].user.tags[]=<object:0>&[].user.on=<bool>&[].query=<graphql:40> GRAPHQL:query:Cart,mutation DEPTH:2 [BODYJSON] [JSONDUPKEY:[].user]
FLAGS:[BODYJSON JSONDUPKEY:[].user]
HCNT:0 HLEN:0@0-15
";

    const MULTIPART: &str = "\
M:POST
P:/a PLEN:2@0-15 PMAX:1@0-15
B:multipart 3 KEYS:a,a,f[] a=<num:1>&a=<SECRET:lower:3>:text/plain&f[]=<file:png:68>:image/png [BODYMULTIPART] [MPDUPNAME:a]
FLAGS:[BODYMISMATCH:php BODYMULTIPART MPDUPNAME:a]
HCNT:0 HLEN:0@0-15
";

    const XML: &str = "\
M:POST
P:/a PLEN:2@0-15 PMAX:1@0-15
B:xml 3 KEYS:o.i.@id,o.i,o.e o.i.@id=<num:1>&o.i=<SECRET:lower:3>&o.e=<element:0> DEPTH:2 [BODYXML]
FLAGS:[BODYCUT:3 BODYXML]
HCNT:0 HLEN:0@0-15
";

    fn written(text: &str) -> Result<String, ParseError> {
        let mut out = String::new();
        Document::parse(text)?.write(&mut out);
        Ok(out)
    }

    #[test]
    fn what_is_read_is_written_again() {
        let with_path = |path: &str| format!("M:GET\nP:{path}\nHCNT:0 HLEN:0@0-15\n");
        let with_url =
            |url: &str, query: &str| format!("M:GET\nU:{url}\nP:/a PLEN:2@0-7 PMAX:1@0-7\n{query}HCNT:0 HLEN:0@0-7\n");
        let with_body = |body: &str| format!("M:PUT\nP:/ PLEN:1@0-15 PMAX:0@0-15\nB:{body}\nHCNT:0 HLEN:0@0-15\n");
        for text in [
            FULL.to_owned(),
            SMALL.to_owned(),
            PLAIN.to_owned(),
            NO_HOST.to_owned(),
            FORM.to_owned(),
            JSON.to_owned(),
            MULTIPART.to_owned(),
            XML.to_owned(),
            "M:CONNECT\nU:db.example.com:5432\nHCNT:0 HLEN:0@0-15\n".to_owned(),
            "M:CONNECT\nU:<SECRET:mixed:3>@[2001:db8::1]:443\nB:raw BLEN:0@0-15\nHCNT:0 HLEN:0@0-15\n".to_owned(),
            // Any other CONNECT is read as origin form.
            "M:CONNECT\nU:http://h/a\nP:/a PLEN:2@0-15 PMAX:1@0-15\nHCNT:0 HLEN:0@0-15\n".to_owned(),
            "M:CONNECT\nP:/a PLEN:2@0-15 PMAX:1@0-15\nHCNT:0 HLEN:0@0-15\n".to_owned(),
            "M:OPTIONS\nU:http://ex.com/*\nP:/* PLEN:2@0-15 PMAX:1@0-15\nHCNT:0 HLEN:0@0-15\n".to_owned(),
            // Lengths: characters, not bytes; escapes as written; placeholders as long as what they stand for.
            with_path("/ñandú PLEN:6@0-15 PMAX:5@0-15"),
            with_path("/a%00\u{FFFD} PLEN:6@0-15 PMAX:5@0-15"),
            with_path("/reset/<SECRET:hex:32> PLEN:39@32-63 PMAX:32@32-63"),
            with_path("/a;jsessionid=<SECRET:alnum:14>/<<num:3@0-15>> PLEN:34@32-63 PMAX:27@16-31"),
            with_path("/<SECRET:mixed:9999999>/b PLEN:12345678@>1023 PMAX:12345675@>1023"),
            with_path("/<num:0> PLEN:1@1-1 PMAX:0@0-0"),
            with_path("/<hunter2>/<num:05> PLEN:19@16-31 PMAX:9@0-15"),
            with_path("/a%2Gb%/[x]/..;/... PLEN:19@16-31 PMAX:6@0-15"),
            // A bad authority is evidence, and is written as it came.
            with_url("http://localhost:8080.bak/a", ""),
            with_url("HTTP+x://[2001:db8::1]:8080/a", ""),
            with_url("http:///a", ""),
            with_url("http://<num:3@0-15>a/a", ""),
            // No key, and one empty key.
            with_url("http://h/a?", "Q:0 KEYS:\n"),
            with_url("http://h/a?", "Q:0 KEYS:\nKEYS_SORTED:\n"),
            with_url("http://h/a?=<num:1>", "Q:1 KEYS:\n"),
            with_url("http://h/a?=<num:1>&=<num:2>", "Q:2 KEYS:,\nKEYS_SORTED:\nQK:=<num:1>|<num:2>\n"),
            with_url("http://h/a?a?b/c@d:e<=<num:1>", "Q:1 KEYS:a?b/c@d:e<\n"),
            with_url("http://h/a?<SECRET:mixed:24>", "Q:1 KEYS:<SECRET:mixed:24>\n"),
            with_url("http://h/a?user=<num:1>&User", "Q:2 KEYS:user,User\nKEYS_SORTED:User,user\n"),
            with_url("http://h/a?x&x=<num:1>", "Q:2 KEYS:x,x\nQK:x=|<num:1>\n"),
            with_body("form 0 KEYS:"),
            with_body("form 1 KEYS: =<num:1>"),
            with_body("form 1 KEYS:%5BBODYFORM] %5BBODYFORM]"),
            with_body("form 2 KEYS:a,a a&a=<b64url:34 rand14.0>"),
            with_body("form 1 KEYS:<bool> <bool>=<num:1>"),
            // What is no flag behind a space; a number and a name that begin as what follows the pairs does.
            with_body("json 0 KEYS:"),
            with_body("json 1 KEYS: =<null>"),
            with_body("json 1 KEYS:[] []=<array:0>"),
            with_body("json 2 KEYS:[][],[] [][]=<num:1>&[]=<array:70000>"),
            with_body("json 1 KEYS:GRAPHQL:query GRAPHQL:query=<bool> GRAPHQL:query DEPTH:1"),
            with_body("json 2 KEYS:a%2Eb.%5B],%5Bx a%2Eb.%5B]=<num:1@0-15>&%5Bx=<SECRET:jwt:108>"),
            // What was found to be GraphQL can be secret, or not be listed.
            with_body("json 1 KEYS:query query=<SECRET:mixed:90> GRAPHQL:subscription:<SECRET:mixed:24>,query DEPTH:9"),
            with_body("json 0 KEYS: GRAPHQL:mutation:x DEPTH:1"),
            with_body("multipart 0 KEYS:"),
            with_body("multipart 2 KEYS:, =<mixed:0>&=<file:none:0>"),
            with_body("multipart 1 KEYS:a[b] a[b]=<file:lowernum:9999999>:<mixed:12>"),
            with_body("multipart 1 KEYS:a a=<b64url:34 rand4.7>:x:[y]"),
            with_body("xml 0 KEYS: DEPTH:0"),
            with_body("xml 1 KEYS:DEPTH:1 DEPTH:1=<mixed:0> DEPTH:1"),
            with_body("xml 1 KEYS: =<lower:3> DEPTH:18446744073709551615"),
            with_body("raw BLEN:20@16-31"),
        ] {
            assert_eq!(written(&text).as_deref(), Ok(text.as_str()), "{text}");
        }
    }

    #[test]
    fn the_last_line_end_may_be_missing() {
        for text in [FULL, SMALL, NO_HOST] {
            assert_eq!(written(text.trim_end()).as_deref(), Ok(text));
        }
    }

    #[test]
    fn the_fields() {
        let document = Document::parse(FULL).unwrap();
        let pairs = |pairs: &[Pair<'static>]| pairs.iter().map(|pair| (pair.key, pair.value)).collect::<Vec<_>>();
        assert_eq!(document.method(), "POST");
        assert!(document.url().unwrap().ends_with("&token=<SECRET:jwt:108>"));
        assert_eq!(document.path(), Some("/a/../c%2Ejsp"));
        assert_eq!(document.plen().unwrap().to_string(), "13@0-15");
        assert_eq!(document.pmax().unwrap().to_string(), "7@0-15");
        assert_eq!(
            pairs(document.query().unwrap()),
            [
                ("k", Some("<num:1>")),
                ("items[]", None),
                ("k", Some("<b64url:34@32-63 rand4.7>")),
                ("", Some("<mixed:0>")),
                ("token", Some("<SECRET:jwt:108>")),
            ]
        );
        assert_eq!(document.keys_sorted(), Some(&["", "items[]", "k", "token"][..]));
        let Some(Body::Form { pairs: form }) = document.body() else { panic!("no form") };
        assert_eq!(pairs(form), [("%5Bx]", Some("<alpha:4>")), ("y", None)]);
        assert_eq!(document.flags().len(), 11);
        assert_eq!(
            document.flag_names().collect::<Vec<_>>().join(" "),
            "BODYFORM COOKIE DOTDOT DOUBLEPCT DUPHDR FLAGOVERFLOW OBSFOLD QARRAY QBARE QREPEAT USERINFO"
        );
        let names: Vec<_> = document.headers().iter().map(|header| header.name).collect();
        assert_eq!(names, ["", "cookie", "cookie", "host", "x-test"]);
        assert_eq!(document.headers()[4].value, "valor1 %5Bvalor2 %0a[x]");
        assert_eq!((document.hcnt(), document.hlen().len), (5, 2000));
        let local: Vec<_> = document.local().map(|(label, flags)| format!("{label} {}", flags.join(" "))).collect();
        assert_eq!(
            local,
            [
                "P DOTDOT DOUBLEPCT",
                "Q QARRAY:items[] QBARE QREPEAT:k",
                "B BODYFORM QBARE",
                "H:cookie COOKIE:2 DUPHDR:cookie",
                "H:x-test OBSFOLD",
            ]
        );
    }

    #[test]
    fn the_kinds_of_body() {
        let [json, multipart, xml, form] = [JSON, MULTIPART, XML, FORM].map(|text| Document::parse(text).unwrap());
        let Some(Body::Json { graphql: Some(graphql), .. }) = json.body() else { panic!("no GraphQL") };
        assert_eq!((graphql.operations.as_slice(), graphql.depth), (&["query:Cart", "mutation"][..], 2));
        let Some(Body::Xml { depth: 2, .. }) = xml.body() else { panic!("no depth") };
        let listed = |document: &Document<'_>| -> Vec<String> {
            let body = document.body().unwrap();
            let pairs = body.pairs().unwrap().iter();
            pairs.map(|pair| format!("{} {} {}", body.kind(), pair.key, pair.value.unwrap_or_default())).collect()
        };
        assert_eq!(
            [&json, &multipart, &xml, &form].map(listed).concat(),
            [
                "json [].id <b64url:34 rand4.7>",
                "json [].user.tags[] <object:0>",
                "json [].user.on <bool>",
                "json [].query <graphql:40>",
                "multipart a <num:1>",
                "multipart a <SECRET:lower:3>:text/plain",
                "multipart f[] <file:png:68>:image/png",
                "xml o.i.@id <num:1>",
                "xml o.i <SECRET:lower:3>",
                "xml o.e <element:0>",
                "form a <num:1>",
                "form b <SECRET:lower:3>",
            ]
        );
        let local = |document: &Document<'_>| document.local().map(|(_, flags)| flags.join(" ")).collect::<String>();
        assert_eq!(local(&json), "BODYJSON JSONDUPKEY:[].user");
    }

    /// What comes twice may do so behind the last field that is listed, and can still not be any text.
    #[test]
    fn names_that_come_twice() {
        const MEMBERS: &str = "json 3 KEYS:a.b,a0,c[].d a.b=<num:1>&a0=<num:1>&c[].d=<num:1>";
        const PARTS: &str = "multipart 1 KEYS:a.b a.b=<num:1>";
        for (body, flag, fits) in [
            (MEMBERS, "JSONDUPKEY:a.b", true),
            (MEMBERS, "JSONDUPKEY:a", true),
            (MEMBERS, "JSONDUPKEY:c", true),
            (MEMBERS, "JSONDUPKEY:c[].d", true),
            (MEMBERS, "JSONDUPKEY:c[].", true),
            (MEMBERS, "JSONDUPKEY:a.", true),
            (MEMBERS, "JSONDUPKEY:b", true),
            (MEMBERS, "JSONDUPKEY:", true),
            (MEMBERS, "JSONDUPKEY:c[", false),
            (MEMBERS, "JSONDUPKEY:c[0]", false),
            (MEMBERS, "JSONDUPKEY:a%2e", false),
            (MEMBERS, "JSONDUPKEY:a=b", false),
            (MEMBERS, "MPDUPNAME:a.b", false),
            (PARTS, "MPDUPNAME:a.b", true),
            (PARTS, "MPDUPNAME:a", true),
            (PARTS, "MPDUPNAME:a[b", true),
            (PARTS, "MPDUPNAME:[b]", false),
            (PARTS, "MPDUPNAME:a,b", false),
            (PARTS, "JSONDUPKEY:a.b", false),
            ("raw BLEN:20@16-31", "JSONDUPKEY:a", false),
        ] {
            let flags = format!("FLAGS:[{flag}]\nHCNT:0 HLEN:0@0-15\n");
            let read = format!("M:PUT\nP:/ PLEN:1@0-15 PMAX:0@0-15\nB:{body}\n{flags}");
            assert_eq!(Document::parse(&read).is_ok(), fits, "{flag} in {body}");
        }
    }

    #[test]
    fn without_a_host_the_values_come_by_key_in_order_of_arrival() {
        let document = Document::parse(NO_HOST).unwrap();
        let pairs: Vec<_> = document.query().unwrap().iter().map(|pair| (pair.key, pair.value)).collect();
        assert_eq!(pairs, [("x", None), ("id", Some("<num:1>")), ("x", Some("<num:1>")), ("x", None)]);
        assert_eq!(document.url(), None);
    }

    #[test]
    fn names_of_flags_come_once() {
        let text = FULL.replace("QREPEAT:k ", "QREPEAT: QREPEAT:k ");
        assert_eq!(Document::parse(&text).unwrap().flag_names().filter(|&name| name == "QREPEAT").count(), 1);
    }

    /// Each row puts something else in the place of one piece of a document.
    #[test]
    fn what_tamiz_would_not_write_is_refused() {
        const ORDER: &str = "a line that is unknown, repeated or out of order";
        const HIDDEN: &str = "a character that is escaped everywhere";
        const FLAG: &str = "expected ` [`, a flag and `]`, or the end of the line";
        const SORTED_FLAGS: &str = "the flags are not in byte order, each once";
        const SORTED_KEYS: &str = "KEYS_SORTED is not the keys, in byte order, each once";
        const NUMBER: &str = "expected a number without leading zeros";
        const EARLY: &str = "the document ends too early";
        const PLEN: &str = "PLEN is not the length of the path";
        const PMAX: &str = "PMAX is not the length of the longest segment";
        const SEGMENT: &str = "an empty segment, or one that is `.`";
        const USER: &str = "user information that is no placeholder";
        const AUTHORITY: &str = "a character that is escaped in an authority";
        const KEY: &str = "a character that is escaped in a key";
        const PAIRS: &str = "the keys are not those of the pairs";
        const NO_PAIR: &str = "a pair without key and value";
        const NUMBER_OF_PAIRS: &str = "the number is not that of the pairs";
        const BY_KEY: &str = "the `QK:` lines are not the keys, in byte order, each once";
        const COUNT: &str = "the parameter of the flag is not a number";
        const PARAMETER: &str = "the parameter of the flag names no key or header of the document";
        const NAME: &str = "expected `=`, and a space is escaped in a name";
        const ONE_NUMBER: &str = "more than one number of what was left out";
        const KINDS: &str = "expected `form `, `json `, `multipart `, `xml ` or `raw BLEN:`";
        const KEY_START: &str = "a character that is escaped at the start of a key";
        const PATH: &str = "a character that is escaped in a name";
        const OPERATION: &str = "expected `query`, `mutation` or `subscription`";
        const OPERATIONS: &str = "fewer operations than GraphQL documents";
        #[rustfmt::skip]
        let rows = [
            // Lines: which, how often, in what order.
            (PLAIN, PLAIN, "", 1, 1, "no document"),
            (PLAIN, PLAIN, "\n", 1, 1, "an empty line inside a document"),
            (PLAIN, "M:GET\n", "", 1, 1, "expected the `M:` line"),
            (PLAIN, "M:GET\n", "m:GET\n", 1, 1, "expected the `M:` line"),
            (PLAIN, "M:GET\n", "\u{FEFF}M:GET\n", 1, 1, "expected the `M:` line"),
            (PLAIN, "M:GET\n", "M:GET\nM:GET\n", 2, 1, "expected the `P:` line"),
            (PLAIN, "P:/a/b PLEN:4@0-15 PMAX:1@0-15 [DOTDOT]\n", "", 3, 1, "expected the `P:` line"),
            (PLAIN, "Q:2 KEYS:x,y\n", "", 4, 1, "expected the `Q:` line"),
            (PLAIN, "FLAGS:[", "\nFLAGS:[", 5, 1, "an empty line inside a document"),
            (PLAIN, "FLAGS:[", "B:raw BLEN:1@0-15\nB:raw BLEN:1@0-15\nFLAGS:[", 6, 1, ORDER),
            (PLAIN, "FLAGS:[", "X:\nFLAGS:[", 5, 1, ORDER),
            (PLAIN, "FLAGS:[DOTDOT QBARE]\nH:accept=*/*;q1.0\n", "H:accept=\nFLAGS:[DOTDOT QBARE]\n", 6, 1, ORDER),
            (PLAIN, "HCNT:2 HLEN:23@16-31\n", "", 8, 1, EARLY),
            (PLAIN, "HCNT:2 HLEN:23@16-31\n", "HCNT:2 HLEN:23@16-31\nH:x=\n", 9, 1, "a line behind the last"),
            (PLAIN, "HCNT:2 HLEN:23@16-31\n", "HCNT:2 HLEN:23@16-31\n\n", 9, 1, "an empty line inside a document"),
            (SMALL, "HCNT:0", "KEYS_SORTED:\nHCNT:0", 3, 1, ORDER),
            (SMALL, "HCNT:0", "QK:a=\nHCNT:0", 3, 1, ORDER),
            // What is escaped everywhere.
            (PLAIN, "M:GET", "M:GET\r", 1, 6, HIDDEN),
            (PLAIN, "M:GET", "M:\u{200B}GET", 1, 3, HIDDEN),
            (PLAIN, "q1.0", "ñ\u{202E}", 6, 15, HIDDEN),
            (PLAIN, "q1.0", "\u{A0}", 6, 14, HIDDEN),
            (PLAIN, "q1.0", "\u{2028}", 6, 14, HIDDEN),
            (PLAIN, "q1.0", "\t", 6, 14, HIDDEN),
            (PLAIN, "KEYS:x", "KEYS:\u{7F}", 4, 10, HIDDEN),
            (PLAIN, "FLAGS:[DOTDOT", "FLAGS:[DOTDOT\u{0}", 5, 14, HIDDEN),
            // The method.
            (PLAIN, "M:GET", "M:GET /", 1, 6, "a character that is escaped in a method"),
            (PLAIN, "M:GET", "M:GE=T", 1, 5, "a character that is escaped in a method"),
            // The URL.
            (PLAIN, "U:http", "U:", 2, 3, "expected a scheme"),
            (PLAIN, "U:http", "U:9p", 2, 3, "expected a scheme"),
            (PLAIN, "U:http://ex.com", "U:ex.com:80", 2, 9, "expected `://`"),
            (PLAIN, "ex.com/a/b?", "ex.com?", 2, 16, "a path begins with `/`"),
            (PLAIN, "ex.com/a/b?", "ex com/a/b?", 2, 12, "a path begins with `/`"),
            (PLAIN, "//ex.com", "//me:pw@ex.com", 2, 15, USER),
            (PLAIN, "//ex.com", "//<num:1>@me@ex.com", 2, 20, USER),
            (PLAIN, "//ex.com", "//<nun:1@0-1>@ex.com", 2, 16, USER),
            (PLAIN, "/a/b?", "/a b?", 2, 18, "a character that is escaped in a path"),
            (PLAIN, "/a/b?", "/a#b?", 2, 18, "a character that is escaped in a path"),
            (PLAIN, "/a/b?", "/a/%2e?", 2, 19, "an escape in lower case"),
            (PLAIN, "/a/b?", "/a//b?", 2, 19, SEGMENT),
            (PLAIN, "/a/b?", "/a/b/?", 2, 21, SEGMENT),
            (PLAIN, "/a/b?", "/a/./b?", 2, 19, SEGMENT),
            (PLAIN, "/a/b?", "/a/c?", 3, 3, "the path is not that of `U:`"),
            (PLAIN, "/a/b?x=<num:1>&y", "/a/b", 4, 3, "a `Q:` line where `U:` has no query"),
            (PLAIN, "<num:1>&y", "<num:1>&&y", 2, 31, NO_PAIR),
            (PLAIN, "<num:1>&y", "<num:1>&", 2, 31, NO_PAIR),
            (PLAIN, "<num:1>&y", "<num:1>;y", 2, 30, "expected `&` or the end of the line"),
            (PLAIN, "<num:1>&y", "<num:1>&y [QBARE]", 2, 32, "expected `&` or the end of the line"),
            (PLAIN, "<num:1>&y", "<num:1>&%c3", 2, 31, "an escape in lower case"),
            (PLAIN, "<num:1>&y", "5&y", 2, 23, "expected a placeholder"),
            (PLAIN, "<num:1>&y", "&y", 2, 23, "expected a placeholder"),
            (PLAIN, "<num:1>&y", "<num:01>&y", 2, 23, "expected a placeholder"),
            (PLAIN, "<num:1>&y", "<num:1>x&y", 2, 30, "expected `&` or the end of the line"),
            (CONNECT, "h:1", "h", 2, 4, "expected `:` and a port"),
            (CONNECT, "h:1", "h:1/", 2, 6, AUTHORITY),
            (CONNECT, "h:1", "u:p@h:1", 2, 6, USER),
            (CONNECT, "HCNT", "P:/ PLEN:1@0-15 PMAX:0@0-15\nHCNT", 3, 1, ORDER),
            (CONNECT, "U:h:1\n", "", 2, 1, "expected the `P:` line"),
            (CONNECT, "CONNECT", "GET", 2, 4, "expected `://`"),
            // The path and its metrics.
            (SMALL, "P:/", "P:", 2, 3, "a path begins with `/`"),
            (SMALL, "P:/", "P:/?", 2, 4, "expected ` PLEN:`"),
            (SMALL, "P:/", "P://", 2, 4, SEGMENT),
            (SMALL, "P:/", "P:/%fF", 2, 4, "an escape in lower case"),
            (SMALL, "P:/", "P:/<b64url:34 rand4.7>", 2, 14, "expected ` PLEN:`"),
            (SMALL, "PLEN:1", "PLEN:2", 2, 10, PLEN),
            (SMALL, "PLEN:1", "PLEN:01", 2, 10, NUMBER),
            (SMALL, "PLEN:1", "PLEN:", 2, 10, NUMBER),
            (SMALL, "PLEN:1", "PLEN:18446744073709551616", 2, 10, NUMBER),
            (SMALL, "PLEN:1@0-15", "PLEN:1", 2, 11, "expected `@`"),
            (SMALL, "PLEN:1@0-15", "PLEN:1@<16", 2, 12, "expected the label of a bucket"),
            (SMALL, "PLEN:1@0-15", "PLEN:1@15-0", 2, 12, "expected the label of a bucket"),
            (SMALL, "PLEN:1@0-15", "PLEN:1@0-015", 2, 12, "expected the label of a bucket"),
            (SMALL, "PLEN:1@0-15", "PLEN:1@16-31", 2, 12, "the number is not in the bucket"),
            (SMALL, "PLEN:1@0-15", "PLEN:1@>1", 2, 12, "the number is not in the bucket"),
            (SMALL, "PLEN:1@0-15", "PLEN:1@0-15x", 2, 16, "expected ` PMAX:`"),
            (SMALL, "PMAX:0", "PMAX:1", 2, 22, PMAX),
            (SMALL, "PMAX:0@0-15", "PMAX:0@0-15 ", 2, 28, FLAG),
            (SMALL, "/ PLEN:1", "/<SECRET:hex:14> PLEN:14", 2, 25, PLEN),
            (SMALL, "/ PLEN:1@0-15", "/<num:9999999> PLEN:9999999@>0", 2, 23, PLEN),
            (SMALL, "/ PLEN:1@0-15", "/<num:9999999> PLEN:10000001@>0", 2, 40, PMAX),
            // The query.
            (PLAIN, "Q:2", "Q:3", 4, 3, "the number is not that of the keys"),
            (PLAIN, "Q:2", "Q:02", 4, 3, NUMBER),
            (PLAIN, "Q:2 KEYS:x,y", "Q:2 x,y", 4, 4, "expected ` KEYS:`"),
            (PLAIN, "Q:2 KEYS:x,y", "Q:2 KEYS:x,z", 4, 12, PAIRS),
            (PLAIN, "Q:2 KEYS:x,y", "Q:3 KEYS:x,y,y", 4, 14, PAIRS),
            (PLAIN, "Q:2 KEYS:x,y", "Q:1 KEYS:x", 4, 3, "fewer keys than in `U:`"),
            (PLAIN, "Q:2 KEYS:x,y", "Q:0 KEYS:", 4, 3, "fewer keys than in `U:`"),
            (PLAIN, "Q:2 KEYS:x,y", "Q:2 KEYS:x,y;", 4, 13, FLAG),
            (NO_HOST, "Q:4 KEYS:x,id,x,x", "Q:0 KEYS:x", 3, 3, "the number is not that of the keys"),
            (NO_HOST, "Q:4 KEYS:x,id,x,x", "Q:4 KEYS:x,i%3d,x,x", 3, 13, "an escape in lower case"),
            // The keys, sorted.
            (PLAIN, "x,y\n", "x,y\nKEYS_SORTED:y,x\n", 5, 13, SORTED_KEYS),
            (PLAIN, "x,y\n", "x,y\nKEYS_SORTED:x\n", 5, 14, SORTED_KEYS),
            (PLAIN, "x,y\n", "x,y\nKEYS_SORTED:x,y,z\n", 5, 16, SORTED_KEYS),
            (PLAIN, "x,y\n", "x,y\nKEYS_SORTED:x,y [QBARE]\n", 5, 16, SORTED_KEYS),
            (PLAIN, "x,y\n", "x,y\nKEYS_SORTED:x,y\nKEYS_SORTED:x,y\n", 6, 1, ORDER),
            (NO_HOST, "QK:id", "KEYS_SORTED:id,x,x\nQK:id", 4, 17, SORTED_KEYS),
            // The values by key.
            (PLAIN, "x,y\n", "x,y\nQK:x=<num:2>\nQK:y=\n", 5, 6, "the value is not that of `U:`"),
            (PLAIN, "x,y\n", "x,y\nQK:x=<num:1>\nQK:y=<num:1>\n", 6, 6, "the value is not that of `U:`"),
            (PLAIN, "x,y\n", "x,y\nQK:x=<num:1>\n", 6, 1, "expected a `QK:` line for each key"),
            (PLAIN, "x,y\n", "x,y\nQK:y=\nQK:x=<num:1>\n", 5, 4, BY_KEY),
            (PLAIN, "x,y\n", "x,y\nQK:x=<num:1>\nQK:y=\nQK:y=\n", 7, 1, ORDER),
            (PLAIN, "x,y\n", "x,y\nQK:x=<num:1>\nQK:y=\nKEYS_SORTED:x,y\n", 7, 1, ORDER),
            (NO_HOST, "QK:id=<num:1>\nQK:x=|<num:1>|\n", "", 4, 1, "expected a `QK:` line for each key"),
            (NO_HOST, "QK:x=|<num:1>|\n", "", 5, 1, "expected a `QK:` line for each key"),
            (NO_HOST, "QK:x=|<num:1>|", "QK:x=|<num:1>", 5, 14, "fewer values than the key has"),
            (NO_HOST, "QK:x=|<num:1>|", "QK:x=|<num:1>||", 5, 15, "more values than the key has"),
            (NO_HOST, "QK:x=|<num:1>|", "QK:x=|1|", 5, 7, "expected a placeholder"),
            (NO_HOST, "QK:x=|<num:1>|", "QK:x", 5, 5, "expected `=`"),
            (NO_HOST, "Q:4 KEYS:x,id,x,x\nQK:id=<num:1>\nQK:x=|<num:1>|", "Q:1 KEYS:\nQK:=", 4, 5, NO_PAIR),
            // The body.
            (FORM, "B:form", "B:text", 3, 3, KINDS),
            (FORM, "B:form", "B:forms", 3, 3, KINDS),
            (FORM, "form 2", "form 3", 3, 8, "the number is not that of the keys"),
            (FORM, "form 2 KEYS:a,b a=<num:1>&b", "form 1 KEYS:a a=<num:1>&b", 3, 8, NUMBER_OF_PAIRS),
            (FORM, "form 2 KEYS:a,b a=<num:1>&b", "form 2 KEYS:a,c a=<num:1>&b", 3, 17, PAIRS),
            (FORM, "form 2 KEYS:a,b a=<num:1>&b", "form 2 KEYS:a,b;c a=<num:1>&b", 3, 18, KEY),
            (FORM, " a=<num:1>&b=<SECRET:lower:3> [BODYFORM]", "", 3, 18, "expected the pairs"),
            (FORM, "<SECRET:lower:3>", "hunter2", 3, 31, "expected a placeholder"),
            (FORM, " [BODYFORM]\n", " x\n", 3, 47, FLAG),
            (FORM, "form 2 KEYS:a,b a=<num:1>&b=<SECRET:lower:3> [BODYFORM]", "raw BLEN:5@0-15x", 3, 18, FLAG),
            (FORM, "a=<num:1>&b", "[=<num:1>&b", 3, 19, KEY_START),
            (FORM, "form 2 KEYS:a,b a=<num:1>&b", "form 2 KEYS:a,[b a=<num:1>&[b", 3, 30, KEY_START),
            (FORM, "a=<num:1>&b", "a=<bool>&b", 3, 21, "expected a placeholder"),
            (FORM, "a=<num:1>&b", "a=<num:1>:x/y&b", 3, 17, PAIRS),
            // JSON.
            (JSON, "json 4", "json 5", 3, 8, "the number is not that of the keys"),
            (JSON, "KEYS:[].id,", "KEYS:[].ip,", 3, 15, PAIRS),
            (JSON, "json 4 KEYS:[].id,[].user.tags[],[].user.on,[].query", "json 0 KEYS:", 3, 32, "expected `]`"),
            (JSON, " [].id=", " [x].id=", 3, 56, PATH),
            (JSON, " [].id=", " [BODYJSON]&[].id=", 3, 56, PATH),
            (JSON, "&[].user.tags[]=", "&[].user.tags[=", 3, 94, PATH),
            (JSON, "&[].user.on=<bool>", "&[].user.on", 3, 118, "expected `=`"),
            (JSON, "<bool>", "<true>", 3, 119, "expected a placeholder"),
            (JSON, "<bool>", "<element:0>", 3, 119, "expected a placeholder"),
            (JSON, "<bool>", "<file:png:1>", 3, 119, "expected a placeholder"),
            (JSON, "<bool>", "<bool>:x/y", 3, 47, PAIRS),
            (JSON, "<bool>", "<bool>&", 3, 126, "expected `=`"),
            (JSON, "<graphql:40>", "<graphql:0>", 3, 135, "expected a placeholder"),
            (JSON, " GRAPHQL:query:Cart,mutation DEPTH:2", "", 3, 147, OPERATIONS),
            (JSON, "<bool>&[].query=<graphql:40> GRAPHQL:query:Cart,", "<graphql:1>&[].query=<graphql:40> GRAPHQL:", 3, 152, OPERATIONS),
            (JSON, "GRAPHQL:query:Cart,mutation", "GRAPHQL:", 3, 156, OPERATION),
            (JSON, "GRAPHQL:query:Cart,mutation", "GRAPHQL:query,", 3, 162, OPERATION),
            (JSON, "GRAPHQL:query:Cart,mutation", "GRAPHQL:fragment", 3, 156, OPERATION),
            (JSON, "GRAPHQL:query:Cart,mutation", "GRAPHQL:query:", 3, 162, "expected the name of the operation"),
            (JSON, "GRAPHQL:query:Cart,mutation", "GRAPHQL:query:a=b", 3, 163, "expected ` DEPTH:`"),
            (JSON, "GRAPHQL:query:Cart,mutation", "GRAPHQL:queryCart", 3, 161, "expected ` DEPTH:`"),
            (JSON, " DEPTH:2", "", 3, 175, "expected ` DEPTH:`"),
            (JSON, " DEPTH:2", " DEPTH:0", 3, 182, "DEPTH is less than it can be"),
            (JSON, " DEPTH:2", " DEPTH:02", 3, 182, NUMBER),
            // Multipart.
            (MULTIPART, "multipart 3", "multipart 2", 3, 13, "the number is not that of the keys"),
            (MULTIPART, ",f[] a=<num:1>", ",f[] [=<num:1>", 3, 28, KEY_START),
            (MULTIPART, "&f[]=", "&[]=", 3, 68, KEY_START),
            (MULTIPART, "a=<num:1>", "a", 3, 29, "expected `=`"),
            (MULTIPART, "<file:png:68>", "<file:canary:68>", 3, 72, "expected a placeholder"),
            (MULTIPART, "<file:png:68>", "<element:68>", 3, 72, "expected a placeholder"),
            (MULTIPART, ":image/png", ":", 3, 86, "expected a media type"),
            (MULTIPART, ":image/png", ":image/png;q", 3, 95, FLAG),
            (MULTIPART, ":image/png", ":%c3", 3, 86, "an escape in lower case"),
            (MULTIPART, ":image/png", ":image/png DEPTH:1", 3, 95, FLAG),
            // XML.
            (XML, "xml 3", "xml 03", 3, 7, NUMBER),
            (XML, "KEYS:o.i.@id,o.i,o.e o.i.@id", "KEYS:o[],o.i,o.e o[]", 3, 27, PATH),
            (XML, "<element:0>", "<null>", 3, 71, "expected a placeholder"),
            (XML, "<element:0>", "<element:0>:x/y", 3, 82, "expected ` DEPTH:`"),
            (XML, "&o.e=<element:0>", "&o.e", 3, 70, "expected `=`"),
            (XML, " DEPTH:2", "", 3, 82, "expected ` DEPTH:`"),
            (XML, " DEPTH:2", " DEPTH:", 3, 89, NUMBER),
            (XML, " DEPTH:2", " GRAPHQL:query DEPTH:2", 3, 82, "expected ` DEPTH:`"),
            // Local flags.
            (PLAIN, " [DOTDOT]\n", " DOTDOT\n", 3, 31, FLAG),
            (PLAIN, " [DOTDOT]\n", " [DOTDOT\n", 3, 39, "expected `]`"),
            (PLAIN, " [DOTDOT]\n", " [DOTDOT] \n", 3, 40, FLAG),
            (PLAIN, " [DOTDOT]\n", " [DOTDOT][QBARE]\n", 3, 33, "the flag is not in `FLAGS:`"),
            (PLAIN, " [DOTDOT]\n", " []\n", 3, 33, "the flag is not in `FLAGS:`"),
            (PLAIN, " [DOTDOT]\n", " [HOME]\n", 3, 33, "the flag is not in `FLAGS:`"),
            (PLAIN, " [DOTDOT]\n", " [DOTDOT] [DOTDOT]\n", 3, 42, SORTED_FLAGS),
            (PLAIN, " [DOTDOT]\n", " [QBARE] [DOTDOT]\n", 3, 41, SORTED_FLAGS),
            (PLAIN, "FLAGS:[DOTDOT QBARE]\n", "", 3, 33, "the flag is not in `FLAGS:`"),
            (PLAIN, "q1.0", "q1.0 [x", 6, 21, "expected `]`"),
            // The roll-up.
            (PLAIN, "FLAGS:[DOTDOT QBARE]", "FLAGS:[]", 5, 8, "no flag has this name"),
            (PLAIN, "FLAGS:[DOTDOT QBARE]", "FLAGS:DOTDOT QBARE", 5, 7, "expected `[`"),
            (PLAIN, "FLAGS:[DOTDOT QBARE]", "FLAGS:[DOTDOT QBARE", 5, 20, "expected `]`"),
            (PLAIN, "FLAGS:[DOTDOT QBARE]", "FLAGS:[DOTDOT  QBARE]", 5, 15, "no flag has this name"),
            (PLAIN, "FLAGS:[DOTDOT QBARE]", "FLAGS:[DOTDOT qbare]", 5, 15, "no flag has this name"),
            (PLAIN, "FLAGS:[DOTDOT QBARE]", "FLAGS:[DOTDOT DOTDOT]", 5, 15, SORTED_FLAGS),
            (PLAIN, "FLAGS:[DOTDOT QBARE]", "FLAGS:[QBARE DOTDOT]", 5, 14, SORTED_FLAGS),
            (PLAIN, "FLAGS:[DOTDOT QBARE]", "FLAGS:[DOTDOT:1 QBARE]", 5, 8, "the flag has no parameter"),
            (PLAIN, "FLAGS:[DOTDOT QBARE]", "FLAGS:[DOTDOT QREPEAT]", 5, 15, "the flag needs a parameter"),
            (PLAIN, "FLAGS:[DOTDOT QBARE]", "FLAGS:[COOKIE:02 DOTDOT]", 5, 8, COUNT),
            (PLAIN, "FLAGS:[DOTDOT QBARE]", "FLAGS:[COOKIE: DOTDOT]", 5, 8, COUNT),
            (PLAIN, "FLAGS:[DOTDOT QBARE]", "FLAGS:[DOTDOT FLAGOVERFLOW:1 FLAGOVERFLOW:2]", 5, 30, ONE_NUMBER),
            (XML, "FLAGS:[BODYCUT:3", "FLAGS:[BODYCUT:3 BODYCUT:4", 4, 18, ONE_NUMBER),
            (MULTIPART, "BODYMISMATCH:php", "BODYMISMATCH", 4, 8, "the flag needs a parameter"),
            (MULTIPART, "BODYMISMATCH:php", "BODYMISMATCH:canary", 4, 8, "the parameter of the flag is none of the finds"),
            (MULTIPART, "FLAGS:[BODYMISMATCH:php BODYMULTIPART MPDUPNAME:a]", "FLAGS:[BODYMULTIPART MPDUPNAME:a MPDUPNAME:b|c]", 4, 34, PARAMETER),
            (PLAIN, "QBARE]", "QREPEAT:x QREPEAT:z]", 5, 25, PARAMETER),
            (PLAIN, "[DOTDOT QBARE]", "[BADHDRNAME:x DOTDOT]", 5, 8, PARAMETER),
            // The headers.
            (PLAIN, "H:host=ex.com", "H:host", 7, 7, NAME),
            (PLAIN, "H:host=ex.com", "H:host x=ex.com", 7, 7, NAME),
            (PLAIN, "H:host=ex.com", "H:Host=ex.com", 7, 3, "a header name in upper case"),
            (PLAIN, "H:host=ex.com", "H:abc=ex.com", 7, 3, "the headers are not in the byte order of their names"),
            (PLAIN, "HCNT:2 HLEN:", "HCNT:2 HLEN:3@0-15\nHCNT:2 HLEN:", 8, 13, "HLEN is less than the colons and spaces of the headers"),
            (PLAIN, "H:host=ex.com", "H:host= ex.com", 7, 8, "a space at the border of a value"),
            (PLAIN, "H:host=ex.com", "H:host=ex.com ", 7, 14, "a space at the border of a value"),
            (PLAIN, "H:host=ex.com", "H:host=ex.com  [DOTDOT]", 7, 14, "a space at the border of a value"),
            (PLAIN, "HCNT:2", "HCNT:3", 8, 6, "HCNT is not the number of `H:` lines"),
            (PLAIN, "HCNT:2 HLEN:23@16-31", "HCNT:2", 8, 7, "expected ` HLEN:`"),
            (PLAIN, "HLEN:23@16-31", "HLEN:23@0-15", 8, 16, "the number is not in the bucket"),
            (PLAIN, "HLEN:23@16-31", "HLEN:23@16-31 [DOTDOT]", 8, 21, "expected the end of the line"),
            (SMALL, "HLEN:0", "HLEN:1", 3, 13, "HLEN without headers is 0"),
        ];
        for (text, piece, other, line, column, reason) in rows {
            assert_eq!(text.matches(piece).count(), 1, "the piece is not there once: {piece:?}");
            let text = text.replace(piece, other);
            let error = Document::parse(&text).expect_err(&text);
            assert_eq!((error.line(), error.column(), error.reason()), (line, column, reason), "{text}");
        }
    }

    #[test]
    fn a_stream() {
        let places = |text: &str| -> Vec<_> {
            Documents::new(text).map(|read| read.map(|document| document.method().to_owned())).collect()
        };
        let error = |line, column, reason| Err(ParseError { line, column, reason });
        let empty = |line| error(line, 1, "an empty line that separates no documents");
        let read = |method: &str| Ok(method.to_owned());
        assert_eq!(places(""), []);
        assert_eq!(places(PLAIN), [read("GET")]);
        assert_eq!(places(&format!("{PLAIN}\n{FORM}\n{SMALL}")), [read("GET"), read("POST"), read("")]);
        assert_eq!(places(format!("{PLAIN}\n{FORM}").trim_end()), [read("GET"), read("POST")]);
        assert_eq!(places(&format!("{SMALL}\n\n\n{PLAIN}")), [read(""), empty(5), read("GET")]);
        assert_eq!(places(&format!("\n{PLAIN}")), [empty(1), read("GET")]);
        assert_eq!(places(&format!("{SMALL}\n")), [read(""), empty(4)]);
        assert_eq!(places(&format!("{SMALL}\n\n")), [read(""), empty(5)]);
        assert_eq!(places("\n\n"), [empty(1)]);
        // After a bad one, the next is read; without an empty line between them, two are none.
        let bad = FORM.replace("form 2", "form 3");
        let number = "the number is not that of the keys";
        assert_eq!(places(&format!("{SMALL}\n{bad}\n{PLAIN}")), [read(""), error(7, 8, number), read("GET")]);
        assert_eq!(places(&format!("{SMALL}{SMALL}\n{PLAIN}")), [error(4, 1, "a line behind the last"), read("GET")]);
    }

    /// No text makes the parser panic, and what it lets pass is written again to the byte.
    #[test]
    fn mutated_documents() {
        #[rustfmt::skip]
        const PIECES: &[&str] = &[
            "\n", " ", " [", "]", "[", ":", "@", "=", "&", ",", "|", "?", "/", "//", "<", ">", "0", "1", "9", "-",
            "%", "%2e", "%2E", "M:", "U:", "P:", "Q:", "KEYS_SORTED:", "QK:", "B:", "FLAGS:[", "H:", "HCNT:",
            " KEYS:", " PLEN:", " PMAX:", "raw BLEN:", "form 1", "<num:1>", "<SECRET:lower:3>", "<b64url:34 rand4.7>",
            "json 1", "multipart 1", "xml 1", " DEPTH:", " GRAPHQL:", "query", "[]", ".", "<bool>", "<graphql:1>",
            "<file:png:1>", ":image/png", "<element:0>", "BODYCUT:1 ", "JSONDUPKEY:", "MPDUPNAME:", "BODYMISMATCH:zip",
            "<num:1@0-15>", "@0-15", "@>1", "CONNECT", "ANGLE", "QREPEAT:", "18446744073709551616",
            "9999999999999999999", "<num:9999999>", "ñ", "\u{1F600}", "\u{200B}", "\r", "\0",
        ];
        let seeds = [FULL, SMALL, PLAIN, NO_HOST, FORM, CONNECT, JSON, MULTIPART, XML];
        let mut state = 0x9E37_79B9_7F4A_7C15_u64;
        let mut below = |bound: usize| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state % bound as u64) as usize
        };
        let mut passed = 0;
        for round in 0..60_000 {
            let mut text: Vec<char> = seeds[round % seeds.len()].chars().collect();
            for _ in 0..=below(3) {
                let from = below(text.len() + 1);
                let to = (from + below(4) * below(8)).min(text.len());
                match below(4) {
                    0 => drop(text.splice(from..to, PIECES[below(PIECES.len())].chars())),
                    1 => drop(text.drain(from..to)),
                    2 => {
                        let copy = text[from..to].to_vec();
                        let at = below(text.len() + 1);
                        drop(text.splice(at..at, copy));
                    }
                    // A digit or a letter becomes another one: what is left is often a document.
                    _ => {
                        if let Some(c) = text.get_mut(from) {
                            *c = char::from(b"0123456789abcxyzABC"[below(19)]);
                        }
                    }
                }
            }
            let text: String = text.into_iter().collect();
            match written(&text) {
                Ok(again) => {
                    passed += 1;
                    assert_eq!(again.trim_end_matches('\n'), text.trim_end_matches('\n'));
                }
                Err(error) => {
                    let lines = text.split('\n').count();
                    assert!((1..=lines + 1).contains(&error.line()), "{error}: {text}");
                    let line = text.split('\n').nth(error.line() - 1).unwrap_or_default();
                    assert!((1..=line.chars().count() + 1).contains(&error.column()), "{error}: {text}");
                }
            }
            for read in Documents::new(&text) {
                let _ = read.map(|document| document.local().count());
            }
        }
        assert!(passed > 1000, "only {passed} of the mutated texts are documents: the test says little");
    }
}
