//! What the stages observed: flags, each with the line it belongs to and the bytes that raised it.

use crate::stage::redact::SafeSpan;
use crate::table::changes::Change;
use crate::table::flags::{FLAGS, Flag};

/// A range of bytes of the input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) struct Span {
    pub(crate) start: usize,
    pub(crate) end: usize,
}

impl Span {
    pub(crate) const fn new(start: usize, end: usize) -> Span {
        Span { start, end }
    }
}

/// A set of flags without their parameters.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct FlagSet(u128);

impl FlagSet {
    pub(crate) fn insert(&mut self, flag: Flag) -> bool {
        let bit = 1 << flag as u32;
        let new = self.0 & bit == 0;
        self.0 |= bit;
        new
    }

    pub(crate) const fn union(self, other: FlagSet) -> FlagSet {
        FlagSet(self.0 | other.0)
    }

    const fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub(crate) const fn contains(self, flag: Flag) -> bool {
        self.0 & (1 << flag as u32) != 0
    }

    pub(crate) fn iter(mut self) -> impl Iterator<Item = Flag> {
        std::iter::from_fn(move || {
            let row = FLAGS.get(self.0.trailing_zeros() as usize)?;
            self.0 &= self.0 - 1;
            Some(row.flag)
        })
    }
}

impl FromIterator<Flag> for FlagSet {
    fn from_iter<I: IntoIterator<Item = Flag>>(flags: I) -> FlagSet {
        let mut set = FlagSet::default();
        for flag in flags {
            set.insert(flag);
        }
        set
    }
}

/// The line of the document that a flag is shown on. The order is that of the document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Line {
    /// In the roll-up only.
    Nowhere,
    Path,
    Query,
    Body,
    /// An `H:` line, counted from the first.
    Header(usize),
    /// The line of a header field, counted as they came; its place is known when headers are sorted.
    Field(usize),
    /// The first `H:host` line, likewise.
    Host,
}

/// What stands behind the colon of a flag.
#[derive(Clone, Copy)]
pub(crate) enum Param {
    None,
    /// A key or a name, as its line writes it.
    Text(SafeSpan),
    Count(usize),
    /// One of a fixed list.
    Word(&'static str),
}

#[derive(Clone, Copy)]
pub(crate) struct Finding {
    pub(crate) line: Line,
    pub(crate) flag: Flag,
    pub(crate) param: Param,
    pub(crate) span: Span,
    /// When it was raised.
    pub(crate) turn: usize,
}

/// The flags of one request, in the order in which they were raised.
pub(crate) struct Findings {
    enabled: FlagSet,
    line: Line,
    seen_on_line: FlagSet,
    list: Vec<Finding>,
    /// What stages changed, while a request is being explained.
    changes: Vec<(Change, Span)>,
    traced: bool,
}

impl Findings {
    pub(crate) fn new(enabled: FlagSet) -> Findings {
        Findings {
            enabled,
            line: Line::Nowhere,
            seen_on_line: FlagSet::default(),
            list: Vec::new(),
            changes: Vec::new(),
            traced: false,
        }
    }

    pub(crate) fn clear(&mut self, traced: bool) {
        self.list.clear();
        self.changes.clear();
        self.traced = traced;
        self.on(Line::Nowhere);
    }

    /// From here on flags belong to `line`.
    pub(crate) fn on(&mut self, line: Line) {
        self.line = line;
        self.seen_on_line = FlagSet::default();
    }

    /// From here on flags belong to the `H:host` line.
    pub(crate) fn about_host(&mut self) -> &mut Findings {
        self.on(Line::Host);
        self
    }

    pub(crate) fn is_enabled(&self, flag: Flag) -> bool {
        self.enabled.contains(flag)
    }

    /// Raises a flag without a parameter; the first time on a line counts.
    pub(crate) fn raise(&mut self, flag: Flag, span: Span) {
        if self.enabled.contains(flag) && self.seen_on_line.insert(flag) {
            self.push(flag, Param::None, span);
        }
    }

    /// Raises a flag about the request line, which no line of the document shows.
    pub(crate) fn raise_nowhere(&mut self, flag: Flag, span: Span) {
        if self.enabled.contains(flag) {
            let turn = self.list.len();
            self.list.push(Finding { line: Line::Nowhere, flag, param: Param::None, span, turn });
        }
    }

    /// Raises a flag about a key or a name, as its line writes it.
    pub(crate) fn raise_named(&mut self, flag: Flag, name: SafeSpan, span: Span) {
        if self.enabled.contains(flag) {
            self.push(flag, Param::Text(name), span);
        }
    }

    /// Raises a flag with a word of a table.
    pub(crate) fn raise_word(&mut self, flag: Flag, word: &'static str, span: Span) {
        let again = self.list.last().is_some_and(|last| {
            last.flag == flag && last.line == self.line && matches!(last.param, Param::Word(known) if known == word)
        });
        if self.enabled.contains(flag) && !again {
            self.push(flag, Param::Word(word), span);
        }
    }

    /// Raises a flag that counts.
    pub(crate) fn raise_count(&mut self, flag: Flag, count: usize, span: Span) {
        if self.enabled.contains(flag) {
            self.push(flag, Param::Count(count), span);
        }
    }

    /// Notes what a stage did, if anybody asked.
    pub(crate) fn change(&mut self, change: Change, span: Span) {
        if self.traced {
            self.changes.push((change, span));
        }
    }

    pub(crate) const fn is_traced(&self) -> bool {
        self.traced
    }

    pub(crate) fn changes(&self) -> &[(Change, Span)] {
        &self.changes
    }

    fn push(&mut self, flag: Flag, param: Param, span: Span) {
        self.list.push(Finding { line: self.line, flag, param, span, turn: self.list.len() });
    }

    /// Nothing was raised on this line yet, and nobody asks where things came from.
    pub(crate) const fn is_quiet(&self) -> bool {
        self.seen_on_line.is_empty() && !self.traced
    }

    /// The flags without parameters that were raised on this line.
    pub(crate) const fn on_this_line(&self) -> FlagSet {
        self.seen_on_line
    }

    pub(crate) fn list(&self) -> &[Finding] {
        &self.list
    }

    pub(crate) fn list_mut(&mut self) -> &mut Vec<Finding> {
        &mut self.list
    }

    /// Puts the flags of a line that is not written into the roll-up alone.
    pub(crate) fn move_to_nowhere(&mut self, line: Line) {
        for finding in self.list.iter_mut().filter(|finding| finding.line == line) {
            finding.line = Line::Nowhere;
        }
    }

    /// Gives the flags about header fields and the host their lines, when those are known.
    pub(crate) fn settle(&mut self, line_of_field: &[usize], host_line: Option<usize>) {
        for finding in &mut self.list {
            finding.line = match finding.line {
                Line::Field(field) => line_of_field.get(field).map_or(Line::Nowhere, |&line| Line::Header(line)),
                Line::Host => host_line.map_or(Line::Nowhere, Line::Header),
                line => line,
            };
        }
    }
}
