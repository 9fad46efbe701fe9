//! What was written for header values that come again and again: user agents and accept lists.
//!
//! A pure memory of a pure function. It holds only values in which redaction found nothing, a bounded number of them,
//! and it never decides anything: a value that is not in it is worked out.

use crate::findings::FlagSet;
use crate::stage::redact::{Kept, Safe, SafeSpan};
use crate::table::headers::ValueRule;

const SLOT_BITS: u32 = 8;

/// Longer values are seldom the same twice.
const LONGEST: usize = 512;

#[derive(Default)]
pub(crate) struct Memo {
    slots: Vec<Entry>,
}

#[derive(Default)]
struct Entry {
    rule: Option<ValueRule>,
    value: Vec<u8>,
    written: Kept,
    flags: FlagSet,
}

/// What is known of a value.
pub(crate) struct Known<'a> {
    pub(crate) written: &'a Kept,
    pub(crate) flags: FlagSet,
}

impl Memo {
    /// Whether values of that rule are worth remembering.
    pub(crate) const fn takes(rule: ValueRule, value: &[u8]) -> bool {
        matches!(
            rule,
            ValueRule::UserAgent
                | ValueRule::Accept
                | ValueRule::AcceptLanguage
                | ValueRule::AcceptCharset
                | ValueRule::AcceptEncoding
        ) && value.len() <= LONGEST
    }

    pub(crate) fn get(&self, rule: ValueRule, value: &[u8]) -> Option<Known<'_>> {
        let entry = self.slots.get(slot(rule, value))?;
        (entry.rule == Some(rule) && entry.value == value)
            .then_some(Known { written: &entry.written, flags: entry.flags })
    }

    pub(crate) fn put(&mut self, rule: ValueRule, value: &[u8], written: SafeSpan, flags: FlagSet, safe: &Safe) {
        if self.slots.is_empty() {
            self.slots.resize_with(1 << SLOT_BITS, Entry::default);
        }
        let entry = &mut self.slots[slot(rule, value)];
        entry.rule = Some(rule);
        entry.value.clear();
        entry.value.extend_from_slice(value);
        safe.keep(written, &mut entry.written);
        entry.flags = flags;
    }
}

/// Where a value belongs. A collision costs the older value its place, nothing else.
fn slot(rule: ValueRule, value: &[u8]) -> usize {
    const MULTIPLIER: u64 = 0x9E37_79B9_7F4A_7C15;
    let mut hash = (rule as u64) << 32 | value.len() as u64;
    let mut chunks = value.chunks_exact(8);
    for chunk in &mut chunks {
        let mut word = [0; 8];
        word.copy_from_slice(chunk);
        hash = (hash ^ u64::from_le_bytes(word)).wrapping_mul(MULTIPLIER).rotate_left(29);
    }
    for &byte in chunks.remainder() {
        hash = (hash ^ u64::from(byte)).wrapping_mul(MULTIPLIER).rotate_left(29);
    }
    // The best mixed bits of a product are its upper ones.
    (hash.wrapping_mul(MULTIPLIER) >> (u64::BITS - SLOT_BITS)) as usize
}
