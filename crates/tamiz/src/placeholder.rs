//! The grammar of placeholders: the texts that stand in a document where a value stood in the request.
//!
//! ```text
//! <shape:len>  <shape:len@bucket>  <shape:len rand4.7>  <shape:len@bucket rand4.7>
//! <SECRET:word:len>  <SECRET:word:len@bucket>
//! <len:n>
//! ```
//!
//! A request can contain such text too. It is then left as it is, so who reads a document and who redacts a request
//! must agree to the byte on what is a placeholder and what only resembles one: both ask here. Nothing is looked at
//! behind the longest possible placeholder, so that a text of nothing but `<` costs no more than any other.
//!
//! Values of the `B:` line have some more, which are none anywhere else: see [`in_body`].

use crate::table::extensions::EXTENSIONS;
use crate::table::shapes::{SHAPES, Shape};

/// What a length that needs more digits is written as.
pub(crate) const MAX_CHARS: u64 = 9_999_999;

/// The words of a SECRET that are no shape: the authentication schemes.
pub(crate) const SCHEME_WORDS: [&str; 4] = ["bearer", "basic", "digest", "other"];

/// The bytes of the longest placeholder. With SECRET in front there is no room for `rand`, and less is longer.
pub(crate) const LONGEST: usize = "<uppernum:9999999@".len() + LONGEST_LABEL + " rand20.9".len() + ">".len();

/// Digits of a length inside a placeholder.
const LEN_DIGITS: usize = 7;

/// Digits of a `u64`: the bounds of buckets are configured, and a label of any configuration is read.
pub(crate) const NUMBER_DIGITS: usize = 20;

/// Two bounds and the hyphen between them.
const LONGEST_LABEL: usize = 2 * NUMBER_DIGITS + 1;

/// The three families of placeholders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// `<shape:len>`: the form of a value.
    Shape,
    /// `<SECRET:word:len>`: the form of a value that must not be shown.
    Secret,
    /// `<len:n>`: only the length of a value.
    Len,
}

/// One placeholder, read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Placeholder {
    pub(crate) kind: Kind,
    /// The characters of the value it stands for; [`MAX_CHARS`] means that many or more.
    pub(crate) chars: u64,
    /// The ` rand…` suffix is there. It is the one part with a space in it, so where the space is escaped (a path, a
    /// key, a name) a text with it is no placeholder: see [`Placeholder::without_space`].
    pub(crate) rand: bool,
    /// The bytes of the placeholder, both brackets included.
    pub(crate) bytes: usize,
}

impl Placeholder {
    /// The placeholder that stands at the start of `text`, whatever follows it.
    pub(crate) fn at_start(text: &[u8]) -> Option<Placeholder> {
        let text = &text[..text.len().min(LONGEST)];
        let inside = text.strip_prefix(b"<")?;
        let (kind, mut rest) = if let Some(rest) = inside.strip_prefix(b"SECRET:") {
            (Kind::Secret, word(rest, shapes().chain(SCHEME_WORDS))?)
        } else if let Some(rest) = inside.strip_prefix(b"len:") {
            (Kind::Len, rest)
        } else {
            (Kind::Shape, word(inside, shapes())?)
        };

        let (chars, digits) = number(rest, LEN_DIGITS)?;
        rest = &rest[digits..];
        if kind != Kind::Len
            && let Some(label) = rest.strip_prefix(b"@")
        {
            rest = &label[Label::at_start(label)?.bytes..];
        }
        let mut rand = false;
        if kind == Kind::Shape
            && let Some(bits) = rest.strip_prefix(b" rand")
        {
            rest = &bits[bits_len(bits)?..];
            rand = true;
        }
        rest = rest.strip_prefix(b">")?;
        Some(Placeholder { kind, chars, rand, bytes: text.len() - rest.len() })
    }

    /// The same, where a space cannot stand: in a path, a key or a name.
    pub(crate) fn without_space(text: &[u8]) -> Option<Placeholder> {
        Placeholder::at_start(text).filter(|found| !found.rand)
    }
}

/// The bytes of the placeholder that stands at the start of `text`.
pub(crate) fn at_start(text: &[u8]) -> Option<usize> {
    Placeholder::at_start(text).map(|found| found.bytes)
}

/// `text` is one placeholder and nothing else.
pub(crate) fn is_whole(text: &[u8]) -> bool {
    at_start(text) == Some(text.len())
}

/// The kinds of body whose content the `B:` line lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BodyKind {
    Form,
    Json,
    Multipart,
    Xml,
}

/// The bytes of the placeholder at the start of `text` that only values of such a body have:
///
/// ```text
/// <bool>  <null>  <array:n>  <object:n>  <graphql:n>   json
/// <file:extension:n>                                   multipart
/// <element:n>                                          xml
/// ```
///
/// Everywhere else such text is ordinary content. So this is no part of [`Placeholder::at_start`], and who writes or
/// reads the other values of a body asks there.
pub(crate) fn in_body(text: &[u8], kind: BodyKind) -> Option<usize> {
    let inside = text.strip_prefix(b"<")?;
    let rest = match kind {
        BodyKind::Form => return None,
        BodyKind::Json => ["bool", "null"]
            .into_iter()
            .find_map(|leaf| inside.strip_prefix(leaf.as_bytes()))
            .or_else(|| counted(inside, ["array", "object"], 0))
            // There is at least an operation in it.
            .or_else(|| counted(inside, ["graphql"], 1))?,
        BodyKind::Multipart => counted(inside.strip_prefix(b"file:")?, extensions(), 0)?,
        BodyKind::Xml => counted(inside, ["element"], 0)?,
    };
    Some(text.len() - rest.strip_prefix(b">")?.len())
}

/// The label of a bucket, read: `16-31`, or `>1023`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Label {
    first: u64,
    last: u64,
    /// The bytes of the label.
    pub(crate) bytes: usize,
}

impl Label {
    /// The label that stands at the start of `text`. Digits run as far as they can: `0-155` is not `0-15` and a `5`.
    pub(crate) fn at_start(text: &[u8]) -> Option<Label> {
        if let Some(rest) = text.strip_prefix(b">") {
            let (bound, digits) = number(rest, NUMBER_DIGITS)?;
            return Some(Label { first: bound.checked_add(1)?, last: u64::MAX, bytes: 1 + digits });
        }
        let (first, first_digits) = number(text, NUMBER_DIGITS)?;
        let rest = text[first_digits..].strip_prefix(b"-")?;
        let (last, last_digits) = number(rest, NUMBER_DIGITS)?;
        (first <= last).then_some(Label { first, last, bytes: first_digits + 1 + last_digits })
    }

    /// `number` belongs to the bucket.
    pub(crate) fn contains(self, number: u64) -> bool {
        (self.first..=self.last).contains(&number)
    }
}

/// The decimal number at the start of `text` and how many digits it has: no leading zero, at most `max_digits`.
pub(crate) fn number(text: &[u8], max_digits: usize) -> Option<(u64, usize)> {
    let digits = text.iter().take(max_digits + 1).take_while(|byte| byte.is_ascii_digit()).count();
    if digits == 0 || digits > max_digits || (digits > 1 && text[0] == b'0') {
        return None;
    }
    let value = text[..digits]
        .iter()
        .try_fold(0_u64, |value, byte| value.checked_mul(10)?.checked_add(u64::from(byte - b'0')))?;
    Some((value, digits))
}

/// What follows `name:`, for the one of `names` that `text` begins with. The colon makes the choice unique.
fn word(text: &[u8], names: impl IntoIterator<Item = &'static str>) -> Option<&[u8]> {
    names.into_iter().find_map(|name| text.strip_prefix(name.as_bytes())?.strip_prefix(b":"))
}

/// What follows `name:n`, where `n` is not below `least`.
fn counted(text: &[u8], names: impl IntoIterator<Item = &'static str>, least: u64) -> Option<&[u8]> {
    let rest = word(text, names)?;
    let (count, digits) = number(rest, LEN_DIGITS)?;
    (count >= least).then(|| &rest[digits..])
}

fn shapes() -> impl Iterator<Item = &'static str> {
    SHAPES.iter().copied().map(Shape::name)
}

/// What stands for the extension of a file name: itself, its shape where the table does not know it, or that it has
/// none.
fn extensions() -> impl Iterator<Item = &'static str> {
    EXTENSIONS.iter().map(|row| row.name).chain(shapes()).chain(["none"])
}

/// The bytes of an entropy such as `4.7`. Twenty bits tell every character of Unicode apart, hence two digits.
fn bits_len(text: &[u8]) -> Option<usize> {
    let (_, whole) = number(text, 2)?;
    let tenths = text[whole..].strip_prefix(b".")?.first()?;
    tenths.is_ascii_digit().then_some(whole + 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shape_and_every_word_is_known() {
        for shape in SHAPES {
            assert!(is_whole(format!("<{}:0>", shape.name()).as_bytes()));
            assert!(is_whole(format!("<SECRET:{}:9999999>", shape.name()).as_bytes()));
        }
        for word in SCHEME_WORDS {
            assert!(is_whole(format!("<SECRET:{word}:12>").as_bytes()));
            assert!(!is_whole(format!("<{word}:12>").as_bytes()), "{word} is a word of SECRET only");
        }
    }

    #[test]
    fn the_parts_are_read() {
        let read = |text: &str| Placeholder::at_start(text.as_bytes());
        let found = |kind, chars, rand, bytes| Some(Placeholder { kind, chars, rand, bytes });
        assert_eq!(read("<num:5>&b"), found(Kind::Shape, 5, false, 7));
        assert_eq!(read("<num:5@0-15>"), found(Kind::Shape, 5, false, 12));
        assert_eq!(read("<b64url:120 rand4.7>"), found(Kind::Shape, 120, true, 20));
        assert_eq!(read("<b64url:1200@>1023 rand14.7>>"), found(Kind::Shape, 1200, true, 28));
        assert_eq!(read("<SECRET:jwt:108>"), found(Kind::Secret, 108, false, 16));
        assert_eq!(read("<SECRET:bearer:9999999@>1023>"), found(Kind::Secret, MAX_CHARS, false, 29));
        assert_eq!(read("<len:0>"), found(Kind::Len, 0, false, 7));
        assert_eq!(Placeholder::without_space(b"<b64url:120 rand4.7>"), None);
    }

    #[test]
    fn what_only_resembles_one_is_none() {
        for text in [
            "",
            "<",
            "num:5>",
            "<num>",
            "<num:>",
            "<num:5",
            "<num:05>",
            "<num:00>",
            "<num:12345678>",
            "<num:-1>",
            "<num:5 >",
            "<num:5@>",
            "<num:5@15>",
            "<num:5@16-15>",
            "<num:5@0-015>",
            "<num:5@>>",
            "<num:5@0-15@0-15>",
            "<num:5 rand4>",
            "<num:5 rand4.>",
            "<num:5 rand4.77>",
            "<num:5 rand04.7>",
            "<num:5 rand444.7>",
            "<num:5  rand4.7>",
            "<num:5 rand4.7@0-15>",
            "<num:5@0-15rand4.7>",
            "<Num:5>",
            "<numb:5>",
            "<nu:5>",
            "<hunter2>",
            "<bearer:5>",
            "<SECRET:5>",
            "<SECRET:len:5>",
            "<SECRET:token:5>",
            "<SECRET:num:5 rand4.7>",
            "<SECRET:<script>>",
            "<secret:num:5>",
            "<SECRET:SECRET:num:5>",
            "<len:5@0-15>",
            "<len:5 rand4.7>",
            "<LEN:5>",
            "<num:\u{0665}>",
        ] {
            assert_eq!(at_start(text.as_bytes()), None, "{text}");
        }
        assert!(!is_whole(b"<num:5>x"));
        assert!(!is_whole(b"<num:5><num:5>"));
    }

    #[test]
    fn each_kind_of_body_has_its_own() {
        const KINDS: [BodyKind; 4] = [BodyKind::Form, BodyKind::Json, BodyKind::Multipart, BodyKind::Xml];
        let of_table = EXTENSIONS.iter().map(|row| (BodyKind::Multipart, format!("<file:{}:1>", row.name)));
        let of_shapes = shapes().map(|shape| (BodyKind::Multipart, format!("<file:{shape}:9999999>")));
        let others = [
            (BodyKind::Json, "<bool>"),
            (BodyKind::Json, "<null>"),
            (BodyKind::Json, "<array:0>"),
            (BodyKind::Json, "<object:9999999>"),
            (BodyKind::Json, "<graphql:1>"),
            (BodyKind::Multipart, "<file:none:0>"),
            (BodyKind::Xml, "<element:0>"),
        ];
        let others = others.map(|(kind, text)| (kind, text.to_owned()));
        for (kind, text) in others.into_iter().chain(of_table).chain(of_shapes) {
            for other in KINDS {
                let found = in_body(format!("{text}&<bool>").as_bytes(), other);
                assert_eq!(found, (other == kind).then_some(text.len()), "{text} in {other:?}");
            }
            assert_eq!(at_start(text.as_bytes()), None, "{text} is one everywhere");
        }
        for text in [
            "",
            "<",
            "bool>",
            "<bool",
            "<bool:4>",
            "<Bool>",
            "<true>",
            "<null >",
            "<array>",
            "<array:>",
            "<array:00>",
            "<array:12345678>",
            "<array:1@0-15>",
            "<object:1 rand4.7>",
            "<graphql:0>",
            "<graphql:01>",
            "<element:-1>",
            "<elements:1>",
            "<file:1>",
            "<file::1>",
            "<file:canary:1>",
            "<file:PNG:1>",
            "<file:bearer:1>",
            "<file:none>",
            "<file:none:1@0-15>",
            "<file:<num:1>:1>",
            "<SECRET:bool:1>",
            "<num:1>",
        ] {
            for kind in KINDS {
                assert_eq!(in_body(text.as_bytes(), kind), None, "{text} in {kind:?}");
            }
        }
    }

    #[test]
    fn labels() {
        for (text, bytes) in [("0-15 PMAX", 4), (">1023", 5), ("7-7", 3), ("0-155", 5), (">0>", 2)] {
            assert_eq!(Label::at_start(text.as_bytes()).map(|label| label.bytes), Some(bytes), "{text}");
        }
        for text in [
            "",
            "-",
            "0",
            "0-",
            "-5",
            "5-4",
            "00-15",
            "0-18446744073709551616",
            ">18446744073709551615",
            ">",
            ">01",
            "a-b",
            "<5",
        ] {
            assert_eq!(Label::at_start(text.as_bytes()).map(|label| label.bytes), None, "{text}");
        }
        let label = |text: &[u8]| Label::at_start(text).unwrap();
        assert!(label(b"16-31").contains(16) && label(b"16-31").contains(31));
        assert!(!label(b"16-31").contains(15) && !label(b"16-31").contains(32));
        assert!(label(b">1023").contains(1024) && !label(b">1023").contains(1023));
    }

    #[test]
    fn none_is_longer_than_the_longest() {
        let bound = u64::MAX;
        for shape in SHAPES {
            let shape = shape.name();
            let secret = format!("<SECRET:{shape}:9999999@{bound}-{bound}>");
            let shape = format!("<{shape}:9999999@{bound}-{bound} rand20.9>");
            for text in [secret, shape] {
                assert!(text.len() <= LONGEST && is_whole(text.as_bytes()), "{text}");
            }
        }
    }
}
