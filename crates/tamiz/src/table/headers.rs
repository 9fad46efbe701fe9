//! The header table: one row a header, with how its value is written, and which characters in it are only syntax.

use ValueRule::{
    Accept, AcceptCharset, AcceptEncoding, AcceptLanguage, Authorization, ClientIp, ContentLength, Cookie, Forwarded,
    ForwardedFor, Host, Literal, SetCookie, Url, UserAgent,
};

macro_rules! described {
    ($(#[$doc:meta])* $name:ident { $($variant:ident $written:literal $meaning:literal)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $name {
            $(#[doc = $meaning] $variant,)*
        }

        impl $name {
            /// All of them, in the order of declaration.
            pub const ALL: &[$name] = &[$($name::$variant,)*];

            /// The name, as the generated pages write it.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $($name::$variant => $written,)*
                }
            }

            /// What it means.
            #[must_use]
            pub const fn meaning(self) -> &'static str {
                match self {
                    $($name::$variant => $meaning,)*
                }
            }
        }
    };
}

described! {
    /// How a header's value is written.
    ValueRule {
        Literal "literal" "As it came, after literal-text redaction."
        UserAgent "user-agent" "Products, platforms and unusual comment words."
        Accept "accept" "Media ranges by type, then by q, wildcards last."
        AcceptLanguage "accept-language" "Languages in BCP 47 case, by q."
        AcceptCharset "accept-charset" "Character sets by q."
        AcceptEncoding "accept-encoding" "A sorted set of codings."
        Cookie "cookie" "Names and lengths, by name."
        SetCookie "set-cookie" "Name, length and attributes."
        Authorization "authorization" "The kind and length of the credentials."
        ForwardedFor "forwarded-for" "The kind of each address, with XFF."
        Forwarded "forwarded" "The kind of the address in each `for=`, with XFF."
        ClientIp "client-ip" "The kind of the address."
        Host "host" "Lower case, IDNA, the port as it came."
        Url "url" "User information, query and fragment values redacted."
        ContentLength "content-length" "The bucket of a plain number."
    }
}

described! {
    /// Which dangerous characters are a header's own syntax, where the whole value fits the grammar.
    Syntax {
        None "none" "None: every dangerous character is content."
        Params "params" "A list of words or quoted strings, each with `;name=value` parameters."
        Bare "bare" "As `params`, and a parameter may be a word without a value."
        Comments "comments" "Products, and comments in parentheses or brackets with `;` between their items."
        Brands "brands" "As `params`; a quoted string may have up to two of `(`, `)` and `;`."
        Dates "dates" "A date, and `; length=` with a number behind it."
        Links "links" "A list of URLs in `<>`, each with parameters."
        States "states" "WebDAV conditions: lists in parentheses of state tokens in `<>` and entity tags in `[]`."
        Json "json" "A flat JSON object of strings, numbers and literals."
    }
}

/// One row of the table.
#[derive(Clone, Copy, Debug)]
pub struct HeaderRow {
    /// The name, in lower case.
    pub name: &'static str,
    /// How the value is written.
    pub value: ValueRule,
    /// Whether several lines are joined with a comma.
    pub merge: bool,
    /// Whether it is about the connection and not the request.
    pub hop_by_hop: bool,
    /// Which characters are no content.
    pub syntax: Syntax,
}

const fn header(name: &'static str, value: ValueRule, syntax: Syntax) -> HeaderRow {
    HeaderRow { name, value, merge: false, hop_by_hop: false, syntax }
}

impl HeaderRow {
    const fn merged(mut self) -> HeaderRow {
        self.merge = true;
        self
    }

    const fn hop(mut self) -> HeaderRow {
        self.hop_by_hop = true;
        self
    }
}

/// The row of a header; `name` is in lower case. A name without a row is unregistered (UNKHDR).
#[must_use]
pub fn row(name: &str) -> Option<&'static HeaderRow> {
    position(name).map(|position| &HEADERS[position])
}

/// The place of a header in the table, by its name in lower case.
pub(crate) fn position(name: &str) -> Option<usize> {
    HEADERS.binary_search_by(|row| row.name.cmp(name)).ok()
}

/// The rows, sorted by name: what a request can carry of the IANA HTTP Field Name Registry, and what clients, proxies,
/// content networks and frameworks send besides.
pub const HEADERS: &[HeaderRow] = &[
    header("a-im", Literal, Syntax::Params),
    header("accept", Accept, Syntax::Params).merged(),
    header("accept-additions", Literal, Syntax::None),
    header("accept-charset", AcceptCharset, Syntax::Params).merged(),
    header("accept-datetime", Literal, Syntax::None),
    header("accept-encoding", AcceptEncoding, Syntax::Params).merged(),
    header("accept-features", Literal, Syntax::Params),
    header("accept-language", AcceptLanguage, Syntax::Params).merged(),
    header("accept-patch", Literal, Syntax::Params),
    header("accept-post", Literal, Syntax::Params),
    header("accept-signature", Literal, Syntax::Params),
    header("access-control", Literal, Syntax::None),
    header("access-control-request-headers", Literal, Syntax::None),
    header("access-control-request-local-network", Literal, Syntax::None),
    header("access-control-request-method", Literal, Syntax::None),
    header("access-control-request-private-network", Literal, Syntax::None),
    header("activate-storage-access", Literal, Syntax::None),
    header("akamai-origin-hop", Literal, Syntax::None),
    header("akamai-reputation", Literal, Syntax::None),
    header("alpn", Literal, Syntax::None),
    header("alt-used", Literal, Syntax::Params),
    header("amp-cache-transform", Literal, Syntax::None),
    header("amz-sdk-invocation-id", Literal, Syntax::None),
    header("amz-sdk-request", Literal, Syntax::Params),
    header("amz-sdk-retry", Literal, Syntax::None),
    header("anthropic-beta", Literal, Syntax::None),
    header("anthropic-version", Literal, Syntax::None),
    header("api-key", Literal, Syntax::None),
    header("api-version", Literal, Syntax::None),
    header("apikey", Literal, Syntax::None),
    header("apollo-require-preflight", Literal, Syntax::None),
    header("apollographql-client-name", Literal, Syntax::None),
    header("apollographql-client-version", Literal, Syntax::None),
    header("apply-to-redirect-ref", Literal, Syntax::None),
    header("attribution-reporting-eligible", Literal, Syntax::None),
    header("attribution-reporting-support", Literal, Syntax::None),
    header("authorization", Authorization, Syntax::None),
    header("available-dictionary", Literal, Syntax::Params),
    header("b3", Literal, Syntax::None),
    header("baggage", Literal, Syntax::Bare),
    header("brief", Literal, Syntax::None),
    header("c-ext", Literal, Syntax::None),
    header("c-man", Literal, Syntax::Params),
    header("c-opt", Literal, Syntax::Params),
    header("c-pep", Literal, Syntax::None),
    header("cache-control", Literal, Syntax::Params).merged(),
    header("cal-managed-id", Literal, Syntax::None),
    header("caldav-timezones", Literal, Syntax::None),
    header("callback", Literal, Syntax::Links),
    header("capsule-protocol", Literal, Syntax::None),
    header("cdn-loop", Literal, Syntax::Params),
    header("cdn-requestid", Literal, Syntax::None),
    header("cf-access-authenticated-user-email", Literal, Syntax::None),
    header("cf-access-client-id", Literal, Syntax::None),
    header("cf-access-client-secret", Literal, Syntax::None),
    header("cf-access-jwt-assertion", Literal, Syntax::None),
    header("cf-connecting-ip", ClientIp, Syntax::None),
    header("cf-connecting-ipv6", Literal, Syntax::None),
    header("cf-device-type", Literal, Syntax::None),
    header("cf-ew-via", Literal, Syntax::None),
    header("cf-ipcity", Literal, Syntax::None),
    header("cf-ipcontinent", Literal, Syntax::None),
    header("cf-ipcountry", Literal, Syntax::None),
    header("cf-iplatitude", Literal, Syntax::None),
    header("cf-iplongitude", Literal, Syntax::None),
    header("cf-metro-code", Literal, Syntax::None),
    header("cf-postal-code", Literal, Syntax::None),
    header("cf-pseudo-ipv4", Literal, Syntax::None),
    header("cf-ray", Literal, Syntax::None),
    header("cf-region", Literal, Syntax::None),
    header("cf-region-code", Literal, Syntax::None),
    header("cf-request-id", Literal, Syntax::None),
    header("cf-timezone", Literal, Syntax::None),
    header("cf-visitor", Literal, Syntax::Json),
    header("cf-worker", Literal, Syntax::None),
    header("client-cert", Literal, Syntax::None),
    header("client-cert-chain", Literal, Syntax::None),
    header("client-ip", Literal, Syntax::None),
    header("client-request-id", Literal, Syntax::None),
    header("close", Literal, Syntax::None),
    header("cloudfront-forwarded-proto", Literal, Syntax::None),
    header("cloudfront-is-android-viewer", Literal, Syntax::None),
    header("cloudfront-is-desktop-viewer", Literal, Syntax::None),
    header("cloudfront-is-ios-viewer", Literal, Syntax::None),
    header("cloudfront-is-mobile-viewer", Literal, Syntax::None),
    header("cloudfront-is-smarttv-viewer", Literal, Syntax::None),
    header("cloudfront-is-tablet-viewer", Literal, Syntax::None),
    header("cloudfront-viewer-address", Literal, Syntax::None),
    header("cloudfront-viewer-asn", Literal, Syntax::None),
    header("cloudfront-viewer-city", Literal, Syntax::None),
    header("cloudfront-viewer-country", Literal, Syntax::None),
    header("cloudfront-viewer-country-name", Literal, Syntax::None),
    header("cloudfront-viewer-country-region", Literal, Syntax::None),
    header("cloudfront-viewer-http-version", Literal, Syntax::None),
    header("cloudfront-viewer-latitude", Literal, Syntax::None),
    header("cloudfront-viewer-longitude", Literal, Syntax::None),
    header("cloudfront-viewer-time-zone", Literal, Syntax::None),
    header("cloudfront-viewer-tls", Literal, Syntax::None),
    header("cmcd-object", Literal, Syntax::Params),
    header("cmcd-request", Literal, Syntax::Params),
    header("cmcd-session", Literal, Syntax::Params),
    header("cmcd-status", Literal, Syntax::Params),
    header("concealed-auth-export", Literal, Syntax::None),
    header("configuration-context", Url, Syntax::None),
    header("connect-protocol-version", Literal, Syntax::None),
    header("connect-timeout-ms", Literal, Syntax::None),
    header("connect-udp-bind", Literal, Syntax::None),
    header("connection", Literal, Syntax::None).merged().hop(),
    header("consistencylevel", Literal, Syntax::None),
    header("content-base", Url, Syntax::None),
    header("content-digest", Literal, Syntax::Params),
    header("content-disposition", Literal, Syntax::Params),
    header("content-dpr", Literal, Syntax::None),
    header("content-encoding", Literal, Syntax::Params).merged(),
    header("content-id", Literal, Syntax::None),
    header("content-language", Literal, Syntax::Params),
    header("content-length", ContentLength, Syntax::None),
    header("content-location", Url, Syntax::None),
    header("content-md5", Literal, Syntax::None),
    header("content-range", Literal, Syntax::Params),
    header("content-script-type", Literal, Syntax::None),
    header("content-style-type", Literal, Syntax::None),
    header("content-transfer-encoding", Literal, Syntax::None),
    header("content-type", Literal, Syntax::Params),
    header("content-version", Literal, Syntax::None),
    header("cookie", Cookie, Syntax::Bare),
    header("cookie2", Literal, Syntax::None),
    header("couchdb-replication-id", Literal, Syntax::None),
    header("cpfn.upnp.org", Literal, Syntax::None),
    header("cpuuid.upnp.org", Literal, Syntax::None),
    header("csrf-token", Literal, Syntax::None),
    header("cta-common-access-token", Literal, Syntax::None),
    header("dataserviceversion", Literal, Syntax::None),
    header("date", Literal, Syntax::None),
    header("dav", Literal, Syntax::None),
    header("default-style", Literal, Syntax::None),
    header("delta-base", Literal, Syntax::None),
    header("deploy-token", Literal, Syntax::None),
    header("depth", Literal, Syntax::None),
    header("derived-from", Literal, Syntax::None),
    header("destination", Url, Syntax::None),
    header("detached-jws", Literal, Syntax::None),
    header("device-memory", Literal, Syntax::None),
    header("dictionary-id", Literal, Syntax::Params),
    header("differential-id", Literal, Syntax::None),
    header("digest", Literal, Syntax::Params),
    header("dnt", Literal, Syntax::None),
    header("docker-content-digest", Literal, Syntax::None),
    header("docker-distribution-api-version", Literal, Syntax::None),
    header("downlink", Literal, Syntax::None),
    header("dpop", Literal, Syntax::None),
    header("dpr", Literal, Syntax::None),
    header("dropbox-api-arg", Literal, Syntax::Json),
    header("early-data", Literal, Syntax::None),
    header("ect", Literal, Syntax::None),
    header("ediint-features", Literal, Syntax::None),
    header("elastic-apm-traceparent", Literal, Syntax::None),
    header("etag", Literal, Syntax::Params),
    header("expect", Literal, Syntax::Params),
    header("expires", Literal, Syntax::None),
    header("ext", Literal, Syntax::None),
    header("fastly-client", Literal, Syntax::None),
    header("fastly-client-ip", Literal, Syntax::None),
    header("fastly-ff", Literal, Syntax::None),
    header("fastly-orig-host", Literal, Syntax::None),
    header("fastly-ssl", Literal, Syntax::None),
    header("fastly-temp-xff", Literal, Syntax::None),
    header("fly-client-ip", Literal, Syntax::None),
    header("fly-forwarded-port", Literal, Syntax::None),
    header("fly-forwarded-proto", Literal, Syntax::None),
    header("fly-region", Literal, Syntax::None),
    header("fly-request-id", Literal, Syntax::None),
    header("forwarded", Forwarded, Syntax::Params).merged(),
    header("from", Literal, Syntax::None),
    header("front-end-https", Literal, Syntax::None),
    header("getcontentfeatures.dlna.org", Literal, Syntax::None),
    header("getprofile", Literal, Syntax::None),
    header("git-protocol", Literal, Syntax::None),
    header("grpc-accept-encoding", Literal, Syntax::None),
    header("grpc-encoding", Literal, Syntax::None),
    header("grpc-message-type", Literal, Syntax::None),
    header("grpc-timeout", Literal, Syntax::None),
    header("grpc-trace-bin", Literal, Syntax::None),
    header("hobareg", Literal, Syntax::None),
    header("host", Host, Syntax::None),
    header("http2-settings", Literal, Syntax::None),
    header("hx-boosted", Literal, Syntax::None),
    header("hx-current-url", Url, Syntax::None),
    header("hx-history-restore-request", Literal, Syntax::None),
    header("hx-prompt", Literal, Syntax::None),
    header("hx-request", Literal, Syntax::None),
    header("hx-target", Literal, Syntax::None),
    header("hx-trigger", Literal, Syntax::None),
    header("hx-trigger-name", Literal, Syntax::None),
    header("icy-metadata", Literal, Syntax::None),
    header("idempotency-key", Literal, Syntax::None),
    header("if", Literal, Syntax::States),
    header("if-match", Literal, Syntax::Params).merged(),
    header("if-modified-since", Literal, Syntax::Dates),
    header("if-none-match", Literal, Syntax::Params).merged(),
    header("if-range", Literal, Syntax::Params),
    header("if-schedule-tag-match", Literal, Syntax::Params),
    header("if-unmodified-since", Literal, Syntax::Dates),
    header("incap-client-ip", Literal, Syntax::None),
    header("include-referred-token-binding-id", Literal, Syntax::None),
    header("incremental", Literal, Syntax::None),
    header("isolation", Literal, Syntax::None),
    header("jenkins-crumb", Literal, Syntax::None),
    header("job-token", Literal, Syntax::None),
    header("kbn-version", Literal, Syntax::None),
    header("kbn-xsrf", Literal, Syntax::None),
    header("keep-alive", Literal, Syntax::Params),
    header("label", Literal, Syntax::None),
    header("last-event-id", Literal, Syntax::None),
    header("last-modified", Literal, Syntax::None),
    header("link", Literal, Syntax::Links).merged(),
    header("lock-token", Literal, Syntax::Links),
    header("man", Literal, Syntax::Params),
    header("max-forwards", Literal, Syntax::None),
    header("maxdataserviceversion", Literal, Syntax::None),
    header("mcp-protocol-version", Literal, Syntax::None),
    header("mcp-session-id", Literal, Syntax::None),
    header("meter", Literal, Syntax::None),
    header("method-check", Literal, Syntax::None),
    header("mime-version", Literal, Syntax::Comments),
    header("ms-asprotocolversion", Literal, Syntax::None),
    header("mx", Literal, Syntax::None),
    header("negotiate", Literal, Syntax::Params),
    header("newrelic", Literal, Syntax::None),
    header("next-action", Literal, Syntax::None),
    header("next-router-prefetch", Literal, Syntax::None),
    header("next-router-segment-prefetch", Literal, Syntax::None),
    header("next-router-state-tree", Literal, Syntax::None),
    header("next-url", Url, Syntax::None),
    header("npm-auth-type", Literal, Syntax::None),
    header("npm-command", Literal, Syntax::None),
    header("npm-in-ci", Literal, Syntax::None),
    header("npm-otp", Literal, Syntax::None),
    header("npm-scope", Literal, Syntax::None),
    header("npm-session", Literal, Syntax::None),
    header("nt", Literal, Syntax::None),
    header("nts", Literal, Syntax::None),
    header("oc-checksum", Literal, Syntax::None),
    header("oc-chunked", Literal, Syntax::None),
    header("oc-total-length", Literal, Syntax::None),
    header("ocp-apim-subscription-key", Literal, Syntax::None),
    header("ocp-apim-trace", Literal, Syntax::None),
    header("ocs-apirequest", Literal, Syntax::None),
    header("odata-entityid", Url, Syntax::None),
    header("odata-isolation", Literal, Syntax::None),
    header("odata-maxversion", Literal, Syntax::None),
    header("odata-version", Literal, Syntax::None),
    header("openai-beta", Literal, Syntax::None),
    header("openai-organization", Literal, Syntax::None),
    header("openai-project", Literal, Syntax::None),
    header("opt", Literal, Syntax::Params),
    header("ordering-type", Literal, Syntax::None),
    header("origin", Url, Syntax::None),
    header("oscore", Literal, Syntax::None),
    header("oslc-core-version", Literal, Syntax::None),
    header("overwrite", Literal, Syntax::None),
    header("pacote-pkg-id", Literal, Syntax::None),
    header("pacote-req-type", Literal, Syntax::None),
    header("pacote-version", Literal, Syntax::None),
    header("pep", Literal, Syntax::None),
    header("pep-info", Literal, Syntax::None),
    header("ping-from", Url, Syntax::None),
    header("ping-to", Url, Syntax::None),
    header("position", Literal, Syntax::None),
    header("pragma", Literal, Syntax::Params).merged(),
    header("prefer", Literal, Syntax::Bare),
    header("priority", Literal, Syntax::Params),
    header("private-token", Literal, Syntax::None),
    header("profile", Literal, Syntax::Params),
    header("profileobject", Literal, Syntax::None),
    header("protocol", Literal, Syntax::None),
    header("protocol-info", Literal, Syntax::None),
    header("protocol-query", Literal, Syntax::None),
    header("protocol-request", Literal, Syntax::None),
    header("proxy-authorization", Authorization, Syntax::None),
    header("proxy-client-ip", Literal, Syntax::None),
    header("proxy-connection", Literal, Syntax::None),
    header("proxy-features", Literal, Syntax::None),
    header("proxy-instruction", Literal, Syntax::None),
    header("purpose", Literal, Syntax::None),
    header("range", Literal, Syntax::Params),
    header("redirect-ref", Url, Syntax::None),
    header("referer", Url, Syntax::None),
    header("referer-root", Url, Syntax::None),
    header("referrer", Url, Syntax::None),
    header("repeatability-client-id", Literal, Syntax::None),
    header("repeatability-first-sent", Literal, Syntax::None),
    header("repeatability-request-id", Literal, Syntax::None),
    header("repr-digest", Literal, Syntax::Params),
    header("request-id", Literal, Syntax::None),
    header("return-client-request-id", Literal, Syntax::None),
    header("rsc", Literal, Syntax::None),
    header("rtt", Literal, Syntax::None),
    header("rvbd-csh", Literal, Syntax::None),
    header("rvbd-ssh", Literal, Syntax::None),
    header("save-data", Literal, Syntax::None),
    header("schedule-reply", Literal, Syntax::None),
    header("searchport.upnp.org", Literal, Syntax::None),
    header("sec-browsing-topics", Literal, Syntax::None),
    header("sec-ch-device-memory", Literal, Syntax::None),
    header("sec-ch-downlink", Literal, Syntax::None),
    header("sec-ch-dpr", Literal, Syntax::None),
    header("sec-ch-ect", Literal, Syntax::None),
    header("sec-ch-lang", Literal, Syntax::None),
    header("sec-ch-prefers-color-scheme", Literal, Syntax::None),
    header("sec-ch-prefers-contrast", Literal, Syntax::None),
    header("sec-ch-prefers-reduced-data", Literal, Syntax::None),
    header("sec-ch-prefers-reduced-motion", Literal, Syntax::None),
    header("sec-ch-prefers-reduced-transparency", Literal, Syntax::None),
    header("sec-ch-rtt", Literal, Syntax::None),
    header("sec-ch-save-data", Literal, Syntax::None),
    header("sec-ch-ua", Literal, Syntax::Brands),
    header("sec-ch-ua-arch", Literal, Syntax::Brands),
    header("sec-ch-ua-bitness", Literal, Syntax::Brands),
    header("sec-ch-ua-form-factors", Literal, Syntax::Brands),
    header("sec-ch-ua-full-version", Literal, Syntax::Brands),
    header("sec-ch-ua-full-version-list", Literal, Syntax::Brands),
    header("sec-ch-ua-mobile", Literal, Syntax::Brands),
    header("sec-ch-ua-model", Literal, Syntax::Brands),
    header("sec-ch-ua-platform", Literal, Syntax::Brands),
    header("sec-ch-ua-platform-version", Literal, Syntax::Brands),
    header("sec-ch-ua-wow64", Literal, Syntax::Brands),
    header("sec-ch-viewport-height", Literal, Syntax::None),
    header("sec-ch-viewport-width", Literal, Syntax::None),
    header("sec-ch-width", Literal, Syntax::None),
    header("sec-cookie-deprecation", Literal, Syntax::None),
    header("sec-fetch-dest", Literal, Syntax::None),
    header("sec-fetch-mode", Literal, Syntax::None),
    header("sec-fetch-site", Literal, Syntax::None),
    header("sec-fetch-storage-access", Literal, Syntax::None),
    header("sec-fetch-user", Literal, Syntax::None),
    header("sec-gpc", Literal, Syntax::None),
    header("sec-purpose", Literal, Syntax::Bare),
    header("sec-secure-session-id", Literal, Syntax::None),
    header("sec-session-id", Literal, Syntax::None),
    header("sec-session-response", Literal, Syntax::None),
    header("sec-shared-storage-writable", Literal, Syntax::None),
    header("sec-speculation-tags", Literal, Syntax::None),
    header("sec-token-binding", Literal, Syntax::None),
    header("sec-websocket-extensions", Literal, Syntax::Bare),
    header("sec-websocket-key", Literal, Syntax::None),
    header("sec-websocket-protocol", Literal, Syntax::None),
    header("sec-websocket-version", Literal, Syntax::None),
    header("secure-session-response", Literal, Syntax::None),
    header("secure-session-skipped", Literal, Syntax::None),
    header("security-scheme", Literal, Syntax::None),
    header("sentry-trace", Literal, Syntax::None),
    header("service-worker", Literal, Syntax::None),
    header("service-worker-navigation-preload", Literal, Syntax::None),
    header("set-cookie", SetCookie, Syntax::Bare),
    header("setprofile", Literal, Syntax::None),
    header("sid", Literal, Syntax::None),
    header("signature", Literal, Syntax::Params),
    header("signature-agent", Literal, Syntax::Params),
    header("signature-input", Literal, Syntax::Params),
    header("slug", Literal, Syntax::None),
    header("soapaction", Literal, Syntax::Params),
    header("st", Literal, Syntax::None),
    header("stripe-account", Literal, Syntax::None),
    header("stripe-signature", Literal, Syntax::None),
    header("stripe-version", Literal, Syntax::None),
    header("surrogate-capability", Literal, Syntax::Params),
    header("svix-id", Literal, Syntax::None),
    header("svix-signature", Literal, Syntax::None),
    header("svix-timestamp", Literal, Syntax::None),
    header("tcpport.upnp.org", Literal, Syntax::None),
    header("te", Literal, Syntax::Params).merged().hop(),
    header("timeout", Literal, Syntax::None),
    header("topic", Literal, Syntax::None),
    header("traceparent", Literal, Syntax::None),
    header("tracestate", Literal, Syntax::Bare),
    header("trailer", Literal, Syntax::None).merged().hop(),
    header("transfer-encoding", Literal, Syntax::Params).merged(),
    header("transfermode.dlna.org", Literal, Syntax::None),
    header("translate", Literal, Syntax::None),
    header("true-client-ip", ClientIp, Syntax::None),
    header("ttl", Literal, Syntax::None),
    header("turbo-frame", Literal, Syntax::None),
    header("tus-resumable", Literal, Syntax::None),
    header("ua-color", Literal, Syntax::None),
    header("ua-cpu", Literal, Syntax::None),
    header("ua-os", Literal, Syntax::None),
    header("ua-pixels", Literal, Syntax::None),
    header("uber-trace-id", Literal, Syntax::None),
    header("unencoded-digest", Literal, Syntax::Params),
    header("upgrade", Literal, Syntax::None).merged().hop(),
    header("upgrade-insecure-requests", Literal, Syntax::None),
    header("upload-complete", Literal, Syntax::None),
    header("upload-concat", Literal, Syntax::None),
    header("upload-draft-interop-version", Literal, Syntax::None),
    header("upload-length", Literal, Syntax::None),
    header("upload-metadata", Literal, Syntax::None),
    header("upload-offset", Literal, Syntax::None),
    header("urgency", Literal, Syntax::None),
    header("uri", Url, Syntax::None),
    header("user-agent", UserAgent, Syntax::Comments),
    header("usn", Literal, Syntax::None),
    header("via", Literal, Syntax::Comments).merged(),
    header("viewport-width", Literal, Syntax::None),
    header("want-content-digest", Literal, Syntax::Params),
    header("want-digest", Literal, Syntax::Params),
    header("want-repr-digest", Literal, Syntax::Params),
    header("want-unencoded-digest", Literal, Syntax::Params),
    header("warning", Literal, Syntax::None),
    header("webhook-id", Literal, Syntax::None),
    header("webhook-signature", Literal, Syntax::None),
    header("webhook-timestamp", Literal, Syntax::None),
    header("width", Literal, Syntax::None),
    header("wl-proxy-client-ip", Literal, Syntax::None),
    header("www-authenticate", Literal, Syntax::None).merged(),
    header("x-access-token", Literal, Syntax::None),
    header("x-ajax", Literal, Syntax::None),
    header("x-akamai-config-log-detail", Literal, Syntax::None),
    header("x-akamai-device-characteristics", Literal, Syntax::None),
    header("x-akamai-edgescape", Literal, Syntax::None),
    header("x-amz-acl", Literal, Syntax::None),
    header("x-amz-cf-id", Literal, Syntax::None),
    header("x-amz-checksum-crc32", Literal, Syntax::None),
    header("x-amz-checksum-sha256", Literal, Syntax::None),
    header("x-amz-content-sha256", Literal, Syntax::None),
    header("x-amz-copy-source", Url, Syntax::None),
    header("x-amz-date", Literal, Syntax::None),
    header("x-amz-decoded-content-length", Literal, Syntax::None),
    header("x-amz-metadata-directive", Literal, Syntax::None),
    header("x-amz-request-payer", Literal, Syntax::None),
    header("x-amz-sdk-checksum-algorithm", Literal, Syntax::None),
    header("x-amz-security-token", Literal, Syntax::None),
    header("x-amz-server-side-encryption", Literal, Syntax::None),
    header("x-amz-sns-message-type", Literal, Syntax::None),
    header("x-amz-storage-class", Literal, Syntax::None),
    header("x-amz-target", Literal, Syntax::None),
    header("x-amz-user-agent", Literal, Syntax::Comments),
    header("x-amzn-mtls-clientcert", Literal, Syntax::None),
    header("x-amzn-requestid", Literal, Syntax::None),
    header("x-amzn-trace-id", Literal, Syntax::Params),
    header("x-android-cert", Literal, Syntax::None),
    header("x-android-package", Literal, Syntax::None),
    header("x-api-key", Literal, Syntax::None),
    header("x-api-version", Literal, Syntax::None),
    header("x-apollo-operation-id", Literal, Syntax::None),
    header("x-apollo-operation-name", Literal, Syntax::None),
    header("x-apollo-operation-type", Literal, Syntax::None),
    header("x-app-id", Literal, Syntax::None),
    header("x-app-version", Literal, Syntax::None),
    header("x-appengine-city", Literal, Syntax::None),
    header("x-appengine-country", Literal, Syntax::None),
    header("x-appengine-region", Literal, Syntax::None),
    header("x-appengine-user-ip", Literal, Syntax::None),
    header("x-apple-i-client-time", Literal, Syntax::None),
    header("x-apple-request-uuid", Literal, Syntax::None),
    header("x-apple-store-front", Literal, Syntax::None),
    header("x-apple-tz", Literal, Syntax::None),
    header("x-arr-log-id", Literal, Syntax::None),
    header("x-arr-ssl", Literal, Syntax::None),
    header("x-asbd-id", Literal, Syntax::None),
    header("x-atlassian-token", Literal, Syntax::None),
    header("x-att-deviceid", Literal, Syntax::None),
    header("x-ausername", Literal, Syntax::None),
    header("x-auth-email", Literal, Syntax::None),
    header("x-auth-key", Literal, Syntax::None),
    header("x-auth-token", Literal, Syntax::None),
    header("x-auth-user", Literal, Syntax::None),
    header("x-azure-clientip", Literal, Syntax::None),
    header("x-azure-fdid", Literal, Syntax::None),
    header("x-azure-ref", Literal, Syntax::None),
    header("x-azure-requestchain", Literal, Syntax::None),
    header("x-azure-socketip", Literal, Syntax::None),
    header("x-b3-flags", Literal, Syntax::None),
    header("x-b3-parentspanid", Literal, Syntax::None),
    header("x-b3-sampled", Literal, Syntax::None),
    header("x-b3-spanid", Literal, Syntax::None),
    header("x-b3-traceid", Literal, Syntax::None),
    header("x-bluecoat-via", Literal, Syntax::None),
    header("x-bz-content-sha1", Literal, Syntax::None),
    header("x-bz-file-name", Literal, Syntax::None),
    header("x-clickhouse-database", Literal, Syntax::None),
    header("x-clickhouse-format", Literal, Syntax::None),
    header("x-clickhouse-key", Literal, Syntax::None),
    header("x-clickhouse-user", Literal, Syntax::None),
    header("x-client-data", Literal, Syntax::None),
    header("x-client-id", Literal, Syntax::None),
    header("x-client-ip", ClientIp, Syntax::None),
    header("x-client-name", Literal, Syntax::None),
    header("x-client-version", Literal, Syntax::None),
    header("x-clientapplication", Literal, Syntax::None),
    header("x-clientinfo", Literal, Syntax::None),
    header("x-cloud-trace-context", Literal, Syntax::Params),
    header("x-cluster-client-ip", Literal, Syntax::None),
    header("x-correlation-id", Literal, Syntax::None),
    header("x-couch-full-commit", Literal, Syntax::None),
    header("x-country-code", Literal, Syntax::None),
    header("x-csrf-token", Literal, Syntax::None),
    header("x-csrftoken", Literal, Syntax::None),
    header("x-datadog-origin", Literal, Syntax::None),
    header("x-datadog-parent-id", Literal, Syntax::None),
    header("x-datadog-sampling-priority", Literal, Syntax::None),
    header("x-datadog-tags", Literal, Syntax::None),
    header("x-datadog-trace-id", Literal, Syntax::None),
    header("x-device-id", Literal, Syntax::None),
    header("x-device-user-agent", Literal, Syntax::Comments),
    header("x-do-not-track", Literal, Syntax::None),
    header("x-dynatrace", Literal, Syntax::None),
    header("x-edge-location", Literal, Syntax::None),
    header("x-elastic-client-meta", Literal, Syntax::None),
    header("x-elastic-product-origin", Literal, Syntax::None),
    header("x-emby-authorization", Literal, Syntax::None),
    header("x-emby-token", Literal, Syntax::None),
    header("x-envoy-attempt-count", Literal, Syntax::None),
    header("x-envoy-decorator-operation", Literal, Syntax::None),
    header("x-envoy-expected-rq-timeout-ms", Literal, Syntax::None),
    header("x-envoy-external-address", Literal, Syntax::None),
    header("x-envoy-internal", Literal, Syntax::None),
    header("x-envoy-original-path", Url, Syntax::None),
    header("x-envoy-peer-metadata", Literal, Syntax::None),
    header("x-envoy-peer-metadata-id", Literal, Syntax::None),
    header("x-fb-client-ip", Literal, Syntax::None),
    header("x-fb-friendly-name", Literal, Syntax::None),
    header("x-fb-http-engine", Literal, Syntax::None),
    header("x-fb-lsd", Literal, Syntax::None),
    header("x-fd-healthprobe", Literal, Syntax::None),
    header("x-featureversion", Literal, Syntax::None),
    header("x-file-name", Literal, Syntax::None),
    header("x-file-size", Literal, Syntax::None),
    header("x-file-type", Literal, Syntax::None),
    header("x-firebase-appcheck", Literal, Syntax::None),
    header("x-firebase-gmpid", Literal, Syntax::None),
    header("x-firebase-locale", Literal, Syntax::None),
    header("x-flash-version", Literal, Syntax::None),
    header("x-flipboard-proxy", Literal, Syntax::None),
    header("x-forwarded", Literal, Syntax::None),
    header("x-forwarded-by", Literal, Syntax::None),
    header("x-forwarded-client-cert", Literal, Syntax::Params),
    header("x-forwarded-for", ForwardedFor, Syntax::None).merged(),
    header("x-forwarded-host", Literal, Syntax::None),
    header("x-forwarded-path", Url, Syntax::None),
    header("x-forwarded-port", Literal, Syntax::None),
    header("x-forwarded-prefix", Url, Syntax::None),
    header("x-forwarded-proto", Literal, Syntax::None),
    header("x-forwarded-protocol", Literal, Syntax::None),
    header("x-forwarded-scheme", Literal, Syntax::None),
    header("x-forwarded-server", Literal, Syntax::None),
    header("x-forwarded-ssl", Literal, Syntax::None),
    header("x-forwarded-uri", Url, Syntax::None),
    header("x-geo-country", Literal, Syntax::None),
    header("x-github-api-version", Literal, Syntax::None),
    header("x-github-delivery", Literal, Syntax::None),
    header("x-github-event", Literal, Syntax::None),
    header("x-github-hook-id", Literal, Syntax::None),
    header("x-github-hook-installation-target-id", Literal, Syntax::None),
    header("x-github-hook-installation-target-type", Literal, Syntax::None),
    header("x-gitlab-event", Literal, Syntax::None),
    header("x-gitlab-instance", Literal, Syntax::None),
    header("x-gitlab-token", Literal, Syntax::None),
    header("x-goog-api-client", Literal, Syntax::None),
    header("x-goog-api-key", Literal, Syntax::None),
    header("x-goog-authuser", Literal, Syntax::None),
    header("x-goog-copy-source", Url, Syntax::None),
    header("x-goog-encode-response-if-executable", Literal, Syntax::None),
    header("x-goog-upload-command", Literal, Syntax::None),
    header("x-goog-upload-offset", Literal, Syntax::None),
    header("x-goog-upload-protocol", Literal, Syntax::None),
    header("x-goog-user-project", Literal, Syntax::None),
    header("x-goog-visitor-id", Literal, Syntax::None),
    header("x-google-apps-metadata", Literal, Syntax::None),
    header("x-grpc-web", Literal, Syntax::None),
    header("x-gsm-imsi", Literal, Syntax::None),
    header("x-guest-token", Literal, Syntax::None),
    header("x-hasura-admin-secret", Literal, Syntax::None),
    header("x-hasura-role", Literal, Syntax::None),
    header("x-hasura-user-id", Literal, Syntax::None),
    header("x-host", Literal, Syntax::None),
    header("x-http-destinationurl", Url, Syntax::None),
    header("x-http-method", Literal, Syntax::None),
    header("x-http-method-override", Literal, Syntax::None),
    header("x-hub-signature", Literal, Syntax::None),
    header("x-hub-signature-256", Literal, Syntax::None),
    header("x-idempotency-key", Literal, Syntax::None),
    header("x-ig-app-id", Literal, Syntax::None),
    header("x-ig-www-claim", Literal, Syntax::None),
    header("x-imforwards", Literal, Syntax::None),
    header("x-inertia", Literal, Syntax::None),
    header("x-inertia-partial-component", Literal, Syntax::None),
    header("x-inertia-partial-data", Literal, Syntax::None),
    header("x-inertia-version", Literal, Syntax::None),
    header("x-influxdb-version", Literal, Syntax::None),
    header("x-instagram-ajax", Literal, Syntax::None),
    header("x-instana-l", Literal, Syntax::None),
    header("x-instana-s", Literal, Syntax::None),
    header("x-instana-t", Literal, Syntax::None),
    header("x-ios-bundle-identifier", Literal, Syntax::None),
    header("x-javascript-user-agent", Literal, Syntax::None),
    header("x-jenkins-crumb", Literal, Syntax::None),
    header("x-livewire", Literal, Syntax::None),
    header("x-locale", Literal, Syntax::None),
    header("x-mapi-mapipropertyset-version", Literal, Syntax::None),
    header("x-mashape-key", Literal, Syntax::None),
    header("x-mediabrowser-token", Literal, Syntax::None),
    header("x-method-override", Literal, Syntax::None),
    header("x-middleware-prefetch", Literal, Syntax::None),
    header("x-moz", Literal, Syntax::None),
    header("x-ms-asprotocolversion", Literal, Syntax::None),
    header("x-ms-blob-type", Literal, Syntax::None),
    header("x-ms-client-principal", Literal, Syntax::None),
    header("x-ms-client-request-id", Literal, Syntax::None),
    header("x-ms-cookieuri-requested", Literal, Syntax::None),
    header("x-ms-copy-source", Url, Syntax::None),
    header("x-ms-correlation-request-id", Literal, Syntax::None),
    header("x-ms-date", Literal, Syntax::None),
    header("x-ms-lease-id", Literal, Syntax::None),
    header("x-ms-policykey", Literal, Syntax::None),
    header("x-ms-range", Literal, Syntax::None),
    header("x-ms-rename-source", Url, Syntax::None),
    header("x-ms-request-id", Literal, Syntax::None),
    header("x-ms-request-root-id", Literal, Syntax::None),
    header("x-ms-return-client-request-id", Literal, Syntax::None),
    header("x-ms-token-aad-access-token", Literal, Syntax::None),
    header("x-ms-useragent", Literal, Syntax::None),
    header("x-ms-version", Literal, Syntax::None),
    header("x-msisdn", Literal, Syntax::None),
    header("x-network-info", Literal, Syntax::None),
    header("x-newrelic-id", Literal, Syntax::None),
    header("x-newrelic-transaction", Literal, Syntax::None),
    header("x-nextjs-data", Literal, Syntax::None),
    header("x-nf-client-connection-ip", Literal, Syntax::None),
    header("x-nf-request-id", Literal, Syntax::None),
    header("x-nginx-proxy", Literal, Syntax::None),
    header("x-nokia-msisdn", Literal, Syntax::None),
    header("x-nuget-apikey", Literal, Syntax::None),
    header("x-nuget-client-version", Literal, Syntax::None),
    header("x-nuget-session-id", Literal, Syntax::None),
    header("x-oc-mtime", Literal, Syntax::None),
    header("x-office-major-version", Literal, Syntax::None),
    header("x-office-version", Literal, Syntax::None),
    header("x-officeapp", Literal, Syntax::None),
    header("x-opaque-id", Literal, Syntax::None),
    header("x-operamini-features", Literal, Syntax::None),
    header("x-operamini-phone", Literal, Syntax::None),
    header("x-operamini-phone-ua", Literal, Syntax::Comments),
    header("x-operamini-route", Literal, Syntax::None),
    header("x-organization-id", Literal, Syntax::None),
    header("x-origin", Literal, Syntax::None),
    header("x-original-forwarded-for", Literal, Syntax::None),
    header("x-original-host", Literal, Syntax::None),
    header("x-original-uri", Url, Syntax::None),
    header("x-original-url", Url, Syntax::None),
    header("x-original-user-agent", Literal, Syntax::Comments),
    header("x-originating-ip", Literal, Syntax::None),
    header("x-package-version", Literal, Syntax::None),
    header("x-parse-application-id", Literal, Syntax::None),
    header("x-parse-session-token", Literal, Syntax::None),
    header("x-pingother", Literal, Syntax::None),
    header("x-pjax", Literal, Syntax::None),
    header("x-pjax-container", Literal, Syntax::None),
    header("x-platform", Literal, Syntax::None),
    header("x-playback-session-id", Literal, Syntax::None),
    header("x-plex-client-identifier", Literal, Syntax::None),
    header("x-plex-device", Literal, Syntax::None),
    header("x-plex-platform", Literal, Syntax::None),
    header("x-plex-product", Literal, Syntax::None),
    header("x-plex-token", Literal, Syntax::None),
    header("x-plex-version", Literal, Syntax::None),
    header("x-prerender", Literal, Syntax::None),
    header("x-prometheus-remote-write-version", Literal, Syntax::None),
    header("x-prometheus-scrape-timeout-seconds", Literal, Syntax::None),
    header("x-prototype-version", Literal, Syntax::None),
    header("x-proxyuser-ip", Literal, Syntax::None),
    header("x-puffin-ua", Literal, Syntax::None),
    header("x-purpose", Literal, Syntax::None),
    header("x-rapidapi-host", Literal, Syntax::None),
    header("x-rapidapi-key", Literal, Syntax::None),
    header("x-real-ip", ClientIp, Syntax::None),
    header("x-real-port", Literal, Syntax::None),
    header("x-redmine-api-key", Literal, Syntax::None),
    header("x-referer", Url, Syntax::None),
    header("x-registry-auth", Literal, Syntax::None),
    header("x-remote-addr", Literal, Syntax::None),
    header("x-remote-ip", Literal, Syntax::None),
    header("x-request-id", Literal, Syntax::None),
    header("x-request-start", Literal, Syntax::None),
    header("x-request-timestamp", Literal, Syntax::None),
    header("x-requested-with", Literal, Syntax::None),
    header("x-requesttype", Literal, Syntax::None),
    header("x-rewrite-url", Url, Syntax::None),
    header("x-same-domain", Literal, Syntax::None),
    header("x-scheme", Literal, Syntax::None),
    header("x-scope-orgid", Literal, Syntax::None),
    header("x-session-id", Literal, Syntax::None),
    header("x-session-token", Literal, Syntax::None),
    header("x-shopify-access-token", Literal, Syntax::None),
    header("x-shopify-hmac-sha256", Literal, Syntax::None),
    header("x-shopify-shop-domain", Literal, Syntax::None),
    header("x-shopify-topic", Literal, Syntax::None),
    header("x-slack-request-timestamp", Literal, Syntax::None),
    header("x-slack-signature", Literal, Syntax::None),
    header("x-splunk-form-key", Literal, Syntax::None),
    header("x-spotify-connection-id", Literal, Syntax::None),
    header("x-ssl-cipher", Literal, Syntax::None),
    header("x-ssl-protocol", Literal, Syntax::None),
    header("x-stainless-arch", Literal, Syntax::None),
    header("x-stainless-lang", Literal, Syntax::None),
    header("x-stainless-os", Literal, Syntax::None),
    header("x-stainless-package-version", Literal, Syntax::None),
    header("x-stainless-retry-count", Literal, Syntax::None),
    header("x-stainless-runtime", Literal, Syntax::None),
    header("x-stainless-runtime-version", Literal, Syntax::None),
    header("x-sucuri-clientip", Literal, Syntax::None),
    header("x-sucuri-country", Literal, Syntax::None),
    header("x-supabase-api-version", Literal, Syntax::None),
    header("x-tenant-id", Literal, Syntax::None),
    header("x-terraform-version", Literal, Syntax::None),
    header("x-timezone", Literal, Syntax::None),
    header("x-timezone-offset", Literal, Syntax::None),
    header("x-tls-version", Literal, Syntax::None),
    header("x-trace-id", Literal, Syntax::None),
    header("x-transaction-id", Literal, Syntax::None),
    header("x-transmission-session-id", Literal, Syntax::None),
    header("x-turbo-request-id", Literal, Syntax::None),
    header("x-twilio-email-event-webhook-signature", Literal, Syntax::None),
    header("x-twilio-signature", Literal, Syntax::None),
    header("x-twitter-active-user", Literal, Syntax::None),
    header("x-twitter-auth-type", Literal, Syntax::None),
    header("x-twitter-client-language", Literal, Syntax::None),
    header("x-ucbrowser-device-ua", Literal, Syntax::Comments),
    header("x-ucbrowser-ua", Literal, Syntax::None),
    header("x-uidh", Literal, Syntax::None),
    header("x-up-calling-line-id", Literal, Syntax::None),
    header("x-up-subno", Literal, Syntax::None),
    header("x-upload-content-length", Literal, Syntax::None),
    header("x-upload-content-type", Literal, Syntax::None),
    header("x-url", Url, Syntax::None),
    header("x-url-scheme", Literal, Syntax::None),
    header("x-user-agent", Literal, Syntax::None),
    header("x-user-id", Literal, Syntax::None),
    header("x-varnish", Literal, Syntax::None),
    header("x-vault-namespace", Literal, Syntax::None),
    header("x-vault-request", Literal, Syntax::None),
    header("x-vault-token", Literal, Syntax::None),
    header("x-vercel-deployment-url", Literal, Syntax::None),
    header("x-vercel-forwarded-for", Literal, Syntax::None),
    header("x-vercel-id", Literal, Syntax::None),
    header("x-vercel-ip-city", Literal, Syntax::None),
    header("x-vercel-ip-country", Literal, Syntax::None),
    header("x-vercel-ip-country-region", Literal, Syntax::None),
    header("x-version", Literal, Syntax::None),
    header("x-wap-profile", Literal, Syntax::Params),
    header("x-wp-nonce", Literal, Syntax::None),
    header("x-xsrf-token", Literal, Syntax::None),
    header("x-youtube-client-name", Literal, Syntax::None),
    header("x-youtube-client-version", Literal, Syntax::None),
    header("xsrf-token", Literal, Syntax::None),
];

/// Whether the whole value fits the syntax, so that its syntax characters are no content. One pass, whatever the value.
///
/// The grammars are narrower than the RFCs': inside a word, a quoted string, a comment or a URL no dangerous character
/// may stand, so that nothing an attack needs can hide in a value that fits.
pub(crate) fn fits(syntax: Syntax, value: &[u8]) -> bool {
    let text = &mut Text(value);
    match syntax {
        Syntax::None => false,
        Syntax::Params => text.list(|text| text.element(Quoted::Plain) && text.params(false, Quoted::Plain)),
        Syntax::Bare => text.list(|text| text.element(Quoted::Plain) && text.params(true, Quoted::Plain)),
        Syntax::Brands => text.list(|text| text.element(Quoted::Brand) && text.params(false, Quoted::Brand)),
        Syntax::Links => text.list(|text| text.link() && text.params(false, Quoted::Plain)),
        Syntax::Comments => comments(value),
        Syntax::Dates => text.date(),
        Syntax::States => text.states(),
        Syntax::Json => text.json(),
    }
}

/// `< > ' " ; ( ) { } | \` and the backtick and the dollar sign.
const fn is_dangerous(b: u8) -> bool {
    matches!(b, b'<' | b'>' | b'\'' | b'"' | b';' | b'(' | b')' | b'{' | b'}' | b'|' | b'\\' | b'`' | b'$')
}

/// Visible ASCII that is neither dangerous nor a comma.
const fn is_word(b: u8) -> bool {
    b.is_ascii_graphic() && !is_dangerous(b) && b != b','
}

/// A character of a parameter's name: an RFC 9110 token without dangerous characters.
const fn is_token(b: u8) -> bool {
    b.is_ascii_alphanumeric() || matches!(b, b'!' | b'#' | b'%' | b'&' | b'*' | b'+' | b'-' | b'.' | b'^' | b'_' | b'~')
}

/// What may stand between double quotes.
#[derive(Clone, Copy)]
enum Quoted {
    /// Nothing dangerous.
    Plain,
    /// Up to two of `(`, `)` and `;`: browsers put them into made-up brands, so that servers cannot take the list for
    /// granted, and makers into model names.
    Brand,
}

/// What is left to read. Each method takes what it names from the front, and says whether it was there.
struct Text<'a>(&'a [u8]);

impl<'a> Text<'a> {
    fn take(&mut self, b: u8) -> bool {
        let rest = self.0.strip_prefix(&[b]);
        self.0 = rest.unwrap_or(self.0);
        rest.is_some()
    }

    fn take_while(&mut self, belongs: impl Fn(u8) -> bool) -> &'a [u8] {
        let end = self.0.iter().position(|b| !belongs(*b)).unwrap_or(self.0.len());
        let (taken, rest) = self.0.split_at(end);
        self.0 = rest;
        taken
    }

    fn space(&mut self) {
        self.take_while(|b| b == b' ' || b == b'\t');
    }

    /// Elements between commas, to the end; an element may be empty.
    fn list(&mut self, element: impl Fn(&mut Self) -> bool) -> bool {
        loop {
            self.space();
            if !(matches!(self.0, [] | [b',', ..]) || element(self)) {
                return false;
            }
            self.space();
            if !self.take(b',') {
                return self.0.is_empty();
            }
        }
    }

    /// A word, a quoted string, `name="…"`, or a weak entity tag.
    fn element(&mut self, quoted: Quoted) -> bool {
        let word = self.take_while(is_word);
        match word {
            [] | b"W/" => self.quoted(quoted) || !word.is_empty(),
            [name @ .., b'='] if !name.is_empty() && name.iter().all(|b| is_token(*b)) => {
                !self.0.starts_with(b"\"") || self.quoted(quoted)
            }
            _ => true,
        }
    }

    /// Parameters as long as there is a `;`; one may be empty, as RFC 9110 has it.
    fn params(&mut self, bare: bool, quoted: Quoted) -> bool {
        loop {
            self.space();
            if !self.take(b';') {
                return true;
            }
            self.space();
            if !matches!(self.0, [] | [b',' | b';', ..]) && !self.param(bare, quoted) {
                return false;
            }
        }
    }

    fn param(&mut self, bare: bool, quoted: Quoted) -> bool {
        let name = self.take_while(is_token);
        if !self.take(b'=') {
            let word = self.take_while(is_word);
            return bare && !(name.is_empty() && word.is_empty());
        }
        match (name, self.0) {
            ([], _) => false,
            (_, [b'"', ..]) => self.quoted(quoted),
            ([.., b'*'], _) => self.extended(),
            _ => !self.take_while(is_word).is_empty(),
        }
    }

    /// The value of a `name*=`: character set, language and percent-encoded text (RFC 8187), or a plain word.
    fn extended(&mut self) -> bool {
        let charset = self.take_while(is_word);
        if !self.take(b'\'') {
            return !charset.is_empty();
        }
        let known = charset.eq_ignore_ascii_case(b"utf-8") || charset.eq_ignore_ascii_case(b"iso-8859-1");
        self.take_while(|b| b.is_ascii_alphanumeric() || b == b'-');
        known && self.take(b'\'') && !self.take_while(is_token).is_empty()
    }

    fn quoted(&mut self, quoted: Quoted) -> bool {
        if !self.take(b'"') {
            return false;
        }
        let inside = self.take_while(|b| match quoted {
            Quoted::Plain => !b.is_ascii_control() && !is_dangerous(b),
            Quoted::Brand => b == b' ' || b.is_ascii_graphic() && (!is_dangerous(b) || matches!(b, b'(' | b')' | b';')),
        });
        inside.iter().filter(|b| is_dangerous(**b)).count() <= 2 && self.take(b'"')
    }

    /// A URL between `<` and `>`, without dangerous characters; what is between, or nothing.
    fn url(&mut self) -> &'a [u8] {
        if !self.take(b'<') {
            return &[];
        }
        let url = self.take_while(|b| is_word(b) || b == b',');
        if self.take(b'>') { url } else { &[] }
    }

    /// An absolute URL, or a relative one with parameters behind it, so that an HTML tag is none.
    fn link(&mut self) -> bool {
        let url = self.url();
        self.space();
        url.contains(&b':') || matches!(url, [b'/' | b'.' | b'?' | b'#', ..]) && self.0.starts_with(b";")
    }

    fn date(&mut self) -> bool {
        let date = self.take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b' ' | b',' | b':' | b'-' | b'+'));
        if self.0.is_empty() {
            return !date.is_empty();
        }
        if date.is_empty() || !self.take(b';') {
            return false;
        }
        self.space();
        let Some(rest) = self.0.strip_prefix(b"length=") else {
            return false;
        };
        self.0 = rest;
        !self.take_while(|b| b.is_ascii_digit()).is_empty() && self.0.is_empty()
    }

    /// `[<url>] (condition …) …`, where a condition is `[Not] <token>` or `[Not] ["tag"]`.
    fn states(&mut self) -> bool {
        loop {
            if self.0.starts_with(b"<") && self.url().is_empty() {
                return false;
            }
            self.space();
            if !self.take(b'(') {
                return false;
            }
            let mut conditions = 0;
            loop {
                self.space();
                if self.take(b')') {
                    break;
                }
                if let Some(rest) = self.0.strip_prefix(b"Not") {
                    self.0 = rest;
                    self.space();
                }
                let tag = self.take(b'[');
                let fits = if tag { self.element(Quoted::Plain) && self.take(b']') } else { !self.url().is_empty() };
                if !fits {
                    return false;
                }
                conditions += 1;
            }
            self.space();
            if conditions == 0 || self.0.is_empty() {
                return conditions > 0;
            }
        }
    }

    fn json(&mut self) -> bool {
        if !self.take(b'{') {
            return false;
        }
        self.space();
        if self.take(b'}') {
            return self.0.is_empty();
        }
        loop {
            self.space();
            if !self.quoted(Quoted::Plain) {
                return false;
            }
            self.space();
            if !self.take(b':') {
                return false;
            }
            self.space();
            let scalar = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'+' | b'.');
            if !self.quoted(Quoted::Plain) && self.take_while(scalar).is_empty() {
                return false;
            }
            self.space();
            if self.take(b'}') {
                return self.0.is_empty();
            }
            if !self.take(b',') {
                return false;
            }
        }
    }
}

/// Products and comments. A comment stands at the start, behind white space, another comment or a version, so that a
/// call (`sleep(5)`) is none; it has something in it, and comments inside it have none (`moto g(7)`).
fn comments(value: &[u8]) -> bool {
    let mut closers = [0; 2];
    let mut depth = 0;
    let mut versioned = false;
    let mut previous = b' ';
    for &b in value {
        match b {
            b'(' | b'[' => {
                let placed = depth > 0
                    || matches!(previous, b' ' | b'\t' | b',' | b')' | b']')
                    || versioned && previous.is_ascii_digit();
                let Some(closer) = closers.get_mut(depth).filter(|_| placed) else {
                    return false;
                };
                *closer = if b == b'(' { b')' } else { b']' };
                depth += 1;
            }
            b')' | b']' => {
                if depth == 0 || closers.get(depth - 1) != Some(&b) || matches!(previous, b'(' | b'[') {
                    return false;
                }
                depth -= 1;
            }
            b';' if depth > 0 => {}
            b' ' | b'\t' | b',' => {}
            0x80.. if depth > 0 => {}
            _ if is_word(b) => {}
            _ => return false,
        }
        versioned = (versioned || b == b'/') && is_word(b);
        previous = b;
    }
    depth == 0 && !value.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(keep: impl Fn(&HeaderRow) -> bool) -> Vec<&'static str> {
        HEADERS.iter().filter(|row| keep(row)).map(|row| row.name).collect()
    }

    #[test]
    fn table_is_sorted_and_legal() {
        assert!(HEADERS.windows(2).all(|pair| pair[0].name < pair[1].name));
        let legal = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-' || b == b'.';
        assert!(HEADERS.iter().all(|row| !row.name.is_empty() && row.name.bytes().all(legal)));
        for row in HEADERS {
            assert_eq!(super::row(row.name).map(|found| found.name), Some(row.name));
        }
        assert!(row("Accept").is_none() && row("").is_none() && row("x_custom").is_none());
    }

    #[test]
    fn table_says_what_the_contract_says() {
        let merged = "accept accept-charset accept-encoding accept-language cache-control connection content-encoding \
                      forwarded if-match if-none-match link pragma te trailer transfer-encoding upgrade via \
                      www-authenticate x-forwarded-for";
        assert_eq!(names(|row| row.merge), merged.split_whitespace().collect::<Vec<_>>());
        assert_eq!(names(|row| row.hop_by_hop), ["connection", "te", "trailer", "upgrade"]);
        let addresses = ["cf-connecting-ip", "true-client-ip", "x-client-ip", "x-real-ip"];
        assert_eq!(names(|row| row.value == ClientIp), addresses);
        assert_eq!(names(|row| row.value == Authorization), ["authorization", "proxy-authorization"]);
        for name in ["referer", "origin", "content-location", "destination"] {
            assert_eq!(row(name).map(|row| row.value), Some(Url), "{name}");
        }
        for rule in ValueRule::ALL {
            assert!(HEADERS.iter().any(|row| row.value == *rule), "{rule:?} is used by no header");
        }
        for syntax in Syntax::ALL {
            assert!(HEADERS.iter().any(|row| row.syntax == *syntax), "{syntax:?} is used by no header");
        }
    }

    #[track_caller]
    fn check(name: &str, value: &str, expected: bool) {
        let syntax = row(name).map_or(Syntax::None, |row| row.syntax);
        assert_eq!(fits(syntax, value.as_bytes()), expected, "{name}: {value}");
    }

    #[test]
    fn ordinary_values_fit() {
        for (name, value) in [
            ("content-type", "text/html; charset=utf-8"),
            ("content-type", "text/html;charset=\"utf-8\";"),
            ("content-type", "multipart/form-data; boundary=----WebKitFormBoundary7MA4"),
            ("content-type", "multipart/form-data; boundary==_Part_1_2.3=="),
            ("sec-ch-ua", "\"Chromium\";v=\"130\", \"Not?A_Brand\";v=\"99\""),
            ("sec-ch-ua", "\" Not;A Brand\";v=\"99\", \"Google Chrome\";v=\"91\""),
            ("sec-ch-ua", "\"Not)A;Brand\";v=\"8\", \"HeadlessChrome\";v=\"138\""),
            ("sec-ch-ua-model", "\"moto g(7)\""),
            ("sec-ch-ua-model", "\"\""),
            ("sec-ch-ua-mobile", "?0"),
            ("if-none-match", "\"abc\""),
            ("if-none-match", "W/\"33a64df5\", \"x\""),
            ("if-none-match", "*"),
            ("content-disposition", "form-data; name=\"f\"; filename=\"a b.txt\""),
            ("content-disposition", "attachment; filename*=UTF-8''na%C3%AFve.txt"),
            ("content-disposition", "attachment; filename=\"ñandú.txt\""),
            ("cache-control", "max-age=0, no-cache"),
            ("cache-control", "private=\"set-cookie\", max-age=0"),
            ("forwarded", "for=192.0.2.60;proto=http, for=\"[2001:db8:cafe::17]:4711\""),
            ("accept", "text/html, image/gif, *; q=.2, */*; q=.2"),
            ("accept", "text/html,application/xhtml+xml;q=0.9 ,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7"),
            ("accept", ""),
            ("accept-charset", "utf-8, utf-8;q=0.5, *;q=0.5"),
            ("te", "trailers, deflate;q=0.5"),
            ("priority", "u=1, i"),
            ("range", "bytes=0-499, -500"),
            ("soapaction", "\"http://tempuri.org/IService/Get\""),
            ("man", "\"ssdp:discover\""),
            ("cdn-loop", "cloudflare; loops=1"),
            ("x-amzn-trace-id", "Root=1-67891233-abcdef012345678912345678;Sampled=1"),
            ("prefer", "return=minimal; foo=\"some parameter\", respond-async;wait"),
            ("sec-websocket-extensions", "permessage-deflate; client_max_window_bits"),
            ("sec-purpose", "prefetch;prerender"),
            ("tracestate", "dd=s:2;o:rum;t.dm:-4,33@nr=0-0-1"),
            ("if-modified-since", "Sat, 29 Oct 1994 19:43:31 GMT; length=1234"),
            ("if-modified-since", "Sat, 29 Oct 1994 19:43:31 GMT"),
            ("link", "<https://a.example/b?c=d,e>; rel=\"next\"; title*=utf-8'de'n%c3%a4chstes, </x>;rel=prev"),
            ("if", "(<opaquelocktoken:e71d4fae-5dec-22d6-fea5-00a0c91e6be4>)"),
            ("if", "<http://a/b> (Not <urn:x> [W/\"A tag\"]) ([\"b\"])"),
            ("cf-visitor", "{\"scheme\":\"https\"}"),
            ("dropbox-api-arg", "{ \"path\": \"/a b.txt\", \"mute\": false, \"n\" : 1.5 }"),
            ("via", "1.1 google, 1.1 abc.cloudfront.net (CloudFront)"),
            ("user-agent", "curl/8.5.0"),
            ("user-agent", "Mozilla/4.0 (compatible; MSIE 6.0; Windows NT 5.1; SV1; .NET CLR 2.0.50727)"),
            ("user-agent", "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)"),
            ("user-agent", "Mozilla/5.0 (compatible; Konqueror/3.5; Linux) KHTML/3.5.8 (like Gecko)"),
            ("user-agent", "Mozilla/5.0(iPad; U; CPU OS 3_2 like Mac OS X; en-us) AppleWebKit/531.21.10"),
            ("user-agent", "Mozilla/5.0 (Linux; Android 10; moto g(7) power) Mobile [FBAN/FB4A;FBAV/38.0;]"),
            (
                "user-agent",
                "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36",
            ),
        ] {
            check(name, value, true);
        }
    }

    #[test]
    fn attacks_and_damage_do_not_fit() {
        let everywhere = [
            "<script>",
            "a'b",
            "() { :;}; echo",
            "() { :;}; echo vulnerable",
            "${jndi:ldap://x/a}",
            "`id`",
            "a|b",
            "a\\b",
            "(",
            ")",
            "(a",
            "a)",
            "\"a",
            "a\"",
            "a\"b\"",
            "\"a\"b",
            "\"<b>\"",
            "\"a' or 1=1\"",
            "; a=b",
            "{a}",
            "()",
            "a; b c",
            "if(now()=sysdate(),sleep(15),0)",
            "(select(0)from(select(sleep(15)))v)",
            "1\u{0}",
            "{\"a\":\"b\"",
            "{\"a\":{\"b\":1}}",
            "<a",
            "(<a>",
            "Sat, 29 Oct 1994 19:43:31 GMT; length=1;",
            "a;b*=utf-8'x",
            "a;b*=x''y",
        ];
        for syntax in Syntax::ALL {
            for value in everywhere {
                assert!(!fits(*syntax, value.as_bytes()), "{syntax:?}: {value}");
            }
        }
        for (name, value) in [
            ("content-type", "text/html; a=b' or 1=1"),
            ("content-type", "text/html; a=b or 1=1"),
            ("content-type", "text/html; cat /etc/passwd"),
            ("content-type", "text/html;id"),
            ("content-type", "text/html; =b"),
            ("content-type", "text/html; a="),
            ("content-type", "text/html, ;a=b"),
            ("content-type", "%{(#_='multipart/form-data')}"),
            ("content-disposition", "form-data; filename=\"a\\\".php\""),
            ("content-disposition", "form-data; filename=\"a;b\""),
            ("if-none-match", "\"abc"),
            ("if-none-match", "1 or \"a\"=\"a\""),
            ("if-none-match", "\"a\" \"b\""),
            ("sec-ch-ua", "\");alert(1);//\";v=\"1\""),
            ("sec-ch-ua", "\"a\"b\""),
            ("prefer", "a;\"b\""),
            ("prefer", "a;=b"),
            ("user-agent", "Mozilla/5.0 (X11; Linux"),
            ("user-agent", "Mozilla/5.0 (X11]"),
            ("user-agent", "Mozilla/5.0; id"),
            ("user-agent", "Mozilla/5.0 (X11; <script>alert(1)</script>)"),
            ("user-agent", "sleep(5)"),
            ("user-agent", "Mozilla/5.0 (a (b (c)))"),
            ("link", "<javascript:alert(1)>; rel=x"),
            ("link", "<a>b"),
            ("link", "</script>"),
            ("if", "()"),
            ("if", "(<a>) x"),
            ("x-custom", "a"),
        ] {
            check(name, value, false);
        }
    }

    #[test]
    fn a_cut_value_never_panics() {
        let values = [
            "a;b=\"c\", W/\"d\";e*=utf-8'en'f, <g>;h (i [j]) {\"k\":1}",
            "<http://a/b> (Not <urn:x> [W/\"A tag\"]) ([\"b\"])",
            "{ \"path\": \"/a b.txt\", \"mute\": false, \"n\" : 1.5 }",
        ];
        for syntax in Syntax::ALL {
            for value in values.map(str::as_bytes) {
                for from in 0..value.len() {
                    for to in from..=value.len() {
                        fits(*syntax, &value[from..to]);
                    }
                }
            }
        }
    }
}
