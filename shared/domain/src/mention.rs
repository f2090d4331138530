//! Who a comment mentions: `@` and a name, in Markdown but not in code (specification section 6.4).
//!
//! A name is a person's or an agent's display name whatever its case and accents, as it is (`@Ada Lovelace`), with `-`,
//! `.` or nothing for its spaces (`@ada-lovelace`), or an id; where it begins and ends, [`names`] says. The longest name that fits is meant; namesakes
//! are all meant. A person's longer name takes a mention away from no agent: `@Builder Bob` means the agent Builder
//! too, because anybody may choose such a name; `@builder-bob` means the person alone. Decides nothing about what a mention starts: [`request`] does.

mod names;
pub mod request;

use jiff::Timestamp;
use pulldown_cmark::{Event, Parser, Tag, TagEnd};
use serde::{Deserialize, Serialize};

use crate::ids::Actor;

/// Most mentions of one comment; more are text.
pub const MAX_MENTIONS: usize = 50;

/// A mention, which stays with its comment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Mention {
    /// Who is mentioned, with the name they had then.
    pub who: Actor,
    /// When the comment was written, or the edit that brought the mention: an edit that keeps a mention is
    /// no new one.
    pub since: Timestamp,
}

/// The mentions of an edited text: those that were there before stay as they are.
pub fn carry_over(before: &[Mention], named: Vec<Actor>, now: Timestamp) -> Vec<Mention> {
    let since = |who: &Actor| {
        before.iter().find(|mention| mention.who.id == who.id).map_or(now, |mention| mention.since)
    };
    named.into_iter().map(|who| Mention { since: since(&who), who }).collect()
}

/// Whether a text can mention anybody, before anybody is looked up.
pub fn may_mention(body: &str) -> bool {
    body.contains('@')
}

/// Those whom a text mentions, each once, in the order of the text.
pub fn mentioned(body: &str, known: &[Actor]) -> Vec<Actor> {
    let mut found: Vec<Actor> = Vec::new();
    for who in names::found(&words(body), known).into_iter().flat_map(|mention| mention.who) {
        if found.len() < MAX_MENTIONS && found.iter().all(|known| known.id != who.id) {
            found.push(who.clone());
        }
    }
    found
}

/// What stands behind an `@` of a text and means none of those who are known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Missed {
    /// The word, as it was written.
    pub word: String,
    /// Whom it would mean of the others.
    pub who: Vec<Actor>,
}

/// What a text mentions in vain, each word once, in the order of the text: it means none of `known`, but may mean some of
/// `others`.
pub fn missed(body: &str, known: &[Actor], others: &[Actor]) -> Vec<Missed> {
    let mut missed: Vec<Missed> = Vec::new();
    for one in names::missed(&words(body), known, others) {
        if missed.len() < MAX_MENTIONS && missed.iter().all(|known| known.word != one.word) {
            missed.push(one);
        }
    }
    missed
}

/// What a Markdown text says in words: without code and HTML, blocks apart. An escaped `@` is none.
fn words(body: &str) -> String {
    let mut words = String::with_capacity(body.len());
    let mut in_code_block = false;
    for (event, range) in Parser::new(body).into_offset_iter() {
        match event {
            Event::Start(Tag::CodeBlock(_)) => in_code_block = true,
            Event::End(TagEnd::CodeBlock) => in_code_block = false,
            Event::Text(text) if !in_code_block => {
                let slashes = body[..range.start].chars().rev().take_while(|c| *c == '\\').count();
                let escaped = text.starts_with('@') && slashes % 2 == 1;
                words.push_str(if escaped { text.get(1..).unwrap_or_default() } else { &text });
            }
            Event::Code(_) => words.push('`'),
            Event::SoftBreak => words.push(' '),
            Event::HardBreak | Event::End(_) => words.push('\n'),
            _ => {}
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::{Mention, carry_over, mentioned, missed, words};
    use crate::ids::{Actor, ActorId, AgentId, UserId};
    use proptest::prelude::*;
    use uuid::Uuid;

    fn known() -> Vec<Actor> {
        let person = |n: u128, name: &str| Actor {
            id: ActorId::User(UserId(Uuid::from_u128(n))),
            name: name.to_owned(),
        };
        let bot = Actor { id: ActorId::Agent(AgentId(Uuid::from_u128(9))), name: "Builder".into() };
        vec![
            person(1, "Ada"),
            person(2, "Ada Lovelace"),
            person(3, "Élodie"),
            person(4, "Sam"),
            person(5, "Sam"),
            person(6, "o.k-x"),
            bot,
        ]
    }

    fn names(body: &str) -> Vec<String> {
        let number = |actor: Actor| match actor.id {
            ActorId::User(id) => id.0.as_u128(),
            ActorId::Agent(id) => id.0.as_u128(),
        };
        mentioned(body, &known()).into_iter().map(|a| format!("{} {}", number(a.clone()), a.name)).collect()
    }

    #[test]
    fn a_mention_is_a_name_behind_an_at() {
        for (body, expected) in [
            ("@Ada please look", vec!["1 Ada"]),
            ("@ada, @BUILDER: go", vec!["1 Ada", "9 Builder"]),
            ("thanks (@Ada Lovelace).", vec!["2 Ada Lovelace"]),
            ("@ada-lovelace @ada.lovelace @adalovelace", vec!["2 Ada Lovelace"]),
            ("@Ada\nLovelace wrote it", vec!["2 Ada Lovelace"]),
            ("@Ada.", vec!["1 Ada"]),
            ("@élodie! @ÉLODIE", vec!["3 Élodie"]),
            ("@Sam", vec!["4 Sam", "5 Sam"]),
            (
                "**@Ada** and _@Builder_, [@Sam](https://example.com)",
                vec!["1 Ada", "9 Builder", "4 Sam", "5 Sam"],
            ),
            ("> @Ada said\n\n* @Builder", vec!["1 Ada", "9 Builder"]),
            ("@00000000-0000-0000-0000-000000000009 now", vec!["9 Builder"]),
            ("@o.k-x", vec!["6 o.k-x"]),
            (r"\\@Ada", vec!["1 Ada"]),
        ] {
            assert_eq!(names(body), expected, "{body:?}");
        }
    }

    #[test]
    fn no_person_takes_a_mention_away_from_an_agent() {
        let named = |id, name: &str| Actor { id, name: name.to_owned() };
        let agent = |n| ActorId::Agent(AgentId(Uuid::from_u128(n)));
        let known = [
            named(ActorId::User(UserId(Uuid::from_u128(1))), "Builder please"),
            named(agent(2), "Builder"),
            named(agent(3), "Builder Two"),
        ];
        let meant = |body: &str| -> Vec<String> {
            let mut names: Vec<String> = mentioned(body, &known).into_iter().map(|who| who.name).collect();
            names.sort_unstable();
            names
        };
        assert_eq!(meant("@Builder please fix this"), ["Builder", "Builder please"]);
        assert_eq!(meant("@builder-please look"), ["Builder please"], "the person alone");
        assert_eq!(meant("@Builder fix this"), ["Builder"]);
        assert_eq!(meant("@Builder Two fix this"), ["Builder Two"], "of agents the longest name is meant");
    }

    #[test]
    fn what_only_looks_like_a_mention_is_none() {
        for body in [
            "",
            "Ada",
            "@",
            "@ Ada",
            "@Adam",
            "@ada-x",
            "@ada.com",
            "mail@Ada",
            "mail@ada.example",
            "x/@Ada",
            "@@Ada",
            "`@Ada`",
            "``code @Ada``",
            "```\n@Ada\n```",
            "    @Ada",
            "~~~ text\n@Ada",
            "<!-- @Ada -->",
            "<a title=\"@Ada\">x</a>",
            r"\@Ada",
            r"\\\@Ada",
            "https://example.com/?to=@Ada",
            "[x](https://example.com/@Ada)",
            "<https://example.com/@Ada>",
            "@nobody",
        ] {
            assert_eq!(names(body), [""; 0], "{body:?}");
        }
    }

    #[test]
    fn a_name_that_is_nobody_is_missed_and_what_is_no_name_is_not() {
        let other = Actor { id: ActorId::User(UserId(Uuid::from_u128(20))), name: "Zoë Quinn".to_owned() };
        for (body, expected) in [
            ("@nobody, @Nobody-else.", &["nobody", "Nobody-else"][..]),
            ("@nobody and @nobody", &["nobody"]),
            ("ask (@李雷)", &["李雷"]),
            ("@Adam", &["Adam"]),
            ("@zoe-quinn look", &["zoe-quinn Zoë Quinn"]),
            ("@Ada @Sam @Builder", &[]),
            ("`@nobody` mail@nobody.example @ @2 @types/node @Test(expected) @media: x@y", &["media"]),
        ] {
            let missed = missed(body, &known(), std::slice::from_ref(&other));
            let shown = missed.into_iter().map(|missed| {
                let names = missed.who.iter().map(|who| who.name.as_str());
                std::iter::once(missed.word.as_str()).chain(names).collect::<Vec<_>>().join(" ")
            });
            assert_eq!(shown.collect::<Vec<_>>(), expected, "{body:?}");
        }
    }

    #[test]
    fn code_beside_a_mention_does_not_hide_it() {
        assert_eq!(names("run `cargo` @Ada"), ["1 Ada"]);
        assert_eq!(names("```\n@Builder\n```\n@Ada"), ["1 Ada"]);
    }

    #[test]
    fn an_edit_keeps_since_when_somebody_is_mentioned() {
        let known = known();
        let at = |second| jiff::Timestamp::new(second, 0).unwrap();
        let first = carry_over(&[], vec![known[0].clone()], at(1));
        let second = carry_over(&first, vec![known[6].clone(), known[0].clone()], at(2));
        assert_eq!(
            second,
            [
                Mention { who: known[6].clone(), since: at(2) },
                Mention { who: known[0].clone(), since: at(1) },
            ]
        );
    }

    proptest! {
        #[test]
        fn any_text_is_read_and_names_nobody_twice(body in "(@|Ada| |Lovelace|`|\n|\\\\|Builder|\\PC){0,60}") {
            let found = mentioned(&body, &known());
            let mut ids: Vec<_> = found.iter().map(|actor| actor.id).collect();
            ids.sort_unstable();
            ids.dedup();
            prop_assert_eq!(ids.len(), found.len());
            prop_assert!(found.is_empty() || words(&body).contains('@'));
        }
    }
}
