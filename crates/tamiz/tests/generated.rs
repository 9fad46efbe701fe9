//! The generated pages: made from the tables, and stale when they differ.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use tamiz::table::finds::Sign;
use tamiz::table::{agents, extensions, finds, headers, limits, lookalikes, methods, secrets, shapes};
use tamiz::{FLAGS, Origin};

#[test]
fn flags_page_is_fresh() {
    check("docs/flags.md", &flags_page());
}

#[test]
fn tables_page_is_fresh() {
    check("docs/tables.md", &tables_page());
}

fn check(page: &str, wanted: &str) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(page);
    if std::env::var_os("TAMIZ_BLESS").is_some() {
        fs::write(&file, wanted).unwrap();
    }
    let present = fs::read_to_string(&file).unwrap_or_default();
    let renew = "TAMIZ_BLESS=1 cargo test -p tamiz --test generated";
    assert!(present == wanted, "{page} is stale. Renew it with:\n    {renew}");
}

const NOTE: &str = "<!-- Generated from the tables in crates/tamiz/src/table. \
Renew with: TAMIZ_BLESS=1 cargo test -p tamiz --test generated -->";

fn flags_page() -> String {
    let mut page = format!("# Flags\n\n{NOTE}\n\n");
    page.push_str(
        "What a document says about its request. Class: `context` is ordinary traffic, `odd` is unusual, `attack` is \
         what a benign client has no reason to send. A switch is turned on or off with `flags.enable`; every flag can \
         be left out with `flags.disable`. Origin: the original specification of the idea, by its (Spanish) name, or \
         `extension` where tamiz added it.\n\n",
    );
    page.push_str("| flag | class | default | stage | origin |\n| --- | --- | --- | --- | --- |\n");
    for row in FLAGS {
        let default = match (row.switch, row.default) {
            (false, _) => "always",
            (true, true) => "switch, on",
            (true, false) => "switch, off",
        };
        let origin = match row.origin {
            Origin::Original(name) => name,
            Origin::Extension => "extension",
        };
        let anchor = row.name.to_ascii_lowercase();
        let name = format!("{}{}", row.name, row.param.placeholder());
        let (class, stage) = (row.class.name(), row.stage.name());
        let _ = writeln!(page, "| [`{name}`](#{anchor}) | {class} | {default} | {stage} | {origin} |");
    }
    for row in FLAGS {
        let example = shortened(&row.example.escape_default().to_string());
        let _ = write!(page, "\n## {}\n\n{}\n\n*{}*\n\n    {example}\n", row.name, row.en, row.es);
    }
    page
}

/// Examples that are long because length is their point are cut for the page.
fn shortened(example: &str) -> String {
    if example.len() <= 300 {
        return example.to_owned();
    }
    let head: String = example.chars().take(200).collect();
    format!("{head}… ({} characters in all)", example.len())
}

fn tables_page() -> String {
    let mut page = format!("# Tables\n\n{NOTE}\n\nThe data that the specification refers to.\n");
    heading(&mut page, "Shapes", "In the order in which they are tried.");
    page.push_str("| shape | values |\n| --- | --- |\n");
    for shape in shapes::SHAPES {
        let _ = writeln!(page, "| `{}` | {} |", shape.name(), shape.meaning());
    }

    heading(&mut page, "Sensitive names", "A name that contains one of these, after folding:");
    list(&mut page, secrets::SENSITIVE_PARTS);
    page.push_str("\nA name that is one of these, a leading `x-` aside:\n\n");
    list(&mut page, secrets::SENSITIVE_NAMES);

    heading(&mut page, "Authentication schemes", "In literal text, what follows one is a secret.");
    list(&mut page, secrets::AUTH_SCHEMES);

    heading(&mut page, "Credential formats", "A prefix, and at least so many characters of an alphabet behind it.");
    page.push_str("| what | prefix | alphabet | at least | begins a word |\n| --- | --- | --- | --- | --- |\n");
    for row in secrets::CREDENTIALS {
        let word = if row.begins_word() { "yes" } else { "" };
        let _ = writeln!(
            page,
            "| {} | `{}` | {} | {} | {word} |",
            row.name,
            row.prefix,
            row.alphabet.characters(),
            row.min
        );
    }

    heading(&mut page, "User agents", "Ordinary comment words, which are left out:");
    list(&mut page, agents::ORDINARY);
    page.push_str("\nPlatforms, written as `name/version`:\n\n| words | name |\n| --- | --- |\n");
    for (words, name) in agents::PLATFORMS {
        let _ = writeln!(page, "| `{words}` | `{name}` |");
    }

    heading(&mut page, "Value rules", "How the value of a header is written.");
    page.push_str("| rule | value |\n| --- | --- |\n");
    for rule in headers::ValueRule::ALL {
        let _ = writeln!(page, "| {} | {} |", rule.name(), rule.meaning());
    }

    heading(&mut page, "Header syntaxes", "Where the whole value fits, its dangerous characters raise nothing.");
    page.push_str("| syntax | values |\n| --- | --- |\n");
    for syntax in headers::Syntax::ALL {
        let _ = writeln!(page, "| {} | {} |", syntax.name(), syntax.meaning());
    }

    heading(&mut page, "Headers with a rule or a syntax", "All other known headers are literal, without a syntax.");
    page.push_str("| header | value | syntax | merged | hop by hop |\n| --- | --- | --- | --- | --- |\n");
    let plain =
        |row: &headers::HeaderRow| row.value == headers::ValueRule::Literal && row.syntax == headers::Syntax::None;
    for row in headers::HEADERS.iter().filter(|row| !plain(row) || row.merge || row.hop_by_hop) {
        let (merged, hop) = (if row.merge { "yes" } else { "" }, if row.hop_by_hop { "yes" } else { "" });
        let _ = writeln!(page, "| `{}` | {} | {} | {merged} | {hop} |", row.name, row.value.name(), row.syntax.name());
    }

    heading(&mut page, "Known headers", "What UNKHDR lets pass, besides those that configuration adds.");
    list(&mut page, &headers::HEADERS.iter().map(|row| row.name).collect::<Vec<_>>());

    heading(&mut page, "Methods", "A line of a stream that begins with one of these and a target may begin a request.");
    list(&mut page, methods::METHODS);

    limits_table(&mut page);
    finds_table(&mut page);
    extensions_lists(&mut page);

    heading(&mut page, "Look-alikes", "Characters that count as an ASCII letter in a name (UTS 39).");
    page.push_str("| letter | characters |\n| --- | --- |\n");
    for letter in b'a'..=b'z' {
        let alike = lookalikes::LOOKALIKES.iter().filter(|(_, ascii)| *ascii == letter);
        let alike: Vec<String> = alike.map(|(c, _)| format!("{c} U+{:04X}", u32::from(*c))).collect();
        if !alike.is_empty() {
            let _ = writeln!(page, "| {} | {} |", char::from(letter), alike.join(", "));
        }
    }
    page
}

fn limits_table(page: &mut String) {
    heading(
        page,
        "Limits",
        "A key of the configuration, with its default, or a name in words where the figure is fixed.",
    );
    page.push_str("| limit | figure | of | past it |\n| --- | --- | --- | --- |\n");
    for row in limits::LIMITS {
        let name = if row.name.contains('.') { format!("`{}`", row.name) } else { row.name.to_owned() };
        let _ = writeln!(page, "| {name} | {} | {} | {} |", row.value, row.unit, row.past);
    }
}

fn finds_table(page: &mut String) {
    heading(
        page,
        "Finds",
        "What content can turn out to be, in the order in which it is tried: the words of BODYMISMATCH. A type that ends \
         in a dot stands for all that begin with it.",
    );
    page.push_str(
        "| find | sign | passive | at home with types | with types that have the word | with extensions |\n\
         | --- | --- | --- | --- | --- | --- |\n",
    );
    for row in finds::FINDS {
        let passive = if row.passive { "yes" } else { "" };
        let (types, with, extensions) = (words(row.types), words(row.words), words(row.extensions));
        let _ = writeln!(page, "| `{}` | {} | {passive} | {types} | {with} | {extensions} |", row.name, sign(row.sign));
    }
}

fn sign(sign: Sign) -> String {
    let bytes = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02X}")).collect::<Vec<_>>().join(" ");
    let text = |text: &'static [u8]| std::str::from_utf8(text).unwrap();
    match sign {
        Sign::Magic(magic) => format!("{} at the start", bytes(magic)),
        Sign::Code { start, anywhere } => {
            format!("`{}` at the start, or `{}` (any case) anywhere", text(start), text(anywhere))
        }
        Sign::PortableExecutable => "`MZ` at the start, and the header that it leads to".to_owned(),
        Sign::Structure => "the structure of the text".to_owned(),
    }
}

fn extensions_lists(page: &mut String) {
    let of_kind = |executable: bool| -> Vec<&str> {
        let rows = extensions::EXTENSIONS.iter().filter(|row| row.executable == executable);
        rows.map(|row| row.name).collect()
    };
    heading(page, "File extensions", "Of any other one the shape is written. Executable ones:");
    list(page, &of_kind(true));
    page.push_str("\nAll others:\n\n");
    list(page, &of_kind(false));
}

fn heading(page: &mut String, title: &str, text: &str) {
    let _ = write!(page, "\n## {title}\n\n{text}\n\n");
}

fn list(page: &mut String, listed: &[&str]) {
    let _ = writeln!(page, "{}", words(listed));
}

fn words(words: &[&str]) -> String {
    words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(" ")
}
