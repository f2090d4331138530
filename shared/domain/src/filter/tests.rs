use proptest::prelude::*;

use super::{Condition, Filter, MAX_CHARS, MAX_TERMS, Problem};

fn canonical(text: &str) -> String {
    Filter::parse(text).unwrap_or_else(|errors| panic!("{text}: {errors:?}")).to_string()
}

fn complaints(text: &str) -> String {
    let errors = Filter::parse(text).expect_err(text);
    errors.iter().map(|error| format!("{:?} {error}\n", error.span)).collect()
}

#[test]
fn every_documented_form_is_read_and_written_canonically() {
    let table: String = [
        "state:active,resolved",
        r#"state:"In progress",Resolved"#,
        "TYPE:Task,BUG,subtask",
        "priority:>=HIGH",
        "priority:=low,medium,<lowest",
        "assignee:@me",
        "assignee:none",
        "-assignee:any,018f3a5e-7d1c-7000-8000-0000000000AA",
        "label:bug,frontend",
        "label:bug+frontend,urgent",
        "-label:wontfix",
        r#"label:"needs review"+"c++","say \"hi\"","back\\slash","plain""#,
        "sprint:current",
        r#"sprint:none,any,"none",s-1"#,
        r#"milestone:none,any,"none","First beta",018f3a5e-7d1c-7000-8000-000000000007"#,
        "blocked:TRUE",
        "-blocked:false",
        "estimate:>4",
        "estimate:=4,<=0.50,>007,any",
        "remaining:none",
        "claimed:any",
        r#"claimed:"any""#,
        "claimed:none,@ME,@Agent,018f3a5e-7d1c-7000-8000-000000000001",
        "parent:prj-12,none",
        "due:<=2026-01-31,TODAY,none",
        "created:>-07D updated:+1d,tomorrow resolved:any,yesterday",
        "due:<=Friday,sat,+02W,-1m created:>monday",
        r#"creator:@me,Ada,"Grace Hopper","none""#,
        "watching:@ME,@me",
        r#"text:login,"two words""#,
        r#"title:login,"two words""#,
        "assignee:Alice@Example.org,none commented:@ME,any,bob@example.org,Ada",
        "-claimed:alice@example.org,@agent",
        "project:prj,Web2",
        "updated:<7D,>=02w created:1m resolved:=0d,none",
        "has:Due,label",
        "( type:bug  or (priority:>high  label:a)) state:active",
        r#"-(label:"a)" OR label:"a(b)" OR TYPE:task)"#,
        "label:a) (label:b,c)",
        "((type:bug))",
        "  state:a\t-type:bug \u{2003} type:epic\n",
        "",
    ]
    .iter()
    .map(|text| format!("{:50} {}\n", text.escape_debug(), canonical(text).escape_debug()))
    .collect();
    insta::assert_snapshot!(table);
}

#[test]
fn every_mistake_is_explained() {
    let table: String = [
        "login",
        "-",
        "colour:red",
        "stat:active",
        ":active",
        "state:",
        "state:,a",
        "state:a,",
        r#"state:"""#,
        "type:bugg",
        "type:feature",
        "priority:>=hihg",
        "priority:>",
        "assignee:@mee",
        "label:c++",
        r#"label:"open"#,
        r#"label:"a"b"#,
        r#"label:a"b"c"#,
        r#"label:"a\nb""#,
        r#"label:"a\"#,
        "blocked:yes",
        "blocked:true,false",
        "estimate:many",
        "estimate:-1",
        "estimate:1e3",
        "estimate:inf",
        "estimate:.5",
        "estimate:1000001",
        "remaining:>none",
        "claimed:@robot",
        "parent:12",
        "parent:any",
        "due:2026-02-30",
        "due:7d",
        "due:+10000d",
        "due:<=fridya",
        "due:+1y",
        "created:2026-1-1",
        "updated:todya",
        "updated:<7",
        "assignee:alice@",
        "assignee:@example.org",
        "commented:@you",
        "project:web-1",
        "title:",
        "creator:@you",
        "watching:ada",
        "has:labels",
        "text:",
        "(type:bug",
        "type:bug)",
        "()",
        "(type:bug OR)",
        "type:bug OR type:task",
        "(OR type:bug)",
        "((((((type:bug))))))",
        "(type:bug OR colour:red)",
    ]
    .iter()
    .map(|text| complaints(text))
    .collect();
    insta::assert_snapshot!(table);
}

#[test]
fn every_wrong_term_is_named_with_its_place() {
    let text = r#"type:bug typ:bug label:"ä b" type:bag"#;
    let errors = Filter::parse(text).unwrap_err();
    let places: Vec<_> = errors.iter().map(|error| &text[error.span.clone()]).collect();
    assert_eq!(places, ["typ:bug", "type:bag"]);
    assert!(errors.iter().zip(places).all(|(error, place)| error.term == place));
}

#[test]
fn limits_hold() {
    let longest = format!("label:{}", "ä".repeat(MAX_CHARS - 6));
    assert!(Filter::parse(&longest).is_ok());
    let errors = Filter::parse(&format!("{longest}ä")).unwrap_err();
    assert_eq!(errors[0].problem, Problem::TooLong { chars: MAX_CHARS + 1 });
    assert!(errors[0].to_string().len() < 300, "the message does not repeat the whole filter");

    let most = vec!["type:bug"; MAX_TERMS].join(" ");
    assert_eq!(Filter::parse(&most).unwrap().terms().len(), MAX_TERMS);
    let errors = Filter::parse(&format!("{most} type:bug type:bug")).unwrap_err();
    assert_eq!(errors[0].problem, Problem::TooManyTerms { terms: MAX_TERMS + 2 });
    assert_eq!(errors[0].span.start, most.len() + 1);
}

#[test]
fn quotes_keep_keywords_from_being_keywords() {
    let sprint = |text: &str| match &Filter::parse(text).unwrap().terms()[0].condition {
        Condition::Sprint(choices) => format!("{:?}", choices[0]),
        other => panic!("{other:?}"),
    };
    assert_eq!(sprint("sprint:current"), "Current");
    assert_eq!(sprint(r#"sprint:"current""#), r#"Id("current")"#);
}

/// Texts that are often filters, and sometimes nearly.
fn nearly_a_filter() -> impl Strategy<Value = String> {
    let name = prop_oneof![
        8 => prop::sample::select(vec![
            "state", "type", "priority", "assignee", "label", "sprint", "milestone", "blocked", "estimate", "remaining",
            "claimed", "parent", "due", "created", "updated", "resolved", "creator", "watching", "text", "has",
            "title", "commented", "project",
        ])
        .prop_map(str::to_owned),
        1 => "[a-z]{0,5}",
    ];
    let value = prop_oneof![
        prop::sample::select(vec![
            "bug",
            "high",
            ">=low",
            "@me",
            "@agent",
            "none",
            "any",
            "current",
            "today",
            "<-07d",
            "<=friday",
            "+2w",
            "2026-01-31",
            "<7d",
            ">=002w",
            "ada@example.org",
            "label",
            "true",
            "4",
            ">0.25",
            "PRJ-7",
            "018f3a5e-7d1c-7000-8000-0000000000aa",
        ])
        .prop_map(str::to_owned),
        r#""([a-z ,+]|\\"|\\\\){1,6}""#,
        r#"[a-zé"\\<>=,+.0-9]{0,6}"#,
        "[<>=]{0,2}[0-9]{1,7}(\\.[0-9]{1,20})?",
    ];
    let term = ("-?", name, prop::collection::vec(value, 1..4), prop::sample::select(vec![",", "+"]))
        .prop_map(|(sign, name, values, separator)| format!("{sign}{name}:{}", values.join(separator)));
    prop::collection::vec(term, 0..4).prop_map(|terms| terms.join(" "))
}

fn check(text: &str) -> Result<(), TestCaseError> {
    match Filter::parse(text) {
        Ok(filter) => {
            let printed = filter.to_string();
            prop_assert!(printed.len() <= text.len(), "{text:?} grew to {printed:?}");
            prop_assert_eq!(Filter::parse(&printed), Ok(filter), "{:?}", printed);
        }
        Err(errors) => {
            prop_assert!(!errors.is_empty());
            for error in errors {
                prop_assert!(text.get(error.span.clone()).is_some(), "{:?} of {text:?}", error.span);
                prop_assert!(!error.to_string().is_empty());
            }
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(512) })]

    #[test]
    fn any_text_is_read_or_refused(text in "\\PC{0,80}") {
        check(&text)?;
    }

    #[test]
    fn what_is_printed_reads_as_the_same(text in nearly_a_filter()) {
        check(&text)?;
    }
}
