//! What a run made beside the commit that it ended on, wherever git has it.
//!
//! | found                                                                      | kind                   |
//! |----------------------------------------------------------------------------|------------------------|
//! | refs, but for those that were copied                                       | `branch`, `tag`, `ref` |
//! | stashes, and changes that a rebase or merge put aside (`--autostash`)      | `stash`                |
//! | patches that a stopped `git am` did not apply                              | `patches`              |
//! | commits that HEAD was on                                                   | `reflog`               |
//! | the agent's commits that nothing leads to, as of a worktree that is gone   | `lost`                 |
//!
//! A few commands answer for all of them, however many there are.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs;
use std::path::Path;
use std::time::SystemTime;

use super::commits::short;
use super::git::{Git, GitError};
use super::leftover::{Leftover, Saved, kept_ref};
use super::names::{distinct, free_name, kind_of, pairs, plain_name, refs_of};
use super::uncommitted::record;
use super::unfinished::patches_left;
use crate::plain;

/// Steps of HEAD that are looked at, newest first.
const MOST_STEPS: usize = 500;
/// Where git notes what it put aside.
const ASIDE: [&str; 3] = ["rebase-merge/autostash", "rebase-apply/autostash", "MERGE_AUTOSTASH"];

struct Found {
    kind: &'static str,
    name: String,
    object: String,
    /// Whether another commit took its place.
    replaced: bool,
}

impl Found {
    fn new(kind: &'static str, name: impl Into<String>, object: impl Into<String>) -> Self {
        Self { kind, name: name.into(), object: object.into(), replaced: false }
    }

    /// Whether it has a name of its own, and is kept even where another name has the same commit.
    fn is_named(&self) -> bool {
        !matches!(self.kind, "reflog" | "lost")
    }
}

/// All that origin does not have. `own` is the repository, `safe` what need not be kept.
pub(super) async fn beside(
    left: &Leftover<'_>,
    git: &Git,
    own: &Path,
    safe: &[&str],
) -> Result<Vec<Saved>, GitError> {
    let theirs = match left.clone {
        Some(clone) => refs_of(&Git::at(clone)).await?,
        None => BTreeMap::new(),
    };
    let mut found = found(git, own, &theirs).await?;
    let all = found.len();
    found.extend(loose(own, left.begun).into_iter().map(|object| Found::new("lost", "", object)));
    let mut peeled = peeled(git, &found).await?;
    let new = match new_commits(git, peeled.iter().flatten().flatten(), safe).await {
        // One of them is broken, as after a full disk: then what nothing leads to does not count.
        Err(_) if found.len() > all => {
            found.truncate(all);
            peeled.truncate(all);
            new_commits(git, peeled.iter().flatten().flatten(), safe).await?
        }
        new => new?,
    };
    let inner: BTreeSet<&str> = new.values().flatten().map(String::as_str).collect();
    let is_tip = |commit: &&String| new.contains_key(*commit) && !inner.contains(commit.as_str());
    let lost = found.iter().zip(&peeled).filter(|(one, _)| one.kind == "lost");
    let lost: Vec<&String> =
        lost.filter_map(|(_, peeled)| peeled.as_ref()?.as_ref()).filter(is_tip).collect();
    let lost = own_work(git, left.agent, &lost).await?;
    let (mut kept, mut covered, mut before, mut numbers) =
        (Vec::new(), BTreeSet::new(), BTreeSet::new(), HashMap::new());
    for (one, peeled) in found.iter().zip(&peeled) {
        let worth = match peeled {
            None => false,
            Some(None) => one.is_named(),
            Some(Some(commit)) if one.kind == "lost" && !lost.contains(commit) => false,
            Some(Some(commit)) => {
                new.contains_key(commit) && (one.is_named() || !covered.contains(commit.as_str()))
            }
        };
        if !worth {
            continue;
        }
        let mut next: Vec<&str> = peeled.iter().flatten().map(String::as_str).collect();
        while let Some(commit) = next.pop() {
            if covered.insert(commit) {
                next.extend(new.get(commit).into_iter().flatten().map(String::as_str));
            }
        }
        let number = numbers.entry(one.kind).or_insert(0_u32);
        let name = if one.is_named() { one.name.clone() } else { number.to_string() };
        *number += 1;
        kept.push(saved(left.run_id, one, &name, &theirs, &mut before));
    }
    Ok(kept)
}

/// Everything that may be worth to be kept, newest first.
async fn found(git: &Git, own: &Path, theirs: &BTreeMap<String, String>) -> Result<Vec<Found>, GitError> {
    let mut found = Vec::new();
    for (full, object) in refs_of(git).await? {
        let Some((kind, name)) = kind_of(&full) else { continue };
        // Tags were copied from the clone: they are the person's.
        if kind == "branch" || theirs.get(&full) != Some(&object) {
            found.push(Found::new(kind, name, object));
        }
    }
    let log = async |name: &str| {
        let args = ["log", "-g", "--no-show-signature", "--format=%H %gs", name, "--"];
        git.run(args).await.unwrap_or_default()
    };
    let stashes = log("refs/stash").await;
    let aside = ASIDE.iter().filter_map(|name| plain::read_text(&own.join(name), plain::RECORD).ok());
    let aside: Vec<String> =
        aside.map(|text| text.trim().to_owned()).filter(|text| is_object(text)).collect();
    let stashes = pairs(&stashes).map(|(object, _)| object).chain(aside.iter().map(String::as_str));
    found.extend(stashes.enumerate().map(|(number, object)| Found::new("stash", number.to_string(), object)));
    if let Some(patches) = patches_left(own) {
        let blob = git.told(&["hash-object", "-w", "--stdin"], &patches).await?;
        let tree = git.told(&["mktree"], format!("100644 blob {blob}\tpatches\n").as_bytes()).await?;
        let commit = record(git, &tree, None, "Patches that git am had not applied").await?;
        found.push(Found::new("patches", "rest", commit));
    }
    let mut next = "";
    for (object, step) in pairs(&log("HEAD").await).take(MOST_STEPS) {
        let replaced = next.starts_with("commit (amend)") || next.starts_with("rebase");
        found.push(Found { replaced, ..Found::new("reflog", "", object) });
        next = step;
    }
    Ok(found)
}

fn is_object(text: &str) -> bool {
    matches!(text.len(), 40 | 64) && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Objects that were made in a repository since then, and not packed.
fn loose(own: &Path, since: SystemTime) -> Vec<String> {
    let mut found = Vec::new();
    for directory in fs::read_dir(own.join("objects")).into_iter().flatten().flatten() {
        let first = directory.file_name().to_string_lossy().into_owned();
        if first.len() == 2 {
            let is_new = |file: &fs::DirEntry| {
                file.metadata().and_then(|meta| meta.modified()).is_ok_and(|made| made >= since)
            };
            let files = fs::read_dir(directory.path()).into_iter().flatten().flatten().filter(is_new);
            let names = files.map(|file| format!("{first}{}", file.file_name().to_string_lossy()));
            found.extend(names.filter(|name| is_object(name)));
        }
    }
    found
}

/// For each that is there, the commit that it leads to, if it leads to one.
async fn peeled(git: &Git, found: &[Found]) -> Result<Vec<Option<Option<String>>>, GitError> {
    // Git gives up at an object that is broken, where it is to look into it.
    let name = |one: &Found| format!("{}{}\n", one.object, if one.kind == "lost" { "" } else { "^{}" });
    let names: String = found.iter().map(name).collect();
    let check = ["cat-file", "--batch-check=%(objectname) %(objecttype)"];
    let answers = git.told(&check, names.as_bytes()).await?;
    let read = |line: &str| match line.split_once(' ') {
        Some((object, "commit")) => Some(Some(object.to_owned())),
        Some((_, "blob" | "tree")) => Some(None),
        Some(_) | None => None,
    };
    Ok(answers.lines().map(read).collect())
}

/// The commits that lead to these and that are not safe, with their parents.
async fn new_commits(
    git: &Git,
    commits: impl Iterator<Item = &String>,
    safe: &[&str],
) -> Result<HashMap<String, Vec<String>>, GitError> {
    let mut asked: String =
        commits.collect::<BTreeSet<_>>().into_iter().map(|one| format!("{one}\n")).collect();
    if asked.is_empty() {
        return Ok(HashMap::new());
    }
    asked.extend(safe.iter().map(|commit| format!("^{commit}\n")));
    let list = ["rev-list", "--parents", "--ignore-missing", "--not", "--remotes", "--not", "--stdin"];
    let listed = git.told(&list, asked.as_bytes()).await?;
    let read = |line: &str| {
        let mut words = line.split(' ').map(str::to_owned);
        Some((words.next()?, words.collect()))
    };
    Ok(listed.lines().filter_map(read).collect())
}

/// Those of some commits that the agent made, but for stashes: those were dropped, or taken back.
async fn own_work(git: &Git, agent: &str, commits: &[&String]) -> Result<BTreeSet<String>, GitError> {
    if commits.is_empty() {
        return Ok(BTreeSet::new());
    }
    let asked: String = commits.iter().map(|commit| format!("{commit}\n")).collect();
    let show =
        ["log", "--no-walk=unsorted", "--no-show-signature", "--format=%H%x09%ce%x09%p%x09%s", "--stdin"];
    let listed = git.told(&show, asked.as_bytes()).await?;
    let read = |line: &str| {
        let mut parts = line.splitn(4, '\t');
        let (commit, by, parents, subject) = (parts.next()?, parts.next()?, parts.next()?, parts.next()?);
        let stash = parents.contains(' ') && (subject.starts_with("WIP on ") || subject.starts_with("On "));
        ((agent.is_empty() || by == agent) && !stash).then(|| commit.to_owned())
    };
    Ok(listed.lines().filter_map(read).collect())
}

fn saved(
    run_id: &str,
    one: &Found,
    name: &str,
    theirs: &BTreeMap<String, String>,
    before: &mut BTreeSet<String>,
) -> Saved {
    let Found { kind, object, replaced, .. } = one;
    let plain = plain_name(name);
    let place = distinct(format!("{}-{kind}/{plain}", kept_ref(run_id)), before);
    let free = |directory: &str| free_name(directory, &plain, run_id, theirs);
    let (what, command) = match *kind {
        "branch" => (format!("the branch {name}"), format!("git branch {} {place}", free("refs/heads/"))),
        "tag" => (format!("the tag {name}"), format!("git tag {} {place}", free("refs/tags/"))),
        "ref" => (format!("the ref refs/{name}"), format!("git update-ref refs/{} {place}", free("refs/"))),
        "stash" => (format!("the stash {name}"), format!("git stash apply {place}")),
        "patches" => {
            let what = "the patches that git am had not applied".to_owned();
            (what, format!("git show {place}:patches | git am -3"))
        }
        _ => {
            let plain = format!("{run_id}-{kind}-{name}");
            let free = free_name("refs/heads/", &plain, run_id, theirs);
            (format!("the commit {}", short(object)), format!("git branch {free} {place}"))
        }
    };
    Saved { what, command, replaced: *replaced, name: place, object: object.clone() }
}
