//! Content codings: what a body is before it was compressed, within bounds.

use crate::bytes;
use crate::settings::Settings;
use crate::stage::unfold::{Fields, Known};
use crate::table::limits::CODINGS;

/// One content coding.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Coding {
    Gzip,
    Deflate,
    Brotli,
    Zstd,
}

impl Coding {
    fn named(name: &[u8]) -> Option<Coding> {
        const NAMES: [(&str, Coding); 5] = [
            ("gzip", Coding::Gzip),
            ("x-gzip", Coding::Gzip),
            ("deflate", Coding::Deflate),
            ("br", Coding::Brotli),
            ("zstd", Coding::Zstd),
        ];
        NAMES.iter().find(|(known, _)| name.eq_ignore_ascii_case(known.as_bytes())).map(|&(_, coding)| coding)
    }

    /// Whether the bytes begin as this coding does, for those whose beginning is fixed.
    pub(crate) fn begins(self, body: &[u8]) -> bool {
        match self {
            Coding::Gzip => body.starts_with(b"\x1f\x8b"),
            Coding::Zstd => body.starts_with(b"\x28\xb5\x2f\xfd"),
            Coding::Deflate | Coding::Brotli => true,
        }
    }
}

/// The codings of a body, in the order in which they were applied; none if they cannot all be undone.
pub(crate) fn declared(fields: &Fields, codings: &mut Vec<Coding>) -> Result<(), Undone> {
    codings.clear();
    for field in fields.list.iter().filter(|field| field.known == Some(Known::ContentEncoding)) {
        for name in fields.value(field).bytes().split(|&b| b == b',').map(bytes::trim) {
            if name.is_empty() || name.eq_ignore_ascii_case(b"identity") {
                continue;
            }
            match Coding::named(name) {
                Some(coding) if codings.len() < CODINGS => codings.push(coding),
                _ => return Err(Undone::Malformed),
            }
        }
    }
    Ok(())
}

/// Why a coding was not undone.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Undone {
    /// Unknown, or the data is not what the coding makes.
    Malformed,
    /// It grows beyond the limits.
    #[cfg_attr(not(feature = "decompress"), expect(dead_code, reason = "nothing grows where nothing is undone"))]
    TooLarge,
}

/// Growth below this is no bomb, whatever its ratio.
const HARMLESS: usize = 64 << 10;

/// The most bytes that a coding of so many may give.
pub(crate) fn bound(input: usize, settings: &Settings) -> usize {
    input.saturating_mul(settings.inflation_ratio).max(HARMLESS).min(settings.inflated_bytes)
}

/// Undoes nothing: the decoders are not built in.
#[cfg(not(feature = "decompress"))]
pub(crate) fn undo(_: Coding, _: &[u8], _: &mut Vec<u8>, _: usize) -> Result<(), Undone> {
    Err(Undone::Malformed)
}

#[cfg(feature = "decompress")]
pub(crate) use decoders::undo;

#[cfg(feature = "decompress")]
mod decoders {
    use std::io::Read;

    use super::{Coding, HARMLESS, Undone};

    /// Undoes one coding of all of `input`, into at most so many bytes.
    pub(crate) fn undo(coding: Coding, input: &[u8], out: &mut Vec<u8>, most: usize) -> Result<(), Undone> {
        let mut rest = input;
        match coding {
            Coding::Gzip => read(flate2::bufread::MultiGzDecoder::new(&mut rest), out, most)?,
            Coding::Deflate if is_zlib(input) => read(flate2::bufread::ZlibDecoder::new(&mut rest), out, most)?,
            Coding::Deflate => read(flate2::bufread::DeflateDecoder::new(&mut rest), out, most)?,
            Coding::Brotli => rest = brotli(input, out, most)?,
            Coding::Zstd => rest = zstd(input, out, most)?,
        }
        if rest.is_empty() { Ok(()) } else { Err(Undone::Malformed) }
    }

    /// RFC 9110 means zlib by `deflate`, and some clients send what is inside of it.
    fn is_zlib(input: &[u8]) -> bool {
        matches!(*input, [method, flags, ..]
        if method & 15 == 8 && (u16::from(method) << 8 | u16::from(flags)).is_multiple_of(31))
    }

    fn read(decoder: impl Read, out: &mut Vec<u8>, most: usize) -> Result<(), Undone> {
        out.clear();
        let read = decoder.take(most as u64 + 1).read_to_end(out);
        match read {
            _ if out.len() > most => Err(Undone::TooLarge),
            Ok(_) => Ok(()),
            Err(_) => Err(Undone::Malformed),
        }
    }

    fn brotli<'a>(input: &'a [u8], out: &mut Vec<u8>, most: usize) -> Result<&'a [u8], Undone> {
        use brotli_decompressor::{BrotliDecompressStream, BrotliResult, BrotliState, StandardAlloc};
        let allocator = StandardAlloc::default;
        let mut state = BrotliState::new_strict(allocator(), allocator(), allocator());
        let mut piece = [0; 16 << 10];
        let (mut left, mut read, mut total) = (input.len(), 0, 0);
        out.clear();
        loop {
            let (mut room, mut written) = (piece.len(), 0);
            let result = BrotliDecompressStream(
                &mut left,
                &mut read,
                input,
                &mut room,
                &mut written,
                &mut piece,
                &mut total,
                &mut state,
            );
            out.extend_from_slice(&piece[..written]);
            if out.len() > most {
                return Err(Undone::TooLarge);
            }
            match result {
                BrotliResult::ResultSuccess => return Ok(&input[read..]),
                BrotliResult::NeedsMoreOutput => {}
                BrotliResult::NeedsMoreInput | BrotliResult::ResultFailure => return Err(Undone::Malformed),
            }
        }
    }

    fn zstd<'a>(input: &'a [u8], out: &mut Vec<u8>, most: usize) -> Result<&'a [u8], Undone> {
        use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};
        /// What RFC 9659 allows for HTTP: a window is memory that is needed before there is any output.
        const LARGEST_WINDOW: u64 = 8 << 20;
        let mut decoder = FrameDecoder::new();
        decoder.set_max_window_size(LARGEST_WINDOW);
        let mut rest = input;
        out.clear();
        // Frames follow each other, as members do in gzip.
        while !rest.is_empty() {
            decoder.init(&mut rest).map_err(|_| Undone::Malformed)?;
            loop {
                let done = decoder
                    .decode_blocks(&mut rest, BlockDecodingStrategy::UptoBytes(HARMLESS))
                    .map_err(|_| Undone::Malformed)?;
                let room = (most + 1).saturating_sub(out.len()) as u64;
                decoder.by_ref().take(room).read_to_end(out).map_err(|_| Undone::Malformed)?;
                if out.len() > most {
                    return Err(Undone::TooLarge);
                }
                if done {
                    break;
                }
            }
            if decoder.get_checksum_from_data().is_some_and(|sum| Some(sum) != decoder.get_calculated_checksum()) {
                return Err(Undone::Malformed);
            }
        }
        Ok(rest)
    }
}
