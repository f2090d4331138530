//! Values that wait in a temporary file, so that a large export takes no memory.

use std::fs::File;
use std::io::{BufRead as _, BufReader, BufWriter, Seek as _, SeekFrom, Write as _};
use std::marker::PhantomData;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::failure::Failure;

/// Values of one kind, one JSON line each, in a file that goes away with the program.
#[derive(Debug)]
pub struct Spool<T> {
    file: BufWriter<File>,
    /// Where each value begins.
    offsets: Vec<u64>,
    end: u64,
    /// Bytes at most.
    pub(crate) most: u64,
    kind: PhantomData<T>,
}

impl<T: Serialize + DeserializeOwned> Spool<T> {
    /// An empty one.
    ///
    /// # Errors
    /// There is no place for temporary files.
    pub fn new() -> Result<Self, Failure> {
        let file = tempfile::tempfile().map_err(|error| unwritable(&error))?;
        Ok(Self {
            file: BufWriter::new(file),
            offsets: Vec::new(),
            end: 0,
            most: u64::MAX,
            kind: PhantomData,
        })
    }

    /// Whether it has as much as it may have.
    pub(crate) const fn is_full(&self) -> bool {
        self.end >= self.most
    }

    /// Adds a value.
    ///
    /// # Errors
    /// There is no room for it.
    pub fn push(&mut self, value: &T) -> Result<(), Failure> {
        if self.is_full() {
            return Err(Failure::rejected("the files have more than can be read at once"));
        }
        let mut line = serde_json::to_vec(value).map_err(|error| unwritable(&error.into()))?;
        line.push(b'\n');
        self.offsets.push(self.end);
        self.end += line.len() as u64;
        self.file.write_all(&line).map_err(|error| unwritable(&error))
    }

    /// Whether there is none.
    pub const fn is_empty(&self) -> bool {
        self.offsets.is_empty()
    }

    /// How many there are.
    pub const fn len(&self) -> usize {
        self.offsets.len()
    }

    /// Reads the values of these numbers, in this order.
    ///
    /// # Errors
    /// The temporary file cannot be used.
    pub fn read_in(
        &mut self,
        order: Vec<usize>,
    ) -> Result<impl Iterator<Item = Result<T, Failure>> + use<T>, Failure> {
        self.file.flush().map_err(|error| unwritable(&error))?;
        let file = self.file.get_ref().try_clone().map_err(|error| unwritable(&error))?;
        let (mut file, mut at, mut line) = (BufReader::with_capacity(64 * 1024, file), None, Vec::new());
        let mut read = move |offset: u64| {
            if at != Some(offset) {
                file.seek(SeekFrom::Start(offset))?;
            }
            line.clear();
            at = Some(offset + file.read_until(b'\n', &mut line)? as u64);
            serde_json::from_slice(&line).map_err(std::io::Error::from)
        };
        let offsets: Vec<u64> =
            order.into_iter().filter_map(|number| self.offsets.get(number).copied()).collect();
        Ok(offsets.into_iter().map(move |offset| read(offset).map_err(|error| unwritable(&error))))
    }

    /// Reads all values as they came.
    ///
    /// # Errors
    /// The temporary file cannot be used.
    pub fn read(&mut self) -> Result<impl Iterator<Item = Result<T, Failure>> + use<T>, Failure> {
        self.read_in((0..self.len()).collect())
    }
}

fn unwritable(error: &std::io::Error) -> Failure {
    Failure::io("cannot use a temporary file", error)
        .hint("free some space, or set TMPDIR to a directory that has some")
}

#[cfg(test)]
mod tests {
    use super::Spool;

    #[test]
    fn values_come_back_in_any_order_and_as_often_as_wanted() {
        let mut spool = Spool::new().unwrap();
        ["a", "b\n", "c"].iter().for_each(|value| spool.push(&(*value).to_owned()).unwrap());
        for _ in 0..2 {
            assert_eq!(spool.read().unwrap().map(Result::unwrap).collect::<Vec<_>>(), ["a", "b\n", "c"]);
        }
        let some: Vec<String> = spool.read_in(vec![2, 0, 7]).unwrap().map(Result::unwrap).collect();
        assert_eq!((some, spool.len()), (vec!["c".to_owned(), "a".to_owned()], 3));
    }
}
