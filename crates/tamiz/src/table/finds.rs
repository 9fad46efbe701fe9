//! What a body can turn out to be, whatever its type says: the words of BODYMISMATCH.

/// How a find is recognised.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sign {
    /// These bytes at the start.
    Magic(&'static [u8]),
    /// These bytes at the start, or the rest of the row's signs anywhere, in any case.
    Code {
        /// At the start.
        start: &'static [u8],
        /// Anywhere, in lower case here.
        anywhere: &'static [u8],
    },
    /// A DOS header that leads to a PE header.
    PortableExecutable,
    /// The structure of the text, as the specification describes it.
    Structure,
}

/// One kind of content.
#[derive(Clone, Copy, Debug)]
pub struct FindRow {
    /// The word behind `BODYMISMATCH:`.
    pub name: &'static str,
    /// How it is recognised.
    pub sign: Sign,
    /// Nothing runs it: it contradicts a type that names something else, and no unknown one.
    pub passive: bool,
    /// Media types that it is at home with.
    pub types: &'static [&'static str],
    /// Words of other media types that it is at home with.
    pub words: &'static [&'static str],
    /// File extensions that it is at home with. Structure is not looked for in files.
    pub extensions: &'static [&'static str],
}

impl FindRow {
    /// Whether content like this is what the media type says.
    pub(crate) fn is_home(&self, media_type: &[u8]) -> bool {
        let names = |known: &str| match known.strip_suffix('.') {
            Some(_) => media_type.get(..known.len()).is_some_and(|start| start.eq_ignore_ascii_case(known.as_bytes())),
            None => media_type.eq_ignore_ascii_case(known.as_bytes()),
        };
        let has_word = |word: &[u8]| self.words.iter().any(|known| word.eq_ignore_ascii_case(known.as_bytes()));
        self.types.iter().any(|known| names(known)) || media_type.split(|b| !b.is_ascii_alphanumeric()).any(has_word)
    }
}

const OPEN_XML: &str = "application/vnd.openxmlformats-officedocument.";
const OPEN_DOCUMENT: &str = "application/vnd.oasis.opendocument.";

/// All finds, in the order in which they are tried. A type that ends in a dot stands for all that begin with it.
pub const FINDS: &[FindRow] = &[
    FindRow {
        name: "php",
        sign: Sign::Code { start: b"<?=", anywhere: b"<?php" },
        passive: false,
        types: &["application/x-httpd-php", "application/x-php", "text/x-php"],
        words: &[],
        extensions: &["php", "php3", "php4", "php5", "php7", "php8", "phps", "pht", "phtml", "phar", "inc"],
    },
    FindRow {
        name: "elf",
        sign: Sign::Magic(b"\x7fELF"),
        passive: false,
        types: &["application/x-elf", "application/x-executable", "application/x-sharedlib"],
        words: &[],
        extensions: &["bin", "so"],
    },
    FindRow {
        name: "pe",
        sign: Sign::PortableExecutable,
        passive: false,
        types: &[
            "application/vnd.microsoft.portable-executable",
            "application/x-dosexec",
            "application/x-msdos-program",
            "application/x-msdownload",
        ],
        words: &[],
        extensions: &["com", "dll", "exe", "scr"],
    },
    FindRow {
        name: "zip",
        sign: Sign::Magic(b"PK\x03\x04"),
        passive: false,
        types: &[
            "application/epub+zip",
            "application/java-archive",
            "application/vnd.android.package-archive",
            OPEN_DOCUMENT,
            OPEN_XML,
            "application/x-zip",
            "application/x-zip-compressed",
            "application/zip",
        ],
        words: &[],
        extensions: &[
            "apk", "docm", "docx", "dotm", "ear", "epub", "ipa", "jar", "odp", "ods", "odt", "pptm", "pptx", "war",
            "xlsm", "xlsx", "zip",
        ],
    },
    FindRow {
        name: "class",
        sign: Sign::Magic(b"\xca\xfe\xba\xbe"),
        passive: false,
        types: &["application/java-vm", "application/x-java-class"],
        words: &[],
        extensions: &["class"],
    },
    FindRow {
        name: "javaobject",
        sign: Sign::Magic(b"\xac\xed\x00\x05"),
        passive: false,
        types: &["application/x-java-serialized-object"],
        words: &[],
        extensions: &[],
    },
    FindRow {
        name: "script",
        sign: Sign::Magic(b"#!/"),
        passive: false,
        types: &[
            "application/x-sh",
            "application/x-shellscript",
            "text/x-python",
            "text/x-script.python",
            "text/x-shellscript",
        ],
        words: &[],
        extensions: &["bash", "cgi", "js", "lua", "mjs", "pl", "py", "rb", "sh", "zsh"],
    },
    FindRow {
        name: "gzip",
        sign: Sign::Magic(b"\x1f\x8b\x08"),
        passive: true,
        types: &["application/gzip", "application/x-gzip"],
        words: &[],
        extensions: &["gz", "svgz", "tgz"],
    },
    FindRow {
        name: "pdf",
        sign: Sign::Magic(b"%PDF-"),
        passive: true,
        types: &["application/pdf", "application/x-pdf"],
        words: &[],
        extensions: &["ai", "pdf"],
    },
    FindRow {
        name: "png",
        sign: Sign::Magic(b"\x89PNG\r\n\x1a\n"),
        passive: true,
        types: &["image/apng", "image/png", "image/x-png"],
        words: &[],
        extensions: &["png"],
    },
    FindRow {
        name: "jpeg",
        sign: Sign::Magic(b"\xff\xd8\xff"),
        passive: true,
        types: &["image/jpeg", "image/jpg", "image/pjpeg"],
        words: &[],
        extensions: &["jfif", "jpeg", "jpg"],
    },
    FindRow {
        name: "gif",
        sign: Sign::Magic(b"GIF8"),
        passive: true,
        types: &["image/gif"],
        words: &[],
        extensions: &["gif"],
    },
    FindRow {
        name: "multipart",
        sign: Sign::Structure,
        passive: true,
        types: &["message/rfc822"],
        words: &[],
        extensions: &[],
    },
    FindRow {
        name: "json",
        sign: Sign::Structure,
        passive: true,
        types: &["application/graphql", "application/javascript", "application/x-javascript", "text/javascript"],
        words: &["json"],
        extensions: &[],
    },
    FindRow {
        name: "xml",
        sign: Sign::Structure,
        passive: true,
        types: &["application/xhtml", "text/html", "text/xsl"],
        words: &["xml"],
        extensions: &[],
    },
    FindRow { name: "form", sign: Sign::Structure, passive: true, types: &[], words: &[], extensions: &[] },
];

/// Whether a word is the name of a find.
///
/// ```
/// assert!(tamiz::table::finds::is_find("json"));
/// ```
#[must_use]
pub fn is_find(word: &str) -> bool {
    FINDS.iter().any(|row| row.name == word)
}
