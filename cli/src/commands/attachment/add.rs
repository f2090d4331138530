//! `svc attachment add`: announces the file with its size and checksum, sends it, commits it.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use bytes::Bytes;
use futures::Stream;
use sha2::{Digest as _, Sha256};
use svc_api::tracker::NewAttachment;
use svc_domain::ids::ItemKey;

use super::shared::table;
use crate::failure::Failure;
use crate::keys::item_key;
use crate::output::{Progress, one_line};
use crate::session::Session;

/// Bytes read at once.
const PIECE: usize = 128 * 1024;

/// Attach a file to an item.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  svc attachment add PRJ-12 screenshot.png")]
pub(crate) struct Args {
    /// Key of the item
    #[arg(value_name = "ITEM_KEY", value_parser = item_key)]
    key: ItemKey,
    /// The file
    #[arg(value_name = "PATH")]
    path: PathBuf,
    /// Name to give it [default: the file's own]
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// Media type [default: by the name's ending]
    #[arg(long = "type", value_name = "TYPE")]
    content_type: Option<String>,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let (size, sha256) = measure(&args.path).map_err(|error| unreadable(&args.path, &error))?;
    let own = args.path.file_name().map(|name| name.to_string_lossy().into_owned());
    let name = args.name.or(own).unwrap_or_default();
    let guessed = || mime_guess::from_path(&name).first_or_octet_stream().essence_str().to_owned();
    let content_type = args.content_type.unwrap_or_else(guessed);
    let new = NewAttachment { name, size, content_type, sha256: Some(sha256), for_comment: false };
    let slug = session.org_slug().await?;
    let org = session.org(&slug);
    let announced = org.announce_attachment(&args.key.to_string(), &new).await?;
    let uploading = format!("uploading {}", one_line(&new.name));
    let progress = || Progress::new(uploading.clone(), size, session.output);
    org.upload_attachment(&announced, || pieces(args.path.clone(), progress())).await?;
    let attachment = org.commit_attachment(&announced.attachment.id).await?;
    if session.output.json {
        session.output.json(&attachment)
    } else {
        session.output.table(&table([&attachment]))
    }
}

fn unreadable(path: &Path, error: &io::Error) -> Failure {
    Failure::rejected(format!("cannot read {}: {error}", path.display()))
}

/// Size and hex SHA-256 of a file.
fn measure(path: &Path) -> io::Result<(u64, String)> {
    let mut file = File::open(path)?;
    if !file.metadata()?.is_file() {
        return Err(io::Error::other("it is not a file"));
    }
    let (mut hash, mut size, mut buffer) = (Sha256::new(), 0, vec![0; PIECE]);
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok((size, hex::encode(hash.finalize()))),
            read => {
                hash.update(&buffer[..read]);
                size += read as u64;
            }
        }
    }
}

/// The bytes of a file, read as they are sent.
fn pieces(path: PathBuf, mut progress: Progress) -> impl Stream<Item = io::Result<Bytes>> + Send + 'static {
    let mut open = None;
    futures::stream::iter(std::iter::from_fn(move || {
        let piece = piece(&path, &mut open).transpose();
        progress.advance(piece.iter().flatten().map(|bytes| bytes.len() as u64).sum());
        piece
    }))
}

/// The next bytes of a file, which is opened for the first of them; `None` at the end.
fn piece(path: &Path, open: &mut Option<File>) -> io::Result<Option<Bytes>> {
    let file = match open {
        Some(file) => file,
        none => none.insert(File::open(path)?),
    };
    let mut buffer = vec![0; PIECE];
    let read = file.read(&mut buffer)?;
    buffer.truncate(read);
    Ok((read > 0).then(|| buffer.into()))
}
