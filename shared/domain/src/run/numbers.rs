//! Numbers of the factory: what is kept of each run that ended, and what that says of many of them.
//!
//! The record is written by the commit that ends the run. It is small, so that the runs of months are read at once, and
//! exact, so that a median is one.

use std::collections::{BTreeMap, HashMap};

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use super::{Named, Run, RunKind, RunStatus};
use crate::harness::Harness;
use crate::ids::{AgentId, PlaybookId, ProjectKey, RunId};
use crate::project_stats::first_monday;
use crate::word::word_enum;

/// What is kept of a run that ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct EndedRun {
    /// The run.
    pub run: RunId,
    /// Its project.
    pub project: ProjectKey,
    /// Its agent, with the name of then.
    pub agent: Named<AgentId>,
    /// Its playbook, with the name of then.
    pub playbook: Named<PlaybookId>,
    /// Its harness.
    pub harness: Harness,
    /// The model that the harness was asked for, if any; not known of those that ended under an older version.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Why it existed.
    pub kind: RunKind,
    /// How it ended.
    pub status: RunStatus,
    /// When it ended.
    pub at: Timestamp,
    /// When a runner took it, if one did; not known of those that ended under an older version.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub taken_at: Option<Timestamp>,
    /// Seconds from when it might start until a runner took it, if one did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub queue_seconds: Option<u64>,
    /// Seconds from the start of its harness until the end, if it started.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run_seconds: Option<u64>,
    /// Cost, US dollars.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost: Option<f64>,
    /// Tokens sent to the model and written by it.
    #[serde(default)]
    pub tokens: (u64, u64),
}

impl EndedRun {
    /// What is kept of a run; `None` for one that has not ended.
    pub fn of(run: &Run) -> Option<Self> {
        let ended = run.ended()?;
        let seconds = |span: SignedDuration| u64::try_from(span.as_secs()).unwrap_or(0);
        let might_start = run.scheduled_for.unwrap_or(run.queued_at).max(run.queued_at);
        let tokens = ended.report.tokens.unwrap_or_default();
        Some(Self {
            run: run.id,
            project: run.item.project.clone(),
            agent: run.agent.clone(),
            playbook: run.playbook.clone(),
            harness: run.harness,
            model: run.model.clone(),
            kind: run.kind,
            status: run.status(),
            at: ended.at,
            taken_at: ended.hold.as_ref().map(|hold| hold.since),
            queue_seconds: ended.hold.as_ref().map(|hold| seconds(hold.since.duration_since(might_start))),
            run_seconds: ended.started_at.map(|at| seconds(ended.at.duration_since(at))),
            cost: ended.report.cost,
            tokens: (tokens.input, tokens.output),
        })
    }

    /// Whether it took up work that an earlier run had left.
    const fn reworks(&self) -> bool {
        match self.kind {
            RunKind::Implement | RunKind::Refine => false,
            RunKind::Continue | RunKind::Retry | RunKind::FollowUp => true,
        }
    }

    fn day(&self) -> Date {
        self.at.to_zoned(TimeZone::UTC).date()
    }

    /// The group that it belongs to: its key, and the name that people read.
    fn group(&self, by: GroupBy) -> (String, String) {
        let same = |text: String| (text.clone(), text);
        match by {
            GroupBy::Day => same(self.day().to_string()),
            GroupBy::Project => same(self.project.to_string()),
            GroupBy::Agent => (self.agent.id.to_string(), self.agent.name.clone()),
            GroupBy::Playbook => (self.playbook.id.to_string(), self.playbook.name.clone()),
            GroupBy::Harness => (self.harness.as_str().to_owned(), self.harness.display_name().to_owned()),
            GroupBy::Model => same(self.model.clone().unwrap_or_default()),
        }
    }
}

word_enum! {
    /// What runs are grouped by.
    GroupBy {
        /// The day on which they ended, in UTC.
        Day = "day",
        /// The project.
        Project = "project",
        /// The agent.
        Agent = "agent",
        /// The playbook.
        Playbook = "playbook",
        /// The harness.
        Harness = "harness",
        /// The model that it was asked for; empty where it chose itself.
        Model = "model",
    }
}

/// Seconds that the results of runs waited until their items were resolved, by run.
pub type Reviews = HashMap<RunId, u64>;

/// What many runs were like.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Numbers {
    /// How many ended.
    pub runs: u64,
    /// How many succeeded.
    pub succeeded: u64,
    /// How many failed.
    pub failed: u64,
    /// How many were stopped by a person or with their runner.
    pub cancelled: u64,
    /// How many ran past their time limit.
    pub timed_out: u64,
    /// How many took up work that an earlier run had left.
    pub rework: u64,
    /// Cost in US dollars, as far as harnesses reported it.
    pub cost: f64,
    /// Tokens sent to models.
    pub input_tokens: u64,
    /// Tokens written by models.
    pub output_tokens: u64,
    /// Seconds in the queue.
    pub queue: Spread,
    /// Seconds at work.
    pub work: Spread,
    /// Seconds that results waited until their items were resolved.
    pub review: Spread,
}

/// Median and 95th percentile of seconds; `None` where there are none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spread {
    /// Half took no longer.
    pub median: Option<u64>,
    /// 95 of 100 took no longer.
    pub p95: Option<u64>,
}

/// A group of runs.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    /// What its runs have in common: an id, a key or a day.
    pub key: String,
    /// Name to show for the key.
    pub name: String,
    /// Their statistics.
    pub numbers: Numbers,
    /// The same for each week in which any of them ended, by its Monday; empty where weeks were not asked for.
    pub weeks: BTreeMap<Date, Numbers>,
}

/// What runs were like, of which those that were cancelled count as neither success nor failure.
pub fn numbers<'a>(runs: impl IntoIterator<Item = &'a EndedRun>, reviews: &Reviews) -> Numbers {
    let mut numbers = Numbers::default();
    let (mut queue, mut work, mut review) = (Vec::new(), Vec::new(), Vec::new());
    for run in runs {
        numbers.runs += 1;
        match run.status {
            RunStatus::Succeeded => numbers.succeeded += 1,
            RunStatus::Failed => numbers.failed += 1,
            RunStatus::Cancelled => numbers.cancelled += 1,
            RunStatus::TimedOut => numbers.timed_out += 1,
            RunStatus::Queued | RunStatus::Assigned | RunStatus::Running => {}
        }
        numbers.rework += u64::from(run.reworks());
        numbers.cost += run.cost.unwrap_or(0.0);
        numbers.input_tokens = numbers.input_tokens.saturating_add(run.tokens.0);
        numbers.output_tokens = numbers.output_tokens.saturating_add(run.tokens.1);
        queue.extend(run.queue_seconds);
        work.extend(run.run_seconds);
        review.extend(reviews.get(&run.run).copied());
    }
    numbers.queue = spread(queue);
    numbers.work = spread(work);
    numbers.review = spread(review);
    numbers
}

/// The same for each group, in the order of their keys for days, and of their names otherwise; with `weekly`, for each
/// week of each group too.
pub fn grouped(runs: &[EndedRun], by: GroupBy, reviews: &Reviews, weekly: bool) -> Vec<Group> {
    let mut members: BTreeMap<String, (String, Vec<&EndedRun>)> = BTreeMap::new();
    for run in runs {
        let (key, name) = run.group(by);
        let group = members.entry(key).or_insert_with(|| (name.clone(), Vec::new()));
        // Runs come in the order of their ends: the newest name counts.
        group.0 = name;
        group.1.push(run);
    }
    let by_week = |runs: &[&EndedRun]| {
        let mut weeks: BTreeMap<Date, Vec<&EndedRun>> = BTreeMap::new();
        for run in runs.iter().filter(|_| weekly) {
            weeks.entry(first_monday(run.day(), 1)).or_default().push(run);
        }
        weeks.into_iter().map(|(monday, runs)| (monday, numbers(runs, reviews))).collect()
    };
    let group = |(key, (name, runs)): (String, (String, Vec<&EndedRun>))| {
        let weeks = by_week(&runs);
        Group { key, name, numbers: numbers(runs, reviews), weeks }
    };
    let mut groups: Vec<Group> = members.into_iter().map(group).collect();
    if by != GroupBy::Day {
        groups.sort_by(|a, b| a.name.cmp(&b.name).then_with(|| a.key.cmp(&b.key)));
    }
    groups
}

impl Numbers {
    /// How many of 100 that were not cancelled succeeded; `None` where there were none.
    pub fn success_percent(&self) -> Option<f64> {
        let judged = self.runs - self.cancelled;
        (judged > 0).then(|| self.succeeded as f64 * 100.0 / judged as f64)
    }
}

fn spread(mut seconds: Vec<u64>) -> Spread {
    seconds.sort_unstable();
    let at = |percent: usize| seconds.get((seconds.len() * percent).div_ceil(100).saturating_sub(1)).copied();
    Spread { median: at(50), p95: at(95) }
}

#[cfg(test)]
mod tests {
    use super::{EndedRun, GroupBy, Reviews, Spread, grouped, numbers, spread};
    use crate::run::machine::tests::{run, start};
    use crate::run::{Ended, Ending, Report, ReportWindow, Run, RunKind, State, Tokens};
    use jiff::SignedDuration;

    fn ended(n: u128, ending: Ending, minutes: i64, agent: &str) -> EndedRun {
        let at = start() + SignedDuration::from_mins(minutes);
        let report = Report {
            cost: Some(0.5),
            tokens: Some(Tokens { input: 10, output: 1, ..Tokens::default() }),
            ..Report::default()
        };
        let report_window = ReportWindow::Heard;
        let ended = Ended { ending, at, hold: None, started_at: Some(start()), report, report_window };
        let mut run = Run { state: State::Ended(Box::new(ended)), ..run(n, start()) };
        run.agent.name = agent.into();
        EndedRun::of(&run).unwrap()
    }

    #[test]
    fn a_run_that_has_not_ended_has_no_numbers() {
        assert_eq!(EndedRun::of(&run(1, start())), None);
    }

    #[test]
    fn runs_are_counted_by_how_they_ended() {
        let runs = [
            ended(1, Ending::Succeeded, 1, "a"),
            ended(2, Ending::Succeeded, 3, "a"),
            ended(3, Ending::TimedOut, 60, "a"),
            ended(4, Ending::Cancelled { by: None }, 2, "a"),
        ];
        let numbers = numbers(&runs, &Reviews::new());
        assert_eq!((numbers.runs, numbers.succeeded, numbers.timed_out, numbers.cancelled), (4, 2, 1, 1));
        assert_eq!((numbers.cost, numbers.input_tokens, numbers.output_tokens), (2.0, 40, 4));
        assert_eq!(numbers.work, Spread { median: Some(120), p95: Some(3_600) });
        assert_eq!(numbers.queue, Spread::default(), "no runner ever had them");
        assert!((numbers.success_percent().unwrap() - 200.0 / 3.0).abs() < 1e-9);
        assert_eq!(super::numbers(&[], &Reviews::new()).success_percent(), None);
    }

    #[test]
    fn groups_have_the_newest_name_and_days_their_order() {
        let day = 24 * 60;
        let runs = [
            ended(1, Ending::Succeeded, 1, "old name"),
            ended(2, Ending::Succeeded, day, "new name"),
            ended(3, Ending::Succeeded, day + 1, "new name"),
        ];
        let days: Vec<_> = grouped(&runs, GroupBy::Day, &Reviews::new(), false)
            .into_iter()
            .map(|g| (g.key, g.numbers.runs))
            .collect();
        assert_eq!(days, [("2026-01-01".to_owned(), 1), ("2026-01-02".to_owned(), 2)]);
        let agents = grouped(&runs, GroupBy::Agent, &Reviews::new(), false);
        assert_eq!((agents.len(), agents[0].name.as_str(), agents[0].numbers.runs), (1, "new name", 3));
    }

    #[test]
    fn weeks_models_rework_and_reviews_are_told() {
        let minutes_of_a_week = 7 * 24 * 60;
        let mut runs = [
            ended(1, Ending::Succeeded, 1, "a"),
            ended(2, Ending::TimedOut, 2, "a"),
            ended(3, Ending::Succeeded, minutes_of_a_week, "a"),
        ];
        runs[2].kind = RunKind::Retry;
        runs[2].model = Some("large".into());
        let reviews = Reviews::from([(runs[0].run, 60), (runs[2].run, 180)]);
        let agents = grouped(&runs, GroupBy::Agent, &reviews, true);
        let weeks: Vec<_> =
            agents[0].weeks.iter().map(|(monday, of)| (monday.to_string(), of.runs, of.rework)).collect();
        assert_eq!(weeks, [("2025-12-29".to_owned(), 2, 0), ("2026-01-05".to_owned(), 1, 1)]);
        assert_eq!(agents[0].numbers.review, Spread { median: Some(60), p95: Some(180) });
        let models: Vec<_> = grouped(&runs, GroupBy::Model, &reviews, false)
            .into_iter()
            .map(|of| (of.key, of.numbers.runs))
            .collect();
        assert_eq!(models, [(String::new(), 2), ("large".to_owned(), 1)]);
    }

    #[test]
    fn a_percentile_is_one_of_the_numbers() {
        assert_eq!(spread((1..=100).collect()), Spread { median: Some(50), p95: Some(95) });
        assert_eq!(spread(vec![7]), Spread { median: Some(7), p95: Some(7) });
        assert_eq!(spread(vec![9, 1, 5]), Spread { median: Some(5), p95: Some(9) });
    }
}
