//! Bytes that are read in portions: a row, a value, a line. However large a file is, a portion is bounded, and with it
//! the memory that it takes once it is read.

use std::cell::Cell;
use std::io::{Error, ErrorKind, Read, Result};
use std::rc::Rc;

/// Bytes of a portion at most.
pub(crate) const MOST: u64 = 4 * 1024 * 1024;

/// Reads on until a portion is too long.
pub(crate) struct Portions<R> {
    bytes: R,
    /// Of this portion; its reader sets it back.
    read: Rc<Cell<u64>>,
}

impl<R: Read> Portions<R> {
    /// The bytes of a file, and what to set to zero at the end of each portion.
    pub(crate) fn new(bytes: R) -> (Self, Rc<Cell<u64>>) {
        let read = Rc::new(Cell::new(0));
        (Self { bytes, read: Rc::clone(&read) }, read)
    }
}

impl<R: Read> Read for Portions<R> {
    fn read(&mut self, into: &mut [u8]) -> Result<usize> {
        let read = self.bytes.read(into)?;
        self.read.set(self.read.get() + read as u64);
        if self.read.get() > MOST {
            Err(too_long("a row, a value or a line of it has more than 4 MB"))
        } else {
            Ok(read)
        }
    }
}

/// Reads what a packed file unpacks to, until that is too much.
pub(crate) struct Unpacked<R> {
    /// What unpacks it.
    pub(crate) bytes: R,
    /// Bytes that it may still have.
    pub(crate) left: u64,
}

impl<R: Read> Read for Unpacked<R> {
    fn read(&mut self, into: &mut [u8]) -> Result<usize> {
        let read = self.bytes.read(into)?;
        self.left = self.left.checked_sub(read as u64).ok_or_else(|| too_long("it unpacks to too much"))?;
        Ok(read)
    }
}

fn too_long(why: &str) -> Error {
    Error::new(ErrorKind::InvalidData, why)
}

#[cfg(test)]
mod tests {
    use std::io::{Read, copy, repeat, sink};

    use super::{MOST, Portions, Unpacked};

    fn fails(mut bytes: impl Read) -> Option<String> {
        copy(&mut bytes, &mut sink()).err().map(|error| error.to_string())
    }

    #[test]
    fn a_portion_and_what_is_unpacked_are_bounded() {
        let (mut portions, read) = Portions::new(repeat(b'x').take(MOST + 1_000));
        portions.read_exact(&mut vec![0; 1_024 * 1_024]).unwrap();
        read.set(0);
        assert_eq!(fails(portions), None, "another portion began");
        assert!(fails(Portions::new(repeat(b'x')).0).unwrap().contains("4 MB"));
        assert!(fails(Unpacked { bytes: repeat(b'x'), left: 9_000_000 }).unwrap().contains("unpacks"));
        assert_eq!(fails(Unpacked { bytes: repeat(b'x').take(9_000_000), left: 9_000_000 }), None);
    }
}
