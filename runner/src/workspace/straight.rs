//! What a harness may have put in the place of its run's directories: links, and a `.git` that names another repository.
//!
//! A harness in a sandbox cannot reach other places of the machine, but the runner can. So before the runner goes by a
//! path in the directory of a run, that path leads nowhere else:
//!
//! | found                                                | then                                                  |
//! |------------------------------------------------------|-------------------------------------------------------|
//! | a directory of the run that is a link                | is removed                                            |
//! | `.git` is a link, or names a repository of this run  | the repository is moved back                          |
//! | the same, and it leads anywhere else                 | is removed: the checkout has no repository any more   |
//! | links within the repository                          | are removed                                           |
//! | pipes and the like, for which git would wait         | are removed                                           |
//! | the checkout is a link                               | is removed: the run has no checkout any more          |

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::{AGENT, ARTIFACTS, ATTACHMENTS, CONFIG, tree};
use crate::plain;

/// Makes the paths of a run's directory, and of the repository of its checkout, lead nowhere else; answers what to tell of
/// it. Nothing of the harness runs any more.
///
/// # Errors
/// The disk refuses: then nothing in the checkout may be relied on.
pub async fn straighten(directory: &Path, repository: Option<&Path>) -> io::Result<Vec<String>> {
    let (directory, repository) = (directory.to_owned(), repository.map(Path::to_owned));
    let blocking = move || {
        let mut told = Vec::new();
        for name in [ATTACHMENTS, ARTIFACTS, CONFIG, AGENT] {
            let place = directory.join(name);
            if place.is_symlink() {
                fs::remove_file(place)?;
                told.push(format!("The run's directory {name} had become a link; it is removed"));
            }
        }
        let Some(repository) = repository.filter(|place| place.ends_with(".git")) else { return Ok(told) };
        let checkout = repository.parent().unwrap_or(&repository);
        if checkout.is_symlink() {
            fs::remove_file(checkout)?;
            told.push("The checkout of the run had become a link; it is removed".to_owned());
        }
        if checkout.is_dir() {
            bring_back(&repository, &mut told)?;
            if repository.is_dir() && tree::strip(&repository, true)? > 0 {
                told.push("Links and pipes in the repository of the run are removed".to_owned());
            }
            if tree::strip(checkout, false)? > 0 {
                told.push(
                    "Pipes and sockets in the checkout are removed: git would wait for them".to_owned(),
                );
            }
        }
        Ok(told)
    };
    tokio::task::spawn_blocking(blocking).await.map_err(io::Error::other)?
}

fn bring_back(repository: &Path, told: &mut Vec<String>) -> io::Result<()> {
    let meta = match repository.symlink_metadata() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        meta => meta?,
    };
    if meta.is_dir() {
        return Ok(());
    }
    let named = match meta.is_symlink() {
        true => fs::read_link(repository).ok(),
        false => plain::read_text(repository, plain::RECORD)
            .ok()
            .and_then(|text| text.strip_prefix("gitdir:").map(|place| PathBuf::from(place.trim()))),
    };
    fs::remove_file(repository)?;
    let moved = named.and_then(|named| moved_to(repository, &named));
    told.push(match moved {
        Some(place) => {
            fs::rename(place, repository)?;
            "The repository of the run was moved away; it is where it was".to_owned()
        }
        None => "The repository of the run was replaced by one that is not the run's".to_owned(),
    });
    Ok(())
}

/// The repository that the run's own was moved to, if it is still in the directory of the run.
fn moved_to(repository: &Path, named: &Path) -> Option<PathBuf> {
    let checkout = repository.parent()?;
    let within = checkout.parent()?.canonicalize().ok()?;
    let place = checkout.join(named).canonicalize().ok().filter(|place| place.starts_with(&within))?;
    let is_directory = |name: &str| place.join(name).symlink_metadata().is_ok_and(|meta| meta.is_dir());
    let holds_checkout = checkout.canonicalize().is_ok_and(|checkout| checkout.starts_with(&place));
    (is_directory("objects") && is_directory("refs") && !holds_checkout).then_some(place)
}
