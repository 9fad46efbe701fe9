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

/// A JSON text with a password, and 1001 times the letter `a`, really compressed.
#[rustfmt::skip]
pub(crate) const COMPRESSED: &[(&str, &[u8])] = &[
    ("zstd", b"\
        \x28\xb5\x2f\xfd\x00\x68\xfd\x01\x00\x62\xc3\x0b\x12\xa0\xbb\x01\x20\x89\x8a\xc0\x0c\xd1\x01\xe9\
        \x1d\x24\x7a\x8d\xff\x6f\x08\x7d\x06\xd6\xe6\xc9\x70\x7c\x59\x55\xcc\x89\x7e\xa3\xaf\x5d\x9f\x28\
        \x39\x5e\xe0\xf9\x6e\x94\x1d\xbf\x86\xd3\x5b\x04\x00\x4c\x71\x42\x26\x87\x74\x26\x01\xd7\x54\x02"),
    ("zstd", b"\x28\xb5\x2f\xfd\x00\x68\x45\x00\x00\x08\x61\x01\x00\xe5\x2b\x20\x04"),
    ("gzip", b"\
        \x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\xab\x56\x2a\x2d\x4e\x2d\x52\xb2\x52\xaa\xca\x4f\x55\xd2\
        \x01\x73\x8a\x95\xac\xa2\xab\x31\x85\x81\x9c\xa4\xfc\x24\xa5\x5a\x9d\x6a\x64\xae\x0e\xb2\xc2\xda\
        \x58\x1d\xa5\x82\xc4\xe2\xe2\xf2\xfc\xa2\x14\xa0\x90\x73\x62\x5e\x62\x51\xa5\x61\x95\x52\x2d\x00\
        \x6a\x75\xa9\x00\x66\x00\x00\x00"),
    ("br", b"\x1b\xe8\x03\xf8\x25\xc2\xa2\xb1\x40\x40\x34"),
];
