//! The shapes a value can have, in order of precedence.

macro_rules! shapes {
    ($($variant:ident $name:literal $doc:literal)*) => {
        /// The form of a value, which documents show instead of the value.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Shape {
            $(#[doc = $doc] $variant,)*
        }

        /// All shapes, in the order in which they are tried.
        pub const SHAPES: &[Shape] = &[$(Shape::$variant,)*];

        impl Shape {
            /// The name inside a placeholder.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Shape::$variant => $name,)*
                }
            }

            /// What values have this shape.
            #[must_use]
            pub const fn meaning(self) -> &'static str {
                match self {
                    $(Shape::$variant => $doc,)*
                }
            }
        }
    };
}

shapes! {
    Jwt "jwt" "Three or five base64url segments joined by dots, the first a JSON object with an `alg`."
    Uuid "uuid" "8-4-4-4-12 hexadecimal digits."
    Ipv4 "ipv4" "Four decimal octets, each at most 255."
    Ipv6 "ipv6" "An IPv6 address without brackets, port or zone."
    B64url "b64url" "Base64url with at least one of `-`, `_`, `=`: 16 or more long, or padded to a multiple of four."
    Slug "slug" "Base64url characters with a `-` or `_`, shorter than 16 and not padded to a multiple of four."
    B64 "b64" "Padded base64; or 16 or more with `+` or `/` and upper case, lower case and a digit."
    Hex "hex" "Hexadecimal digits with at least one digit and one letter."
    Email "email" "One `@`, and a dot behind it with something on both sides; no white space."
    Uaxurl "uaxurl" "Starts with a URL scheme and a colon."
    Num "num" "ASCII digits."
    Lower "lower" "ASCII lower-case letters."
    Upper "upper" "ASCII upper-case letters."
    Alpha "alpha" "ASCII letters of both cases."
    Lowernum "lowernum" "ASCII lower-case letters and digits."
    Uppernum "uppernum" "ASCII upper-case letters and digits."
    Alnum "alnum" "ASCII letters of both cases and digits."
    Mixed "mixed" "Everything else; also the empty value."
}
