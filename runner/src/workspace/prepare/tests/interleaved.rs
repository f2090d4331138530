//! Runs that begin, work, end and are continued in one clone, in any order: none touches another's branches, the person's
//! clone stays as it was, and every commit that an agent made can be found.

use proptest::prelude::*;

use super::*;
use crate::workspace::retention::{discard, remove_kept_of, save, sweep};
use crate::workspace::{Manifest, RunDirectory};

/// What happens next. Numbers choose among the runs that the step can concern.
#[derive(Clone, Copy, Debug)]
enum Step {
    /// A run of an item begins, unless one of it is at work.
    Begin { item: u8, apart: bool },
    /// The agent commits on its branch.
    Commit(u8),
    /// The agent commits on a second branch and leaves HEAD there.
    Branch(u8),
    /// The agent leaves a stash.
    Stash(u8),
    /// The agent goes back by a commit and deletes its branch.
    Detach(u8),
    /// The runner looks at the work and pushes it.
    Deliver(u8),
    /// The run ends; with a session, it can be continued.
    End { run: u8, session: bool },
    /// A run that ended with a session is continued.
    Continue(u8),
    /// Workspaces that are old enough go.
    Sweep,
    /// The person commits, and has git collect what nothing names.
    Person,
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        4 => (0..3_u8, any::<bool>()).prop_map(|(item, apart)| Step::Begin { item, apart }),
        4 => any::<u8>().prop_map(Step::Commit),
        2 => any::<u8>().prop_map(Step::Branch),
        1 => any::<u8>().prop_map(Step::Stash),
        1 => any::<u8>().prop_map(Step::Detach),
        3 => any::<u8>().prop_map(Step::Deliver),
        4 => (any::<u8>(), any::<bool>()).prop_map(|(run, session)| Step::End { run, session }),
        2 => any::<u8>().prop_map(Step::Continue),
        1 => Just(Step::Sweep),
        1 => Just(Step::Person),
    ];
    proptest::collection::vec(step, 8..20)
}

/// A run whose checkout is still there.
struct Run {
    manifest: Manifest,
    at_work: bool,
    /// Its refs, HEAD and changed files after its own last step.
    state: String,
}

struct Story {
    world: World,
    runs: Vec<Run>,
    begun: usize,
    commits: Vec<String>,
    person: Vec<String>,
}

impl Story {
    async fn begin() -> Self {
        let world = World::new().await;
        let person = world.fingerprint().await;
        Self { world, runs: Vec::new(), begun: 0, commits: Vec::new(), person }
    }

    fn root(&self) -> PathBuf {
        self.world.path("runs")
    }

    fn active(&self) -> Vec<String> {
        let at_work = self.runs.iter().filter(|run| run.at_work);
        at_work.map(|run| run.manifest.run_id.clone()).collect()
    }

    fn chosen(&self, number: u8, at_work: bool) -> Option<usize> {
        let fit: Vec<usize> = (0..self.runs.len()).filter(|run| self.runs[*run].at_work == at_work).collect();
        fit.get(usize::from(number) % fit.len().max(1)).copied()
    }

    fn next_directory(&mut self) -> RunDirectory {
        self.begun += 1;
        RunDirectory::create(&self.root(), &format!("r{}", self.begun)).unwrap()
    }

    async fn state(manifest: &Manifest) -> String {
        let git = Git::at(&manifest.repo);
        let refs = git.run(["show-ref", "--head"]).await.unwrap_or_default();
        refs + "\n" + &git.run(["status", "--porcelain=v2", "--branch"]).await.unwrap()
    }

    async fn take(&mut self, step: Step) {
        let touched = match step {
            Step::Begin { item, apart } => self.start(&format!("PRJ-{item}"), apart).await,
            Step::Continue(number) => self.go_on(number),
            Step::Sweep => {
                sweep(&self.root(), &self.active(), crate::clock::now()).await;
                None
            }
            Step::Person => {
                let clone = self.world.clone();
                self.world.commit(&clone, "mine", &format!("person-{}", crate::clock::fresh_id())).await;
                clone.run(["gc", "-q", "--prune=now"]).await.unwrap();
                self.person = self.world.fingerprint().await;
                None
            }
            Step::End { run, session } => match self.chosen(run, true) {
                Some(run) => self.end(run, session).await,
                None => None,
            },
            Step::Commit(run)
            | Step::Branch(run)
            | Step::Stash(run)
            | Step::Detach(run)
            | Step::Deliver(run) => {
                let run = self.chosen(run, true);
                if let Some(run) = run {
                    self.work(run, step).await;
                }
                run
            }
        };
        if let Some(run) = touched {
            self.runs[run].state = Self::state(&self.runs[run].manifest).await;
        }
    }

    async fn start(&mut self, item: &str, apart: bool) -> Option<usize> {
        if self.runs.iter().any(|run| run.at_work && run.manifest.item == item) {
            return None;
        }
        let directory = self.next_directory();
        remove_kept_of(&self.root(), "demo", item, &self.active()).await;
        self.runs.retain(|run| run.at_work || run.manifest.item != item);
        let run_id = directory.path().file_name().unwrap().to_str().unwrap().to_owned();
        let mut assignment = assignment(&run_id);
        assignment.item.key = item.to_owned();
        assignment.branch = item.to_lowercase();
        let checkout =
            prepare(&self.world.path("clone"), &directory.repo(), &assignment, apart).await.unwrap();
        let manifest = Manifest {
            run_id: run_id.clone(),
            organization: "demo".to_owned(),
            item: item.to_owned(),
            home: run_id,
            begun_at: crate::clock::now(),
            ..Manifest::default()
        }
        .with_checkout(&checkout);
        directory.describe(&manifest).unwrap();
        self.runs.push(Run { manifest, at_work: true, state: String::new() });
        Some(self.runs.len() - 1)
    }

    fn go_on(&mut self, number: u8) -> Option<usize> {
        let earlier = self.chosen(number, false)?;
        let directory = self.next_directory();
        let run = &mut self.runs[earlier];
        run.manifest.run_id = directory.path().file_name().unwrap().to_str().unwrap().to_owned();
        (run.manifest.saved, run.manifest.ended_at, run.at_work) = (false, None, true);
        directory.describe(&run.manifest).unwrap();
        Some(earlier)
    }

    async fn work(&mut self, run: usize, step: Step) {
        let manifest = &self.runs[run].manifest;
        let (git, name) = (Git::at(&manifest.repo), format!("{}-{}", manifest.run_id, self.commits.len()));
        match step {
            Step::Commit(_) => self.commits.push(self.world.commit(&git, "work", &name).await),
            Step::Branch(_) => {
                git.run(["checkout", "-q", "-b", &name]).await.unwrap();
                self.commits.push(self.world.commit(&git, "beside", &name).await);
            }
            Step::Stash(_) => {
                fs::write(manifest.repo.join("README"), &name).unwrap();
                git.run(["-c", "user.name=A", "-c", "user.email=a@x", "stash", "-q"]).await.unwrap();
                self.commits.push(git.run(["rev-parse", "stash"]).await.unwrap());
            }
            Step::Detach(_) => {
                git.run(["checkout", "-q", "--detach"]).await.unwrap();
                let _ = git.run(["branch", "-q", "-D", &manifest.item.to_lowercase()]).await;
            }
            _ => {
                verify(&manifest.checkout(), "main", &Expectation::WORK).await;
            }
        }
    }

    async fn end(&mut self, run: usize, session: bool) -> Option<usize> {
        let root = self.root();
        let manifest = &mut self.runs[run].manifest;
        let directory = root.join(&manifest.run_id);
        save(&directory, manifest, None).await.unwrap();
        (manifest.saved, manifest.ended_at) = (true, Some(crate::clock::now()));
        manifest.session = session.then(|| "session".to_owned());
        RunDirectory::create(&root, &manifest.run_id).unwrap().describe(manifest).unwrap();
        self.runs[run].at_work = false;
        if session || self.runs[run].manifest.home != self.runs[run].manifest.run_id {
            return Some(run);
        }
        discard(&root, &self.runs.remove(run).manifest.run_id).await;
        None
    }

    async fn check(&self, after: Step) {
        for run in &self.runs {
            assert_eq!(
                Self::state(&run.manifest).await,
                run.state,
                "{} after {after:?}",
                run.manifest.run_id
            );
        }
        assert_eq!(self.world.fingerprint().await, self.person, "the person's clone after {after:?}");
        let mut places = vec![self.world.clone(), Git::at(self.world.path("origin.git"))];
        places.extend(self.runs.iter().map(|run| Git::at(&run.manifest.repo)));
        let mut found = String::new();
        for git in &places {
            found += &git.run(["rev-list", "--all", "--reflog"]).await.unwrap();
            found.push('\n');
        }
        for commit in &self.commits {
            assert!(found.contains(commit), "{commit} is lost after {after:?}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 10, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn whatever_runs_do_in_whichever_order_no_branch_of_another_moves_and_nothing_is_lost(steps in steps()) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let mut story = Story::begin().await;
            for step in steps {
                story.take(step).await;
                story.check(step).await;
            }
        });
    }
}
