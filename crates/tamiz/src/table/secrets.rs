//! What is secret: sensitive names, authentication schemes, and the formats of well-known credentials.

use Alphabet::{Alnum, Base64, Base64Url, Hex, Path, Pem, Rest, Token, UpperNum};

/// A name that contains one of these is sensitive. Names are compared in lower case, with `_` and `.` written as `-`.
///
/// These are the words of the original's pattern and the contract's additions, without the words that contain another
/// one (`session` has `sess`, `access-token` has `token`).
pub const SENSITIVE_PARTS: &[&str] = &[
    "access-key",
    "api-key",
    "apikey",
    "auth",
    "bearer",
    "cookie",
    "credential",
    "csrf",
    "hmac",
    "jwt",
    "pass",
    "private-key",
    "pwd",
    "secret",
    "sess",
    "sig",
    "sso",
    "subscription-key",
    "token",
    "xsrf",
];

/// A name that is one of these as a whole, a leading `x-` aside, is sensitive. Compared as [`SENSITIVE_PARTS`] are.
pub const SENSITIVE_NAMES: &[&str] = &[
    "assertion",
    "code",
    "cvc",
    "cvv",
    "key",
    "nonce",
    "otp",
    "pin",
    "samlrequest",
    "samlresponse",
    "sid",
    "ssn",
    "ticket",
];

/// Authentication schemes, in lower case: what follows one of them in a literal text is secret.
///
/// The IANA HTTP Authentication Scheme Registry of 2025-02-18, and the schemes that services made up. Left out are
/// made-up ones that are everyday words in a user agent (`aws`, `bot`, `key`, `mac`).
pub const AUTH_SCHEMES: &[&str] = &[
    "api-key",
    "apikey",
    "apitoken",
    "aws4-ecdsa-p256-sha256",
    "aws4-hmac-sha256",
    "basic",
    "bearer",
    "concealed",
    "deepl-auth-key",
    "digest",
    "dpop",
    "geniekey",
    "gnap",
    "goog4-hmac-sha256",
    "goog4-rsa-sha256",
    "googlelogin",
    "hawk",
    "hmac",
    "hmac-sha256",
    "hoba",
    "jwt",
    "kerberos",
    "mutual",
    "negotiate",
    "ntlm",
    "oauth",
    "passport1.4",
    "privatetoken",
    "pveapitoken",
    "scram-sha-1",
    "scram-sha-256",
    "sharedaccesssignature",
    "sharedkey",
    "sharedkeylite",
    "signature",
    "splunk",
    "sso-key",
    "ssws",
    "token",
    "vapid",
    "webpush",
    "wsse",
    "zoho-oauthtoken",
];

macro_rules! alphabets {
    ($($variant:ident $characters:literal)*) => {
        /// The characters that follow a credential's prefix.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Alphabet {
            $(#[doc = $characters] $variant,)*
        }

        impl Alphabet {
            /// Which characters these are.
            #[must_use]
            pub const fn characters(self) -> &'static str {
                match self {
                    $(Alphabet::$variant => $characters,)*
                }
            }
        }
    };
}

alphabets! {
    UpperNum "`A-Z`, `0-9`"
    Hex "`0-9`, `a-f`"
    Alnum "letters, digits"
    Base64Url "letters, digits, `-`, `_`"
    Token "letters, digits, `-`, `_`, `.`"
    Base64 "letters, digits, `+`, `/`, `=`, `-`, `_`"
    Path "letters, digits, `-`, `_`, `/`"
    Pem "anything to the end, if `PRIVATE` is within 40 bytes"
    Rest "anything to the end"
}

/// The format of a credential: the prefix, then at least `min` characters of the alphabet. Case counts.
#[derive(Clone, Copy, Debug)]
pub struct Credential {
    /// Who issues it and what it is.
    pub name: &'static str,
    /// How it begins.
    pub prefix: &'static str,
    /// What follows the prefix.
    pub alphabet: Alphabet,
    /// How many characters follow at least. Below what is issued where the prefix alone is telling enough.
    pub min: usize,
}

impl Credential {
    /// Whether the credential has to begin a word: where the prefix has three bytes or fewer, or four and only capitals
    /// and digits follow (hexadecimal session ids have `ACCA` in them). The others are not found by chance.
    #[must_use]
    pub const fn begins_word(&self) -> bool {
        self.prefix.len() <= 3 || self.prefix.len() == 4 && matches!(self.alphabet, UpperNum)
    }
}

const fn credential(name: &'static str, prefix: &'static str, alphabet: Alphabet, min: usize) -> Credential {
    Credential { name, prefix, alphabet, min }
}

/// The credential formats, sorted by prefix.
pub const CREDENTIALS: &[Credential] = &[
    credential("SSH2 private key", "---- BEGIN", Pem, 8),
    credential("PEM private key", "-----BEGIN", Pem, 8),
    credential("Google refresh token", "1//0", Base64Url, 40),
    credential("AWS access key id", "A3T", UpperNum, 17),
    credential("AWS access key id", "ABIA", UpperNum, 16),
    credential("AWS access key id", "ACCA", UpperNum, 16),
    credential("age secret key", "AGE-SECRET-KEY-1", UpperNum, 50),
    credential("Google API key", "AIza", Base64Url, 30),
    credential("JFrog key", "AKCp", Alnum, 60),
    credential("AWS access key id", "AKIA", UpperNum, 16),
    credential("Tencent secret id", "AKID", Alnum, 32),
    credential("AWS access key id", "ASIA", UpperNum, 16),
    credential("Atlassian token", "ATATT3", Base64, 60),
    credential("Bitbucket app password", "ATBB", Alnum, 28),
    credential("Atlassian token", "ATCTT3", Base64, 60),
    credential("Facebook access token", "EAA", Alnum, 60),
    credential("Google client secret", "GOCSPX-", Base64Url, 20),
    credential("GitLab runner registration token", "GR1348941", Base64Url, 16),
    credential("Heroku token", "HRKU-", Base64Url, 36),
    credential("Alibaba access key id", "LTAI", Alnum, 16),
    credential("New Relic key", "NRAK-", Alnum, 20),
    credential("Postman key", "PMAK-", Base64Url, 40),
    credential("PuTTY private key", "PuTTY-User-Key-File-", Rest, 1),
    credential("SendGrid key", "SG.", Token, 40),
    credential("Twilio key", "SK", Hex, 32),
    credential("Hugging Face organisation token", "api_org_", Alnum, 30),
    credential("Terraform token", "atlasv1.", Base64Url, 50),
    credential("Kubernetes bearer token", "base64url.bearer.authorization.k8s.io.", Base64Url, 8),
    credential("Buildkite token", "bkua_", Hex, 40),
    credential("crates.io token", "cio", Alnum, 32),
    credential("Databricks token", "dapi", Hex, 32),
    credential("Docker token", "dckr_oat_", Base64Url, 20),
    credential("Docker token", "dckr_pat_", Base64Url, 20),
    credential("Discord webhook", "discord.com/api/webhooks/", Path, 40),
    credential("DigitalOcean token", "doo_v1_", Hex, 40),
    credential("DigitalOcean token", "dop_v1_", Hex, 40),
    credential("DigitalOcean token", "dor_v1_", Hex, 40),
    credential("Doppler token", "dp.ct.", Token, 30),
    credential("Doppler token", "dp.pt.", Token, 30),
    credential("Doppler token", "dp.sa.", Token, 30),
    credential("Doppler token", "dp.st.", Token, 30),
    credential("Dynatrace token", "dt0c01.", Token, 60),
    credential("Figma token", "figd_", Base64Url, 36),
    credential("GitHub OAuth token", "gho_", Alnum, 30),
    credential("GitHub personal access token", "ghp_", Alnum, 30),
    credential("GitHub refresh token", "ghr_", Alnum, 30),
    credential("GitHub installation token", "ghs_", Token, 30),
    credential("GitHub user token", "ghu_", Alnum, 30),
    credential("GitHub fine-grained token", "github_pat_", Base64Url, 20),
    credential("GitLab agent token", "glagent-", Token, 16),
    credential("Grafana Cloud token", "glc_", Base64, 32),
    credential("GitLab job token", "glcbt-", Token, 16),
    credential("GitLab deploy token", "gldt-", Token, 16),
    credential("GitLab feature flag token", "glffct-", Token, 16),
    credential("GitLab feed token", "glft-", Token, 16),
    credential("GitLab mail token", "glimt-", Token, 16),
    credential("GitLab OAuth secret", "gloas-", Token, 16),
    credential("GitLab access token", "glpat-", Token, 16),
    credential("GitLab trigger token", "glptt-", Token, 16),
    credential("GitLab runner token", "glrt-", Token, 16),
    credential("GitLab runner registration token", "glrtr-", Token, 16),
    credential("Grafana service token", "glsa_", Base64Url, 32),
    credential("GitLab SCIM token", "glsoat-", Token, 16),
    credential("GitLab workspace token", "glwt-", Token, 16),
    credential("Groq key", "gsk_", Alnum, 40),
    credential("Hugging Face token", "hf_", Alnum, 30),
    credential("Slack webhook", "hooks.slack.com/", Path, 20),
    credential("Vault token", "hvb.", Base64Url, 24),
    credential("Vault token", "hvr.", Base64Url, 24),
    credential("Vault token", "hvs.", Base64Url, 24),
    credential("Mailgun key", "key-", Hex, 32),
    credential("Linear key", "lin_api_", Alnum, 30),
    credential("npm token", "npm_", Alnum, 30),
    credential("Notion token", "ntn_", Alnum, 40),
    credential("1Password service token", "ops_eyJ", Base64, 60),
    credential("Perplexity key", "pplx-", Alnum, 40),
    credential("PlanetScale token", "pscale_oauth_", Token, 30),
    credential("PlanetScale token", "pscale_pw_", Token, 30),
    credential("PlanetScale token", "pscale_tkn_", Token, 30),
    credential("Pulumi token", "pul-", Hex, 40),
    credential("PyPI token", "pypi-AgE", Base64Url, 40),
    credential("Replicate token", "r8_", Alnum, 30),
    credential("Stripe restricted key", "rk_live_", Alnum, 10),
    credential("Stripe restricted key", "rk_prod_", Alnum, 10),
    credential("Stripe restricted key", "rk_test_", Alnum, 10),
    credential("RubyGems key", "rubygems_", Hex, 40),
    credential("Supabase token", "sbp_", Hex, 40),
    credential("Notion token", "secret_", Alnum, 40),
    credential("Sourcegraph token", "sgp_", Base64Url, 36),
    credential("Shopify token", "shpat_", Alnum, 30),
    credential("Shopify token", "shpca_", Alnum, 30),
    credential("Shopify token", "shppa_", Alnum, 30),
    credential("Shopify token", "shpss_", Alnum, 30),
    credential("OpenAI key", "sk-", Alnum, 40),
    credential("OpenAI key", "sk-admin-", Base64Url, 20),
    credential("Anthropic key", "sk-ant-", Base64Url, 20),
    credential("OpenRouter key", "sk-or-v1-", Hex, 40),
    credential("OpenAI key", "sk-proj-", Base64Url, 20),
    credential("OpenAI key", "sk-svcacct-", Base64Url, 20),
    credential("Mapbox secret token", "sk.eyJ", Token, 40),
    credential("Stripe secret key", "sk_live_", Alnum, 10),
    credential("Stripe secret key", "sk_prod_", Alnum, 10),
    credential("Stripe secret key", "sk_test_", Alnum, 10),
    credential("Sentry token", "sntrys_", Base64, 40),
    credential("Sentry token", "sntryu_", Hex, 40),
    credential("Square token", "sq0atp-", Base64Url, 20),
    credential("Square secret", "sq0csp-", Base64Url, 30),
    credential("Tailscale key", "tskey-", Base64Url, 20),
    credential("Stripe webhook secret", "whsec_", Base64, 20),
    credential("xAI key", "xai-", Alnum, 60),
    credential("Slack app token", "xapp-", Token, 10),
    credential("Brevo key", "xkeysib-", Base64Url, 40),
    credential("Slack workspace token", "xoxa-", Token, 10),
    credential("Slack bot token", "xoxb-", Token, 10),
    credential("Slack client token", "xoxc-", Token, 10),
    credential("Slack client cookie", "xoxd-", Token, 10),
    credential("Slack refresh token", "xoxe-", Token, 10),
    credential("Slack rotating token", "xoxe.", Token, 10),
    credential("Slack legacy token", "xoxo-", Token, 10),
    credential("Slack user token", "xoxp-", Token, 10),
    credential("Slack refresh token", "xoxr-", Token, 10),
    credential("Slack legacy token", "xoxs-", Token, 10),
    credential("Brevo SMTP key", "xsmtpsib-", Base64Url, 40),
    credential("Slack workflow token", "xwfp-", Token, 10),
    credential("Google access token", "ya29.", Token, 20),
];

/// Length of the shortest credential.
const SHORTEST: usize = {
    let mut shortest = usize::MAX;
    let mut i = 0;
    while i < CREDENTIALS.len() {
        let len = CREDENTIALS[i].prefix.len() + CREDENTIALS[i].min;
        if len < shortest {
            shortest = len;
        }
        i += 1;
    }
    shortest
};

/// For each first byte of a prefix, the rows that begin with it, as a range.
const ROWS: [(u8, u8); 256] = {
    let mut rows = [(0, 0); 256];
    let mut i = 0;
    while i < CREDENTIALS.len() {
        let first = CREDENTIALS[i].prefix.as_bytes()[0] as usize;
        if rows[first].1 == 0 {
            rows[first].0 = i as u8;
        }
        rows[first].1 = i as u8 + 1;
        i += 1;
    }
    rows
};

/// For each first byte of a prefix, the second bytes, as bits modulo 64: most of a text is passed over with one look.
const SECOND: [u64; 256] = {
    let mut second = [0; 256];
    let mut i = 0;
    while i < CREDENTIALS.len() {
        let prefix = CREDENTIALS[i].prefix.as_bytes();
        second[prefix[0] as usize] |= 1 << (prefix[1] & 63);
        i += 1;
    }
    second
};

/// For each byte, the alphabets it belongs to, as bits in the order of [`Alphabet`].
const MEMBER: [u16; 256] = {
    let mut member = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let b = byte as u8;
        let alnum = b.is_ascii_alphanumeric();
        let url = alnum || b == b'-' || b == b'_';
        let sets = [
            b.is_ascii_uppercase() || b.is_ascii_digit(),
            b.is_ascii_digit() || matches!(b, b'a'..=b'f'),
            alnum,
            url,
            url || b == b'.',
            url || matches!(b, b'+' | b'/' | b'='),
            url || b == b'/',
            true,
            true,
        ];
        let mut i = 0;
        while i < sets.len() {
            if sets[i] {
                member[byte] |= 1 << i;
            }
            i += 1;
        }
        byte += 1;
    }
    member
};

impl Credential {
    /// The length of such a credential at the start of `text`.
    fn length_at(&self, text: &[u8]) -> Option<usize> {
        let rest = text.strip_prefix(self.prefix.as_bytes())?;
        // The minimum first: a near miss costs no more than that, however long the run behind it.
        let belongs = |b: &u8| MEMBER[usize::from(*b)] >> (self.alphabet as u16) & 1 == 1;
        if !rest.get(..self.min)?.iter().all(belongs) {
            return None;
        }
        if self.alphabet == Pem && !rest.get(..40).unwrap_or(rest).windows(7).any(|w| w == b"PRIVATE") {
            return None;
        }
        if matches!(self.alphabet, Pem | Rest) {
            return Some(text.len());
        }
        Some(self.prefix.len() + rest.iter().take_while(|b| belongs(b)).count())
    }
}

/// Whether a prefix may begin with these two bytes.
fn may_begin(pair: &[u8]) -> bool {
    matches!(pair, &[first, second] if SECOND[usize::from(first)] >> (second & 63) & 1 == 1)
}

/// The length of a credential at `at`; what stands before it counts where a prefix has to begin a word.
fn length_at(text: &[u8], at: usize) -> Option<usize> {
    let (before, here) = text.split_at_checked(at)?;
    let &[first, second, ..] = here else { return None };
    let (from, to) = ROWS[usize::from(first)];
    let rows = CREDENTIALS.get(usize::from(from)..usize::from(to))?;
    rows.iter()
        .filter(|row| row.prefix.as_bytes().get(1) == Some(&second))
        // Before the length: a run that is counted and then refused, again and again, would not be linear.
        .filter(|row| !row.begins_word() || word_begins(before))
        .filter_map(|row| row.length_at(here))
        .max()
}

/// Whether a word can begin behind this text: at the start, behind anything but a letter or digit, behind a `%HH` that
/// nobody decoded, and behind an escape as in `\n`.
fn word_begins(before: &[u8]) -> bool {
    match before {
        [.., b'%', high, low] if high.is_ascii_hexdigit() && low.is_ascii_hexdigit() => true,
        [.., b'\\', _] => true,
        [.., last] => !last.is_ascii_alphanumeric(),
        [] => true,
    }
}

/// The first credential in `text` at or behind `from`, as (start, end). Looking on from `end` is linear overall.
pub(crate) fn find_credential(text: &[u8], from: usize) -> Option<(usize, usize)> {
    let rest = text.get(from..).filter(|rest| rest.len() >= SHORTEST)?;
    rest.windows(2).zip(from..).find_map(|(pair, at)| {
        let length = if may_begin(pair) { length_at(text, at) } else { None };
        length.map(|length| (at, at + length))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The length of the credential that `text` begins with.
    fn credential_at(text: &[u8]) -> Option<usize> {
        find_credential(text, 0).filter(|&(start, _)| start == 0).map(|(_, end)| end)
    }

    fn sorted(list: &[&str]) -> bool {
        list.windows(2).all(|pair| pair[0] < pair[1])
    }

    #[test]
    fn name_tables_are_sorted_and_legal() {
        for list in [SENSITIVE_PARTS, SENSITIVE_NAMES, AUTH_SCHEMES] {
            assert!(sorted(list));
            let legal = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-' || b == b'.';
            assert!(list.iter().all(|word| !word.is_empty() && word.bytes().all(legal)));
        }
        let folded = SENSITIVE_PARTS.iter().chain(SENSITIVE_NAMES);
        assert!(folded.clone().all(|word| !word.contains('.') && !word.starts_with("x-")));
        for part in SENSITIVE_PARTS {
            assert!(
                !folded.clone().any(|other| other != part && other.contains(part)),
                "{part} makes another one idle"
            );
        }
    }

    #[test]
    fn every_word_of_the_originals_is_covered() {
        let original = "pass pwd token auth authorization cookie session bearer jwt csrf xsrf apikey api-key \
                        access-token accesstoken id-token refresh-token refreshtoken sig hmac sso";
        let contract = "sess secret credential api-key access-key private-key subscription-key";
        for word in original.split_whitespace().chain(contract.split_whitespace()) {
            assert!(SENSITIVE_PARTS.iter().any(|part| word.contains(part)), "{word}");
        }
    }

    #[test]
    fn credential_table_is_sorted_and_legal() {
        assert!(CREDENTIALS.windows(2).all(|pair| pair[0].prefix < pair[1].prefix));
        assert!(CREDENTIALS.len() < 256);
        for row in CREDENTIALS {
            assert!(!row.name.is_empty() && row.prefix.len() >= 2 && row.min >= 1, "{row:?}");
            assert!(row.prefix.bytes().all(|b| b == b' ' || b.is_ascii_graphic()), "{row:?}");
            // A short prefix is only as telling as what has to follow.
            assert!(row.prefix.len() >= 5 || row.min >= 16, "{row:?}");
        }
        let needs_word: Vec<&str> = CREDENTIALS.iter().filter(|row| row.begins_word()).map(|row| row.prefix).collect();
        assert_eq!(needs_word, ["A3T", "ABIA", "ACCA", "AKIA", "ASIA", "EAA", "SG.", "SK", "cio", "hf_", "r8_", "sk-"]);
    }

    /// A made-up credential of that row, put together here so that no scanner takes this file for a leak.
    fn made_up(row: &Credential) -> String {
        let filler = match row.alphabet {
            UpperNum => "Q7".repeat(row.min),
            Pem => format!(" RSA {} KEY-----x/y z", "PRIVATE"),
            Rest => "2: ssh-rsa".to_owned(),
            _ => "a1".repeat(row.min),
        };
        format!("{}{filler}", row.prefix)
    }

    #[test]
    fn every_row_is_found() {
        for row in CREDENTIALS {
            let text = made_up(row);
            assert_eq!(credential_at(text.as_bytes()), Some(text.len()), "{row:?}");
            for before in ["", "key=", "see: ", "_", "%3D", "\\n", "\u{e9}"] {
                let whole = format!("{before}{text}");
                let found = Some((before.len(), whole.len()));
                assert_eq!(find_credential(whole.as_bytes(), 0), found, "{before} {row:?}");
            }
            if !matches!(row.alphabet, Pem | Rest) {
                let whole = format!("go {text}\" no");
                let end = 3 + text.len();
                assert_eq!(find_credential(whole.as_bytes(), 0), Some((3, end)), "{row:?}");
                assert_eq!(find_credential(whole.as_bytes(), end), None, "{row:?}");
                let short = &text[..row.prefix.len() + row.min - 1];
                // A more general row may still know it (`sk-` and `sk-proj-`).
                let general = CREDENTIALS.iter().any(|r| r.prefix != row.prefix && row.prefix.starts_with(r.prefix));
                assert!(general || credential_at(short.as_bytes()).is_none(), "{row:?}");
            }
        }
    }

    #[test]
    fn short_prefixes_have_to_begin_a_word() {
        let twilio = format!("S{}{}", "K", "0f".repeat(16));
        assert_eq!(find_credential(format!("TA{twilio}").as_bytes(), 0), None);
        assert_eq!(find_credential(b"JSESSIONID=9136F199ACCAD29608545665B96C30FB", 0), None);
        let github = format!("gh{}_{}", "p", "a1".repeat(18));
        assert_eq!(find_credential(format!("x{github}").as_bytes(), 0), Some((1, 41)));
    }

    #[test]
    fn private_keys_in_every_dress() {
        for between in [" ", "+", "%20", " RSA ", "%20ENCRYPTED%20", " PGP ", " OPENSSH ", ""] {
            let text = format!("k=-----BEGIN{between}{} KEY-----MIIB/q+w==", "PRIVATE");
            assert_eq!(find_credential(text.as_bytes(), 0), Some((2, text.len())), "{between}");
        }
        assert_eq!(find_credential(b"-----BEGIN CERTIFICATE-----MIIBcertificate", 0), None);
        assert_eq!(find_credential(b"-----BEGIN PUBLIC KEY-----MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A PRIVATE", 0), None);
    }

    #[test]
    fn ordinary_text_has_none() {
        for text in [
            "",
            "AKIA",
            "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36",
            "----WebKitFormBoundary7MA4YWxkTrZu0gWabcdefghijklmnop",
            "/shop/skateboards/sk-2000/npm_config_user_agent?xoxo=hugs",
            "ghp_short ghost_in_the_shell github.com/rust-lang/rust glory",
            "3f9a0b1c2d3e4f5061728394a5b6c7d8",
            "risk-assessmentforthenextfiscalyearandthefollowingone",
        ] {
            assert_eq!(find_credential(text.as_bytes(), 0), None, "{text}");
            assert_eq!(credential_at(text.as_bytes()), None, "{text}");
        }
        assert_eq!(find_credential(b"AKIA", usize::MAX), None);
    }

    #[test]
    fn near_misses_stay_linear() {
        for piece in ["AKIA", "-----BEGIN", "-", "sk-", "SG.", "AIza", "1//0"] {
            let text = format!("{}\u{e9}", format!("{piece}\u{e9}").repeat(200_000));
            assert_eq!(find_credential(text.as_bytes(), 0), None);
        }
        let inside_a_word = format!("x{}", "A3T".repeat(500_000));
        assert_eq!(find_credential(inside_a_word.as_bytes(), 0), None);
    }
}
