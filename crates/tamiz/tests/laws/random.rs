//! A small random generator of our own: the same seed gives the same requests on every machine, for ever.

/// Steele, Lea and Flood's SplitMix64.
pub(crate) struct Rng(u64);

impl Rng {
    /// The stream of one case. Cases do not share a stream, so that one of them can be run alone.
    pub(crate) fn new(seed: u64, case: u64) -> Rng {
        let mut rng = Rng(seed ^ case.wrapping_mul(0xD134_2543_DE82_EF95));
        Rng(rng.word())
    }

    pub(crate) fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number below `bound`, which is not zero.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        (self.word() % bound as u64) as usize
    }

    pub(crate) fn between(&mut self, low: usize, high: usize) -> usize {
        low + self.below(high - low + 1)
    }

    pub(crate) fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    pub(crate) fn byte(&mut self) -> u8 {
        self.word() as u8
    }

    pub(crate) fn pick<'a, T: ?Sized>(&mut self, list: &[&'a T]) -> &'a T {
        list[self.below(list.len())]
    }

    pub(crate) fn shuffle<T>(&mut self, list: &mut [T]) {
        for i in (1..list.len()).rev() {
            list.swap(i, self.below(i + 1));
        }
    }
}
