//! Scripts: given, message in, commands out.

use std::time::Duration;

use proptest::prelude::*;
use svc_api::runner::Assignment;

use super::{
    COOLDOWN, Command, EXIT_IMPATIENT, EXIT_NO_PROFILE, EXIT_RESTART, HelloAnswer, Message, ProfileId,
    ProfileSpec, Supervisor, TakeAnswer,
};
use crate::secret::Secret;
use crate::testing;

const A: ProfileId = ProfileId(0);
const B: ProfileId = ProfileId(1);
const WAIT: Duration = Duration::from_secs(20);
const EVERY: Duration = Duration::from_secs(1);

fn spec(token: &str) -> ProfileSpec {
    named(token, "")
}

fn named(token: &str, organization: &str) -> ProfileSpec {
    ProfileSpec {
        url: "http://instance".into(),
        organization: organization.into(),
        token: Secret::new(token),
    }
}

fn assignment(run_id: &str) -> Box<Assignment> {
    Box::new(testing::assignment(run_id))
}

/// A supervisor and a clock that the script moves.
struct Script {
    machine: Supervisor,
    now: Duration,
}

impl Script {
    fn new(parallel: usize) -> Self {
        Self { machine: Supervisor::new(parallel, "n"), now: Duration::ZERO }
    }

    /// Profiles that have said hello and whose first request for a run is outstanding.
    fn polling(parallel: usize, tokens: &[&str]) -> Self {
        let mut script = Self::new(parallel);
        script.says(Message::Profiles(tokens.iter().map(|token| spec(token)).collect()));
        for id in 0..tokens.len() {
            let id = ProfileId(u32::try_from(id).unwrap());
            script.hello_answer(id, HelloAnswer::Accepted { take_wait: WAIT, take_every: EVERY });
        }
        script
    }

    fn says(&mut self, message: Message) -> Vec<Command> {
        self.machine.step(self.now, message)
    }

    fn secret(&self, id: ProfileId) -> Secret {
        self.machine.profiles.get(&id).map_or_else(|| Secret::new(""), |known| known.spec.token.clone())
    }

    fn take_answer(&mut self, id: ProfileId, answer: TakeAnswer) -> Vec<Command> {
        let secret = self.secret(id);
        self.says(Message::Take(id, answer, secret))
    }

    fn hello_answer(&mut self, id: ProfileId, answer: HelloAnswer) -> Vec<Command> {
        let secret = self.secret(id);
        self.says(Message::Hello(id, answer, secret))
    }

    fn after(&mut self, seconds: u64) -> Vec<Command> {
        self.now += Duration::from_secs(seconds);
        self.says(Message::Tick)
    }

    fn brings(&mut self, id: ProfileId, run: &str) -> Vec<Command> {
        self.take_answer(id, TakeAnswer::Run(assignment(run)))
    }

    fn ended(&mut self, run: &str) -> Vec<Command> {
        self.says(Message::RunEnded { run_id: run.into(), secret_refused: false })
    }
}

fn take(profile: ProfileId, number: u64) -> Command {
    Command::Take { profile, request_id: format!("n-{number}"), wait: WAIT }
}

fn start(profile: ProfileId, run: &str) -> Command {
    Command::StartRun { profile, assignment: assignment(run) }
}

#[test]
fn a_profile_introduces_itself_before_it_asks_for_runs() {
    let mut script = Script::new(1);
    assert_eq!(script.says(Message::Profiles(vec![spec("a")])), [Command::Connect(A, spec("a"))]);
    let accepted = HelloAnswer::Accepted { take_wait: WAIT, take_every: EVERY };
    assert_eq!(script.hello_answer(A, accepted), [take(A, 1)]);
}

#[test]
fn a_run_starts_and_a_free_slot_asks_for_the_next() {
    let mut script = Script::polling(2, &["a"]);
    assert_eq!(script.brings(A, "r1"), [start(A, "r1"), take(A, 2)]);
    assert_eq!(script.brings(A, "r2"), [start(A, "r2")], "no slot is free");
}

#[test]
fn an_organization_waits_two_seconds_after_a_run() {
    let mut script = Script::polling(1, &["a"]);
    script.brings(A, "r1");
    assert_eq!(script.ended("r1"), []);
    assert_eq!(script.machine.next_wake(), Some(script.now + COOLDOWN));
    assert_eq!(script.after(1), []);
    assert_eq!(script.after(1), [take(A, 2)]);
}

#[test]
fn another_organization_need_not_wait_for_the_cooldown() {
    let mut script = Script::polling(1, &["a", "b"]);
    script.brings(A, "r1");
    script.take_answer(B, TakeAnswer::Nothing);
    script.now += Duration::from_secs(5);
    assert_eq!(script.ended("r1"), [take(B, 2)]);
}

#[test]
fn runs_of_two_organizations_never_run_at_once() {
    let mut script = Script::polling(4, &["a", "b"]);
    assert_eq!(script.brings(A, "r1"), [start(A, "r1"), take(A, 3), Command::StopWaiting(B)]);
    let commands = script.brings(B, "r2");
    assert!(
        matches!(&commands[..], [Command::GiveBack { profile: B, assignment, .. }] if assignment.run_id == "r2"),
        "{commands:?}"
    );
    script.says(Message::GaveBack);
    assert_eq!(script.after(60), [Command::Hello(B)], "B stays online but asks for nothing");
}

#[test]
fn an_unanswered_request_is_repeated_under_the_same_id() {
    let mut script = Script::polling(1, &["a"]);
    assert_eq!(script.take_answer(A, TakeAnswer::Unreachable), []);
    assert_eq!(script.after(1), [take(A, 1)]);
    script.take_answer(A, TakeAnswer::Unreachable);
    assert_eq!(script.after(1), [], "the pause doubles");
    assert_eq!(script.after(1), [take(A, 1)]);
}

/// An id that an agent had written into the runner's file was refused again and again.
#[test]
fn a_request_that_the_service_refuses_is_not_repeated_under_its_id() {
    let mut script = Script::polling(1, &["a"]);
    assert_eq!(script.take_answer(A, TakeAnswer::Rejected), []);
    assert_eq!(script.after(1), [take(A, 2)]);
}

#[test]
fn answers_that_come_at_once_are_not_asked_for_in_a_circle() {
    let mut script = Script::polling(1, &["a"]);
    assert_eq!(script.take_answer(A, TakeAnswer::Nothing), []);
    assert_eq!(script.after(1), [take(A, 1)]);
    script.now += WAIT;
    assert_eq!(script.take_answer(A, TakeAnswer::Nothing), [take(A, 1)], "after a long poll: at once");
}

/// A service that is charged for the time of an answer holds none, and says how often to ask.
#[test]
fn a_service_that_holds_nothing_is_asked_as_often_as_it_says() {
    let mut script = Script::polling(1, &["a"]);
    script.take_answer(A, TakeAnswer::Nothing);
    let short = HelloAnswer::Accepted { take_wait: Duration::ZERO, take_every: Duration::from_secs(10) };
    script.hello_answer(A, short);
    let ask = Command::Take { profile: A, request_id: "n-1".to_owned(), wait: Duration::ZERO };
    assert_eq!(script.after(1), std::slice::from_ref(&ask));
    assert_eq!(script.take_answer(A, TakeAnswer::Nothing), []);
    assert_eq!(script.after(9), []);
    assert_eq!(script.after(1), [ask]);
}

#[test]
fn the_same_assignment_twice_starts_once() {
    let mut script = Script::polling(2, &["a"]);
    script.brings(A, "r1");
    assert_eq!(script.brings(A, "r1").iter().filter(|c| matches!(c, Command::StartRun { .. })).count(), 0);
}

#[test]
fn an_unreachable_instance_is_tried_again_with_growing_pauses() {
    let mut script = Script::new(1);
    script.says(Message::Profiles(vec![spec("a")]));
    let mut pauses = Vec::new();
    for _ in 0..7 {
        script.hello_answer(A, HelloAnswer::Unreachable);
        let wake = script.machine.next_wake().unwrap();
        pauses.push((wake - script.now).as_secs());
        script.now = wake;
        assert_eq!(script.says(Message::Tick), [Command::Hello(A)]);
    }
    assert_eq!(pauses, [1, 2, 4, 8, 16, 30, 30]);
}

#[test]
fn the_first_signal_waits_for_runs_and_the_second_cancels_them() {
    let mut script = Script::polling(2, &["a"]);
    script.brings(A, "r1");
    assert_eq!(script.says(Message::Signal), [Command::TellDraining(1), Command::StopWaiting(A)]);
    assert_eq!(script.take_answer(A, TakeAnswer::Nothing), []);
    assert_eq!(script.after(100), [], "claims nothing more");
    let cancels = [Command::TellCancelling(1), Command::CancelRun("r1".into())];
    assert_eq!(script.says(Message::Signal), cancels);
    assert_eq!(script.ended("r1"), [Command::Exit(0)]);
}

#[test]
fn a_third_signal_waits_for_nothing() {
    let mut script = Script::polling(1, &["a"]);
    script.brings(A, "r1");
    script.says(Message::Signal);
    script.says(Message::Signal);
    assert_eq!(script.says(Message::Signal), [Command::Exit(EXIT_IMPATIENT)]);
}

#[test]
fn a_run_that_arrives_after_the_signal_is_given_back_before_the_end() {
    let mut script = Script::polling(1, &["a"]);
    assert_eq!(script.says(Message::Signal), [Command::TellDraining(0), Command::StopWaiting(A)]);
    assert!(matches!(&script.brings(A, "r1")[..], [Command::GiveBack { .. }]));
    assert_eq!(script.says(Message::GaveBack), [Command::Exit(0)]);
}

#[test]
fn a_refused_secret_stops_its_profile_only() {
    let mut script = Script::polling(1, &["a", "b"]);
    assert_eq!(script.take_answer(A, TakeAnswer::Refused), [Command::TellRefused(A)]);
    script.now += WAIT;
    assert_eq!(script.take_answer(B, TakeAnswer::Nothing), [take(B, 2)]);
    assert_eq!(
        script.take_answer(B, TakeAnswer::Refused),
        [Command::TellRefused(B), Command::Exit(EXIT_NO_PROFILE)]
    );
}

#[test]
fn a_secret_refused_during_a_run_ends_the_process_after_the_run() {
    let mut script = Script::polling(2, &["a"]);
    script.brings(A, "r1");
    assert_eq!(
        script.take_answer(A, TakeAnswer::Refused),
        [Command::TellRefused(A)],
        "the run ends by itself, unless a new secret comes"
    );
    let ended = Message::RunEnded { run_id: "r1".into(), secret_refused: true };
    assert_eq!(script.says(ended), [Command::Exit(EXIT_NO_PROFILE)]);
}

#[test]
fn a_machine_without_profiles_ends_with_the_same_code() {
    assert_eq!(Script::new(1).says(Message::Profiles(vec![])), [Command::Exit(EXIT_NO_PROFILE)]);
}

#[test]
fn a_profile_added_while_running_connects() {
    let mut script = Script::polling(1, &["a"]);
    let commands = script.says(Message::Profiles(vec![spec("a"), spec("b")]));
    assert_eq!(commands, [Command::Connect(B, spec("b"))]);
    assert_eq!(
        script.hello_answer(B, HelloAnswer::Accepted { take_wait: WAIT, take_every: EVERY }),
        [take(B, 2)]
    );
}

#[test]
fn a_removed_profile_finishes_its_run_and_is_forgotten() {
    let mut script = Script::polling(1, &["a", "b"]);
    script.brings(A, "r1");
    script.take_answer(B, TakeAnswer::Nothing);
    assert_eq!(script.says(Message::Profiles(vec![spec("b")])), []);
    script.now += WAIT;
    assert_eq!(script.ended("r1"), [take(B, 2), Command::Forget(A)]);
}

#[test]
fn a_replaced_secret_is_the_same_profile_and_its_run_goes_on() {
    let mut script = Script::new(2);
    script.says(Message::Profiles(vec![named("a", "acme")]));
    script.hello_answer(A, HelloAnswer::Accepted { take_wait: WAIT, take_every: EVERY });
    script.brings(A, "r1");
    assert_eq!(script.take_answer(A, TakeAnswer::Refused), [Command::TellRefused(A)]);
    let commands = script.says(Message::Profiles(vec![named("a2", "acme")]));
    assert_eq!(commands, [Command::Connect(A, named("a2", "acme"))]);
    let accepted = HelloAnswer::Accepted { take_wait: WAIT, take_every: EVERY };
    assert_eq!(script.hello_answer(A, accepted), [take(A, 2)], "it takes more beside the run");
}

#[test]
fn organizations_of_one_name_at_two_instances_are_two_profiles() {
    let mut script = Script::polling(1, &["a"]);
    let elsewhere = ProfileSpec { url: "http://other".into(), ..named("b", "acme") };
    let commands = script.says(Message::Profiles(vec![named("a", "acme"), elsewhere.clone()]));
    assert_eq!(commands, [Command::Connect(B, elsewhere)]);
}

#[test]
fn a_busy_profile_says_hello_so_that_it_stays_online() {
    let mut script = Script::polling(1, &["a"]);
    script.brings(A, "r1");
    assert_eq!(script.machine.next_wake(), Some(Duration::from_secs(30)));
    assert_eq!(script.after(30), [Command::Hello(A)]);
}

#[derive(Clone, Debug)]
enum Input {
    Brings(u8),
    Nothing(u8),
    Unreachable(u8),
    EndsOne,
    Pass(u8),
    GaveBack,
    Signal,
}

fn inputs() -> impl Strategy<Value = Vec<Input>> {
    let one = prop_oneof![
        4 => (0u8..3).prop_map(Input::Brings),
        2 => (0u8..3).prop_map(Input::Nothing),
        1 => (0u8..3).prop_map(Input::Unreachable),
        3 => Just(Input::EndsOne),
        3 => (0u8..40).prop_map(Input::Pass),
        2 => Just(Input::GaveBack),
        1 => Just(Input::Signal),
    ];
    proptest::collection::vec(one, 0..80)
}

/// Does what the commands say; answers how many runs were started or given back.
fn follow(script: &mut Script, running: &mut Vec<(ProfileId, String)>, commands: Vec<Command>) -> usize {
    let mut placed = 0;
    for command in commands {
        match command {
            Command::StartRun { profile, assignment } => {
                running.push((profile, assignment.run_id));
                placed += 1;
            }
            Command::GiveBack { .. } => placed += 1,
            Command::Hello(id) => {
                script.hello_answer(id, HelloAnswer::Accepted { take_wait: WAIT, take_every: EVERY });
            }
            _ => {}
        }
    }
    placed
}

proptest! {
    /// Whatever comes in whatever order: never two organizations, never more runs than allowed, and every
    /// assignment is either started or given back.
    #[test]
    fn invariants_hold_under_any_script(parallel in 1usize..5, inputs in inputs()) {
        let mut script = Script::polling(parallel, &["a", "b", "c"]);
        let mut running: Vec<(ProfileId, String)> = Vec::new();
        let mut count = 0;
        for input in inputs {
            let mut brought = false;
            let commands = match input {
                Input::Brings(id) => {
                    let id = ProfileId(id.into());
                    brought = script.machine.profiles[&id].take.is_some();
                    count += 1;
                    script.brings(id, &format!("r{count}"))
                }
                Input::Nothing(id) => script.take_answer(ProfileId(id.into()), TakeAnswer::Nothing),
                Input::Unreachable(id) => script.take_answer(ProfileId(id.into()), TakeAnswer::Unreachable),
                Input::EndsOne => match running.pop() {
                    Some((_, run)) => script.ended(&run),
                    None => Vec::new(),
                },
                Input::Pass(seconds) => script.after(seconds.into()),
                Input::GaveBack => script.says(Message::GaveBack),
                Input::Signal => script.says(Message::Signal),
            };
            let placed = follow(&mut script, &mut running, commands);
            if script.machine.exited {
                break;
            }
            prop_assert_eq!(placed, usize::from(brought));
            prop_assert!(running.len() <= parallel);
            prop_assert!(running.windows(2).all(|pair| pair[0].0 == pair[1].0));
        }
    }
}

#[test]
fn a_newer_version_waits_for_runs_in_flight_and_then_ends_the_process_with_75() {
    let mut script = Script::polling(2, &["a"]);
    script.brings(A, "r1");
    let told = script.says(Message::NewerVersion);
    assert_eq!(told, [Command::TellUpdating(1), Command::StopWaiting(A)]);
    assert_eq!(script.says(Message::NewerVersion), [], "once is enough");
    let back =
        Command::GiveBack { profile: A, assignment: assignment("r2"), reason: "the runner is being updated" };
    assert_eq!(script.brings(A, "r2"), [back]);
    assert_eq!(script.ended("r1"), [], "a run is being given back");
    assert_eq!(script.says(Message::GaveBack), [Command::InstallUpdate]);
    assert_eq!(script.after(60), [Command::Hello(A)], "the runner stays online");
    assert_eq!(script.says(Message::UpdateEnded { installed: true }), [Command::Exit(EXIT_RESTART)]);
}

#[test]
fn an_update_that_fails_lets_claiming_go_on() {
    let mut script = Script::polling(1, &["a"]);
    script.says(Message::NewerVersion);
    assert_eq!(script.take_answer(A, TakeAnswer::Nothing), [Command::InstallUpdate]);
    script.after(5);
    assert_eq!(script.says(Message::UpdateEnded { installed: false }), [take(A, 1)]);
    assert_eq!(script.says(Message::NewerVersion), [Command::TellUpdating(0), Command::StopWaiting(A)]);
}

#[test]
fn a_signal_waits_for_an_installation_that_has_begun_and_makes_one_that_has_not_needless() {
    let mut script = Script::polling(1, &["a"]);
    script.brings(A, "r1");
    script.says(Message::NewerVersion);
    assert_eq!(script.says(Message::Signal), [Command::TellDraining(1)]);
    assert_eq!(script.ended("r1"), [Command::Exit(0)], "nothing is installed");
    let mut script = Script::polling(1, &["a"]);
    script.says(Message::NewerVersion);
    script.take_answer(A, TakeAnswer::Nothing);
    assert_eq!(script.says(Message::Signal), [Command::TellDraining(0)]);
    assert_eq!(script.says(Message::UpdateEnded { installed: true }), [Command::Exit(0)]);
}
