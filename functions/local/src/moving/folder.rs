//! The files of an export. Owns their names and how they are written and read; knows no store.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{BufRead as _, BufReader, BufWriter, Read as _, Seek as _, SeekFrom, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use svc_storage::{Key, Row};

use super::digest::{Sum, Total};
use crate::failure::Failure;

/// The format that this program writes, and the newest that it reads.
const FORMAT: u32 = 1;
/// Bytes of a file that are read at once.
pub(super) const PIECE: usize = 256 * 1024;
/// Longest line that is read, in bytes: a row of 400 kB whose every byte is escaped has room.
const LONGEST_LINE: u64 = 4 * 1024 * 1024;

/// What an export begins with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Header {
    format: u32,
    by: String,
}

/// A row as a line has it.
#[derive(Serialize, Deserialize)]
struct RowLine<'a> {
    pk: Cow<'a, str>,
    sk: Cow<'a, str>,
    version: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    ttl: Option<i64>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    counters: BTreeMap<String, i64>,
    doc: Cow<'a, str>,
}

/// A blob as a line has it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct BlobLine {
    /// Its whole name.
    pub(super) name: String,
    /// Its size in bytes.
    pub(super) size: u64,
    /// 64 hexadecimal digits.
    pub(super) sha256: String,
}

/// The directory of an export.
pub(super) struct Folder(PathBuf);

impl Folder {
    /// A directory to export to: a new or empty one, or one that an export was cut off in.
    ///
    /// # Errors
    /// That it is something else, or holds a finished export.
    pub(super) fn to_write(path: &Path) -> Result<Self, Failure> {
        DirBuilder::new().recursive(true).mode(0o700).create(path)?;
        let folder = Self(path.to_owned());
        let place = path.display();
        if folder.path("end.json").exists() {
            return Err(format!("{place} holds a finished export: name another directory").into());
        }
        let header = Header { format: FORMAT, by: env!("CARGO_PKG_VERSION").to_owned() };
        match folder.read_json::<Header>("export.json") {
            Ok(Some(found)) if found == header => {}
            Ok(Some(found)) => {
                let by = found.by;
                return Err(format!(
                    "{place} has an unfinished export of version {by}: delete it, or name another directory"
                )
                .into());
            }
            Ok(None) if fs::read_dir(path)?.next().is_none() => folder.write_json("export.json", &header)?,
            Ok(None) => {
                return Err(format!("{place} is not empty and holds no export: name a new directory").into());
            }
            Err(error) => return Err(error),
        }
        Ok(folder)
    }

    /// The directory of a finished export, and its digest.
    ///
    /// # Errors
    /// That there is none, that it is not finished, or that a newer program wrote it.
    pub(super) fn to_read(path: &Path) -> Result<(Self, Total), Failure> {
        let (folder, place) = (Self(path.to_owned()), path.display());
        let Some(header) = folder.read_json::<Header>("export.json")? else {
            return Err(format!("there is no export in {place}").into());
        };
        if header.format > FORMAT {
            return Err(format!(
                "the export in {place} was written by version {}, which this version ({}) cannot read: update svc-server",
                header.by,
                env!("CARGO_PKG_VERSION")
            )
            .into());
        }
        let total = folder.read_json("end.json")?.ok_or_else(|| {
            format!(
                "the export in {place} is not finished: run svc-server export again, which goes on with it"
            )
        })?;
        Ok((folder, total))
    }

    /// Says that the export is finished.
    pub(super) fn finish(&self, total: &Total) -> Result<(), Failure> {
        self.write_json("end.json", total)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    fn read_json<T: DeserializeOwned>(&self, name: &str) -> Result<Option<T>, Failure> {
        match fs::read(self.path(name)) {
            Ok(text) => Ok(Some(
                serde_json::from_slice(&text).map_err(|error| format!("{name} is damaged: {error}"))?,
            )),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(format!("{}: {error}", self.path(name).display()).into()),
        }
    }

    /// Whole or not at all.
    fn write_json(&self, name: &str, value: &impl Serialize) -> Result<(), Failure> {
        let unfinished = self.path(&format!("{name}.part"));
        let mut file = made(&unfinished)?;
        serde_json::to_writer(&mut file, value)?;
        file.write_all(b"\n")?;
        file.sync_all()?;
        fs::rename(unfinished, self.path(name))?;
        Ok(File::open(&self.0)?.sync_all()?)
    }

    /// The rows of an export, in the order in which they were written.
    pub(super) fn rows(&self) -> Result<impl Iterator<Item = Result<Row, Failure>>, Failure> {
        let lines = Lines::open(&self.path(ROWS))?;
        Ok(lines.map(|line| row_of(&line?)))
    }

    /// The blobs of an export.
    pub(super) fn blobs(&self) -> Result<impl Iterator<Item = Result<BlobLine, Failure>>, Failure> {
        let lines = Lines::open(&self.path(BLOBS))?;
        Ok(lines.map(|line| Ok(serde_json::from_str(&line?)?)))
    }

    /// Where the bytes of a blob are.
    ///
    /// # Errors
    /// For a name that leads out of the export.
    pub(super) fn blob(&self, name: &str) -> Result<PathBuf, Failure> {
        let is_plain = |part: &str| !part.is_empty() && part != "." && part != "..";
        if !name.split('/').all(is_plain) || name.contains('\\') {
            return Err(format!("no file of a store is called {name:?}").into());
        }
        Ok(self.path("blobs").join(name))
    }

    /// Goes on with the rows; tells what is there of each.
    pub(super) fn more_rows(&self, mut known: impl FnMut(Row)) -> Result<Appended, Failure> {
        Appended::open(&self.path(ROWS), |line| row_of(line).map(&mut known))
    }

    /// Goes on with the lines of blobs; tells what is there of each.
    pub(super) fn more_blobs(&self, mut known: impl FnMut(BlobLine)) -> Result<Appended, Failure> {
        Appended::open(&self.path(BLOBS), |line| {
            known(serde_json::from_str(line)?);
            Ok(())
        })
    }

    /// The digest of what is there. Rows that expire before this second of the Unix epoch do not count.
    pub(super) fn sum(&self, expired_by: i64) -> Result<Sum, Failure> {
        let mut sum = Sum::default();
        for row in self.rows()? {
            let row = row?;
            if row.ttl.is_none_or(|ttl| ttl >= expired_by) {
                sum.row(&row);
            }
        }
        for blob in self.blobs()? {
            let BlobLine { name, size, sha256 } = blob?;
            sum.blob(&name, size, &sha256);
        }
        Ok(sum)
    }
}

const ROWS: &str = "rows.ndjson";
const BLOBS: &str = "blobs.ndjson";

fn made(path: &Path) -> std::io::Result<File> {
    OpenOptions::new().create(true).write(true).truncate(true).mode(0o600).open(path)
}

/// A file whose bytes come in pieces: it has its name when it is whole. Answers its size and SHA-256.
pub(super) struct Written {
    file: File,
    unfinished: PathBuf,
    path: PathBuf,
    size: u64,
    hash: Sha256,
}

impl Written {
    pub(super) fn to(path: PathBuf) -> Result<Self, Failure> {
        if let Some(directory) = path.parent() {
            DirBuilder::new().recursive(true).mode(0o700).create(directory)?;
        }
        let mut unfinished = path.clone().into_os_string();
        unfinished.push(".part");
        let unfinished = PathBuf::from(unfinished);
        Ok(Self { file: made(&unfinished)?, unfinished, path, size: 0, hash: Sha256::new() })
    }

    pub(super) fn piece(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        self.size += bytes.len() as u64;
        self.hash.update(bytes);
        Ok(self.file.write_all(bytes)?)
    }

    pub(super) fn finish(self) -> Result<(u64, String), Failure> {
        self.file.sync_all()?;
        fs::rename(self.unfinished, self.path)?;
        Ok((self.size, hex::encode(self.hash.finalize())))
    }
}

/// The SHA-256 of a file.
pub(super) fn sha256_of(path: &Path) -> Result<String, Failure> {
    let (mut file, mut hash) = (File::open(path)?, Sha256::new());
    let mut piece = vec![0; PIECE];
    loop {
        match file.read(&mut piece)? {
            0 => return Ok(hex::encode(hash.finalize())),
            read => hash.update(&piece[..read]),
        }
    }
}

/// A file of lines that more are appended to.
pub(super) struct Appended(BufWriter<File>);

impl Appended {
    /// Opens it behind its last whole line: one that was cut off is taken away.
    fn open(path: &Path, mut known: impl FnMut(&str) -> Result<(), Failure>) -> Result<Self, Failure> {
        let mut whole = 0;
        if path.exists() {
            let mut lines = Lines::open(path)?;
            while let Some(line) = lines.next_whole()? {
                known(&line)?;
                whole += line.len() as u64 + 1;
            }
        }
        let mut file = OpenOptions::new().create(true).truncate(false).write(true).mode(0o600).open(path)?;
        file.set_len(whole)?;
        file.seek(SeekFrom::End(0))?;
        Ok(Self(BufWriter::with_capacity(PIECE, file)))
    }

    fn line(&mut self, value: &impl Serialize) -> Result<(), Failure> {
        serde_json::to_writer(&mut self.0, value)?;
        Ok(self.0.write_all(b"\n")?)
    }

    /// Appends a row.
    pub(super) fn row(&mut self, row: &Row) -> Result<(), Failure> {
        let Row { key, version, doc, counters, ttl } = row;
        self.line(&RowLine {
            pk: Cow::Borrowed(&key.pk),
            sk: Cow::Borrowed(&key.sk),
            version: *version,
            ttl: *ttl,
            counters: counters.clone(),
            doc: Cow::Borrowed(doc),
        })
    }

    /// Appends what is known of a blob whose bytes are on the disk.
    pub(super) fn blob(&mut self, blob: &BlobLine) -> Result<(), Failure> {
        self.line(blob)?;
        Ok(self.0.flush()?)
    }

    pub(super) fn finish(mut self) -> Result<(), Failure> {
        self.0.flush()?;
        Ok(self.0.get_ref().sync_all()?)
    }
}

fn row_of(line: &str) -> Result<Row, Failure> {
    let RowLine { pk, sk, version, ttl, counters, doc } = serde_json::from_str(line)?;
    Ok(Row { key: Key::new(pk, sk), version, doc: doc.as_ref().into(), counters, ttl })
}

/// The lines of a file, one at a time.
struct Lines(BufReader<File>);

impl Lines {
    fn open(path: &Path) -> Result<Self, Failure> {
        let file = File::open(path).map_err(|error| format!("{}: {error}", path.display()))?;
        Ok(Self(BufReader::with_capacity(PIECE, file)))
    }

    /// The next line that has an end.
    fn next_whole(&mut self) -> Result<Option<String>, Failure> {
        let mut line = String::new();
        // Half a character at the end of a file that was cut off is no line.
        let mut bytes = Vec::new();
        self.0.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut bytes)?;
        if bytes.pop() != Some(b'\n') {
            return match bytes.len() as u64 + 1 {
                LONGEST_LINE.. => Err("a line of the export is too long".into()),
                _ => Ok(None),
            };
        }
        line.push_str(std::str::from_utf8(&bytes)?);
        Ok(Some(line))
    }
}

impl Iterator for Lines {
    type Item = Result<String, Failure>;

    fn next(&mut self) -> Option<Self::Item> {
        self.next_whole().transpose()
    }
}
