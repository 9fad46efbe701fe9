//! Every limit that a request can run into, and what is said when it does.

/// One limit.
#[derive(Clone, Copy, Debug)]
pub struct LimitRow {
    /// The key of the configuration, or a name in words where the limit is fixed.
    pub name: &'static str,
    /// The default, or the fixed figure.
    pub value: usize,
    /// What is counted.
    pub unit: &'static str,
    /// What happens past it.
    pub past: &'static str,
}

macro_rules! limits {
    ($($constant:ident $name:literal $value:literal $unit:literal $past:literal)*) => {
        $(#[doc = $past] pub(crate) const $constant: usize = $value;)*

        /// All limits.
        pub const LIMITS: &[LimitRow] = &[
            $(LimitRow { name: $name, value: $value, unit: $unit, past: $past },)*
        ];
    };
}

limits! {
    LONG_VALUE "limits.long_value" 1024 "bytes of a value"
        "QLONG; the value is shaped as any other"
    USER_AGENT_TOKENS "limits.user_agent_tokens" 12 "tokens of a user agent"
        "UATRUNC; the tokens behind are left out"
    BODY_DEPTH "limits.body_depth" 64 "nested containers or elements of a body"
        "JSONDEPTH or XMLDEPTH; what is deeper is inspected, and written as one length"
    BODY_FIELDS "limits.body_fields" 4096 "fields of a JSON, multipart or XML body"
        "BODYCUT with their number; the fields behind are inspected and not listed"
    INFLATED_BYTES "limits.inflated_bytes" 8388608 "bytes that a content coding may give"
        "BOMB; the body is written as the length it came with"
    INFLATION_RATIO "limits.inflation_ratio" 100 "times that a content coding may grow, over 64 KiB"
        "BOMB; the body is written as the length it came with"
    MAX_PER_NAME "flags.max_per_name" 64 "flags of one parameterised name"
        "FLAGOVERFLOW with the number of those left out"
    CODINGS "content codings" 4 "codings of one body"
        "CEBAD; none is undone, and the body is read as it came or written as a length"
    KEYS_OF_BODY "keys of a body" 65536 "bytes as written, or as many as the body has"
        "BODYCUT, as if there were too many fields"
    PATH_OF_FIELD "path of a field" 256 "bytes as written"
        "JSONDEPTH or XMLDEPTH, as if it were too deep"
    LONGEST_KEY "key" 128 "characters"
        "the key is written as its shape"
    LONG_FIELD "header field" 16384 "bytes of name and value"
        "HLONG"
    LONGEST_HEAD "head in a stream" 16777216 "bytes"
        "TRUNCATED; the head is cut"
    LONGEST_BODY "body in a stream" 16777216 "bytes, with its chunks"
        "TRUNCATED; no body is read"
}
