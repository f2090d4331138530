//! `svc-server export` and `svc-server import`: a whole store as a directory of plain files, and a new store from it,
//! whatever the engines.
//!
//! | file of an export | what it has                                                                          |
//! |-------------------|--------------------------------------------------------------------------------------|
//! | `export.json`     | the format, and which program wrote it; written first                                |
//! | `rows.ndjson`     | every row as a line of JSON, in the order of its engine                               |
//! | `blobs.ndjson`    | every file as a line: name, size, SHA-256                                             |
//! | `blobs/<name>`    | their bytes                                                                           |
//! | `end.json`        | how many there are, and their digest; written last, so that no unfinished one is taken |
//!
//! Protocol of an export, which only reads the store.
//! 1. Rows are scanned page after page and appended. One that was cut off goes on behind the last whole line.
//! 2. Each file is copied under another name, gets its own, and then its line.
//! 3. `end.json` is written when all else is on the disk.
//!
//! Protocol of an import.
//! 1. The store must be empty. A mark is written in it ([`keys::store_import`](svc_storage::keys::store_import)) that
//!    names the digest. A server does not start on a store that has one, and the same import goes on there.
//! 2. Rows are created as they were: version, counters and expiry too. Where one is there, an import was cut off: it is
//!    left when it is the same and made anew when it is not.
//! 3. Files are written once; those that are there are left.
//! 4. The mark goes when what was read has the digest of `end.json`.
//!
//! Memory holds some pages of rows and pieces of files, however large the store is.

mod digest;
mod export;
mod folder;
mod import;
mod rows;
mod stored;

pub use export::export;
pub use import::import;
