//! The typed client and the contract: each of its calls is an operation of the document, and it reads every
//! answer that a later version of v1 may give, with fields and words that it does not know.
//!
//! The calls are read from the client's source: method, address and type of the answer.

use std::collections::BTreeMap;
use std::path::Path;

use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use svc_api::factory::*;
use svc_api::identity::*;
use svc_api::notifications::*;
use svc_api::records::Imported;
use svc_api::rendered::RenderedText;
use svc_api::runner::*;
use svc_api::search::*;
use svc_api::tracker::*;
use svc_api::webhooks::*;
use svc_api::wiki::*;
use svc_api::{Page, Problem};

use crate::tools::root;

/// Deeper than any answer: types may contain themselves.
const DEEPEST: usize = 12;

/// A call of the client.
#[derive(Debug)]
struct Call {
    name: String,
    method: &'static str,
    /// With `{}` for each argument.
    address: String,
    /// Type of the answer, as the source spells it.
    answer: String,
}

#[test]
fn every_call_of_the_client_is_in_the_contract() {
    let document = document();
    let calls = calls();
    assert!(calls.len() > 100, "the source is read: {}", calls.len());
    let unknown: Vec<_> = calls.iter().filter(|call| operation(&document, call).is_none()).collect();
    assert!(unknown.is_empty(), "not in the contract: {unknown:#?}");
}

#[test]
fn the_client_reads_answers_of_later_versions() {
    let (document, readers) = (document(), readers());
    let mut wrong = Vec::new();
    for call in calls().iter().filter(|call| !matches!(call.answer.as_str(), "()" | "Self" | "Download")) {
        let answer = call.answer.trim_start_matches("Option<").to_owned();
        let answer = if call.answer.starts_with("Option<") { answer.trim_end_matches('>') } else { &answer };
        let Some(read) = readers.get(answer) else {
            wrong.push(format!("{}: {answer} has no line in `readers`", call.name));
            continue;
        };
        let operation = operation(&document, call).unwrap();
        for schema in answers(&document, operation) {
            wrong.extend(
                misread(&document, schema, *read).into_iter().map(|why| format!("{}: {why}", call.name)),
            );
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn the_client_reads_problems_of_later_versions() {
    let document = document();
    let schema = json!({ "$ref": "#/components/schemas/Problem" });
    assert_eq!(misread(&document, &schema, read::<Problem>), Vec::<String>::new());
}

#[test]
fn a_type_that_refuses_what_it_does_not_know_is_found() {
    #[derive(serde::Deserialize)]
    #[serde(rename_all = "camelCase")]
    enum Word {
        Backlog,
    }
    #[derive(serde::Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Strict {
        _word: Word,
    }
    let word = json!({ "enum": ["backlog"] });
    let schema = json!({ "type": "object", "properties": { "_word": word } });
    assert_eq!(misread(&Value::Null, &schema, read::<Strict>).len(), 2, "a field and a word");
}

type Read = fn(Value) -> Result<(), String>;

fn read<T: DeserializeOwned>(value: Value) -> Result<(), String> {
    serde_json::from_value::<T>(value).map(drop).map_err(|error| error.to_string())
}

/// How each type of an answer is read.
fn readers() -> BTreeMap<String, Read> {
    let mut readers = BTreeMap::<String, Read>::new();
    macro_rules! reads {
        ($($kind:ty),* $(,)?) => {
            $(readers.insert(stringify!($kind).replace(' ', ""), read::<$kind>);)*
        };
    }
    reads!(
        AcceptedInvitation,
        Activity,
        Agent,
        AnnouncedAttachment,
        AppendLogReply,
        Assignment,
        Attachment,
        AuditPage,
        BulkResult,
        Budgets,
        Burndown,
        CodeHost,
        CodeHostDeparture,
        Comment,
        Page<CommentEdit>,
        TextDiff,
        CompletedSprint,
        CreatedScimToken,
        CreatedToken,
        FactorySettings,
        GroupRoles,
        Vec<ScimToken>,
        FactoryStats,
        HeartbeatReply,
        HelloReply,
        Invitation,
        Item,
        ItemCounts,
        ItemPage<Item>,
        Links,
        Label,
        LogPage,
        ProjectStats,
        NewWebhook,
        NotificationSettings,
        OrgNotificationChannels,
        CreatedNotificationChannel<OrgNotificationChannel>,
        OrgNotificationChannel,
        RunChanges,
        SavedView,
        Me,
        Member,
        MentionPreview,
        OrgChanges<Item>,
        Milestone,
        Organization,
        PageAccess,
        PageDiff,
        PageVersion,
        Page<Attachment>,
        Page<Comment>,
        Page<HistoryEntry>,
        Board<Item>,
        Imported,
        Page<Item>,
        Page<RuleFiring>,
        Page<Run>,
        Page<Sprint>,
        Playbook,
        Project,
        ProjectMember,
        ReceivedInvitation,
        Refinement,
        RefinementSettings,
        RenderedText,
        RepositoryCredential,
        Rule,
        Run,
        RunPreview,
        Runner,
        RunnerSecret,
        Schedule,
        ScheduleFiring,
        SchedulePreview,
        ChannelTested,
        CreatedNotificationChannel,
        Notification,
        NotificationChannels,
        NotificationCounts,
        Intake,
        IntakeReceipt,
        IntakeWithAddress,
        Vec<Intake>,
        OutboundWebhook,
        WebhookDelivery,
        WebhookWithSecret,
        Vec<NotificationPreference>,
        Vec<OutboundWebhook>,
        Vec<ProjectOverview>,
        Vec<WebhookDelivery>,
        SearchResults,
        SetupStatus,
        Sprint,
        Taskboard,
        Team,
        Template,
        Vec<Actor>,
        Vec<Agent>,
        Vec<AgentMention>,
        Vec<DeletedItem>,
        Vec<DeletedPage>,
        Vec<Invitation>,
        Vec<Label>,
        Vec<Member>,
        Vec<Milestone>,
        Vec<Notification>,
        Vec<Organization>,
        Vec<PageVersion>,
        Vec<Playbook>,
        Vec<Project>,
        Vec<ProjectMember>,
        Vec<Rule>,
        Vec<RunArtifact>,
        Vec<Runner>,
        Vec<Schedule>,
        Vec<ScheduleFiring>,
        Vec<Session>,
        Vec<Team>,
        Vec<SavedView>,
        Vec<Template>,
        Vec<Token>,
        Vec<WikiEntry>,
        WikiPage,
        Workflow,
    );
    readers
}

fn document() -> Value {
    let text = std::fs::read_to_string(root().join("functions/portal/openapi/v1.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

/// Every call of the client, from its source.
fn calls() -> Vec<Call> {
    let mut calls = Vec::new();
    let files = std::fs::read_dir(root().join("shared/client/src")).unwrap();
    for file in files.map(|file| file.unwrap().path()) {
        calls.extend(calls_of(&file));
    }
    calls
}

fn calls_of(file: &Path) -> Vec<Call> {
    let source = std::fs::read_to_string(file).unwrap();
    let functions = source.split("pub async fn ").skip(1);
    functions.filter_map(call).collect()
}

/// The call that a function of the client makes; none where it names no address, or takes the address from its
/// caller, as the raw request does, whose answer has no type.
fn call(function: &str) -> Option<Call> {
    let name = function.split(['(', '<']).next()?.to_owned();
    let address = function.split('"').find(|text| text.starts_with('/') && text.len() > 1)?;
    let answer = function.split("-> Result<").nth(1)?.split(", Error>").next()?.replace([' ', '\n'], "");
    if answer == "RawAnswer" {
        return None;
    }
    let method = ["PUT", "PATCH", "DELETE", "POST"];
    let named = method.into_iter().find(|method| function.contains(&format!("Method::{method}")));
    let method = named.unwrap_or(if function.contains(".post(") { "POST" } else { "GET" });
    let address = address.split('/').map(|part| if part == "{path}" { "{}" } else { part });
    Some(Call { name, method, address: address.collect::<Vec<_>>().join("/"), answer })
}

/// The operation of a call in the document.
fn operation<'a>(document: &'a Value, call: &Call) -> Option<&'a Value> {
    let paths = document["paths"].as_object()?;
    let part = |part: &'a str| if part.starts_with('{') { "{}" } else { part };
    let address = |path: &'a str| {
        let path = path.strip_prefix("/api/v1").unwrap_or(path);
        path.split('/').map(part).collect::<Vec<_>>().join("/")
    };
    let (_, item) = paths.iter().find(|(path, item)| {
        address(path) == call.address && item.get(call.method.to_lowercase()).is_some()
    })?;
    item.get(call.method.to_lowercase())
}

/// What an operation answers when it succeeds.
fn answers<'a>(document: &'a Value, operation: &'a Value) -> Vec<&'a Value> {
    let responses = operation["responses"].as_object().unwrap();
    let successes = responses.iter().filter(|(status, _)| status.starts_with('2'));
    let schema = |(_, response): (_, &'a Value)| {
        resolved(document, response)["content"]["application/json"].get("schema")
    };
    successes.filter_map(schema).collect()
}

fn resolved<'a>(document: &'a Value, mut value: &'a Value) -> &'a Value {
    while let Some(name) = value.get("$ref").and_then(Value::as_str) {
        value = document.pointer(name.trim_start_matches('#')).unwrap_or_else(|| panic!("no {name}"));
    }
    value
}

/// Where in an answer something new may come.
#[derive(Debug)]
enum Place {
    /// An object, which may get a field.
    Object(String),
    /// One of some words, of which there may be more.
    Word(String),
}

/// What of an answer is not read: as it is now, in each of its alternatives, or with something new at one place.
fn misread(document: &Value, schema: &Value, read: Read) -> Vec<String> {
    let (mut wrong, mut choice, mut choices) = (Vec::new(), 0, 1);
    while choice < choices {
        let mut sampler = Sampler { document, choice, choices: 1, places: Vec::new() };
        let now = sampler.sample(schema, "", 0);
        choices = choices.max(sampler.choices);
        choice += 1;
        wrong.extend(read(now.clone()).err().map(|why| format!("{why} in {now}")));
        for place in sampler.places {
            let mut later = now.clone();
            match &place {
                Place::Object(at) => {
                    let object = later.pointer_mut(at).and_then(Value::as_object_mut).unwrap();
                    object.insert("someday".to_owned(), json!({ "new": [1] }));
                }
                Place::Word(at) => *later.pointer_mut(at).unwrap() = "someday".into(),
            }
            wrong.extend(read(later).err().map(|why| format!("{place:?}: {why}")));
        }
    }
    wrong
}

/// Makes values of schemas with everything that they may have.
struct Sampler<'a> {
    document: &'a Value,
    /// Which alternative is taken where there are some.
    choice: usize,
    /// How many there are at most.
    choices: usize,
    /// Where in the value something new may come.
    places: Vec<Place>,
}

impl Sampler<'_> {
    fn sample(&mut self, schema: &Value, at: &str, depth: usize) -> Value {
        let schema = resolved(self.document, schema);
        if depth > DEEPEST {
            return Value::Null;
        }
        if let Some(words) = words(self.document, schema) {
            self.places.push(Place::Word(at.to_owned()));
            return words[0].clone();
        }
        if let Some(fixed) = schema.get("const") {
            return fixed.clone();
        }
        for union in ["oneOf", "anyOf"] {
            let known = schema.get(union).and_then(Value::as_array).into_iter().flatten();
            let known: Vec<&Value> =
                known.filter(|one| resolved(self.document, one)["type"] != "null").collect();
            self.choices = self.choices.max(known.len());
            if !known.is_empty() {
                return self.sample(known[self.choice % known.len()], at, depth);
            }
        }
        if let Some(all) = schema.get("allOf").and_then(Value::as_array) {
            let [one] = &all[..] else { panic!("learn to merge what {at} is all of: {schema}") };
            return self.sample(one, at, depth);
        }
        let kinds =
            schema.get("type").map(|kind| kind.as_array().cloned().unwrap_or_else(|| vec![kind.clone()]));
        let kind = kinds.unwrap_or_default().into_iter().find(|kind| kind != "null");
        match kind.as_ref().and_then(Value::as_str).unwrap_or("object") {
            "string" => text(schema),
            "integer" => 1.into(),
            "number" => 1.5.into(),
            "boolean" => true.into(),
            "array" => json!([self.sample(&schema["items"], &format!("{at}/0"), depth + 1)]),
            _ => self.object(schema, at, depth),
        }
    }

    fn object(&mut self, schema: &Value, at: &str, depth: usize) -> Value {
        let mut object = serde_json::Map::new();
        for (name, schema) in schema["properties"].as_object().into_iter().flatten() {
            let at = format!("{at}/{}", name.replace('~', "~0").replace('/', "~1"));
            object.insert(name.clone(), self.sample(schema, &at, depth + 1));
        }
        // A map's fields are its data: what is new there has the type of the rest.
        if let Some(values @ Value::Object(_)) = schema.get("additionalProperties") {
            object.insert("any".to_owned(), self.sample(values, &format!("{at}/any"), depth + 1));
        } else {
            self.places.push(Place::Object(at.to_owned()));
        }
        object.into()
    }
}

#[test]
fn a_reader_that_knows_one_alternative_only_is_found() {
    #[derive(Debug, serde::Deserialize)]
    struct First {
        #[expect(dead_code, reason = "read only")]
        first: String,
    }
    let schema = json!({"oneOf": [
        {"type": "object", "properties": {"first": {"type": "string"}}},
        {"type": "object", "properties": {"second": {"type": "string"}}},
    ]});
    let found = misread(&Value::Null, &schema, |value| {
        serde_json::from_value::<First>(value).map(drop).map_err(|why| why.to_string())
    });
    assert!(found.iter().any(|why| why.contains("missing field `first`")), "{found:?}");
}

/// The words that a string may be, however the schema lists them.
fn words(document: &Value, schema: &Value) -> Option<Vec<Value>> {
    if let Some(words) = schema.get("enum").and_then(Value::as_array) {
        let words: Vec<Value> = words.iter().filter(|word| word.is_string()).cloned().collect();
        return (!words.is_empty()).then_some(words);
    }
    let one = |schema: &Value| {
        let schema = resolved(document, schema);
        schema
            .get("const")
            .filter(|word| word.is_string())
            .cloned()
            .map(|word| vec![word])
            .or_else(|| schema.get("enum").and_then(Value::as_array).cloned())
    };
    let all: Vec<Vec<Value>> = schema.get("oneOf")?.as_array()?.iter().map(one).collect::<Option<_>>()?;
    Some(all.concat())
}

fn text(schema: &Value) -> Value {
    match schema.get("format").and_then(Value::as_str) {
        Some("date-time") => "2026-03-01T10:00:00Z".into(),
        Some("date") => "2026-03-01".into(),
        _ => "text".into(),
    }
}
