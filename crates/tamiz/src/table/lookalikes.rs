//! Characters that a reader takes for an ASCII letter, so that a sensitive name cannot hide behind them.
//!
//! From the confusables of UTS 39, Unicode 18.0.0 (crate `unicode-security`). Names are compared after NFKC and
//! lower-casing, so only characters that both leave alone are listed. A character stands for a letter when
//! - its skeleton is the skeleton of that letter; or
//! - it is what lower-casing makes of a capital whose skeleton is that of the letter (U+041A looks like `K`, so its
//!   lower case U+043A stands for `k`).
//!
//! The skeletons do not tell `I` and `l` apart. Capitals of that class, and the few in `READ_AS_I`, are `i`.
//!
//! Before you change this: the test below computes the table anew and prints it where the two differ.

/// Characters of the class of `I` and `l` that are letters I by name.
#[cfg(test)]
const READ_AS_I: &[char] = &['\u{4CF}', '\u{16C1}', '\u{A4F2}', '\u{A7FE}', '\u{10309}'];

/// The look-alikes, sorted, with the lower-case letter each stands for.
#[rustfmt::skip]
pub const LOOKALIKES: &[(char, u8)] = &[
    ('\u{A1}', b'i'), ('\u{D7}', b'x'), ('\u{FE}', b'p'), ('\u{131}', b'i'), ('\u{185}', b'b'),
    ('\u{18D}', b'g'), ('\u{192}', b'f'), ('\u{1BD}', b's'), ('\u{1BF}', b'p'), ('\u{1C0}', b'l'),
    ('\u{237}', b'j'), ('\u{24D}', b'r'), ('\u{251}', b'a'), ('\u{261}', b'g'), ('\u{263}', b'y'),
    ('\u{269}', b'i'), ('\u{26A}', b'i'), ('\u{26F}', b'w'), ('\u{280}', b'r'), ('\u{284}', b'f'),
    ('\u{28B}', b'u'), ('\u{28F}', b'y'), ('\u{29D}', b'j'), ('\u{3B1}', b'a'), ('\u{3B2}', b'b'),
    ('\u{3B3}', b'y'), ('\u{3B5}', b'e'), ('\u{3B6}', b'z'), ('\u{3B7}', b'h'), ('\u{3B9}', b'i'),
    ('\u{3BA}', b'k'), ('\u{3BC}', b'm'), ('\u{3BD}', b'v'), ('\u{3BF}', b'o'), ('\u{3C1}', b'p'),
    ('\u{3C3}', b'o'), ('\u{3C4}', b't'), ('\u{3C5}', b'u'), ('\u{3C7}', b'x'), ('\u{3DD}', b'f'),
    ('\u{3ED}', b'o'), ('\u{3F3}', b'j'), ('\u{3F8}', b'p'), ('\u{3FB}', b'm'), ('\u{430}', b'a'),
    ('\u{432}', b'b'), ('\u{433}', b'r'), ('\u{435}', b'e'), ('\u{43A}', b'k'), ('\u{43C}', b'm'),
    ('\u{43D}', b'h'), ('\u{43E}', b'o'), ('\u{440}', b'p'), ('\u{441}', b'c'), ('\u{442}', b't'),
    ('\u{443}', b'y'), ('\u{445}', b'x'), ('\u{448}', b'w'), ('\u{44C}', b'b'), ('\u{455}', b's'),
    ('\u{456}', b'i'), ('\u{458}', b'j'), ('\u{461}', b'w'), ('\u{475}', b'v'), ('\u{4AF}', b'y'),
    ('\u{4BB}', b'h'), ('\u{4BD}', b'e'), ('\u{4CF}', b'i'), ('\u{501}', b'd'), ('\u{50D}', b'g'),
    ('\u{51B}', b'q'), ('\u{51D}', b'w'), ('\u{560}', b'm'), ('\u{561}', b'w'), ('\u{563}', b'q'),
    ('\u{566}', b'q'), ('\u{570}', b'h'), ('\u{575}', b'j'), ('\u{578}', b'n'), ('\u{57C}', b'n'),
    ('\u{57D}', b'u'), ('\u{57F}', b's'), ('\u{581}', b'g'), ('\u{582}', b'i'), ('\u{584}', b'f'),
    ('\u{585}', b'o'), ('\u{5C0}', b'l'), ('\u{5D5}', b'l'), ('\u{5D8}', b'v'), ('\u{5DF}', b'l'),
    ('\u{5E1}', b'o'), ('\u{627}', b'l'), ('\u{647}', b'o'), ('\u{661}', b'l'), ('\u{665}', b'o'),
    ('\u{667}', b'v'), ('\u{6BE}', b'o'), ('\u{6C1}', b'o'), ('\u{6D5}', b'o'), ('\u{6F1}', b'l'),
    ('\u{6F5}', b'o'), ('\u{6F7}', b'v'), ('\u{7C0}', b'o'), ('\u{7CA}', b'l'), ('\u{7CB}', b'o'),
    ('\u{7CC}', b'y'), ('\u{7D3}', b'f'), ('\u{7D5}', b'b'), ('\u{7E0}', b't'), ('\u{840}', b'o'),
    ('\u{964}', b'l'), ('\u{966}', b'o'), ('\u{9E6}', b'o'), ('\u{A66}', b'o'), ('\u{AE6}', b'o'),
    ('\u{B20}', b'o'), ('\u{B66}', b'o'), ('\u{BE6}', b'o'), ('\u{C02}', b'o'), ('\u{C66}', b'o'),
    ('\u{C82}', b'o'), ('\u{CE6}', b'o'), ('\u{D02}', b'o'), ('\u{D1F}', b's'), ('\u{D20}', b'o'),
    ('\u{D66}', b'o'), ('\u{D82}', b'o'), ('\u{E50}', b'o'), ('\u{ED0}', b'o'), ('\u{1004}', b'c'),
    ('\u{101D}', b'o'), ('\u{1040}', b'o'), ('\u{104A}', b'l'), ('\u{105A}', b'c'), ('\u{10E7}', b'y'),
    ('\u{10FD}', b's'), ('\u{10FF}', b'o'), ('\u{110B}', b'o'), ('\u{11BC}', b'o'), ('\u{1200}', b'u'),
    ('\u{12D0}', b'o'), ('\u{13FB}', b'g'), ('\u{13FC}', b'b'), ('\u{142F}', b'v'), ('\u{144C}', b'u'),
    ('\u{146D}', b'p'), ('\u{146F}', b'd'), ('\u{1472}', b'b'), ('\u{148D}', b'j'), ('\u{14AA}', b'l'),
    ('\u{1541}', b'x'), ('\u{157C}', b'h'), ('\u{157D}', b'x'), ('\u{1587}', b'r'), ('\u{15AF}', b'b'),
    ('\u{15B4}', b'f'), ('\u{15C5}', b'a'), ('\u{15DE}', b'd'), ('\u{15EA}', b'd'), ('\u{15F0}', b'm'),
    ('\u{15F7}', b'b'), ('\u{166D}', b'x'), ('\u{166E}', b'x'), ('\u{16B7}', b'x'), ('\u{16C1}', b'i'),
    ('\u{16D0}', b'l'), ('\u{16D5}', b'k'), ('\u{16D6}', b'm'), ('\u{1763}', b'x'), ('\u{17E0}', b'o'),
    ('\u{1A45}', b'o'), ('\u{1A80}', b'o'), ('\u{1A90}', b'o'), ('\u{1BEA}', b'o'), ('\u{1BEC}', b'x'),
    ('\u{1C82}', b'o'), ('\u{1C83}', b'c'), ('\u{1CF5}', b'x'), ('\u{1D04}', b'c'), ('\u{1D0F}', b'o'),
    ('\u{1D11}', b'o'), ('\u{1D1C}', b'u'), ('\u{1D20}', b'v'), ('\u{1D21}', b'w'), ('\u{1D22}', b'z'),
    ('\u{1D26}', b'r'), ('\u{1D83}', b'g'), ('\u{1D8C}', b'y'), ('\u{1E9D}', b'f'), ('\u{1EFF}', b'y'),
    ('\u{212E}', b'e'), ('\u{21BF}', b'l'), ('\u{2223}', b'l'), ('\u{2228}', b'v'), ('\u{222A}', b'u'),
    ('\u{22A4}', b't'), ('\u{22C1}', b'v'), ('\u{22C3}', b'u'), ('\u{22FF}', b'e'), ('\u{2373}', b'i'),
    ('\u{2374}', b'p'), ('\u{237A}', b'a'), ('\u{23FD}', b'l'), ('\u{2502}', b'l'), ('\u{2503}', b'l'),
    ('\u{2573}', b'x'), ('\u{27D9}', b't'), ('\u{292B}', b'x'), ('\u{292C}', b'x'), ('\u{29E2}', b'w'),
    ('\u{2A2F}', b'x'), ('\u{2C6C}', b'z'), ('\u{2C83}', b'b'), ('\u{2C85}', b'r'), ('\u{2C8D}', b'z'),
    ('\u{2C8F}', b'h'), ('\u{2C93}', b'i'), ('\u{2C95}', b'k'), ('\u{2C99}', b'm'), ('\u{2C9B}', b'n'),
    ('\u{2C9F}', b'o'), ('\u{2CA3}', b'p'), ('\u{2CA5}', b'c'), ('\u{2CA7}', b't'), ('\u{2CA9}', b'y'),
    ('\u{2CAD}', b'x'), ('\u{2CBD}', b'w'), ('\u{2CCF}', b'p'), ('\u{2CD1}', b'l'), ('\u{2D19}', b'h'),
    ('\u{2D1D}', b's'), ('\u{2D2D}', b'z'), ('\u{2D38}', b'v'), ('\u{2D39}', b'e'), ('\u{2D4A}', b'l'),
    ('\u{2D4F}', b'l'), ('\u{2D54}', b'o'), ('\u{2D55}', b'q'), ('\u{2D5D}', b'x'), ('\u{3007}', b'o'),
    ('\u{3112}', b't'), ('\u{311A}', b'y'), ('\u{4E05}', b't'), ('\u{4E2B}', b'y'), ('\u{A4D0}', b'b'),
    ('\u{A4D1}', b'p'), ('\u{A4D2}', b'd'), ('\u{A4D3}', b'd'), ('\u{A4D4}', b't'), ('\u{A4D6}', b'g'),
    ('\u{A4D7}', b'k'), ('\u{A4D9}', b'j'), ('\u{A4DA}', b'c'), ('\u{A4DC}', b'z'), ('\u{A4DD}', b'f'),
    ('\u{A4DF}', b'm'), ('\u{A4E0}', b'n'), ('\u{A4E1}', b'l'), ('\u{A4E2}', b's'), ('\u{A4E3}', b'r'),
    ('\u{A4E6}', b'v'), ('\u{A4E7}', b'h'), ('\u{A4EA}', b'w'), ('\u{A4EB}', b'x'), ('\u{A4EC}', b'y'),
    ('\u{A4EE}', b'a'), ('\u{A4F0}', b'e'), ('\u{A4F2}', b'i'), ('\u{A4F3}', b'o'), ('\u{A4F4}', b'u'),
    ('\u{A50B}', b't'), ('\u{A557}', b'b'), ('\u{A56F}', b'l'), ('\u{A576}', b's'), ('\u{A5CB}', b'e'),
    ('\u{A647}', b'i'), ('\u{A6C9}', b'z'), ('\u{A6DF}', b'v'), ('\u{A731}', b's'), ('\u{A781}', b'l'),
    ('\u{A799}', b'f'), ('\u{A79F}', b'u'), ('\u{A7B5}', b'b'), ('\u{A7FA}', b'w'), ('\u{A7FE}', b'i'),
    ('\u{A830}', b'l'), ('\u{A8CE}', b'l'), ('\u{AA5D}', b'l'), ('\u{AB32}', b'e'), ('\u{AB35}', b'f'),
    ('\u{AB3D}', b'o'), ('\u{AB47}', b'r'), ('\u{AB48}', b'r'), ('\u{AB4E}', b'u'), ('\u{AB52}', b'u'),
    ('\u{AB53}', b'x'), ('\u{AB5A}', b'y'), ('\u{AB64}', b'a'), ('\u{AB70}', b'd'), ('\u{AB71}', b'r'),
    ('\u{AB72}', b't'), ('\u{AB75}', b'i'), ('\u{AB79}', b'y'), ('\u{AB7A}', b'a'), ('\u{AB7B}', b'j'),
    ('\u{AB7C}', b'e'), ('\u{AB81}', b'r'), ('\u{AB83}', b'w'), ('\u{AB87}', b'm'), ('\u{AB8B}', b'h'),
    ('\u{AB8D}', b'y'), ('\u{AB90}', b'g'), ('\u{AB92}', b'h'), ('\u{AB93}', b'z'), ('\u{AB9F}', b'b'),
    ('\u{ABA2}', b'r'), ('\u{ABA4}', b'w'), ('\u{ABA5}', b's'), ('\u{ABA9}', b'v'), ('\u{ABAA}', b's'),
    ('\u{ABAE}', b'l'), ('\u{ABAF}', b'c'), ('\u{ABB2}', b'p'), ('\u{ABB6}', b'k'), ('\u{ABB7}', b'd'),
    ('\u{1017E}', b'f'), ('\u{1018B}', b'd'), ('\u{10282}', b'b'), ('\u{10286}', b'e'), ('\u{10287}', b'f'),
    ('\u{1028A}', b'l'), ('\u{10290}', b'x'), ('\u{10292}', b'o'), ('\u{10295}', b'p'), ('\u{10296}', b's'),
    ('\u{10297}', b't'), ('\u{102A0}', b'a'), ('\u{102A1}', b'b'), ('\u{102A2}', b'c'), ('\u{102A5}', b'f'),
    ('\u{102AB}', b'o'), ('\u{102B0}', b'm'), ('\u{102B1}', b't'), ('\u{102B2}', b'y'), ('\u{102B4}', b'x'),
    ('\u{102CF}', b'h'), ('\u{102F5}', b'z'), ('\u{10301}', b'b'), ('\u{10302}', b'c'), ('\u{10309}', b'i'),
    ('\u{1030F}', b'o'), ('\u{10311}', b'm'), ('\u{10315}', b't'), ('\u{10317}', b'x'), ('\u{1031C}', b'b'),
    ('\u{10320}', b'l'), ('\u{10322}', b'x'), ('\u{1042C}', b'o'), ('\u{1043D}', b'c'), ('\u{10443}', b'l'),
    ('\u{10448}', b's'), ('\u{104DC}', b'r'), ('\u{104EA}', b'o'), ('\u{104F6}', b'u'), ('\u{10507}', b'z'),
    ('\u{1050E}', b'l'), ('\u{10513}', b'n'), ('\u{10516}', b'o'), ('\u{10518}', b'k'), ('\u{1051B}', b'c'),
    ('\u{1051D}', b'v'), ('\u{10525}', b'f'), ('\u{10526}', b'l'), ('\u{10527}', b'x'), ('\u{10926}', b'l'),
    ('\u{1092C}', b'o'), ('\u{10C13}', b'x'), ('\u{10C17}', b'o'), ('\u{10C1F}', b'v'), ('\u{10C20}', b'y'),
    ('\u{10C21}', b'm'), ('\u{10C3E}', b'l'), ('\u{10CC2}', b'x'), ('\u{10CE5}', b'i'), ('\u{10CFA}', b'l'),
    ('\u{10CFC}', b'x'), ('\u{10D07}', b'o'), ('\u{11047}', b'l'), ('\u{110C0}', b'l'), ('\u{11124}', b'o'),
    ('\u{11141}', b'l'), ('\u{111C5}', b'l'), ('\u{11302}', b'o'), ('\u{113D4}', b'l'), ('\u{1144B}', b'l'),
    ('\u{114D0}', b'o'), ('\u{115C5}', b'l'), ('\u{11641}', b'l'), ('\u{11700}', b'm'), ('\u{11706}', b'v'),
    ('\u{1170A}', b'w'), ('\u{1170E}', b'w'), ('\u{1170F}', b'w'), ('\u{118C0}', b'v'), ('\u{118C1}', b's'),
    ('\u{118C2}', b'f'), ('\u{118C3}', b'i'), ('\u{118C4}', b'y'), ('\u{118C6}', b'e'), ('\u{118C8}', b'o'),
    ('\u{118C9}', b'z'), ('\u{118CE}', b'e'), ('\u{118D2}', b'l'), ('\u{118D5}', b'o'), ('\u{118D7}', b'o'),
    ('\u{118D8}', b'u'), ('\u{118DC}', b'y'), ('\u{118E0}', b'o'), ('\u{118E3}', b'm'), ('\u{118E5}', b'z'),
    ('\u{118E6}', b'w'), ('\u{118E9}', b'c'), ('\u{118EC}', b'x'), ('\u{118EF}', b'w'), ('\u{118F2}', b'c'),
    ('\u{11ABC}', b'z'), ('\u{11ABE}', b'n'), ('\u{11C41}', b'l'), ('\u{11DDA}', b'l'), ('\u{11DE0}', b'o'),
    ('\u{11DE1}', b'l'), ('\u{16A19}', b'r'), ('\u{16AD6}', b's'), ('\u{16AE9}', b'o'), ('\u{16D63}', b'l'),
    ('\u{16EC5}', b'i'), ('\u{16ED1}', b'b'), ('\u{16F08}', b'v'), ('\u{16F0A}', b't'), ('\u{16F16}', b'l'),
    ('\u{16F28}', b'l'), ('\u{16F35}', b'r'), ('\u{16F3A}', b's'), ('\u{16F40}', b'a'), ('\u{16F42}', b'u'),
    ('\u{16F43}', b'y'), ('\u{1CEFC}', b'v'), ('\u{1D100}', b'l'), ('\u{1D134}', b'c'), ('\u{1D207}', b'b'),
    ('\u{1D20C}', b'w'), ('\u{1D20D}', b'v'), ('\u{1D213}', b'f'), ('\u{1D216}', b'r'), ('\u{1D22A}', b'l'),
    ('\u{1D373}', b't'), ('\u{1D377}', b'l'), ('\u{1DF5A}', b'a'), ('\u{1DF6A}', b'a'), ('\u{1DF7D}', b'w'),
    ('\u{1DF81}', b'e'), ('\u{1E140}', b'o'), ('\u{1E141}', b'l'), ('\u{1E145}', b'v'), ('\u{1E2F0}', b'o'),
    ('\u{1E8C7}', b'l'), ('\u{1ED01}', b'l'), ('\u{1F74C}', b'c'), ('\u{1F768}', b't'),
];

/// The lower-case ASCII letter that `c` looks like. `c` is not ASCII, and is in NFKC and lower case.
pub(crate) fn ascii_lookalike(c: char) -> Option<u8> {
    let at = LOOKALIKES.binary_search_by_key(&c, |row| row.0).ok()?;
    LOOKALIKES.get(at).map(|row| row.1)
}

#[cfg(test)]
mod tests {
    use super::{LOOKALIKES, READ_AS_I, ascii_lookalike};
    use std::fmt::Write;

    #[test]
    fn table_is_sorted_and_legal() {
        assert!(LOOKALIKES.windows(2).all(|pair| pair[0].0 < pair[1].0));
        assert!(LOOKALIKES.iter().all(|(c, letter)| !c.is_ascii() && letter.is_ascii_lowercase()));
    }

    #[test]
    fn letters_that_attackers_use() {
        let cyrillic = "іјѕаеорсухһԁкмт".chars().zip("ijsaeopcyxhdkmt".bytes());
        let greek = "οανρικ".chars().zip("oavpik".bytes());
        let others = "ɡոսı".chars().zip("gnui".bytes());
        for (c, letter) in cyrillic.chain(greek).chain(others) {
            assert_eq!(ascii_lookalike(c), Some(letter), "{c}");
        }
        for c in "éñßжд中🦀".chars() {
            assert_eq!(ascii_lookalike(c), None, "{c}");
        }
    }

    fn skeleton(c: char) -> String {
        unicode_security::skeleton(c.encode_utf8(&mut [0; 4])).collect()
    }

    #[test]
    fn table_is_what_uts_39_says() {
        assert_eq!(unicode_security::UNICODE_VERSION, (18, 0, 0), "renew the table and the version in its header");
        let nfkc = icu_normalizer::ComposingNormalizerBorrowed::new_nfkc();
        let letters: Vec<(String, u8)> = ('a'..='z').chain('A'..='Z').map(|c| (skeleton(c), c as u8)).collect();
        let letter_of = |c: char| {
            let skeleton = skeleton(c);
            letters.iter().find(|row| row.0 == skeleton).map(|row| row.1.to_ascii_lowercase())
        };
        // What lower-casing makes of a capital; of the class of `I` and `l`, a capital is an `I`.
        let of_capital = |c: char| {
            let upper: Vec<char> = c.to_uppercase().collect();
            let &[upper] = upper.as_slice() else { return None };
            let back = upper != c && upper.to_lowercase().eq([c]);
            let letter = letter_of(upper).filter(|_| back)?;
            Some(if skeleton(upper) == "l" { b'i' } else { letter })
        };
        let expected: Vec<(char, u8)> = ('\u{80}'..='\u{3FFFF}')
            .filter(|c| c.to_lowercase().eq([*c]) && nfkc.is_normalized(c.encode_utf8(&mut [0; 4])))
            .filter_map(|c| {
                let letter = if READ_AS_I.contains(&c) { Some(b'i') } else { letter_of(c).or_else(|| of_capital(c)) };
                letter.map(|letter| (c, letter))
            })
            .collect();
        let mut rows = String::new();
        for line in expected.chunks(5) {
            let cells: Vec<String> =
                line.iter().map(|(c, l)| format!("('\\u{{{:X}}}', b'{}'),", *c as u32, *l as char)).collect();
            let _ = writeln!(rows, "    {}", cells.join(" "));
        }
        assert!(LOOKALIKES == expected.as_slice(), "the rows of LOOKALIKES should be:\n{rows}");
    }
}
