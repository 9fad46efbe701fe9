//! Requests with secrets in every place that the contract names, which can be written again with other secrets.

use crate::generator;
use crate::random::Rng;
use crate::wire::{self, Coding};

/// A request and its secrets: rotating them must change nothing.
pub(crate) struct Case {
    /// The templates it was made from, to name a failure by.
    pub(crate) slot: &'static str,
    /// With the end of the head.
    pieces: Vec<Piece>,
    body: Vec<Piece>,
    coding: Option<Coding>,
    /// The size of the chunks that the body is sent in.
    chunked: Option<usize>,
}

enum Piece {
    Text(Vec<u8>),
    /// One character, what it was and what it is rotated to.
    Secret {
        before: char,
        after: char,
        coat: Coat,
    },
}

/// How a character of a secret is written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Coat {
    Plain,
    Percent,
    /// `\u006a`
    Json,
    /// `&#x6a;`
    Xml,
}

impl Coat {
    fn write(self, c: char, out: &mut Vec<u8>) {
        let mut buffer = [0; 4];
        let bytes = c.encode_utf8(&mut buffer).as_bytes();
        match self {
            Coat::Plain => out.extend(bytes),
            Coat::Percent => bytes.iter().for_each(|byte| out.extend(format!("%{byte:02X}").bytes())),
            Coat::Json => out.extend(format!("\\u{:04x}", c as u32).bytes()),
            Coat::Xml => out.extend(format!("&#x{:x};", c as u32).bytes()),
        }
    }
}

impl Case {
    pub(crate) fn before(&self) -> Vec<u8> {
        self.write(|before, _| before)
    }

    pub(crate) fn after(&self) -> Vec<u8> {
        self.write(|_, after| after)
    }

    fn write(&self, choose: impl Fn(char, char) -> char) -> Vec<u8> {
        let written = |pieces: &[Piece]| {
            let mut out = Vec::new();
            for piece in pieces {
                match piece {
                    Piece::Text(text) => out.extend(text),
                    &Piece::Secret { before, after, coat } => coat.write(choose(before, after), &mut out),
                }
            }
            out
        };
        let mut body = written(&self.body);
        body = self.coding.map_or_else(|| body.clone(), |coding| coding.apply(&body));
        body = self.chunked.map_or_else(|| body.clone(), |size| wire::chunked(&body, size));
        [written(&self.pieces), body].concat()
    }

    /// Five letters and digits in a row of a secret, with a letter among them: no document may have them.
    pub(crate) fn canaries(&self) -> Vec<String> {
        let mut runs = vec![String::new()];
        for piece in self.pieces.iter().chain(&self.body) {
            match piece {
                Piece::Secret { before, .. } if before.is_ascii_alphanumeric() => {
                    if let Some(run) = runs.last_mut() {
                        run.push(before.to_ascii_lowercase());
                    }
                }
                _ => runs.push(String::new()),
            }
        }
        let windows = runs.iter().flat_map(|run| (5..=run.len()).map(|end| run[end - 5..end].to_owned()));
        windows.filter(|window| window.bytes().any(|b| b.is_ascii_alphabetic())).collect()
    }

    fn text(&mut self, text: impl AsRef<[u8]>) {
        self.pieces.push(Piece::Text(text.as_ref().to_vec()));
    }

    /// A secret of these characters; `always` says which have to be in the coat, `often` whether others may be.
    fn secret(&mut self, text: &str, coat: Coat, always: &str, often: bool, rng: &mut Rng) {
        let often = often && coat != Coat::Plain && rng.one_in(3);
        for before in text.chars() {
            let coated = always.contains(before) || (often && rng.one_in(3));
            let coat = if coated { coat } else { Coat::Plain };
            self.pieces.push(Piece::Secret { before, after: rotated(before, rng), coat });
        }
    }
}

/// The characters of secrets, in the classes that a shape can tell apart. They spell no word of any table.
const CLASSES: &[&str] = &["jkqvwxz", "JQVWXZ", "bdf", "BDF", "23456789", "éóú", "яжд"];

/// Another character of the same class; what is in no class stays, because its kind is part of the shape.
fn rotated(c: char, rng: &mut Rng) -> char {
    let Some(class) = CLASSES.iter().find(|class| class.contains(c)) else { return c };
    let others: Vec<char> = class.chars().filter(|&other| other != c).collect();
    others[rng.below(others.len())]
}

fn of_class(class: usize, rng: &mut Rng) -> char {
    let chars: Vec<char> = CLASSES[class].chars().collect();
    chars[rng.below(chars.len())]
}

/// So many characters of these classes.
fn run(classes: &[usize], len: usize, rng: &mut Rng) -> String {
    (0..len).map(|_| of_class(classes[rng.below(classes.len())], rng)).collect()
}

/// Letters of both cases and digits, each at least once.
fn rich(len: usize, rng: &mut Rng) -> String {
    format!("{}{}{}{}", run(&[0], 1, rng), run(&[1], 1, rng), run(&[4], 1, rng), run(&[0, 1, 4], len - 3, rng))
}

/// Where a template stands in the request.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Area {
    Method,
    /// The whole target.
    Target,
    /// The target of a CONNECT.
    Connect,
    /// Segments of a path, with the slash in front.
    Path,
    /// One pair of the query.
    Query,
    /// One field or more, without the last line end.
    Header,
    /// As `Header`, in front of all others.
    FirstHeader,
    /// One pair of a form.
    Form,
    /// The chunks of a form.
    Chunked,
    Json,
    /// One value a line.
    Lines,
    /// With the boundary `XX`.
    Multipart,
    Xml,
}

impl Area {
    /// The type of a body, where this is one.
    const fn media_type(self) -> Option<&'static str> {
        match self {
            Form | Chunked => Some("application/x-www-form-urlencoded"),
            Json => Some("application/json"),
            Lines => Some("application/x-ndjson"),
            Multipart => Some("multipart/form-data; boundary=XX"),
            Xml => Some("application/xml"),
            _ => None,
        }
    }

    /// What a secret can be dressed in here, and is undone before anybody looks.
    const fn coat(self) -> Coat {
        match self {
            Path | Query | Form => Coat::Percent,
            Json | Lines => Coat::Json,
            Xml => Coat::Xml,
            _ => Coat::Plain,
        }
    }
}

use Area::{Chunked, Connect, FirstHeader, Form, Header, Json, Lines, Method, Multipart, Path, Query, Target, Xml};

/// Every place where the contract says that something is secret. `$KEY` is a sensitive name in some disguise, `$PART`
/// one that is sensitive also as a part of a longer name, `$NAME` the name of a sensitive header, `$SAME` the last name
/// once more, `$DEEP` more brackets than the limit; all other words are secrets, see [`fill`].
const SLOTS: &[(Area, &str)] = &[
    (Query, "$KEY=$ANY"),
    (Query, "$KEY=$ANY"),
    (Query, "$KEY=$ANY"),
    (Query, "$PART[]=$ANY"),
    (Query, "user[$PART]=$ANY"),
    (Query, "$KEY%00=$ANY"),
    (Query, "%20$PART%3D=$ANY"),
    (Query, "a=1;$KEY=$WORD;b=2"),
    (Query, "x=1;$PART=$WORD"),
    (Query, "$KEY=$WORD&$KEY=$WORD"),
    (Query, "$KEY=$WORD $WORD"),
    (Query, "$JWT"),
    (Query, "$CRED"),
    (Query, "q=$JWT"),
    (Query, "q=$CRED"),
    (Query, "q=see+$CRED+there"),
    (Query, "$JWT=1"),
    (Query, "$CRED=1"),
    (Query, "{\"$PART\":\"$WORD\"}"),
    (Query, "{\"a\":1,\"$PART\":\"$WORD\"}="),
    (Query, "%7B%22$PART%22%3A%22$WORD%22%7D"),
    (Query, "next=https://u:$WORD@h/"),
    (Query, "next=/cb?$PART=$WORD"),
    (Path, "/$KEY/$TOKEN"),
    (Path, "/reset-token/$TOKEN/x"),
    (Path, "/$HEX"),
    (Path, "/$HEX/x"),
    (Path, "/$RICH"),
    (Path, "/$JWT"),
    (Path, "/x/$JWT/y"),
    (Path, "/$CRED"),
    (Path, "/a;$KEY=$WORD/b"),
    (Path, "/a;x=1;$KEY=$WORD"),
    (Path, "/$KEY=$WORD"),
    (Path, "/$KEY%3D$WORD"),
    (Path, "/x%3F$KEY%3D$WORD"),
    (Path, "/x%3F$KEY=$WORD&y"),
    (Path, "/x%23$KEY=$WORD"),
    (Path, "/r/http://u:$WORD@h/x"),
    (Path, "/r//u:$WORD@h/x"),
    (Path, "/r/http:%2F%2Fu:$WORD@h"),
    (Path, "/r/http:%252F%252Fu:$WORD@h"),
    (Path, "/r/http:\\\\u:$WORD@h"),
    (Path, "/r/http:&#47;&#47;u:$WORD@h"),
    (Path, "/r//u%3A$WORD%40h/x"),
    (Path, "/r\u{FF0F}\u{FF0F}u:$WORD\u{FF20}h/x"),
    (Path, "/$KEY:$WORD"),
    (Path, "/$KEY%3A%20$WORD"),
    (Path, "/token=a/$KEY:%20$WORD"),
    (Path, "/token=a;$KEY=$WORD"),
    (Path, "/token:a/$KEY/$TOKEN"),
    (Path, "/Bearer%20$WORD"),
    (Path, "/x%0D%0AAuthorization:%20Basic%20$WORD"),
    (Path, "/x%22$KEY%22:%22$WORD%22"),
    (Path, "/%7B%22$KEY%22%3A%22$WORD%22%7D"),
    (Target, "http://u:$WORD@ex.com/a"),
    (Target, "http://$WORD@ex.com:8080/?x=1"),
    (Target, "HTTPS://u:$WORD@[::1]/"),
    (Target, "http://u:$WORD@bad_host/"),
    (Target, "http://u:$WORD@ex.com:99999/"),
    (Target, "ftp://$WORD:$WORD@h/x"),
    (Target, "http://a@$WORD@h/x"),
    (Target, "//u:$WORD@h/x"),
    (Target, "///u:$WORD@h/x"),
    (Target, "http://$KEY=$WORD/"),
    (Target, "http://ex.com?$KEY=$WORD"),
    (Target, "http://ex.com#$KEY=$WORD"),
    (Target, "http://ex.com/#$KEY=$WORD&x=1"),
    (Target, "http://$JWT/"),
    (Target, "http://$CRED/"),
    (Target, "http://$CRED.ex.com/"),
    (Target, "/p#$KEY=$WORD&x"),
    (Target, "?$KEY=$WORD"),
    (Target, "$KEY=$WORD"),
    (Target, "*?$KEY=$WORD"),
    (Target, "$JWT"),
    (Target, "$CRED"),
    (Target, "$CRED://ex.com/"),
    (Connect, "u:$WORD@ex.com:443"),
    (Connect, "$CRED:443"),
    (Connect, "/?$KEY=$WORD"),
    (Method, "$JWT"),
    (Method, "$CRED"),
    (Method, "$KEY=$WORD"),
    (Header, "$NAME: $TEXT"),
    (Header, "$NAME: $TEXT"),
    (Header, "$NAME:$WORD"),
    (Header, "$NAME : $TEXT"),
    (Header, "$NAME: a\r\n $TEXT"),
    (Header, "$NAME: $WORD\r\n\n$WORD"),
    (Header, "$NAME: $WORD\r\n$NAME: $WORD"),
    (Header, "Authorization: Bearer $TEXT"),
    (Header, "authorization:bearer $WORD"),
    (Header, "Authorization: Basic $B64"),
    (Header, "Authorization: Digest username=\"$QUOTED\", response=\"$HEX\""),
    (Header, "Authorization: AWS4-HMAC-SHA256 Credential=$WORD/2024, Signature=$HEX"),
    (Header, "Authorization: Negotiate $WORD"),
    (Header, "Authorization: Custom-Scheme $TEXT"),
    (Header, "Authorization: $WORD"),
    (Header, "Authorization: $WORD $WORD"),
    (Header, "Authorization: $CRED"),
    (Header, "Authorization: $JWT"),
    (Header, "Authorization: Bearer\t$WORD"),
    (Header, "Authorization:\r\n Bearer $WORD"),
    (Header, "Authorization: Bearer $WORD\r\nAuthorization: Basic $WORD"),
    (Header, "Authorization: Bearer $WORD, Basic $WORD"),
    (Header, "Authorization: Bearer \"$QUOTED\""),
    (Header, "Proxy-Authorization: Basic $WORD"),
    (Header, "Cookie: a=$WORD; $KEY=$WORD"),
    (Header, "Cookie: $WORD"),
    (Header, "Cookie: a=$WORD;b"),
    (Header, "Cookie: $JWT"),
    (Header, "Cookie: $JWT=1"),
    (Header, "Cookie: a=\"$WORD\""),
    (Header, "Cook\u{200B}ie: a=$WORD"),
    (Header, "C%6Fokie: $TEXT"),
    (Header, "C\u{43E}okie: $TEXT"),
    (Header, "\u{FF23}ookie: a=$WORD"),
    (Header, "Cookie: a=1\r\nCookie: b=$WORD"),
    (Header, "Cookie: a=1\r\n b=$WORD"),
    (Header, "Cookie2: $WORD"),
    (Header, "Set-Cookie: a=$WORD; Path=/; HttpOnly"),
    (Header, "Set-Cookie: $WORD"),
    (Header, "Set-Cookie: a=1; $WORD"),
    (Header, "Set-Cookie: a=1; Path=/x?$KEY=$WORD"),
    (Header, "X-Debug: $JWT"),
    (Header, "X-Debug: see $CRED end"),
    (Header, "X-Debug: a,$CRED;b"),
    (Header, "X-Debug: user=bob; $KEY=$WORD; x=1"),
    (Header, "X-Debug: $KEY = $WORD"),
    (Header, "X-Debug: $KEY=\"$QUOTED\""),
    (Header, "X-Debug: {\"$KEY\":\"$QUOTED\"}"),
    (Header, "X-Debug: {\"$KEY\" : \"$QUOTED\"}"),
    (Header, "X-Debug: {\"$KEY\":\"$WORD\\\"$WORD\"}"),
    (Header, "X-Debug: {\"$KEY\":\"$QUOTED"),
    (Header, "X-Debug: {\"$KEY\":[\"$WORD\"]}"),
    (Header, "X-Debug: {\"$KEY\"=>\"$WORD\"}"),
    (Header, "X-Debug: {\"a\":\"b\",\"$KEY\":$WORD}"),
    (Header, "X-Debug: {\\\"$KEY\\\":\\\"$QUOTED\\\"}"),
    (Header, "X-Debug: {'$KEY': '$QUOTED'}"),
    (Header, "X-Debug: $KEY: $TEXT"),
    (Header, "X-Debug: $KEY:$TEXT"),
    (Header, "X-Debug: Authorization: Bearer $TEXT"),
    (Header, "X-Debug: a\r\n Authorization: $TEXT"),
    (Header, "X-Debug: a\r\n\nCookie: sid=$TEXT"),
    (Header, "X-Debug: a\nAuthorization: Basic $TEXT"),
    (Header, "X-Debug: a\rX-Api-Key: $TEXT"),
    (Header, "X-Debug: Bearer $TEXT"),
    (Header, "X-Debug: foo bearer $TEXT"),
    (Header, "X-Debug: Basic  $B64"),
    (Header, "X-Debug: $KEY%3D$WORD"),
    (Header, "X-Debug: $KEY%3A%20$WORD"),
    (Header, "X-Debug: x&$KEY=$WORD&y=1"),
    (Header, "X-Debug: //u:$WORD@h/"),
    (Header, "X-Debug: x https://u:$WORD@h/?$KEY=$WORD y"),
    (Header, "X-Debug: -----BEGIN RSA PRIVATE KEY-----$TEXT"),
    (Header, "X-Debug: sid=1|$KEY: $TEXT"),
    (Header, "X-Debug: token=a/$KEY: $TEXT"),
    (Header, "X-Debug: token=\"a\" $KEY: $TEXT"),
    (Header, "X-Debug: token=a;$KEY=$WORD,b"),
    (Header, "X-Debug: {\"token\":\"a\",\"$KEY\":\"$QUOTED\"}"),
    (Header, "X-Debug: user:$KEY=$WORD"),
    (Header, "X-Debug: http://h/?a=b $KEY: $TEXT"),
    (Header, "X-Debug: <num:5>$KEY=$WORD"),
    (Header, "X-Debug: <jwt:5> $KEY=$WORD"),
    (Header, "X-Debug: <jwt: $TEXT"),
    (Header, "X-Debug: $KEY==$WORD"),
    (Header, "X-Debug: [$KEY=$WORD]"),
    (Header, "X-Debug: $KEY\t=\t$WORD"),
    (Header, "X-Debug: $KEY%253D$WORD"),
    (Header, "User-Agent: Mozilla/5.0 $JWT"),
    (Header, "User-Agent: Mozilla/5.0 ($JWT)"),
    (Header, "User-Agent: curl/8 ($KEY=$WORD)"),
    (Header, "User-Agent: curl/8 (x; $KEY: $TEXT)"),
    (Header, "User-Agent: x $CRED"),
    (Header, "User-Agent: $CRED/1.0"),
    (Header, "User-Agent: Authorization: Bearer $TEXT"),
    (Header, "User-Agent: () { :; }; $KEY=$WORD"),
    (Header, "User-Agent: bot (+https://u:$WORD@h/?$KEY=$WORD)"),
    (Header, "Referer: https://ex.com/p?$KEY=$WORD&x=1"),
    (Header, "Referer: https://ex.com/p?a=$WORD"),
    (Header, "Referer: https://ex.com/p#$KEY=$WORD"),
    (Header, "Referer: https://ex.com/p?x=1#a=b&$KEY=$WORD"),
    (Header, "Referer: https://u:$WORD@ex.com/"),
    (Header, "Referer: https:\\\\u:$WORD@ex.com\\x"),
    (Header, "Referer: https:%2F%2Fu:$WORD@ex.com"),
    (Header, "Referer: https://ex.com/$HEX/x"),
    (Header, "Referer: https://ex.com/$RICH"),
    (Header, "Referer: https://ex.com/$KEY/$TOKEN"),
    (Header, "Referer: https://ex.com/$JWT"),
    (Header, "Referer: https://ex.com/?$JWT"),
    (Header, "Referer: https://ex.com/?$CRED"),
    (Header, "Referer: https://ex.com/a;$KEY=$WORD/b"),
    (Header, "Referer: /p?$KEY=$WORD"),
    (Header, "Referer: https://ex.com/?a=1%26$KEY%3D$WORD"),
    (Header, "Referer: https://ex.com/?u=https%3A%2F%2Fu%3A$WORD%40h%2F"),
    (Header, "Origin: https://u:$WORD@ex.com"),
    (Header, "Location: /cb?$KEY=$WORD"),
    (Header, "Destination: http://u:$WORD@h/"),
    (Header, "X-Original-URL: /x?$KEY=$WORD"),
    (Header, "X-Original-URL: /$HEX"),
    (Header, "X-Rewrite-URL: //u:$WORD@h/"),
    (Header, "Host: u:$WORD@ex.com"),
    (Header, "Host: u:$WORD@bad_host"),
    (Header, "Host: $KEY=$WORD"),
    (Header, "Host: $KEY: $WORD"),
    (Header, "Host: $JWT"),
    (Header, "Host: $CRED"),
    (Header, "Host: ex.com:$CRED"),
    (Header, "Host: $CRED.ex.com"),
    (Header, "X-Forwarded-For: $KEY=$WORD"),
    (Header, "X-Forwarded-For: \"><$KEY=$WORD"),
    (Header, "X-Forwarded-For: 1.2.3.4, <$CRED>"),
    (Header, "Forwarded: for=1.2.3.4;$KEY=$WORD"),
    (Header, "Forwarded: for=<$KEY=$WORD"),
    (Header, "X-Real-IP: $JWT"),
    (Header, "Accept: text/html;$KEY=$WORD"),
    (Header, "Accept: text/html;$KEY=\"$QUOTED\", $CRED"),
    (Header, "Accept: $JWT"),
    (Header, "Accept-Language: en;$KEY=$WORD, $CRED"),
    (Header, "Accept-Encoding: $CRED"),
    (Header, "Accept-Charset: $JWT"),
    (Header, "Content-Length: $KEY=$WORD"),
    (Header, "Content-Length: $CRED"),
    (Header, "If-None-Match: \"$JWT\""),
    (Header, "Via: 1.1 $CRED"),
    (Header, "Cache-Control: max-age=0, $KEY=\"$QUOTED\""),
    (Header, "Content-Type: text/plain; $KEY=$WORD"),
    (Header, "Content-Disposition: form-data; $KEY=\"$QUOTED\""),
    (Header, "Connection: $CRED"),
    (Header, "Upgrade: $JWT"),
    (Header, "Sec-CH-UA: \"$JWT\""),
    (Header, "Link: <https://u:$WORD@h/?$KEY=$WORD>; rel=x"),
    (Header, "WWW-Authenticate: Bearer $TEXT"),
    (Header, "Range: bytes=$CRED"),
    (Header, "Expect: $KEY=$WORD"),
    (Header, "$KEY=$WORD"),
    (Header, "Bearer $WORD"),
    (Header, "Authorization Bearer $WORD"),
    (Header, "$JWT"),
    (Header, "foo $CRED bar"),
    (Header, "$KEY=$WORD: x"),
    (Header, "$JWT: x"),
    (Header, "$CRED: x"),
    (Header, "X-$CRED: x"),
    (FirstHeader, " Authorization: Bearer $TEXT"),
    (FirstHeader, "\nAuthorization: Bearer $TEXT"),
    (FirstHeader, "\n$NAME: $TEXT"),
    (Form, "$KEY=$ANY"),
    (Form, "$KEY=$ANY"),
    (Form, "q=$JWT"),
    (Form, "$CRED"),
    (Form, "{\"$PART\":\"$WORD\"}"),
    (Form, "{\"a\":\"b=c\",\"$PART\":\"$WORD\"}"),
    (Form, "{\"$PART\":\"a&$WORD&b\"}"),
    (Form, "<r><$PART>$WORD</$SAME></r>"),
    (Chunked, "3;$KEY=$WORD\r\na=1\r\n0\r\n\r\n"),
    (Chunked, "3\r\na=1\r\n0\r\nAuthorization: Bearer $WORD\r\n\r\n"),
    (Json, r#"{"$KEY":"$ANY"}"#),
    (Json, r#"{"$KEY":"$ANY"}"#),
    (Json, r#"{"a":1,"$KEY" : "$ANY","b":[true,null]}"#),
    (Json, r#"{"user":{"$KEY":"$ANY"}}"#),
    (Json, r#"{"a":[{"b":[{"$KEY":"$ANY"}]}]}"#),
    (Json, r#"{"$KEY":{"a":{"b":"$ANY"},"c":[1,"$WORD"]}}"#),
    (Json, r#"{"$KEY":["$WORD","$WORD",["$WORD"]]}"#),
    (Json, r#"{"$KEY":{"$KEY":"$WORD"},"x":1}"#),
    (Json, r#"{"$KEY":$NUM}"#),
    (Json, r#"{"$KEY":[$NUM,-$NUM.$NUM]}"#),
    (Json, r#"[{"$KEY":"$ANY"},{"x":1}]"#),
    (Json, r#"{"$KEY":"$WORD","$SAME":"$WORD"}"#),
    (Json, r#"{"user[$PART]":"$ANY"}"#),
    (Json, r#"{"x":"$JWT"}"#),
    (Json, r#"{"x":["see $JWT there"]}"#),
    (Json, r#"{"x":"see $CRED there"}"#),
    (Json, r#"["$CRED"]"#),
    (Json, r#""$JWT""#),
    (Json, r#"$CRED"#),
    (Json, r#"{"$JWT":1}"#),
    (Json, r#"{"$CRED":{"a":1}}"#),
    (Json, r#"{"a.$CRED.b":{"[$CRED]":1}}"#),
    (Json, r#"{"a":[{"x-$CRED":1}]}"#),
    (Json, r#"{"$CRED":1,"$CRED":{"$JWT":2,"$JWT":3}}"#),
    (Json, r#"{"$KEY=$WORD":1}"#),
    (Json, r#"{"$KEY: $WORD":1}"#),
    (Json, r#"{"Bearer $WORD":1}"#),
    (Json, r#"{"https://u:$WORD@h/":1}"#),
    (Json, r#"{"{\"$PART\":\"$WORD\"}":1}"#),
    (Json, r#"{"x":"{\"$PART\":\"$WORD\"}"}"#),
    (Json, r#"{"x":"$KEY=$WORD"}"#),
    (Json, r#"{"query":"{ login(password: \"$QUOTED\") { id } }"}"#),
    (Json, r#"{"query":"query $CRED { a }"}"#),
    (Json, r#"[{"query":"query A { a } mutation $CRED { a }"}]"#),
    (Json, r#"{"query":"mutation { a(t: \"$JWT\") { b } }"}"#),
    (Json, r#"{"query":"{ $CRED }"}"#),
    (Json, r#"{"query":"{ a } # $QUOTED"}"#),
    (Json, r#"{"query":"{ a(x: \"\"\"$QUOTED\"\"\") }"}"#),
    (Json, r#"{"query":"{ a","variables":{"$KEY":"$ANY"}}"#),
    (Json, r#"{"query":"{ a }","variables":{"in":{"$KEY":"$ANY"}},"operationName":"$CRED"}"#),
    (Json, r#"{"$KEY":{"query":"query $WORD { a }"}}"#),
    (Json, r#"$DEEP{"$KEY":"$ANY"}"#),
    (Json, r#"{"$KEY":$DEEP"$ANY"}"#),
    (Json, "\u{FEFF}{\"$KEY\":\"$ANY\"}"),
    (Json, r#"{"$KEY":"$WORD""#),
    (Json, r#"{"$KEY":"$WORD",}"#),
    (Json, r#"{"$KEY":"$WORD"#),
    (Json, r#"{"$KEY":"$WORD}"#),
    (Json, r#"{"$KEY":'$WORD'}"#),
    (Json, r#"{'$KEY':'$WORD'}"#),
    (Json, r#"{$PART:$WORD}"#),
    (Json, r#"{"$KEY":$WORD}"#),
    (Json, r#"{"$KEY" "$WORD"}"#),
    (Json, r#"{"$KEY"::"$WORD"}"#),
    (Json, r#"{"a":{"$KEY":"$WORD"]}"#),
    (Json, r#"{"a":1}{"$KEY":"$WORD"}"#),
    (Json, r#"{"a":1},"$KEY":{"b":"$WORD"}}"#),
    (Json, r#"{"$KEY":/* $QUOTED */"$WORD"}"#),
    (Json, "// $KEY: $TEXT\n{\"a\":1}"),
    (Json, r#"/* $TEXT */ {"a":1}"#),
    (Json, r#"{"$KEY":"$WORD\"$WORD"}"#),
    (Json, r#"{"$KEY":"$WORD\x$WORD"}"#),
    (Json, "{\"$KEY\":\"$WORD\n$WORD\t\"}"),
    (Json, r#"{"$KEY":"$WORD"$WORD"}"#),
    (Json, r#"{"$KEY":"$WORD""$WORD"}"#),
    (Json, r#"{"$KEY":$WORD $WORD $WORD}"#),
    (Json, r#"{"$KEY":$WORD:$WORD,"a":1}"#),
    (Json, r#"{"a":{"$KEY":{"b":"$WORD"$WORD"}}}"#),
    (Json, r#"{$PLAINJWT:1}"#),
    (Json, r#"{"a":$JWT}"#),
    (Lines, "{\"a\":1}\n{\"$KEY\":\"$ANY\"}\n\"$JWT\""),
    (Lines, "\x1e{\"$KEY\":\n\"$WORD\"}\n"),
    (Multipart, "--XX\r\nContent-Disposition: form-data; name=\"$KEY\"\r\n\r\n$ANY\r\n--XX--\r\n"),
    (Multipart, "--XX\r\nContent-Disposition: form-data; name=\"$KEY\"\r\n\r\n$ANY\r\n--XX--\r\n"),
    (Multipart, "--XX\nContent-Disposition: form-data; name=$KEY\n\n$ANY\n--XX--"),
    (Multipart, "--XX\r\nContent-Disposition: form-data; name=\"user[$PART]\"\r\n\r\n$ANY\r\n--XX--"),
    (Multipart, "--XX\r\nContent-Type: text/plain\r\nContent-Disposition: form-data;name=\"$KEY\"\r\n\r\n$ANY"),
    (Multipart, "--XX\r\nContent-Disposition: form-data; name=\"$KEY\"; filename=\"a.txt\"\r\n\r\n$ANY\r\n--XX--"),
    (Multipart, "--XX\r\nContent-Disposition: form-data;\r\n name=\"$KEY\"\r\n\r\n$ANY\r\n--XX--"),
    (Multipart, "--XX\r\nContent-Disposition: form-data; name=\"$JWT\"\r\n\r\n1\r\n--XX--"),
    (Multipart, "--XX\r\nContent-Disposition: form-data; name=\"a $CRED\"\r\n\r\n1\r\n--XX--"),
    (Multipart, "--XX\r\nContent-Disposition: form-data; name=$CRED\r\n\r\n1\r\n--XX\r\n\r\n$JWT\r\n--XX--"),
    (Multipart, "--XX\r\nContent-Disposition: form-data; name=\"$KEY=$WORD\"\r\n\r\n1\r\n--XX--"),
    (Multipart, "--XX\r\nContent-Disposition: form-data; name=\"$KEY: $WORD\"\r\n\r\n1\r\n--XX--"),
    (Multipart, "--XX\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nsee $CRED\r\n--XX--"),
    (Multipart, "--XX\r\nContent-Disposition: form-data; name=\"a\"; filename=\"$CRED.png\"\r\n\r\n1\r\n--XX--"),
    (Multipart, "--XX\r\nContent-Disposition: form-data; name=\"a\"; filename=\"$JWT\"\r\n\r\n1\r\n--XX--"),
    (Multipart, "--XX\r\nContent-Disposition: form-data; name=\"a\"; filename=\"a.$WORD\"\r\n\r\n1\r\n--XX--"),
    (Multipart, "--XX\r\nContent-Disposition: form-data; name=\"a\"; filename=\"../$KEY=$TEXT\"\r\n\r\n1\r\n--XX--"),
    (Multipart, "--XX\r\nContent-Disposition: form-data; name=\"a\"; filename*=UTF-8''$CRED\r\n\r\n1\r\n--XX--"),
    (Multipart, "--XX\r\nContent-Disposition: form-data; name=\"a\"; $KEY=\"$QUOTED\"\r\n\r\n1\r\n--XX--"),
    (Multipart, "--XX\r\nContent-Disposition: form-data; name=\"a\"\r\nContent-Type: $CRED/x\r\n\r\n1\r\n--XX--"),
    (Multipart, "--XX\r\nContent-Disposition: form-data; name=\"a\"\r\nContent-Type: text/x-$CRED\r\n\r\n1\r\n--XX--"),
    (Multipart, "--XX\r\nContent-Disposition: form-data; name=\"a\"\r\nContent-Type: text/$JWT\r\n\r\n1\r\n--XX--"),
    (Multipart, "--XX\r\nContent-Disposition: form-data; name=\"a\"\r\nContent-Type: $WORD $WORD\r\n\r\n1\r\n--XX--"),
    (
        Multipart,
        "--XX\r\nContent-Disposition: form-data; name=\"a\"\r\nContent-Type: a/b; $KEY=$WORD\r\n\r\n1\r\n--XX--",
    ),
    (Multipart, "--XX\r\nContent-Disposition: form-data; name=\"a\"\r\n$NAME: $TEXT\r\n\r\n1\r\n--XX--"),
    (Multipart, "--XX\r\nContent-Disposition: form-data; name=\"a\"\r\nAuthorization: Bearer $TEXT\r\n\r\n1\r\n--XX--"),
    (Multipart, "--XX\r\n$KEY=$WORD\r\n\r\n1\r\n--XX--"),
    (Multipart, "--XX\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n--XX--\r\n$TEXT"),
    (Multipart, "$TEXT\r\n--XX\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n--XX--"),
    (Multipart, "--YY\r\nContent-Disposition: form-data; name=\"$KEY\"\r\n\r\n$ANY\r\n--YY--\r\n"),
    (Multipart, "--$CRED\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n--$CRED--\r\n"),
    (Multipart, "$KEY=$WORD&x"),
    (Multipart, "{\"$KEY\":\"$WORD\"}"),
    (Xml, "<$KEY>$ANY</$SAME>"),
    (Xml, "<r>\n <$KEY>$ANY</$SAME>\n</r>"),
    (Xml, "<r><ns:$KEY>$ANY</ns:$SAME></r>"),
    (Xml, "<a:r><u $KEY=\"$ANY\"/></a:r>"),
    (Xml, "<u b='c' ns:$KEY='$WORD'>x</u>"),
    (Xml, "<$KEY><v>$ANY</v><w a=\"$ANY\"/></$SAME>"),
    (Xml, "<a><ns:$KEY a=\"$ANY\">$WORD</ns:$SAME></a>"),
    (Xml, "<$KEY><![CDATA[$TEXT]]></$SAME>"),
    (Xml, "<a><$KEY>$WORD<b/>$WORD</$SAME></a>"),
    (Xml, "<$KEY>$NUM</$SAME>"),
    (Xml, "<a>$JWT</a>"),
    (Xml, "<a><![CDATA[see $CRED]]><b c=\"$CRED\"/></a>"),
    (Xml, "<a $CRED=\"1\"/>"),
    (Xml, "<a b:$JWT='1'/>"),
    (Xml, "<$CRED>x</$CRED>"),
    (Xml, "<a><b:$CRED/></a>"),
    (Xml, "<$JWT/>"),
    (Xml, "<$CRED:a $CRED:b='1'/>"),
    (Xml, "<!-- $KEY: $TEXT --><a/>"),
    (Xml, "<a/><!-- $JWT -->"),
    (Xml, "<?pi $KEY=$QUOTED?><a/>"),
    (Xml, "<!DOCTYPE a [<!ENTITY x \"$WORD\">]><a>&x;</a>"),
    (Xml, "<!DOCTYPE a SYSTEM \"http://u:$WORD@h/?$KEY=$WORD\"><a/>"),
    (Xml, "<a>&$WORD;</a>"),
    (Xml, "<a xmlns:b=\"http://u:$WORD@h/?$KEY=$WORD\"/>"),
    (Xml, "<r><$KEY>$WORD</r>"),
    (Xml, "<$KEY>$WORD"),
    (Xml, "<$KEY a=$WORD>x</$SAME>"),
    (Xml, "<a $KEY=$WORD/>"),
    (Xml, "<a $KEY = '$WORD>"),
    (Xml, "<a $KEY=\"$WORD\"$WORD\"/>"),
    (Xml, "<a $KEY=$WORD $WORD b='c'/>"),
    (Xml, "<a><$KEY>$WORD<$PLAINWORD</$SAME></a>"),
    (Xml, "<a/>$KEY=$PLAINWORD"),
    (Xml, "$KEY: $ANY"),
    (Xml, "{\"$KEY\":\"$WORD\"}"),
    (Xml, "<a></b $CRED>"),
    (Xml, "<!x $TEXT><a/>"),
];

/// Sensitive wherever they stand in a name.
#[rustfmt::skip]
const PARTS: &[&str] = &[
    "password", "pwd", "passwd", "token", "access_token", "auth", "session", "sessionid", "sess", "secret",
    "client_secret", "credential", "api_key", "api-key", "apikey", "access.key", "private_key", "subscription-key",
    "csrf", "xsrf_token", "sig", "signature", "hmac", "sso", "jwt", "bearer", "cookie", "user_password",
    "X-Auth-Token",
];

/// Sensitive as a whole.
#[rustfmt::skip]
const WHOLE: &[&str] = &[
    "key", "sid", "otp", "pin", "code", "cvv", "cvc", "ssn", "nonce", "ticket", "assertion", "SAMLResponse",
    "SAMLRequest", "x-key", "X_Pin",
];

#[rustfmt::skip]
const NAMES: &[&str] = &[
    "X-Auth-Token", "X-Api-Key", "Api-Key", "X-CSRF-Token", "X-Session-Id", "X-Secret", "Private-Key",
    "X-Amz-Security-Token", "Authentication-Info", "X-Key", "Sid", "X-Pin", "Ocp-Apim-Subscription-Key", "Token",
    "X_Auth_Token", "Proxy-Auth", "Authorization", "Proxy-Authorization",
];

/// Known formats: how they begin, the classes of what follows, and how much of it.
const CREDENTIALS: &[(&str, &[usize], usize)] = &[
    ("AKIA", &[1, 4], 16),
    ("ghp_", &[0, 1, 4], 36),
    ("github_pat_", &[0, 1, 4], 60),
    ("glpat-", &[0, 1, 4], 20),
    ("xoxb-", &[0, 4], 24),
    ("sk_live_", &[0, 1, 4], 24),
    ("rk_test_", &[0, 1, 4], 24),
    ("AIza", &[0, 1, 4], 35),
    ("npm_", &[0, 1, 4], 36),
];

/// A case with one slot, or with a few of them among hostile neighbours.
pub(crate) fn case(rng: &mut Rng) -> Case {
    let (area, template) = SLOTS[rng.below(SLOTS.len())];
    let rich = rng.one_in(2);
    // A template with line ends of its own has those of CRLF mode in mind.
    let end = if template.contains(['\r', '\n']) { "\r\n" } else { rng.pick(&["\r\n", "\r\n", "\r\n", "\n"]) };
    let mut case = Case { slot: template, pieces: Vec::new(), body: Vec::new(), coding: None, chunked: None };
    let line = |case: &mut Case, rng: &mut Rng| {
        if rich && rng.one_in(2) {
            let line = generator::header_line(rng, end);
            // A line that begins with white space would belong to the slot; another type would be another reader.
            let folded = matches!(line.first(), Some(b' ' | b'\t'));
            let is_type = area.media_type().is_some() && line.to_ascii_lowercase().starts_with(b"content-type");
            if !folded && !is_type {
                case.text([&line, end.as_bytes()].concat());
            }
        }
    };

    match area {
        Method => fill(&mut case, area, template, rng),
        Connect => case.text("CONNECT"),
        _ => case.text(if area.media_type().is_some() { "POST" } else { "GET" }),
    }
    case.text(" ");
    match area {
        Target | Connect => fill(&mut case, area, template, rng),
        Path => {
            if rich {
                case.text(format!("/{}", rng.pick(generator::SEGMENTS)));
            }
            fill(&mut case, area, template, rng);
            if rich {
                case.text(format!("/{}", rng.pick(generator::SEGMENTS)));
            }
        }
        _ => case.text("/a"),
    }
    if area == Query || (rich && !matches!(area, Target | Connect)) {
        case.text("?");
        if rich {
            case.text(generator::pair(rng));
            case.text("&");
        }
        if area == Query {
            fill(&mut case, area, template, rng);
        }
        if rich {
            case.text("&");
            case.text(generator::pair(rng));
        }
    }
    case.text(if rich && rng.one_in(10) { "" } else { " HTTP/1.1" });
    case.text(end);
    if area == FirstHeader {
        fill(&mut case, area, template, rng);
        case.text(end);
    }
    if !(area == Header && template.starts_with("Host")) {
        case.text(format!("Host: ex.com{end}"));
    }
    line(&mut case, rng);
    if area == Header {
        fill(&mut case, area, template, rng);
        case.text(end);
        line(&mut case, rng);
    }
    let Some(media_type) = area.media_type() else {
        case.text(end);
        return case;
    };
    // Without a type a body is what it looks like.
    if !rng.one_in(8) {
        case.text(format!("Content-Type: {media_type}{end}"));
    }
    if area != Chunked && rng.one_in(5) {
        let coding = *rng.pick(&Coding::ALL);
        case.coding = Some(coding);
        case.text(format!("Content-Encoding: {}{end}", coding.name()));
    }
    if area != Chunked && rng.one_in(5) {
        case.chunked = Some(rng.between(1, 40));
    }
    if area == Chunked || case.chunked.is_some() {
        case.text(format!("Transfer-Encoding: chunked{end}"));
    }
    case.text(end);
    let head = std::mem::take(&mut case.pieces);
    fill(&mut case, area, template, rng);
    case.body = std::mem::replace(&mut case.pieces, head);
    case
}

/// Writes a template with its names and secrets filled in.
fn fill(case: &mut Case, area: Area, template: &str, rng: &mut Rng) {
    let coat = area.coat();
    let percent = coat == Coat::Percent;
    // References mean nothing in the names of XML, where credentials stand too.
    let token_coat = if area == Xml { Coat::Plain } else { coat };
    let mut same = String::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('$') {
        case.text(before);
        let end = after.find(|c: char| !c.is_ascii_uppercase() && !c.is_ascii_digit()).unwrap_or(after.len());
        let (word, behind) = after.split_at(end);
        rest = behind;
        match word {
            "KEY" | "PART" | "NAME" => {
                let names = match word {
                    "KEY" if rng.one_in(4) => WHOLE,
                    "NAME" => NAMES,
                    _ => PARTS,
                };
                same = disguised(rng.pick(names), area, rng);
                case.text(&same);
            }
            "SAME" => case.text(&same),
            "DEEP" => case.text(rng.pick(&["[", "{\"a\":"]).repeat(66)),
            "NUM" => {
                let text = run(&[4], rng.between(5, 12), rng);
                case.secret(&text, Coat::Plain, "", false, rng);
            }
            // Anything a user can type; what has a meaning where it stands is encoded.
            "ANY" => {
                let mut text = plain_word(rng);
                for _ in 0..rng.below(4) {
                    let odd = rng.pick(&[
                        " ", "!", "\"", "#", "$", "'", "(", ")", "*", "+", ",", "/", ":", ";", "<", "=", ">", "?", "@",
                        "[", "]", "\\", "^", "`", "{", "|", "}", "~", "é", "я", "--", "\0", "\n", "\u{200B}",
                    ]);
                    text.push_str(odd);
                    text.push_str(&plain_word(rng));
                }
                let always = match coat {
                    Coat::Percent => " #&;+=%\r\n\0",
                    Coat::Json => "\"\\\n\0",
                    Coat::Xml => "<&\"'",
                    Coat::Plain => "",
                };
                case.secret(&text, coat, always, true, rng);
            }
            "WORD" | "PLAINWORD" => {
                let text = plain_word(rng);
                case.secret(&text, if word == "WORD" { coat } else { Coat::Plain }, "", true, rng);
            }
            // To the end of the value, so anything may be in it.
            "TEXT" => {
                let mut text = plain_word(rng);
                for _ in 0..rng.below(3) {
                    text.push_str(rng.pick(&[
                        " ", ", ", "; ", "=", "/", "+", "\"", "' ", "(", ")", "<", ":", "?", "@", "#", "&", "é",
                    ]));
                    text.push_str(&plain_word(rng));
                }
                case.secret(&text, Coat::Plain, "", false, rng);
            }
            "QUOTED" => {
                let mut text = plain_word(rng);
                for _ in 0..rng.below(3) {
                    text.push_str(rng.pick(&[" ", ", ", "; ", "=", "/", "(", "<", ":", "@", "&", "é"]));
                    text.push_str(&plain_word(rng));
                }
                case.secret(&text, Coat::Plain, "", false, rng);
            }
            "B64" => {
                let text = rich(rng.between(2, 6) * 4 - 1, rng);
                case.secret(&text, coat, "", true, rng);
                case.text("=");
            }
            "TOKEN" => {
                let len = rng.between(14, 30);
                let text = format!("{}{}", run(&[0, 4], 2, rng), run(&[0, 4], len, rng));
                case.secret(&format!("q2{text}"), coat, "", true, rng);
            }
            "HEX" => {
                let text =
                    format!("b3{}", run(if rng.one_in(4) { &[3, 4] } else { &[2, 4] }, rng.between(30, 38), rng));
                case.secret(&text, coat, "", true, rng);
            }
            "RICH" => {
                let text = rich(rng.between(20, 30), rng);
                case.secret(&text, coat, "", true, rng);
            }
            "JWT" | "PLAINJWT" => {
                let coat = if word == "JWT" { token_coat } else { Coat::Plain };
                // `{"alg":"none"}`, `{"typ":"JWT","alg":"HS256"}`.
                let header = rng.pick(&["eyJhbGciOiJub25lIn0", "eyJ0eXAiOiJKV1QiLCJhbGciOiJIUzI1NiJ9"]);
                let dot = if percent { rng.pick(&[".", ".", "%2E", "%2e"]) } else { "." };
                case.text(header);
                case.text(dot);
                let (claims, signature) = (rich(rng.between(8, 20), rng), rich(rng.between(8, 20), rng));
                case.secret(&claims, coat, "", true, rng);
                case.text(dot);
                case.secret(&signature, coat, "", true, rng);
            }
            "CRED" => {
                let (prefix, classes, len) = CREDENTIALS[rng.below(CREDENTIALS.len())];
                let encoded = percent && rng.one_in(3);
                case.text(if encoded {
                    generator::percent(prefix.as_bytes(), rng)
                } else {
                    prefix.as_bytes().to_vec()
                });
                let text = run(classes, len, rng);
                case.secret(&text, token_coat, "", true, rng);
            }
            _ => unreachable!("no such word in {template}"),
        }
    }
    case.text(rest);
}

/// A secret without punctuation that could end it.
fn plain_word(rng: &mut Rng) -> String {
    let len = rng.between(3, 18);
    match rng.below(8) {
        0 => run(&[4], len, rng),
        1 => run(&[0], len, rng),
        2 => run(&[0, 1], len, rng),
        3 => run(&[2, 4], len, rng),
        4 => rich(len, rng),
        5 => format!("{}-{}", run(&[0, 4], len, rng), run(&[0, 1], 3, rng)),
        6 => {
            let mut group = |len| run(&[2, 4], len, rng);
            format!("{}-{}-{}-{}-{}", group(8), group(4), group(4), group(4), group(12))
        }
        _ => format!("{}_{}", rich(len, rng), run(&[4], 2, rng)),
    }
}

/// A name in clothes that a back end may see through.
fn disguised(name: &str, area: Area, rng: &mut Rng) -> String {
    let disguise = match area.coat() {
        Coat::Percent => rng.below(11),
        Coat::Json if rng.one_in(3) => 11,
        _ => rng.below(9),
    };
    let at = rng.below(name.len());
    let mut out = String::new();
    for (n, c) in name.chars().enumerate() {
        // A percent sign begins no name in XML.
        let here = (n == at || rng.one_in(6)) && !(area == Xml && n == 0);
        match disguise {
            0 => out.extend(c.to_uppercase()),
            1 => out.push(if matches!(c, '-' | '_' | '.') { *rng.pick(&[&'-', &'_', &'.']) } else { c }),
            2 if here => out.push_str(&format!("%{:02x}", c as u32)),
            3 if here => out.push_str(&format!("%25{:02X}", c as u32)),
            4 if here && c.is_ascii_graphic() => out.push(char::from_u32(c as u32 + 0xFEE0).unwrap_or(c)),
            5 if here => out.push(lookalike(c)),
            6 if here => out.extend([c, *rng.pick(&[&'\u{200B}', &'\u{AD}', &'\u{2060}', &'\u{202E}'])]),
            7 if here => out.push_str(&format!("%2525{:02X}", c as u32)),
            // The query would take an `&` in front of anything else for a separator.
            9 if here => out.push_str(&format!("&#{};", c as u32)),
            10 if here => out.push_str(&format!("&#x{:x};", c as u32)),
            11 if here => out.push_str(&format!("\\u{:04x}", c as u32)),
            _ => out.push(c),
        }
    }
    out
}

fn lookalike(c: char) -> char {
    match c {
        'a' => 'а',
        'e' => 'е',
        'o' => 'о',
        'p' => 'р',
        'c' => 'с',
        's' => 'ѕ',
        'i' => 'і',
        'x' => 'х',
        'y' => 'у',
        _ => c,
    }
}
