//! File extensions that documents show by name; of any other one they show the shape.

/// One extension.
#[derive(Clone, Copy, Debug)]
pub struct ExtensionRow {
    /// In lower case, without its dot.
    pub name: &'static str,
    /// Some server, browser or system runs a file of this name.
    pub executable: bool,
}

macro_rules! extensions {
    ($($name:literal $($executable:ident)?)*) => {
        /// All known extensions, by name.
        pub const EXTENSIONS: &[ExtensionRow] = &[
            $(ExtensionRow { name: $name, executable: extensions!(@ $($executable)?) },)*
        ];
    };
    (@ runs) => { true };
    (@) => { false };
}

// None may be the name of a shape, nor `none`: documents write those in the same place.
extensions! {
    "7z" "aac" "ai" "apk" "asa" runs "asax" runs "ascx" runs "ashx" runs "asmx" runs "asp" runs "aspx" runs "avi" "avif"
    "bak" "bash" runs "bat" runs "bin" "bmp" "bz2" "c" "cer" "cfm" runs "cgi" runs "class" runs "cmd" runs "com" runs
    "conf" "config" runs "cpp" "crt" "css" "csv" "dat" "db" "dll" runs "dmg" "doc" "docm" runs "docx" "dotm" runs "ear"
    runs "eml" "eot" "eps" "epub" "exe" runs "flac" "flv" "gif" "go" "gz" "heic" "heif" "hta" runs "htaccess" runs "htm"
    runs "html" runs "ical" "ico" "ics" "img" "inc" runs "ini" "ipa" "iso" "jar" runs "java" "jfif" "jpeg" "jpg" "js"
    runs "json" "jsp" runs "jspf" runs "jspx" runs "key" "kml" "lnk" runs "log" "lua" runs "lz4" "m4a" "m4v" "md" "mht"
    runs "mhtml" runs "mjs" runs "mkv" "mov" "mp3" "mp4" "mpeg" "mpg" "msg" "msi" runs "odp" "ods" "odt" "ogg" "old"
    "opus" "orig" "otf" "p12" "pdf" "pem" "pfx" "phar" runs "php" runs "php3" runs "php4" runs "php5" runs "php7" runs
    "php8" runs "phps" runs "pht" runs "phtml" runs "pl" runs "plist" "png" "ppt" "pptm" runs "pptx" "ps1" runs "psd"
    "py" runs "rar" "rb" runs "rtf" "scr" runs "sh" runs "shtm" runs "shtml" runs "so" runs "sql" "sqlite" "svg" runs
    "svgz" runs "swf" runs "swp" "tar" "tgz" "tif" "tiff" "tmp" "toml" "ts" "ttf" "txt" "url" runs "vbs" runs "vcf"
    "vue" "war" runs "wasm" "wav" "webm" "webmanifest" "webp" "wma" "wmv" "woff" "woff2" "wsf" runs "xht" runs "xhtml"
    runs "xls" "xlsm" runs "xlsx" "xml" "xsl" runs "xslt" runs "xz" "yaml" "yml" "zip" "zsh" runs "zst"
}

/// The row of an extension in lower case.
///
/// ```
/// use tamiz::table::extensions;
/// assert!(extensions::row("php").is_some_and(|row| row.executable));
/// assert!(extensions::row("hunter2").is_none());
/// ```
#[must_use]
pub fn row(name: &str) -> Option<&'static ExtensionRow> {
    EXTENSIONS.binary_search_by(|row| row.name.cmp(name)).ok().map(|i| &EXTENSIONS[i])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::shapes::SHAPES;

    #[test]
    fn sorted_and_told_from_shapes() {
        assert!(EXTENSIONS.windows(2).all(|pair| pair[0].name < pair[1].name));
        for row in EXTENSIONS {
            assert!(row.name != "none" && SHAPES.iter().all(|shape| shape.name() != row.name), "{}", row.name);
            assert!(row.name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit()), "{}", row.name);
        }
    }
}
