//! The fields of a structured body: the path of each, its value, and how many of them are listed.

use crate::findings::{Findings, Span};
use crate::hidden::Hidden;
use crate::settings::Settings;
use crate::stage::content;
use crate::stage::decode::{self, Component, Layers};
use crate::stage::query::Pair;
use crate::stage::redact::{Kept, Redact, SafeSpan};
use crate::table::changes::Change;
use crate::table::flags::Flag;
use crate::table::limits::{KEYS_OF_BODY, PATH_OF_FIELD};

/// What every reader of a body works with.
pub(crate) struct Tools<'a> {
    pub(crate) layers: &'a mut Layers,
    pub(crate) redact: &'a mut Redact,
    pub(crate) settings: &'a Settings,
    pub(crate) findings: &'a mut Findings,
}

/// How the text of a body spells its characters.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Spelling {
    Plain,
    /// With the escapes of JSON.
    Json,
    /// With the references of XML.
    Xml,
}

impl Tools<'_> {
    /// Raises what a value shows.
    pub(crate) fn check(&mut self, raw: Hidden<'_>, spelling: Spelling) {
        let Tools { layers, settings, findings, .. } = self;
        let value = match spelling {
            Spelling::Plain => decode::plain(raw, Component::Value, layers, findings),
            Spelling::Json => decode::json_string(raw, Component::Value, layers, findings),
            Spelling::Xml => decode::xml_text(raw, layers, findings),
        };
        content::value(&value, raw.whole(), settings, findings);
    }

    /// Raises what a text shows that is shown nowhere itself.
    pub(crate) fn inspect(&mut self, raw: Hidden<'_>, spelling: Spelling) {
        self.findings.change(Change::Inspected, raw.whole());
        self.check(raw, spelling);
    }
}

/// Fields in order of arrival, and the path of the one that is being read.
#[derive(Default)]
pub(crate) struct Listing {
    pub(crate) fields: Vec<Pair>,
    left_out: usize,
    pub(crate) path: Kept,
    /// How many bytes of keys may still be listed.
    room: usize,
}

impl Listing {
    pub(crate) fn clear(&mut self) {
        self.fields.clear();
        self.left_out = 0;
        self.path.clear();
    }

    /// Makes ready for a body of so many bytes: what it lists must not grow far beyond it.
    pub(crate) fn begin(&mut self, content: usize) {
        self.room = content.max(KEYS_OF_BODY);
    }

    /// Goes down to a part of what stands at `base`. Nothing joins the first name of a path.
    pub(crate) fn enter(&mut self, base: usize, joint: &'static str, name: SafeSpan, redact: &Redact) {
        self.path.truncate(base);
        self.path.push(joint);
        self.path.push_span(&redact.safe, name);
    }

    /// Whether anything below the present path would have too long a path: every field repeats it.
    pub(crate) fn is_too_long(&self) -> bool {
        self.path.len() > PATH_OF_FIELD
    }

    /// A field at the present path.
    pub(crate) fn push(&mut self, value: SafeSpan, tools: &mut Tools<'_>) {
        let len = self.path.len();
        if self.left_out > 0 || self.fields.len() >= tools.settings.body_fields || len > self.room {
            self.left_out += 1;
            return;
        }
        self.room -= len;
        let safe = &mut tools.redact.safe;
        // The elements of an array have one path: it is stored once.
        let key = match self.fields.last() {
            Some(last) if self.path.is(safe.get(last.key)) => last.key,
            _ => {
                let start = safe.begin();
                safe.push_kept(&self.path);
                safe.since(start)
            }
        };
        self.fields.push(Pair { key, value: Some(value) });
    }

    /// Says how many fields are not listed, with `others` that are not listed elsewhere.
    pub(crate) fn finish(&self, others: usize, span: Span, findings: &mut Findings) {
        let left_out = self.left_out + others;
        if left_out > 0 {
            findings.raise_count(Flag::BodyCut, left_out, span);
        }
    }
}

/// Hears of each of `names` that comes more than once. Sorts the names.
pub(crate) fn for_repeated<'t>(
    names: &mut [SafeSpan],
    tools: &mut Tools<'t>,
    mut repeated: impl FnMut(&mut Tools<'t>, SafeSpan),
) {
    if names.len() < 2 {
        return;
    }
    let safe = &tools.redact.safe;
    names.sort_unstable_by(|&a, &b| safe.get(a).cmp(safe.get(b)));
    let mut rest = &*names;
    while let [first, others @ ..] = rest {
        let safe = &tools.redact.safe;
        let same = others.iter().take_while(|&&other| safe.get(other) == safe.get(*first)).count();
        rest = &others[same..];
        if same > 0 {
            repeated(tools, *first);
        }
    }
}
