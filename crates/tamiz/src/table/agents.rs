//! What a user agent says in its comments: words that say nothing, and platforms that carry a version.

/// Comment items, and words of comment items, that say nothing to an analyst: every browser has some of them, and what
/// they tell is said elsewhere. Lower case. Not here: names of tools and robots, `like`, and what tells the kind of
/// device (`mobile`, `tablet`, `wv`).
#[rustfmt::skip]
pub const ORDINARY: &[&str] = &[
    ".net4.0c", ".net4.0e", "32", "32-bit", "64", "64-bit", "aarch64", "alpha", "amd64", "ar", "ar-eg", "ar-sa",
    "ar_eg", "ar_sa", "arm", "arm64", "armv5tejl", "armv6l", "armv7", "armv7l", "armv8l", "asu2js", "bg", "bg-bg",
    "bg_bg", "ca", "ca-es", "ca_es", "compatible", "cpu", "cs", "cs-cz", "cs_cz", "da", "da-dk", "da_dk", "de",
    "de-at", "de-ch", "de-de", "de_at", "de_ch", "de_de", "digext", "el", "el-gr", "el_gr", "en", "en-au", "en-ca",
    "en-gb", "en-ie", "en-in", "en-nz", "en-us", "en-za", "en_au", "en_ca", "en_gb", "en_ie", "en_in", "en_nz",
    "en_us", "en_za", "es", "es-419", "es-ar", "es-cl", "es-co", "es-es", "es-mx", "es-pe", "es-us", "es-uy", "es-ve",
    "es_419", "es_ar", "es_cl", "es_co", "es_es", "es_mx", "es_pe", "es_us", "es_uy", "es_ve", "et", "et-ee", "et_ee",
    "eu", "eu-es", "eu_es", "fa", "fa-ir", "fa_ir", "fi", "fi-fi", "fi_fi", "fr", "fr-be", "fr-ca", "fr-ch", "fr-fr",
    "fr_be", "fr_ca", "fr_ch", "fr_fr", "gl", "gl-es", "gl_es", "gtb5", "gtb6", "gtb7.4", "he", "he-il", "he_il",
    "hi", "hi-in", "hi_in", "hr", "hr-hr", "hr_hr", "hu", "hu-hu", "hu_hu", "i", "i386", "i486", "i586", "i686",
    "ia32", "ia64", "id-id", "id_id", "infopath.1", "infopath.2", "infopath.3", "intel", "iphone", "is-is", "is_is",
    "it", "it-ch", "it-it", "it_ch", "it_it", "ja", "ja-jp", "ja_jp", "khtml", "ko", "ko-kr", "ko_kr", "lcjb",
    "like mac os x", "linux", "linux gnu", "loongarch64", "lt", "lt-lt", "lt_lt", "lv", "lv-lv", "lv_lv", "maau",
    "mac os x", "mac_powerpc", "macintosh", "mafs", "maln", "masm", "mddc", "mddr", "mdds", "mips", "mips64", "ms",
    "ms-my", "ms_my", "n", "nb", "nb-no", "nb_no", "nl", "nl-be", "nl-nl", "nl_be", "nl_nl", "nn-no", "nn_no", "on",
    "pc", "pl", "pl-pl", "pl_pl", "powerpc", "ppc", "ppc64", "ppc64le", "pt", "pt-br", "pt-pt", "pt_br", "pt_pt",
    "riscv64", "ro", "ro-ro", "ro_ro", "ru", "ru-ru", "ru_ru", "s390x", "sk-sk", "sk_sk", "sl", "sl-si", "sl_si",
    "sparc", "sparc64", "sr", "sr-rs", "sr_rs", "sun4u", "sv", "sv-se", "sv1", "sv_se", "th", "th-th", "th_th",
    "touch", "tr", "tr-tr", "tr_tr", "u", "uk", "uk-ua", "uk_ua", "vi", "vi-vn", "vi_vn", "wayland", "win32", "win64",
    "windows", "wow64", "x11", "x64", "x86", "x86_64", "zh", "zh-cn", "zh-hk", "zh-tw", "zh_cn", "zh_hk", "zh_tw",
];

/// The words before a version that name a platform, in lower case, and the name that is written before `/version`.
pub const PLATFORMS: &[(&str, &str)] = &[
    (".net clr", "net-clr"),
    ("america online browser", "america-online-browser"),
    ("android", "android"),
    ("aol", "aol"),
    ("apple tv os", "tvos"),
    ("blackberry", "blackberry"),
    ("centos", "centos"),
    ("cpu iphone os", "iphone-os"),
    ("cpu os", "ios"),
    ("cros aarch64", "cros"),
    ("cros armv7l", "cros"),
    ("cros i686", "cros"),
    ("cros x86_64", "cros"),
    ("debian", "debian"),
    ("fedora", "fedora"),
    ("freebsd", "freebsd"),
    ("fuchsia", "fuchsia"),
    ("harmonyos", "harmonyos"),
    ("ios", "ios"),
    ("ipados", "ipados"),
    ("iphone os", "iphone-os"),
    ("kaios", "kaios"),
    ("linux", "linux"),
    ("mac os", "mac-os"),
    ("mac os x", "mac-os-x"),
    ("macos", "macos"),
    ("media center pc", "media-center-pc"),
    ("ms-rtc lm", "ms-rtc-lm"),
    ("msie", "msie"),
    ("netbsd", "netbsd"),
    ("openbsd", "openbsd"),
    ("openharmony", "openharmony"),
    ("opera", "opera"),
    ("os x", "os-x"),
    ("playstation", "playstation"),
    ("playstation vita", "playstation-vita"),
    ("rim tablet os", "rim-tablet-os"),
    ("sunos", "sunos"),
    ("symbianos", "symbianos"),
    ("tablet pc", "tablet-pc"),
    ("tizen", "tizen"),
    ("trident", "trident"),
    ("tvos", "tvos"),
    ("ubuntu", "ubuntu"),
    ("visionos", "visionos"),
    ("watchos", "watchos"),
    ("webos", "webos"),
    ("win 9x", "win-9x"),
    ("windows", "windows"),
    ("windows ce", "windows-ce"),
    ("windows mobile", "windows-mobile"),
    ("windows nt", "windows-nt"),
    ("windows phone", "windows-phone"),
    ("windows phone os", "windows-phone"),
    ("windows server", "windows-server"),
];

/// Whether a comment item goes: it is in the table, or its words are, one by one. Lower case, one space between words.
pub(crate) fn is_ordinary(item: &str) -> bool {
    let mut rest = item;
    loop {
        if listed(rest) {
            return true;
        }
        match rest.split_once(' ') {
            Some((word, after)) if listed(word) => rest = after,
            _ => return false,
        }
    }
}

fn listed(words: &str) -> bool {
    ORDINARY.binary_search(&words).is_ok()
}

/// A platform with its version inside a comment item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Platform<'a> {
    /// The name to write.
    pub(crate) name: &'static str,
    /// The word behind the platform's words; it begins with a digit.
    pub(crate) version: &'a str,
    /// What follows the version; an item of its own.
    pub(crate) rest: &'a str,
}

/// The platform at the front of a comment item, ordinary words before it aside. Lower case, one space between words.
pub(crate) fn platform(item: &str) -> Option<Platform<'_>> {
    let mut from = item;
    loop {
        if let Some(found) = PLATFORMS.iter().find_map(|row| platform_at(row, from)) {
            return Some(found);
        }
        let (word, after) = from.split_once(' ')?;
        if !listed(word) {
            return None;
        }
        from = after;
    }
}

fn platform_at<'a>(&(words, name): &(&'static str, &'static str), text: &'a str) -> Option<Platform<'a>> {
    let behind = text.strip_prefix(words)?.strip_prefix(' ')?;
    if !behind.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let (version, rest) = behind.split_once(' ').unwrap_or((behind, ""));
    Some(Platform { name, version, rest })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_sorted_and_legal() {
        assert!(ORDINARY.windows(2).all(|pair| pair[0] < pair[1]));
        assert!(PLATFORMS.windows(2).all(|pair| pair[0].0 < pair[1].0));
        let legal = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || matches!(b, b'-' | b'_' | b'.' | b' ');
        for words in ORDINARY.iter().chain(PLATFORMS.iter().map(|row| &row.0)) {
            assert!(words.bytes().all(legal), "{words}");
            assert!(words.split(' ').all(|word| !word.is_empty()), "{words}");
        }
        for (words, name) in PLATFORMS {
            assert!(
                !name.is_empty() && name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
            );
            // Otherwise two rows could fit the same item.
            let begins = |text: &str| text.strip_prefix(words).is_some_and(|rest| rest.starts_with(" "));
            let longer = PLATFORMS.iter().filter(|row| begins(row.0));
            assert!(longer.clone().all(|row| !row.0.as_bytes()[words.len() + 1].is_ascii_digit()), "{words}");
        }
    }

    #[test]
    fn what_goes_and_what_stays() {
        let go =
            ["compatible", "linux", "x11", "u", "linux x86_64", "windows", "intel mac os x", "khtml", "en-us", "wow64"];
        for item in go {
            assert!(is_ordinary(item), "{item}");
        }
        let stay = [
            "",
            "like gecko",
            "like",
            "nmap scripting engine",
            "googlebot/2.1",
            "sqlmap",
            "mobile",
            "ubuntu",
            "android",
            "wv",
            "linux <script>",
            "x11 nikto",
            " ",
            "id",
        ];
        for item in stay {
            assert!(!is_ordinary(item), "{item}");
        }
    }

    #[test]
    fn platforms_of_real_user_agents() {
        for (item, name, version, rest) in [
            ("windows nt 10.0", "windows-nt", "10.0", ""),
            ("windows 98", "windows", "98", ""),
            ("windows phone os 7.5", "windows-phone", "7.5", ""),
            ("intel mac os x 10_15_7", "mac-os-x", "10_15_7", ""),
            ("cpu iphone os 16_0 like mac os x", "iphone-os", "16_0", "like mac os x"),
            ("cpu os 15_6 like mac os x", "ios", "15_6", "like mac os x"),
            ("linux 5.15.0-91-generic x86_64", "linux", "5.15.0-91-generic", "x86_64"),
            ("u android 4.0.3", "android", "4.0.3", ""),
            ("cros x86_64 14541.0.0", "cros", "14541.0.0", ""),
            ("msie 6.0", "msie", "6.0", ""),
            (".net clr 2.0.50727", "net-clr", "2.0.50727", ""),
        ] {
            assert_eq!(platform(item), Some(Platform { name, version, rest }), "{item}");
            assert!(rest.is_empty() || is_ordinary(rest), "{rest}");
        }
        for item in ["", "windows nt", "windows nt10.0", "like android 4", "nmap 7.8", "windowsnt 5.1"] {
            assert_eq!(platform(item), None, "{item}");
        }
    }
}
