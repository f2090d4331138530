//! With real repositories and a bare origin.

use std::fs;

use super::*;
use crate::testing::assignment;
use crate::workspace::kept::{Leftover, keep, kept_ref};
use crate::workspace::outcome::{Expectation, verify};

mod interleaved;

/// A bare `origin` with one commit on main, and `clone`, a person's clone of it.
struct World {
    directory: tempfile::TempDir,
}

impl World {
    async fn new() -> Self {
        let world = Self { directory: tempfile::tempdir().unwrap() };
        let root = Git::at(world.directory.path());
        root.run(["init", "-q", "--bare", "-b", "main", "origin.git"]).await.unwrap();
        root.run(["clone", "-q", "origin.git", "clone"]).await.unwrap();
        let clone = world.clone();
        for (key, value) in [("user.name", "Owner"), ("user.email", "owner@x")] {
            clone.run(["config", key, value]).await.unwrap();
        }
        world.commit(&clone, "README", "one").await;
        clone.run(["push", "-q", "origin", "HEAD:refs/heads/main"]).await.unwrap();
        clone.run(["checkout", "-q", "-B", "main"]).await.unwrap();
        world
    }

    fn path(&self, name: &str) -> PathBuf {
        self.directory.path().canonicalize().unwrap().join(name)
    }

    fn clone(&self) -> Git {
        Git::at(self.path("clone"))
    }

    async fn commit(&self, git: &Git, file: &str, content: &str) -> String {
        fs::write(git.directory().join(file), content).unwrap();
        git.run(["add", "--all"]).await.unwrap();
        git.run(["-c", "user.name=A", "-c", "user.email=a@x", "commit", "-qm", content]).await.unwrap();
        git.run(["rev-parse", "HEAD"]).await.unwrap()
    }

    /// Another person pushes to a branch of origin.
    async fn someone_pushes(&self, branch: &str, content: &str) -> String {
        let name = format!("other-{content}");
        Git::at(self.path("")).run(["clone", "-q", "origin.git", &name]).await.unwrap();
        let other = Git::at(self.path(&name));
        let commit = self.commit(&other, "other", content).await;
        other.run(["push", "-q", "origin", &format!("HEAD:refs/heads/{branch}")]).await.unwrap();
        commit
    }

    async fn prepare(&self, assignment: &Assignment) -> Result<Checkout, Failure> {
        fs::create_dir_all(self.path("run")).unwrap();
        prepare(&self.path("clone"), &self.path("run/repo"), assignment, false).await
    }

    /// The same, of a run that may borrow nothing.
    async fn prepare_apart(&self, assignment: &Assignment) -> Result<Checkout, Failure> {
        fs::create_dir_all(self.path("run")).unwrap();
        prepare(&self.path("clone"), &self.path("run/repo"), assignment, true).await
    }

    async fn at_origin(&self, branch: &str) -> Option<String> {
        commit(&Git::at(self.path("origin.git")), &format!("refs/heads/{branch}")).await
    }

    /// Everything of the person's clone that a run must not change.
    async fn fingerprint(&self) -> Vec<String> {
        let git = self.clone();
        let mut print = vec![
            git.run(["status", "--porcelain=v2", "--branch"]).await.unwrap(),
            fs::read_to_string(self.path("clone/.git/HEAD")).unwrap(),
            fs::read_to_string(self.path("clone/.git/config")).unwrap(),
            hex::encode(fs::read(self.path("clone/.git/index")).unwrap()),
            git.run(["stash", "list"]).await.unwrap(),
            git.run(["for-each-ref", "--exclude=refs/svc"]).await.unwrap(),
            git.run(["worktree", "list"]).await.unwrap(),
        ];
        let mut hooks: Vec<String> = fs::read_dir(self.path("clone/.git/hooks"))
            .unwrap()
            .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
            .collect();
        hooks.sort();
        print.extend(hooks);
        print
    }
}

fn reason(result: Result<Checkout, Failure>) -> &'static str {
    result.unwrap_err().reason.as_str()
}

#[tokio::test]
async fn a_run_starts_from_what_origin_has_now_and_leaves_the_clone_alone() {
    let world = World::new().await;
    let newest = world.someone_pushes("main", "two").await;
    fs::write(world.path("clone/README"), "edited").unwrap();
    fs::write(world.path("clone/staged"), "x").unwrap();
    world.clone().run(["add", "staged"]).await.unwrap();
    let hook = world.path("clone/.git/hooks/post-checkout");
    fs::write(&hook, format!("#!/bin/sh\ntouch {}\n", world.path("hook-ran").display())).unwrap();
    fs::set_permissions(&hook, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let before = world.fingerprint().await;

    let checkout = world.prepare(&assignment("r1")).await.unwrap();

    assert_eq!(checkout.base, newest);
    let git = Git::at(&checkout.repo);
    assert_eq!(git.run(["symbolic-ref", "--short", "HEAD"]).await.unwrap(), "prj-1-title");
    assert_eq!(world.fingerprint().await, before);
    assert!(!world.path("hook-ran").exists());
}

#[tokio::test]
async fn preparing_twice_gives_the_same() {
    let world = World::new().await;
    let first = world.prepare(&assignment("r1")).await.unwrap();
    fs::write(first.repo.join("left-over"), "x").unwrap();
    let second = world.prepare(&assignment("r1")).await.unwrap();
    assert_eq!(first.base, second.base);
    assert!(!second.repo.join("left-over").exists());
}

#[tokio::test]
async fn two_runs_in_one_clone_do_not_meet() {
    let world = World::new().await;
    let before = world.fingerprint().await;
    let (mut one, mut two) = (assignment("r1"), assignment("r2"));
    one.branch = "one".into();
    two.branch = "two".into();
    fs::create_dir_all(world.path("run")).unwrap();
    let (clone, first, second) = (world.path("clone"), world.path("run/1"), world.path("run/2"));
    let (a, b) = tokio::join!(prepare(&clone, &first, &one, false), prepare(&clone, &second, &two, false));
    assert!(a.is_ok() && b.is_ok(), "{a:?} {b:?}");
    let branches = ["for-each-ref", "--format=%(refname:short)", "refs/heads"];
    assert_eq!(Git::at(&first).run(branches).await.unwrap(), "main\none");
    assert_eq!(Git::at(&second).run(branches).await.unwrap(), "main\ntwo");
    assert_eq!(world.fingerprint().await, before);
}

#[tokio::test(flavor = "multi_thread")]
async fn many_runs_begin_and_end_in_one_clone_at_once() {
    let world = World::new().await;
    let before = world.fingerprint().await;
    fs::create_dir_all(world.path("run")).unwrap();
    let mut beginning = tokio::task::JoinSet::new();
    for number in 0..16 {
        let (clone, repo) = (world.path("clone"), world.path(&format!("run/{number}")));
        let mut assignment = assignment(&format!("r{number}"));
        assignment.branch = format!("branch-{number}");
        beginning.spawn(async move {
            let checkout = prepare(&clone, &repo, &assignment, false).await.unwrap();
            let own = Git::at(&checkout.repo);
            fs::write(repo.join("work"), &assignment.run_id).unwrap();
            own.run(["add", "."]).await.unwrap();
            own.run(["-c", "user.name=A", "-c", "user.email=a@x", "commit", "-qm", "Work"]).await.unwrap();
            let verified = verify(&checkout, "main", &Expectation::WORK).await;
            assert_eq!(verified.pushed_branch.as_deref(), Some(assignment.branch.as_str()), "{verified:?}");
        });
    }
    beginning.join_all().await;
    let clone = world.clone();
    let pushed = Git::at(world.path("origin.git")).run(["branch", "--list", "branch-*"]).await.unwrap();
    assert_eq!(pushed.lines().count(), 16, "{pushed}");
    assert_eq!(world.fingerprint().await, before);
    clone.run(["fsck", "--connectivity-only"]).await.unwrap();
}

/// Git makes the file first and writes it then; a fetch in between once failed the run.
#[tokio::test]
async fn a_fetch_waits_for_a_worktree_that_somebody_is_making() {
    let world = World::new().await;
    let entry = world.path("clone/.git/worktrees/other");
    fs::create_dir_all(&entry).unwrap();
    fs::write(entry.join("gitdir"), world.path("other/.git").to_str().unwrap()).unwrap();
    fs::write(entry.join("HEAD"), "ref: refs/heads/other\n").unwrap();
    fs::write(entry.join("commondir"), "").unwrap();
    let making = tokio::spawn(async move {
        tokio::time::sleep(std::time::Duration::from_millis(300)).await;
        fs::write(entry.join("commondir"), "../..\n").unwrap();
    });
    world.prepare(&assignment("r1")).await.unwrap();
    making.await.unwrap();
}

#[tokio::test]
async fn work_that_origins_branch_already_has_is_gone_on_with() {
    let world = World::new().await;
    let theirs = world.someone_pushes("prj-1-title", "theirs").await;
    let checkout = world.prepare(&assignment("r1")).await.unwrap();
    assert_eq!(checkout.base, theirs);
}

#[tokio::test]
async fn a_branch_that_a_person_looks_at_is_left_alone() {
    let world = World::new().await;
    world.clone().run(["checkout", "-q", "-b", "prj-1-title"]).await.unwrap();
    world.commit(&world.clone(), "theirs", "theirs").await;
    let before = world.fingerprint().await;
    let checkout = world.prepare(&assignment("r1")).await.unwrap();
    let git = Git::at(&checkout.repo);
    assert_eq!(git.run(["symbolic-ref", "--short", "HEAD"]).await.unwrap(), "prj-1-title");
    assert_eq!(world.fingerprint().await, before);
    let head = world.commit(&git, "work", "done").await;
    assert_eq!(
        verify(&checkout, "main", &Expectation::WORK).await.pushed_branch.as_deref(),
        Some("prj-1-title")
    );
    assert_eq!(world.at_origin("prj-1-title").await, Some(head));
}

#[tokio::test]
async fn a_merged_branch_starts_over_from_the_default_branch() {
    let world = World::new().await;
    world.someone_pushes("prj-1-title", "theirs").await;
    world.clone().run(["fetch", "-q"]).await.unwrap();
    world
        .clone()
        .run(["push", "-q", "origin", "refs/remotes/origin/prj-1-title:refs/heads/main"])
        .await
        .unwrap();
    let newest = world.someone_pushes("main", "later").await;
    assert_eq!(world.prepare(&assignment("r1")).await.unwrap().base, newest);
}

#[tokio::test]
async fn unpushed_commits_of_an_earlier_run_keep_a_name() {
    let world = World::new().await;
    let checkout = world.prepare(&assignment("r1")).await.unwrap();
    let lost = world.commit(&Git::at(&checkout.repo), "work", "unpushed").await;
    keep(&leftover(&checkout, &world.path("run"))).await.unwrap();
    world.prepare(&assignment("r2")).await.unwrap();
    assert_eq!(commit(&world.clone(), "refs/svc/kept/r1").await, Some(lost));
}

#[tokio::test]
async fn a_follow_up_keeps_unpushed_commits_and_takes_pushed_ones() {
    let world = World::new().await;
    let mut follow = assignment("r2");
    follow.kind = RunKind::FollowUp;
    follow.earlier_run_id = Some("r1".into());
    let new_branch = "prj-1-title-a1b2c3".into();
    follow.follow_up =
        Some(svc_api::runner::AssignedFollowUp { pull_request: None, pull_request_state: None, new_branch });
    assert_eq!(reason(world.prepare(&follow).await), "follow-up-target-missing");
    let checkout = world.prepare(&assignment("r1")).await.unwrap();
    let git = Git::at(&checkout.repo);
    world.commit(&git, "work", "pushed").await;
    git.run(["push", "-q", "origin", "HEAD"]).await.unwrap();
    let unpushed = world.commit(&git, "work", "unpushed").await;
    fs::write(checkout.repo.join("work"), "not committed").unwrap();
    keep(&leftover(&checkout, &world.path("run"))).await.unwrap();
    assert_eq!(world.prepare(&follow).await.unwrap().base, unpushed);
}

#[tokio::test]
async fn a_follow_up_of_no_earlier_work_begins_like_any_run() {
    let world = World::new().await;
    let mut follow = assignment("r1");
    follow.kind = RunKind::FollowUp;
    let checkout = world.prepare(&follow).await.unwrap();
    assert_eq!(Some(checkout.base), world.at_origin("main").await);
}

#[tokio::test]
async fn direct_delivery_and_refinement_work_on_the_target() {
    let world = World::new().await;
    let mut direct = assignment("r1");
    direct.delivery_mode = DeliveryMode::PushToDefaultBranch;
    direct.direct_target = Some("main".into());
    let checkout = world.prepare(&direct).await.unwrap();
    let upstream = Git::at(&checkout.repo).run(["rev-parse", "--abbrev-ref", "@{upstream}"]).await.unwrap();
    assert_eq!((checkout.branch.as_deref(), upstream.as_str()), (Some("main"), "origin/main"));
    let checkout = world.prepare_apart(&direct).await.unwrap();
    assert!(!checkout.repo.join(".git/objects/info/alternates").exists(), "nothing is shared");
    let head = world.commit(&Git::at(&checkout.repo), "work", "direct").await;
    assert_eq!(verify(&checkout, "main", &Expectation::WORK).await.pushed_branch.as_deref(), Some("main"));
    assert_eq!(world.at_origin("main").await, Some(head));

    let mut refine = assignment("r2");
    refine.kind = RunKind::Refine;
    assert_eq!(world.prepare(&refine).await.unwrap().branch, None);
    assert_eq!(commit(&world.clone(), "refs/heads/prj-1-title").await, None);
}

#[tokio::test]
async fn a_clone_without_origin_serves_branches_but_not_direct_delivery() {
    let world = World::new().await;
    world.clone().run(["remote", "remove", "origin"]).await.unwrap();
    assert!(world.prepare(&assignment("r1")).await.unwrap().remote.is_none());
    let mut direct = assignment("r2");
    direct.delivery_mode = DeliveryMode::PushToDefaultBranch;
    assert_eq!(reason(world.prepare(&direct).await), "no-remote");
}

#[tokio::test]
async fn names_that_could_be_options_or_paths_are_refused() {
    let world = World::new().await;
    for name in
        ["-f", "--upload-pack=x", "a\nb", "", "a..b", "a b", "x.lock", "/x", "x/", "HEAD", "@{-1}", "a:b"]
    {
        let mut branch = assignment("r1");
        branch.branch = name.into();
        assert_eq!(reason(world.prepare(&branch).await), "workspace-failed", "{name:?}");
        let mut default = assignment("r1");
        default.repository.default_branch = name.into();
        assert_eq!(reason(world.prepare(&default).await), "workspace-failed", "{name:?}");
    }
}

#[tokio::test]
async fn an_origin_out_of_reach_or_without_the_default_branch_fails_the_workspace() {
    let world = World::new().await;
    let mut missing = assignment("r1");
    missing.repository.default_branch = "trunk".into();
    let failure = world.prepare(&missing).await.unwrap_err();
    assert!(failure.detail.contains("origin has no branch trunk"), "{failure:?}");
    fs::rename(world.path("origin.git"), world.path("gone.git")).unwrap();
    assert_eq!(reason(world.prepare(&assignment("r1")).await), "workspace-failed");
}

#[tokio::test]
async fn what_the_agent_forgot_to_push_is_pushed_and_said_so() {
    let world = World::new().await;
    let checkout = world.prepare(&assignment("r1")).await.unwrap();
    assert_eq!(verify(&checkout, "main", &Expectation::WORK).await.remarks, ["No commit was made."]);
    let head = world.commit(&Git::at(&checkout.repo), "work", "done").await;
    assert_eq!(
        verify(&checkout, "main", &Expectation { push: false, ..Expectation::WORK }).await.pushed_branch,
        None
    );
    let verified = verify(&checkout, "main", &Expectation::WORK).await;
    assert_eq!(verified.pushed_branch.as_deref(), Some("prj-1-title"));
    assert!(verified.events[0].contains("the agent had not"));
    assert_eq!(world.at_origin("prj-1-title").await, Some(head));
}

#[tokio::test]
async fn nothing_is_pushed_over_what_someone_else_pushed() {
    let world = World::new().await;
    let checkout = world.prepare(&assignment("r1")).await.unwrap();
    world.commit(&Git::at(&checkout.repo), "work", "mine").await;
    let theirs = world.someone_pushes("prj-1-title", "theirs").await;
    let verified = verify(&checkout, "main", &Expectation::WORK).await;
    assert_eq!(verified.pushed_branch, None);
    assert!(verified.remarks.iter().any(|remark| remark.contains("could not be pushed")), "{verified:?}");
    assert_eq!(world.at_origin("prj-1-title").await, Some(theirs));
}

/// A hook that refuses every push, at origin.
fn refuse_pushes(world: &World) {
    let hook = world.path("origin.git/hooks/pre-receive");
    fs::write(&hook, "#!/bin/sh\necho not today >&2\nexit 1\n").unwrap();
    fs::set_permissions(&hook, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
}

#[tokio::test]
async fn a_push_that_origin_refuses_delivers_nothing() {
    let world = World::new().await;
    refuse_pushes(&world);
    let checkout = world.prepare(&assignment("r1")).await.unwrap();
    let head = world.commit(&Git::at(&checkout.repo), "work", "done").await;
    let verified = verify(&checkout, "main", &Expectation::WORK).await;
    assert!(verified.missing.as_deref().is_some_and(|why| why.contains("not today")), "{verified:?}");
    assert_eq!((verified.local_head, verified.remote_head), (Some(head), None));
}

#[tokio::test]
async fn no_commit_and_a_destroyed_checkout_deliver_nothing() {
    let world = World::new().await;
    let checkout = world.prepare(&assignment("r1")).await.unwrap();
    assert_eq!(
        verify(&checkout, "main", &Expectation::WORK).await.missing.as_deref(),
        Some("no commit was made")
    );
    assert_eq!(verify(&checkout, "main", &Expectation::ANSWER).await.missing, None);
    let repository = checkout.repository.clone().unwrap();
    fs::remove_dir_all(repository).unwrap();
    assert!(verify(&checkout, "main", &Expectation::ANSWER).await.missing.unwrap().contains("any more"));
}

#[tokio::test]
async fn an_agent_that_points_the_checkout_elsewhere_is_not_believed() {
    let world = World::new().await;
    let checkout = world.prepare(&assignment("r1")).await.unwrap();
    let head = world.commit(&Git::at(&checkout.repo), "work", "done").await;
    Git::at(world.path("")).run(["init", "-q", "--bare", "elsewhere.git"]).await.unwrap();
    let own = checkout.git();
    own.run(["remote", "set-url", "origin", world.path("elsewhere.git").to_str().unwrap()]).await.unwrap();
    let instead = format!("url.{}/.insteadOf", world.path("elsewhere").display());
    own.run(["config", &instead, world.path("").to_str().unwrap()]).await.unwrap();
    fs::rename(checkout.repo.join(".git"), world.path("run/moved")).unwrap();
    let checkout = Checkout { repository: Some(world.path("run/moved")), ..checkout };
    fs::write(checkout.repo.join(".git"), "gitdir: /nowhere\n").unwrap();
    assert_eq!(
        verify(&checkout, "main", &Expectation::WORK).await.pushed_branch.as_deref(),
        Some("prj-1-title")
    );
    assert_eq!(world.at_origin("prj-1-title").await, Some(head));
    let elsewhere = Git::at(world.path("elsewhere.git"));
    assert_eq!(elsewhere.run(["for-each-ref"]).await.unwrap(), "");
}

/// Rules as long as the address itself, and a remote of the address's name, once sent the runner's own push elsewhere.
#[tokio::test]
async fn rules_for_the_very_address_of_origin_send_the_runner_nowhere_else() {
    let world = World::new().await;
    let mut direct = assignment("r1");
    direct.delivery_mode = DeliveryMode::PushToDefaultBranch;
    fs::create_dir_all(world.path("run")).unwrap();
    let evil = world.path("evil.git");
    Git::at(world.path("")).run(["init", "-q", "--bare", evil.to_str().unwrap()]).await.unwrap();
    let origin = format!("file://{}", world.path("origin.git").display());
    world.clone().run(["remote", "set-url", "origin", &origin]).await.unwrap();
    for (kind, isolated) in [("r1", true), ("r2", false)] {
        let mut run = if isolated { assignment(kind) } else { direct.clone() };
        run.run_id = kind.into();
        let (clone, repo) = (world.path("clone"), world.path("run/repo"));
        let checkout = prepare(&clone, &repo, &run, isolated).await.unwrap();
        let own = Git::at(&repo);
        for rule in ["insteadOf", "pushInsteadOf"] {
            own.run(["config", "--add", &format!("url.{}.{rule}", evil.display()), &origin]).await.unwrap();
        }
        own.run(["config", &format!("remote.{origin}.pushUrl"), evil.to_str().unwrap()]).await.unwrap();
        let head = world.commit(&own, "work", kind).await;
        let verified = verify(&checkout, "main", &Expectation::WORK).await;
        let branch = verified.pushed_branch.expect("pushed");
        assert_eq!(world.at_origin(&branch).await, Some(head));
        assert_eq!(Git::at(&evil).run(["for-each-ref"]).await.unwrap(), "");
    }
}

#[tokio::test]
async fn a_replaced_or_grafted_commit_is_pushed_and_shown_as_it_is() {
    let world = World::new().await;
    let checkout = world.prepare(&assignment("r1")).await.unwrap();
    let git = checkout.git();
    let person = |args: &'static [&'static str]| {
        let mut command = std::process::Command::new("git");
        command.args(["-c", "user.name=A", "-c", "user.email=a@x"]).args(args);
        assert!(command.current_dir(&checkout.repo).status().unwrap().success());
    };
    let bad = world.commit(&git, "work", "bad").await;
    person(&["checkout", "-q", "-b", "other", "HEAD~"]);
    let good = world.commit(&git, "work", "good").await;
    person(&["checkout", "-q", "prj-1-title"]);
    let head = world.commit(&git, "more", "more").await;
    let replace = std::process::Command::new("git")
        .args(["replace", "-f", &bad, &good])
        .current_dir(&checkout.repo)
        .status();
    assert!(replace.unwrap().success());
    fs::create_dir_all(checkout.repo.join(".git/info")).unwrap();
    fs::write(checkout.repo.join(".git/info/grafts"), format!("{head} {}\n", checkout.base)).unwrap();
    let shown = crate::workspace::changes::changes(&checkout, "main", str::to_owned).await.unwrap().unwrap();
    let titles: Vec<&str> = shown.commits.iter().map(|commit| commit.title.as_str()).collect();
    assert_eq!(titles, ["more", "bad"]);
    assert!(shown.patch.unwrap().contains("+bad"));
    assert_eq!(
        verify(&checkout, "main", &Expectation::WORK).await.pushed_branch.as_deref(),
        Some("prj-1-title")
    );
    let origin = Git::at(world.path("origin.git"));
    assert_eq!(origin.run(["show", "prj-1-title:work"]).await.unwrap(), "bad");
}

#[tokio::test]
async fn hooks_of_the_repository_do_not_run_when_the_runner_pushes() {
    let world = World::new().await;
    let checkout = world.prepare(&assignment("r1")).await.unwrap();
    world.commit(&Git::at(&checkout.repo), "work", "done").await;
    let ran = world.path("ran");
    for hook in ["pre-push", "reference-transaction", "post-index-change"] {
        let path = checkout.repo.join(".git/hooks").join(hook);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, format!("#!/bin/sh\necho {hook} >> {}\nexit 1\n", ran.display())).unwrap();
        fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    }
    let monitor = format!("touch {}", ran.display());
    checkout.git().run(["config", "core.fsmonitor", &monitor]).await.unwrap();
    let verified = verify(&checkout, "main", &Expectation::WORK).await;
    assert!(verified.pushed_branch.is_some(), "{verified:?}");
    assert!(!ran.exists());
}

fn leftover<'a>(checkout: &'a Checkout, directory: &'a Path) -> Leftover<'a> {
    Leftover {
        run_id: "r1",
        directory,
        git: checkout.git(),
        clone: checkout.clone.as_deref(),
        agent: "",
        begun: std::time::UNIX_EPOCH,
        base: &checkout.base,
        at_origin: None,
    }
}

#[tokio::test]
async fn uncommitted_work_is_kept_in_the_clone_and_the_checkout_stays_as_it_is() {
    let world = World::new().await;
    let checkout = world.prepare(&assignment("r1")).await.unwrap();
    let run = world.path("run");
    assert_eq!(keep(&leftover(&checkout, &run)).await, Ok(None));
    fs::write(checkout.repo.join("new"), "new").unwrap();
    fs::write(checkout.repo.join("README"), "changed").unwrap();
    let before = checkout.git().run(["status", "--porcelain"]).await.unwrap();
    let kept = keep(&leftover(&checkout, &run)).await.unwrap().unwrap();
    assert_eq!(kept.uncommitted, 2);
    assert_eq!(checkout.git().run(["status", "--porcelain"]).await.unwrap(), before);
    let shown = |file: &str| format!("{}:{file}", kept_ref("r1"));
    assert_eq!(world.clone().run(["show", &shown("new")]).await.unwrap(), "new");
    assert_eq!(world.clone().run(["show", &shown("README")]).await.unwrap(), "changed");
}

#[tokio::test]
async fn commits_of_a_clone_of_its_own_are_kept_in_the_mapped_clone() {
    let world = World::new().await;
    let mut direct = assignment("r1");
    direct.delivery_mode = DeliveryMode::PushToDefaultBranch;
    let checkout = world.prepare(&direct).await.unwrap();
    let head = world.commit(&Git::at(&checkout.repo), "work", "done").await;
    let run = world.path("run");
    assert!(keep(&leftover(&checkout, &run)).await.unwrap().is_some());
    assert_eq!(commit(&world.clone(), &kept_ref("r1")).await, Some(head));
}

/// What a person set up for their clone holds for the run: a run in a worktree had it too.
#[tokio::test]
async fn settings_hooks_tags_and_layout_of_the_clone_hold_for_the_run() {
    let world = World::new().await;
    let clone = world.clone();
    for directory in ["in", "out"] {
        fs::create_dir(world.path("clone").join(directory)).unwrap();
        fs::write(world.path("clone").join(directory).join("file"), "x").unwrap();
    }
    world.commit(&clone, "more", "more").await;
    clone.run(["push", "-q", "origin", "HEAD:refs/heads/main"]).await.unwrap();
    clone.run(["tag", "v1"]).await.unwrap();
    clone.run(["branch", "mine"]).await.unwrap();
    clone.run(["sparse-checkout", "set", "in"]).await.unwrap();
    fs::write(world.path("clone/.git/team"), "[alias]\n\tst = status\n").unwrap();
    for (name, value) in [
        ("include.path", "team"),
        ("branch.mine.remote", "origin"),
        ("filter.x.clean", "sed 's/\"/\\\\/' # not a comment"),
    ] {
        clone.run(["config", name, value]).await.unwrap();
    }
    clone.run(["remote", "set-url", "origin", "../origin.git"]).await.unwrap();
    fs::write(world.path("clone/.git/info/exclude"), "*.tmp\n").unwrap();
    fs::create_dir_all(world.path("clone/.git/hooks/_")).unwrap();
    std::os::unix::fs::symlink("_/shared", world.path("clone/.git/hooks/pre-commit")).unwrap();
    fs::write(world.path("clone/.git/hooks/_/shared"), "#!/bin/sh\n").unwrap();
    let before = world.fingerprint().await;

    let checkout = world.prepare(&assignment("r1")).await.unwrap();

    assert_eq!(world.fingerprint().await, before);
    let own = Git::at(&checkout.repo);
    assert!(checkout.repo.join("in/file").exists() && !checkout.repo.join("out").exists(), "sparse");
    let setting = async |name: &str| own.run(["config", "--local", name]).await.ok();
    assert_eq!(setting("alias.st").await.as_deref(), Some("status"));
    assert_eq!(setting("branch.mine.remote").await, None);
    assert_eq!(setting("filter.x.clean").await, clone.run(["config", "filter.x.clean"]).await.ok());
    let origin = world.path("clone/../origin.git").display().to_string();
    assert_eq!(own.run(["remote", "get-url", "origin"]).await.unwrap(), origin);
    own.run(["check-ignore", "a.tmp"]).await.unwrap();
    assert_eq!(fs::read_link(checkout.repo.join(".git/hooks/pre-commit")).unwrap(), Path::new("_/shared"));
    assert!(checkout.repo.join(".git/hooks/_/shared").exists());
    let refs = own.run(["for-each-ref", "--format=%(refname)"]).await.unwrap();
    assert!(refs.contains("refs/tags/v1") && !refs.contains("mine"), "{refs}");
    own.run(["fsck", "--connectivity-only"]).await.unwrap();
}

/// `clone` once more, made by these options of `git clone`.
async fn cloned_with(world: &World, options: &[&str]) {
    fs::remove_dir_all(world.path("clone")).unwrap();
    let url = format!("file://{}", world.path("origin.git").display());
    let args = ["clone", "-q"].iter().chain(options).copied().chain([url.as_str(), "clone"]);
    Git::at(world.path("")).run(args).await.unwrap();
}

#[tokio::test]
async fn clones_of_every_layout_lend_their_objects() {
    let world = World::new().await;
    for content in ["two", "three"] {
        world.commit(&world.clone(), "README", content).await;
    }
    world.clone().run(["push", "-q", "origin", "HEAD:refs/heads/main"]).await.unwrap();
    let origin = Git::at(world.path("origin.git"));
    origin.run(["config", "uploadpack.allowFilter", "true"]).await.unwrap();
    let layouts: [&[&str]; 5] = [
        &["--depth=1"],
        &["--filter=blob:none"],
        &["--bare"],
        &["--sparse"],
        &["--origin=origin", "--no-checkout"],
    ];
    for (number, options) in layouts.into_iter().enumerate() {
        cloned_with(&world, options).await;
        world.someone_pushes("main", &format!("later-{number}")).await;
        let checkout = world.prepare(&assignment("r1")).await.unwrap();
        let own = Git::at(&checkout.repo);
        assert_eq!(own.run(["status", "--porcelain"]).await.unwrap(), "", "{options:?}");
        assert_eq!(Some(&checkout.base), world.at_origin("main").await.as_ref(), "{options:?}");
        own.run(["log", "-p"]).await.unwrap();
        world.commit(&own, "work", &format!("work-{number}")).await;
        let verified = verify(&checkout, "main", &Expectation::WORK).await;
        assert!(verified.pushed_branch.is_some(), "{options:?} {verified:?}");
        let origin = Git::at(world.path("origin.git"));
        origin.run(["update-ref", "-d", "refs/heads/prj-1-title"]).await.unwrap();
    }
}

#[tokio::test]
async fn linked_worktrees_reftables_and_sha_256_lend_their_objects() {
    let world = World::new().await;
    let root = Git::at(world.path(""));
    world.clone().run(["worktree", "add", "-q", "--detach", "../linked"]).await.unwrap();
    let mut clones = vec!["linked"];
    // Older versions of git do not know it.
    if root.run(["clone", "-q", "--ref-format=reftable", "origin.git", "tables"]).await.is_ok() {
        Git::at(world.path("tables")).run(["tag", "v1"]).await.unwrap();
        clones.push("tables");
    }
    root.run(["init", "-q", "--bare", "-b", "main", "--object-format=sha256", "sha.git"]).await.unwrap();
    root.run(["clone", "-q", "sha.git", "sha"]).await.unwrap();
    world.commit(&Git::at(world.path("sha")), "file", "x").await;
    Git::at(world.path("sha")).run(["push", "-q", "origin", "HEAD:refs/heads/main"]).await.unwrap();
    clones.push("sha");
    fs::create_dir_all(world.path("run")).unwrap();
    for name in clones {
        let repo = world.path("run").join(name);
        let mut assignment = assignment(name);
        assignment.branch = format!("work-in-{name}");
        let checkout = prepare(&world.path(name), &repo, &assignment, false).await.unwrap();
        world.commit(&Git::at(&repo), "work", name).await;
        assert!(verify(&checkout, "main", &Expectation::WORK).await.pushed_branch.is_some(), "{name}");
        Git::at(&repo).run(["fsck", "--connectivity-only"]).await.unwrap();
        let run = world.path("run");
        let leftover = Leftover { run_id: name, ..leftover(&checkout, &run) };
        fs::write(repo.join("left"), "x").unwrap();
        keep(&leftover).await.unwrap().unwrap();
        assert!(commit(&Git::at(world.path(name)), &kept_ref(name)).await.is_some(), "{name}");
    }
}

/// `git gc` spares what a run works on, and collects what was of a run that is gone.
#[tokio::test]
async fn what_a_run_began_from_is_not_collected_while_it_is_there() {
    let world = World::new().await;
    let begun = world.someone_pushes("main", "two").await;
    let checkout = world.prepare(&assignment("r1")).await.unwrap();
    let origin = Git::at(world.path("origin.git"));
    origin.run(["update-ref", "refs/heads/main", &format!("{begun}^")]).await.unwrap();
    let mut other = assignment("r2");
    other.branch = "other".into();
    prepare(&world.path("clone"), &world.path("run/other"), &other, false).await.unwrap();
    world.clone().run(["gc", "-q", "--prune=now"]).await.unwrap();
    Git::at(&checkout.repo).run(["fsck", "--connectivity-only"]).await.unwrap();
    crate::workspace::borrowed::forget(&world.path("clone"), "r1").await;
    world.clone().run(["gc", "-q", "--prune=now"]).await.unwrap();
    assert_eq!(commit(&world.clone(), &begun).await, None);
}

#[tokio::test]
async fn a_clone_without_origin_gets_the_branch_and_nobodys_work_is_replaced() {
    let world = World::new().await;
    world.clone().run(["remote", "remove", "origin"]).await.unwrap();
    let checkout = world.prepare(&assignment("r1")).await.unwrap();
    let head = world.commit(&Git::at(&checkout.repo), "work", "done").await;
    let verified = verify(&checkout, "main", &Expectation::WORK).await;
    assert!(verified.missing.is_none() && verified.remarks[0].contains("local branch prj-1-title of"));
    assert_eq!(commit(&world.clone(), "refs/heads/prj-1-title").await, Some(head.clone()));
    let checkout = world.prepare(&assignment("r2")).await.unwrap();
    assert_ne!(checkout.base, head, "a new piece of work");
    let second = world.commit(&Git::at(&checkout.repo), "work", "again").await;
    let verified = verify(&checkout, "main", &Expectation::WORK).await;
    let name = format!("prj-1-title-{}", short(&second));
    assert!(verified.remarks[0].contains(&name), "{verified:?}");
    assert_eq!(commit(&world.clone(), "refs/heads/prj-1-title").await, Some(head));
    assert_eq!(commit(&world.clone(), &format!("refs/heads/{name}")).await, Some(second));
}

#[tokio::test]
async fn a_directory_that_may_not_be_written_is_removed_all_the_same() {
    use std::os::unix::fs::PermissionsExt;
    let directory = tempfile::tempdir().unwrap();
    let cache = directory.path().join("a/cache");
    fs::create_dir_all(&cache).unwrap();
    fs::write(cache.join("file"), "x").unwrap();
    fs::set_permissions(&cache, fs::Permissions::from_mode(0o555)).unwrap();
    remove_directory(&directory.path().join("a")).await.unwrap();
    assert!(!directory.path().join("a").exists());
}
