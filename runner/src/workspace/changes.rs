//! What a run changed, for people to look at: its commits, the files and the patch.
//!
//! The patch has whole files only and at most 1 MiB: a file that does not fit is left out, and the next ones are tried.
//! It is read as git prints it, so that a change of any size takes little memory. Secrets are taken out of everything.
//! A path that becomes another kind of file, such as a link, is one file with two sections, its end and its beginning.

use std::time::Duration;

use svc_api::factory::{ChangedFile, RunChanges, RunCommit};

use super::commits::is_ancestor;
use super::fetches::fetch;
use super::git::{Git, GitError};
use super::prepare::Checkout;
use super::unfinished::ended_on;

/// Most bytes of the patch.
const PATCH: usize = 1024 * 1024;
/// Most commits that are listed.
const COMMITS: usize = 500;
/// Most files that are listed.
const FILES: usize = 2_000;
/// Most characters of a title or a path.
const LONGEST: usize = 1_000;
/// How long origin is asked for its default branch.
const ASKING: Duration = Duration::from_secs(30);
/// Bytes of a line after which it is passed on in pieces.
const PIECE: usize = 64 * 1024;
/// What every file of a patch begins with. No line of a file's content does: it has a mark before it.
const FILE: &[u8] = b"diff --git ";
/// A diff that no setting of the repository changes, and that runs no program of its.
const DIFF: [&str; 9] = [
    "diff",
    "--no-color",
    "--no-ext-diff",
    "--no-textconv",
    "--find-renames",
    "--submodule=short",
    "--ignore-submodules=none",
    "--src-prefix=a/",
    "--dst-prefix=b/",
];

/// What was committed in a checkout since the run began; nothing where nothing was.
///
/// # Errors
/// Git said no.
pub async fn changes(
    checkout: &Checkout,
    default: &str,
    redact: impl Fn(&str) -> String + Send + Sync,
) -> Result<Option<RunChanges>, GitError> {
    let git = checkout.git();
    let base = checkout.base.as_str();
    let head = ended_on(&git).await.map(|ended| ended.head).filter(|head| !base.is_empty() && head != base);
    let Some(head) = head else { return Ok(None) };
    let base = compared_with(checkout, &git, default, &head).await;
    let base = base.as_str();
    let range = format!("{base}..{head}");
    let most = COMMITS.to_string();
    let titles =
        git.run(["log", "--no-color", "--no-show-signature", "--format=%H %s", "-n", &most, &range]).await?;
    let count = git.run(["rev-list", "--count", &range]).await?;
    let counts = git.run(DIFF.into_iter().chain(["--numstat", "-z", base, &head])).await?;
    let statuses = git.run(DIFF.into_iter().chain(["--name-status", "-z", base, &head])).await?;
    let mut cutter = Cutter::new(PATCH, &redact, sections(&statuses));
    // Lists would print the patch too, were this among the options of all.
    git.read(DIFF.into_iter().chain(["--unified=3", base, &head]), |bytes| cutter.push(bytes)).await?;
    let (patch, kept) = cutter.finish();
    let mut files = numbers(&counts);
    // Should git list other files than it prints, none is said to be in the patch.
    let agree = kept.len() == files.len();
    for (file, kept) in files.iter_mut().zip(kept.into_iter().chain(std::iter::repeat(false))) {
        file.in_patch = kept && agree;
        file.path = shortened(&redact(&file.path));
        file.previous_path = file.previous_path.as_deref().map(|path| shortened(&redact(path)));
    }
    let commits: Vec<RunCommit> = titles
        .lines()
        .filter_map(|line| line.split_once(' '))
        .map(|(hash, title)| RunCommit { hash: hash.to_owned(), title: shortened(&redact(title)) })
        .collect();
    let (commit_count, file_count) =
        (count.trim().parse().unwrap_or(commits.len() as u64), files.len() as u64);
    let (additions, deletions) = (sum(&files, |file| file.additions), sum(&files, |file| file.deletions));
    let whole =
        files.len() <= FILES && commit_count == commits.len() as u64 && files.iter().all(|f| f.in_patch);
    files.truncate(FILES);
    Ok(Some(RunChanges {
        base: Some(base.to_owned()),
        head: Some(head),
        commits,
        commit_count,
        files,
        file_count,
        additions,
        deletions,
        patch: Some(patch),
        truncated: !whole,
    }))
}

/// The commit that the work is compared with: where it began, or, if others' commits of the default branch came in since,
/// the last of them, as a pull request shows it.
async fn compared_with(checkout: &Checkout, git: &Git, default: &str, head: &str) -> String {
    let base = checkout.base.clone();
    let apart = checkout.branch.as_deref() != Some(default);
    let Some(remote) = checkout.remote.as_ref().filter(|_| apart) else { return base };
    // Asked anew: the agent can move what its repository says of origin.
    let asking = fetch(git, remote, default);
    let Ok(Ok(Some(main))) = tokio::time::timeout(ASKING, asking).await else { return base };
    match git.run(["merge-base", &main, head]).await {
        Ok(last) if last != head && !is_ancestor(git, &last, &base).await => last,
        Ok(_) | Err(_) => base,
    }
}

fn sum(files: &[ChangedFile], lines: impl Fn(&ChangedFile) -> Option<u64>) -> u64 {
    files.iter().filter_map(lines).sum()
}

fn shortened(text: &str) -> String {
    text.chars().take(LONGEST).collect()
}

/// Reads `--numstat -z`: `added TAB removed TAB path NUL`, or for a renamed file `… TAB NUL old NUL new NUL`.
fn numbers(text: &str) -> Vec<ChangedFile> {
    let mut parts = text.split('\0');
    let mut files = Vec::new();
    while let Some(part) = parts.next() {
        let mut fields = part.splitn(3, '\t');
        let (Some(added), Some(removed), Some(path)) = (fields.next(), fields.next(), fields.next()) else {
            continue;
        };
        let (previous_path, path) = match path {
            "" => (parts.next().map(str::to_owned), parts.next().unwrap_or_default()),
            path => (None, path),
        };
        files.push(ChangedFile {
            path: path.to_owned(),
            previous_path,
            additions: added.parse().ok(),
            deletions: removed.parse().ok(),
            in_patch: false,
        });
    }
    files
}

/// Reads `--name-status -z`: how many sections of the patch each file has.
fn sections(text: &str) -> Vec<usize> {
    let mut parts = text.split('\0').filter(|part| !part.is_empty());
    let mut sections = Vec::new();
    while let Some(status) = parts.next() {
        parts.next();
        if status.starts_with(['R', 'C']) {
            parts.next();
        }
        sections.push(if status.starts_with('T') { 2 } else { 1 });
    }
    sections
}

/// Keeps the files of a patch that fit.
struct Cutter<'a> {
    most: usize,
    redact: &'a (dyn Fn(&str) -> String + Sync),
    patch: String,
    kept: Vec<bool>,
    /// How many sections the next files have.
    sections: std::vec::IntoIter<usize>,
    /// Sections that the file still has after this one.
    more: usize,
    pending: Vec<u8>,
    /// Whether a line was passed on in part.
    within_line: bool,
    /// The file that is being read; none before the first.
    file: Option<Vec<u8>>,
    too_large: bool,
}

impl<'a> Cutter<'a> {
    fn new(most: usize, redact: &'a (dyn Fn(&str) -> String + Sync), sections: Vec<usize>) -> Self {
        Self {
            most,
            redact,
            patch: String::new(),
            kept: Vec::new(),
            sections: sections.into_iter(),
            more: 0,
            pending: Vec::new(),
            within_line: false,
            file: None,
            too_large: false,
        }
    }

    fn push(&mut self, bytes: &[u8]) {
        let mut pending = std::mem::take(&mut self.pending);
        pending.extend_from_slice(bytes);
        let mut rest = pending.as_slice();
        while let Some(end) = rest.iter().position(|byte| *byte == b'\n') {
            self.piece(&rest[..=end]);
            rest = &rest[end + 1..];
        }
        if rest.len() > PIECE {
            self.piece(rest);
            rest = &[];
        }
        self.pending = rest.to_vec();
    }

    fn piece(&mut self, piece: &[u8]) {
        if !self.within_line && piece.starts_with(FILE) {
            if self.more == 0 {
                self.end_file();
                self.file = Some(Vec::new());
                self.more = self.sections.next().unwrap_or(1);
            }
            self.more -= 1;
        }
        self.within_line = !piece.ends_with(b"\n");
        let Some(file) = &mut self.file else { return };
        if self.too_large || self.patch.len() + file.len() + piece.len() > self.most {
            self.too_large = true;
            file.clear();
        } else {
            file.extend_from_slice(piece);
        }
    }

    fn end_file(&mut self) {
        let Some(file) = self.file.take() else { return };
        let text = (self.redact)(&String::from_utf8_lossy(&file));
        let fits = !self.too_large && self.patch.len() + text.len() <= self.most;
        if fits {
            self.patch.push_str(&text);
        }
        self.kept.push(fits);
        self.too_large = false;
    }

    /// The patch, and which files of it were kept.
    fn finish(mut self) -> (String, Vec<bool>) {
        let rest = std::mem::take(&mut self.pending);
        if !rest.is_empty() {
            self.piece(&rest);
        }
        self.end_file();
        (self.patch, self.kept)
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{Cutter, changes, numbers, sections};
    use crate::workspace::git::Git;
    use crate::workspace::prepare::Checkout;

    fn cut(most: usize, patch: &[u8], by: usize) -> (String, Vec<bool>) {
        let redact = |text: &str| text.replace("s3cret", "***");
        let mut cutter = Cutter::new(most, &redact, Vec::new());
        patch.chunks(by).for_each(|chunk| cutter.push(chunk));
        cutter.finish()
    }

    #[test]
    fn a_file_that_does_not_fit_is_left_out_whole_and_the_next_is_tried() {
        let small = "diff --git a/a b/a\n+diff --git of content\n+s3cret\n";
        let large = format!("diff --git a/b b/b\n+{}\n", "x".repeat(200));
        let last = "diff --git a/c b/c\n-gone\n\\ No newline at end of file";
        let patch = format!("{small}{large}{last}");
        for by in [1, 7, 64, 1000] {
            let (kept, files) = cut(160, patch.as_bytes(), by);
            assert_eq!(kept, format!("{small}{last}").replace("s3cret", "***"), "{by}");
            assert_eq!(files, [true, false, true]);
        }
        assert_eq!(cut(1000, patch.as_bytes(), 9).1, [true, true, true]);
        assert_eq!(cut(10, b"", 9), (String::new(), vec![]));
    }

    #[test]
    fn a_line_without_end_takes_no_memory_and_what_it_holds_is_no_new_file() {
        let mut patch = b"diff --git a/a b/a\n+".to_vec();
        patch.extend(std::iter::repeat_n(b'x', 300_000));
        patch.extend(b"diff --git a/z b/z\n");
        let redact = str::to_owned;
        let mut cutter = Cutter::new(1000, &redact, Vec::new());
        for chunk in patch.chunks(100_000) {
            cutter.push(chunk);
            assert!(cutter.pending.len() <= 65_536 && cutter.file.as_ref().is_none_or(|f| f.len() < 1000));
        }
        assert_eq!(cutter.finish(), (String::new(), vec![false]));
    }

    #[test]
    fn renamed_and_binary_files_are_read() {
        let files = numbers("1\t2\ta b.txt\0-\t-\tpicture.png\x000\t0\t\0old.rs\0new.rs\0");
        let seen: Vec<_> = files
            .iter()
            .map(|file| (file.path.as_str(), file.previous_path.as_deref(), file.additions, file.deletions))
            .collect();
        assert_eq!(
            seen,
            [
                ("a b.txt", None, Some(1), Some(2)),
                ("picture.png", None, None, None),
                ("new.rs", Some("old.rs"), Some(0), Some(0))
            ]
        );
    }

    #[test]
    fn a_changed_kind_of_file_has_two_sections() {
        assert_eq!(sections("M\0a\0T\0b\0R100\0c\0d\0A\0T\0"), [1, 2, 1, 1]);
        assert_eq!(sections(""), [] as [usize; 0]);
    }

    /// Two sections of one file once moved the marks of all later files by one.
    #[tokio::test]
    async fn files_after_a_file_that_became_a_link_are_told_as_they_are() {
        let directory = tempfile::tempdir().unwrap();
        let repo = directory.path();
        git(repo, &["init", "--quiet", "-b", "main"]).await;
        std::fs::write(repo.join("a"), "text\n").unwrap();
        std::fs::write(repo.join("b"), "text\n").unwrap();
        git(repo, &["add", "."]).await;
        git(repo, &["commit", "--quiet", "-m", "Begin"]).await;
        let base = git(repo, &["rev-parse", "HEAD"]).await;
        std::fs::remove_file(repo.join("a")).unwrap();
        std::os::unix::fs::symlink("b", repo.join("a")).unwrap();
        std::fs::write(repo.join("b"), "x\n".repeat(super::PATCH)).unwrap();
        std::fs::write(repo.join("c"), "small\n").unwrap();
        git(repo, &["add", "."]).await;
        git(repo, &["commit", "--quiet", "-m", "Link"]).await;
        let told = changes(&checkout(repo, &base), "main", str::to_owned).await.unwrap().unwrap();
        let files: Vec<_> = told.files.iter().map(|file| (file.path.as_str(), file.in_patch)).collect();
        assert_eq!(files, [("a", true), ("b", false), ("c", true)]);
        assert!(told.truncated);
        let patch = told.patch.unwrap();
        assert_eq!(patch.matches("diff --git a/a b/a\n").count(), 2, "{patch}");
        assert!(patch.contains("+small") && !patch.contains("diff --git a/b"), "{patch}");
    }

    #[tokio::test]
    async fn a_submodule_that_asks_to_be_ignored_is_told_of() {
        let directory = tempfile::tempdir().unwrap();
        let repo = directory.path();
        git(repo, &["init", "--quiet", "-b", "main"]).await;
        git(repo, &["commit", "--quiet", "--allow-empty", "-m", "Begin"]).await;
        let base = git(repo, &["rev-parse", "HEAD"]).await;
        let modules = "[submodule \"sub\"]\n\tpath = sub\n\turl = /x\n\tignore = all\n";
        std::fs::write(repo.join(".gitmodules"), modules).unwrap();
        git(repo, &["add", ".gitmodules"]).await;
        git(repo, &["update-index", "--add", "--cacheinfo", &format!("160000,{base},sub")]).await;
        git(repo, &["commit", "--quiet", "-m", "Sub"]).await;
        let told = changes(&checkout(repo, &base), "main", str::to_owned).await.unwrap().unwrap();
        assert!(told.files.iter().any(|file| file.path == "sub" && file.in_patch), "{:?}", told.files);
    }

    async fn git(repo: &Path, args: &[&str]) -> String {
        let identity = ["-c", "user.name=A", "-c", "user.email=a@localhost"];
        Git::at(repo).run(identity.iter().chain(args)).await.unwrap()
    }

    fn checkout(repo: &Path, base: &str) -> Checkout {
        Checkout {
            repo: repo.to_owned(),
            borrows: false,
            branch: None,
            base: base.to_owned(),
            repository: None,
            clone: None,
            remote: None,
            default_head: base.to_owned(),
            access: None,
            notes: Vec::new(),
        }
    }

    #[tokio::test]
    async fn commits_files_and_patch_of_a_checkout_are_told_whatever_its_settings() {
        let directory = tempfile::tempdir().unwrap();
        let repo = directory.path();
        git(repo, &["init", "--quiet", "-b", "main"]).await;
        std::fs::write(repo.join("greet.sh"), "echo Hello\n").unwrap();
        git(repo, &["add", "."]).await;
        git(repo, &["commit", "--quiet", "-m", "Begin"]).await;
        let base = git(repo, &["rev-parse", "HEAD"]).await;
        let same = changes(&checkout(repo, &base), "main", str::to_owned).await.unwrap();
        assert_eq!(same, None);
        for (name, value) in [
            ("diff.external", "false"),
            ("diff.noprefix", "true"),
            ("color.diff", "always"),
            ("log.showSignature", "true"),
        ] {
            git(repo, &["config", name, value]).await;
        }
        std::fs::write(repo.join("greet.sh"), "echo Hello s3cret\n").unwrap();
        std::fs::write(repo.join("picture"), b"\0\x01\x02\xff").unwrap();
        git(repo, &["add", "."]).await;
        git(repo, &["commit", "--quiet", "-m", "Greet with s3cret\n\nAnd more."]).await;
        let redact = |text: &str| text.replace("s3cret", "***");
        let told = changes(&checkout(repo, &base), "main", redact).await.unwrap().unwrap();
        assert_eq!(told.commits.len(), 1);
        assert_eq!(told.commits[0].title, "Greet with ***");
        assert_eq!((told.file_count, told.additions, told.deletions, told.truncated), (2, 1, 1, false));
        let patch = told.patch.unwrap();
        assert!(patch.starts_with("diff --git a/greet.sh b/greet.sh\n"), "{patch}");
        assert!(patch.contains("-echo Hello\n+echo Hello ***\n"), "{patch}");
        assert!(patch.contains("Binary files"), "{patch}");
        assert!(!patch.contains('\u{1b}'), "{patch}");
    }
}
