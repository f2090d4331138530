//! What a checkout has that was not committed, as a commit. The checkout and its index stay as they are.
//!
//! The agent may have written the index itself. So its paths count only within the checkout, because git would add whatever
//! is there; and files that it calls unchanged are looked at all the same.

use std::path::Path;

use super::copies::is_below;
use super::git::{Git, GitError};
use super::inner::LARGEST_INDEX;
use super::leftover::Leftover;
use crate::plain;

/// The author of what the runner commits.
pub(super) const OWN_ADDRESS: &str = "runner@localhost";
const LIST: [&str; 4] = ["ls-files", "-v", "--stage", "-z"];

/// A file of an index.
struct Entry<'a> {
    /// A letter that is small where the file is assumed to be unchanged, `S` where it is skipped.
    tag: char,
    submodule: bool,
    path: &'a str,
}

/// Commits everything, and counts the files; none where nothing differs but what is nested.
pub(super) async fn uncommitted(
    left: &Leftover<'_>,
    git: &Git,
    head: Option<&str>,
    nested: &[&str],
) -> Result<Option<(String, usize)>, GitError> {
    let index = super::records(left.directory).join("kept.index");
    let own = git.clone().with_index(index.clone());
    let listed = begin(git, &own, &index, head).await?;
    look_at_all(&own, &listed).await?;
    pass_over_submodules(&own, &listed).await?;
    let but = nested.iter().map(|path| format!(":(exclude,top,literal){path}"));
    // Only large files are packed at once: pressing them takes minutes.
    let add = ["-c", "pack.compression=0", "add", "--all", "--sparse", "--ignore-errors", "--", "."];
    own.run(add.into_iter().map(str::to_owned).chain(but)).await?;
    let tree = own.run(["write-tree"]).await?;
    let _ = std::fs::remove_file(&index);
    let before = match head {
        Some(head) => git.run(["rev-parse", &format!("{head}^{{tree}}")]).await?,
        None => own.run(["hash-object", "-t", "tree", "/dev/null"]).await?,
    };
    if tree == before {
        return Ok(None);
    }
    let changed = git.run(["diff-tree", "-r", "-z", "--name-only", &before, &tree]).await?;
    let message = format!("Uncommitted changes of run {}", left.run_id);
    let commit = record(git, &tree, head, &message).await?;
    Ok(Some((commit, changed.split_terminator('\0').count())))
}

/// Makes a commit of the runner's own.
pub(super) async fn record(
    git: &Git,
    tree: &str,
    head: Option<&str>,
    message: &str,
) -> Result<String, GitError> {
    let address = format!("user.email={OWN_ADDRESS}");
    let args = ["-c", "user.name=svc runner", "-c", &address, "commit-tree", tree, "-m", message];
    git.run(args.into_iter().chain(head.iter().flat_map(|head| ["-p", head]))).await
}

/// Begins from the checkout's own index, which knows what a sparse checkout leaves out, or from the last commit; answers
/// what it lists.
async fn begin(git: &Git, own: &Git, index: &Path, head: Option<&str>) -> Result<String, GitError> {
    let theirs = git.run(["rev-parse", "--path-format=absolute", "--git-path", "index"]).await?;
    let _ = std::fs::remove_file(index);
    let bytes = plain::read(Path::new(&theirs), LARGEST_INDEX);
    if bytes.and_then(|bytes| std::fs::write(index, bytes)).is_ok()
        && let Ok(listed) = own.run(LIST).await
        && entries(&listed).all(|entry| is_inside(entry.path))
    {
        return Ok(listed);
    }
    let _ = std::fs::remove_file(index);
    own.run(["read-tree", head.unwrap_or("--empty")]).await?;
    own.run(LIST).await
}

/// What `LIST` says: `H 100644 <object> 0\t<path>`.
fn entries(listed: &str) -> impl Iterator<Item = Entry<'_>> {
    listed.split_terminator('\0').filter_map(|line| {
        let (said, path) = line.split_once('\t')?;
        let mut words = said.split(' ');
        Some(Entry { tag: words.next()?.chars().next()?, submodule: words.next() == Some("160000"), path })
    })
}

fn is_inside(path: &str) -> bool {
    is_below(Path::new(path)) && !path.split('/').any(|part| part.eq_ignore_ascii_case(".git"))
}

/// Lets `git add` look at files that are assumed to be unchanged, or skipped although they are there.
async fn look_at_all(own: &Git, listed: &str) -> Result<(), GitError> {
    let is_there = |path: &str| own.directory().join(path).symlink_metadata().is_ok();
    let files = || entries(listed).filter(|entry| !entry.submodule);
    let assumed = files().filter(|entry| entry.tag.is_ascii_lowercase());
    let skipped = files().filter(|entry| entry.tag.eq_ignore_ascii_case(&'s') && is_there(entry.path));
    let all = |entries: &mut dyn Iterator<Item = Entry<'_>>| -> String {
        entries.map(|entry| format!("{}\0", entry.path)).collect()
    };
    for (paths, option) in [
        (all(&mut assumed.into_iter()), "--no-assume-unchanged"),
        (all(&mut skipped.into_iter()), "--no-skip-worktree"),
    ] {
        if !paths.is_empty() {
            own.told(&["update-index", option, "-z", "--stdin"], paths.as_bytes()).await?;
        }
    }
    Ok(())
}

/// Lets `git add` pass over submodules, of which only the commit counts. It would run git in each, and with it whatever
/// program the settings there name, which are the agent's.
async fn pass_over_submodules(own: &Git, listed: &str) -> Result<(), GitError> {
    // One that is gone, or a file now, has no settings.
    let is_there =
        |path: &&str| own.directory().join(path).symlink_metadata().is_ok_and(|meta| meta.is_dir());
    let submodules = entries(listed).filter(|entry| entry.submodule).map(|entry| entry.path);
    let paths: Vec<&str> = submodules.filter(is_there).collect();
    for paths in paths.chunks(500) {
        // Where one cannot be read, the earlier commits count.
        let _ = own.run(["update-index", "--"].iter().chain(paths)).await;
        own.run(["update-index", "--skip-worktree", "--"].iter().chain(paths)).await?;
    }
    Ok(())
}
