//! The version of this program.
//!
//! It stands at one place of the binary, behind [`MARK`], and is read from there. The tests of packaging make a program of
//! another version by writing over that place, which needs no second build. They cannot write over a string constant:
//! an optimised build turns a short one into numbers inside of instructions. Nothing but the binary itself decides the
//! version: no variable, no file, no argument.

use std::hint::black_box;
use std::str::from_utf8;

/// What stands before the version, which ends with a zero.
const MARK: &[u8] = b"svc-version:";
/// The version that was built.
const BUILT: &str = env!("CARGO_PKG_VERSION");
const LENGTH: usize = 64;

#[used]
static STAMP: [u8; LENGTH] = stamp();

const fn stamp() -> [u8; LENGTH] {
    let (mut stamp, version) = ([0; LENGTH], BUILT.as_bytes());
    let mut place = 0;
    while place < MARK.len() {
        stamp[place] = MARK[place];
        place += 1;
    }
    while place < MARK.len() + version.len() {
        stamp[place] = version[place - MARK.len()];
        place += 1;
    }
    stamp
}

/// The version of this program, such as `1.4.0`.
pub fn version() -> &'static str {
    // The compiler may not know that it reads a constant.
    let stamp: &'static [u8; LENGTH] = black_box(&STAMP);
    let version = stamp[MARK.len()..].split(|byte| *byte == 0).next();
    version.and_then(|version| from_utf8(version).ok()).unwrap_or(BUILT)
}

#[cfg(test)]
mod tests {
    use super::{BUILT, version};

    #[test]
    fn the_version_is_the_one_that_was_built() {
        assert_eq!(version(), BUILT);
    }
}
