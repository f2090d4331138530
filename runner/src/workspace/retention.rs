//! How long workspaces are kept (specification section 8): those that ended with a session for 5 days, at most
//! 100 of them and 20 GiB, oldest first; a new run on an item removes what is kept of that item.
//!
//! A continued run works in the checkout of the run that it continues: the two are kept and removed together.

use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use jiff::{SignedDuration, Timestamp};

use super::git::GitError;
use super::kept::{Kept, Leftover, keep};
use super::removal::remove_directory;
use super::straight::straighten;
use super::{Manifest, RECORDS, borrowed, handover, records};

/// How long a workspace is kept.
pub const KEPT_FOR: SignedDuration = SignedDuration::from_hours(5 * 24);
/// How many are kept.
pub const MOST_KEPT: usize = 100;
/// Bytes of all that are kept. The latest is kept whatever its size: it may be continued now.
pub const MOST_BYTES: u64 = 20 * 1024 * 1024 * 1024;

/// Workspaces that share a checkout.
#[derive(Clone, Debug)]
pub struct Group {
    /// Run in whose directory the checkout lies.
    pub home: String,
    /// The workspaces, that of `home` among them if it is still there.
    pub members: Vec<Manifest>,
}

impl Group {
    fn last_used(&self) -> Timestamp {
        let used = self.members.iter().map(|member| member.ended_at.unwrap_or(member.begun_at));
        used.max().unwrap_or(Timestamp::MIN)
    }

    /// What it takes of the disk, as its runs found at their ends.
    fn bytes(&self) -> u64 {
        self.members.iter().map(|member| member.bytes).fold(0, u64::saturating_add)
    }

    fn concerns(&self, organization: &str, item: &str) -> bool {
        self.members.iter().any(|member| member.organization == organization && member.item == item)
    }

    fn is_active(&self, active: &[String]) -> bool {
        self.members.iter().any(|member| active.contains(&member.run_id))
    }
}

/// Every workspace under `root`.
pub fn groups(root: &Path) -> Vec<Group> {
    let Ok(entries) = std::fs::read_dir(root.join(RECORDS)) else { return Vec::new() };
    let mut groups: BTreeMap<String, Vec<Manifest>> = BTreeMap::new();
    for entry in entries.flatten() {
        if let Some(manifest) = Manifest::read(&root.join(entry.file_name())) {
            groups.entry(manifest.home.clone()).or_default().push(manifest);
        }
    }
    groups.into_iter().map(|(home, members)| Group { home, members }).collect()
}

/// Bytes that a directory takes of the disk, links not followed. What cannot be read is not counted.
pub fn size_of(directory: &Path) -> u64 {
    let Ok(entries) = std::fs::read_dir(directory) else { return 0 };
    entries
        .flatten()
        .filter_map(|entry| {
            let meta = entry.path().symlink_metadata().ok()?;
            let inside = if meta.is_dir() { size_of(&entry.path()) } else { 0 };
            Some(inside + meta.blocks() * 512)
        })
        .fold(0, u64::saturating_add)
}

/// Which workspaces have been kept long enough. Pure.
pub fn expired(mut groups: Vec<Group>, active: &[String], now: Timestamp) -> Vec<Group> {
    // Those at work will be kept as well: they take places, and are not taken away.
    groups.sort_by_key(|group| std::cmp::Reverse(group.last_used()));
    let mut bytes = 0_u64;
    let young = |(place, group): (usize, &Group)| {
        bytes = bytes.saturating_add(group.bytes());
        let fits = place == 0 || (place < MOST_KEPT && bytes <= MOST_BYTES);
        fits && now.duration_since(group.last_used()) <= KEPT_FOR
    };
    let first_old = groups.iter().enumerate().map(young).position(|young| !young).unwrap_or(groups.len());
    let mut old = groups.split_off(first_old);
    old.retain(|group| !group.is_active(active));
    old
}

/// Removes the workspaces that have been kept long enough.
pub async fn sweep(root: &Path, active: &[String], now: Timestamp) {
    for group in expired(groups(root), active, now) {
        remove(root, &group).await;
    }
}

/// Removes what is kept of an item, before a new run works on it.
pub async fn remove_kept_of(root: &Path, organization: &str, item: &str, active: &[String]) {
    for group in groups(root) {
        if group.concerns(organization, item) && !group.is_active(active) {
            remove(root, &group).await;
        }
    }
}

/// Removes workspaces that share a checkout, after what origin lacks of it is saved. What cannot be saved or removed
/// is left for the next sweep.
pub async fn remove(root: &Path, group: &Group) {
    let Ok(root) = root.canonicalize() else { return };
    let repo = root.join(&group.home).join("repo");
    for member in &group.members {
        let found = repo.symlink_metadata();
        let gone = found.as_ref().is_err_and(|error| error.kind() == ErrorKind::NotFound);
        if member.repo != repo || !(gone || found.is_ok_and(|meta| meta.is_dir())) {
            continue;
        }
        if !(member.saved || gone)
            && let Err(error) = save(&root.join(&member.run_id), member, None).await
        {
            tracing::warn!(%error, workspace = %repo.display(), "the work in a workspace cannot be saved; it stays");
            return;
        }
        if let Some(clone) = member.clone.as_ref().filter(|_| member.borrows) {
            borrowed::forget(clone, &group.home).await;
        }
    }
    for id in group.members.iter().map(|member| &member.run_id).chain([&group.home]) {
        if let Err(error) = remove_run_directory(&root.join(id)).await {
            tracing::warn!(%error, run = id, "a workspace cannot be removed");
        }
    }
}

/// Removes the workspace of a run that cannot be continued. A checkout that belongs to an earlier run stays.
pub async fn discard(root: &Path, run_id: &str) {
    match groups(root).into_iter().find(|group| group.home == run_id) {
        Some(group) => remove(root, &group).await,
        None => {
            if let Err(error) = remove_run_directory(&root.join(run_id)).await {
                tracing::warn!(%error, run = run_id, "a workspace cannot be removed");
            }
        }
    }
}

/// Saves what a run left in its checkout. `at_origin` is a commit that origin is known to have.
///
/// # Errors
/// Git refused, or a part of the checkout still belongs to another user: then nothing may be deleted.
pub async fn save(
    directory: &Path,
    manifest: &Manifest,
    at_origin: Option<&str>,
) -> Result<Option<Kept>, GitError> {
    if manifest.base.is_empty() {
        // There never was a checkout.
        return Ok(None);
    }
    if handover::is_given(&manifest.repo) {
        let message = "the user of its harness still has a part of the checkout".to_owned();
        return Err(GitError { command: "status".to_owned(), message });
    }
    let straight = straighten(directory, manifest.repository.as_deref()).await;
    straight.map_err(|error| GitError { command: "status".to_owned(), message: error.to_string() })?;
    let checkout = manifest.checkout();
    if checkout.borrows {
        borrowed::forget_collected(&checkout.git()).await;
    }
    keep(&Leftover {
        run_id: &manifest.run_id,
        directory,
        git: checkout.git(),
        clone: checkout.clone.as_deref(),
        agent: &manifest.agent,
        begun: manifest.begun_at.into(),
        base: &manifest.base,
        at_origin,
    })
    .await
}

/// Removes the directory of a run, its records last: a removal that is cut off is finished later.
async fn remove_run_directory(directory: &Path) -> std::io::Result<()> {
    remove_directory(directory).await?;
    remove_directory(&records(directory)).await
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(hours: i64) -> Timestamp {
        Timestamp::UNIX_EPOCH + SignedDuration::from_hours(hours)
    }

    fn manifest(run: &str, home: &str, ended: i64) -> Manifest {
        Manifest {
            run_id: run.into(),
            organization: "demo".into(),
            item: "PRJ-1".into(),
            repo: format!("/runs/{home}/repo").into(),
            home: home.into(),
            has_origin: true,
            session: Some("s".into()),
            begun_at: at(ended - 1),
            ended_at: Some(at(ended)),
            ..Manifest::default()
        }
    }

    fn group(home: &str, runs: &[(&str, i64)]) -> Group {
        Group {
            home: home.into(),
            members: runs.iter().map(|(run, ended)| manifest(run, home, *ended)).collect(),
        }
    }

    fn homes(groups: &[Group]) -> Vec<&str> {
        groups.iter().map(|group| group.home.as_str()).collect()
    }

    #[test]
    fn five_days_after_its_last_run_a_workspace_goes() {
        let groups = vec![group("old", &[("old", 0)]), group("continued", &[("continued", 0), ("b", 48)])];
        assert!(expired(groups.clone(), &[], at(120)).is_empty());
        assert_eq!(homes(&expired(groups.clone(), &[], at(121))), ["old"]);
        assert!(expired(groups, &["old".to_owned()], at(121)).is_empty(), "a run works in it");
    }

    #[test]
    fn of_more_than_a_hundred_the_oldest_go() {
        let groups: Vec<Group> =
            (0..103).map(|n| group(&format!("g{n}"), &[(&format!("g{n}"), n)])).collect();
        assert_eq!(homes(&expired(groups.clone(), &[], at(103))), ["g2", "g1", "g0"]);
        // With several at once, each sweep left the others uncounted.
        let active = ["g102".to_owned(), "g101".to_owned(), "g1".to_owned()];
        assert_eq!(homes(&expired(groups, &active, at(103))), ["g2", "g0"]);
    }

    #[test]
    fn of_more_bytes_than_are_kept_the_oldest_go_and_the_latest_stays() {
        let large = |home: &str, ended: i64, gib: u64| {
            let mut group = group(home, &[(home, ended)]);
            group.members[0].bytes = gib * 1024 * 1024 * 1024;
            group
        };
        let groups = vec![large("a", 1, 1), large("b", 2, 12), large("c", 3, 5), large("d", 4, 4)];
        assert_eq!(homes(&expired(groups, &[], at(5))), ["b", "a"]);
        assert!(expired(vec![large("huge", 1, 300)], &[], at(5)).is_empty());
    }

    #[test]
    fn a_directory_takes_what_its_files_take() {
        let directory = tempfile::tempdir().unwrap();
        std::fs::create_dir(directory.path().join("inner")).unwrap();
        std::fs::write(directory.path().join("inner/file"), vec![1; 100_000]).unwrap();
        std::os::unix::fs::symlink("/", directory.path().join("link")).unwrap();
        let size = size_of(directory.path());
        assert!((100_000..1_000_000).contains(&size), "{size}");
    }

    #[tokio::test]
    async fn removing_follows_no_link_and_believes_no_foreign_path() {
        let directory = tempfile::tempdir().unwrap();
        let (root, outside) = (directory.path().join("runs"), directory.path().join("outside"));
        for path in [root.join("r1"), outside.join("repo")] {
            std::fs::create_dir_all(path).unwrap();
        }
        std::fs::write(outside.join("repo/keep"), "x").unwrap();
        std::os::unix::fs::symlink(&outside, root.join("r1/link")).unwrap();
        let mut foreign = group("r1", &[("r1", 0)]);
        foreign.members[0].repo = outside.join("repo");
        foreign.members[0].clone = Some(outside.clone());
        remove(&root, &foreign).await;
        assert!(outside.join("repo/keep").exists());
        assert!(!root.join("r1").exists());
    }
}
