//! Reads regular files and standard input of a reasonable size, and nothing else.
//!
//! Any name can be a pipe or a device, by a link. Opening a pipe waits for its writer, and a device may never end. So
//! kgen checks the type of a file before it opens it, and stops reading at a limit.

#![allow(
    clippy::disallowed_methods,
    reason = "part of the one place that reads source"
)]

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

/// The largest file that is read: many times larger than any source file, manifest or lock file.
const LARGEST: u64 = 64 * 1024 * 1024;

/// Reads a regular file, or a link to one.
///
/// # Errors
/// Returns an error if the file does not exist, is not a regular file, is larger than 64 MB, or cannot be read.
pub fn read_regular_file(path: &Path) -> io::Result<Vec<u8>> {
    let found = fs::metadata(path)?;
    if found.is_dir() {
        return Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a folder"));
    }
    if !found.is_file() {
        return Err(io::Error::other("it is not a regular file"));
    }
    if found.len() > LARGEST {
        return Err(too_large());
    }
    // Files of the system do not have a size, and others grow.
    read_limited(
        File::open(path)?,
        usize::try_from(found.len()).unwrap_or_default(),
    )
}

/// Reads standard input to its end.
///
/// # Errors
/// Returns an error if it is larger than 64 MB, is not UTF-8 text, or cannot be read.
pub fn read_standard_input() -> io::Result<String> {
    let bytes = read_limited(io::stdin().lock(), 0)?;
    String::from_utf8(bytes).map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "it is not UTF-8 text"))
}

fn read_limited(reader: impl Read, expected: usize) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::with_capacity(expected);
    reader.take(LARGEST + 1).read_to_end(&mut bytes)?;
    if u64::try_from(bytes.len()).is_ok_and(|length| length > LARGEST) {
        return Err(too_large());
    }
    Ok(bytes)
}

fn too_large() -> io::Error {
    io::Error::new(io::ErrorKind::FileTooLarge, "it is larger than 64 MB")
}
