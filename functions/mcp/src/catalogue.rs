//! The tools: name, what the model is told, who may use it, its arguments and what runs it.
//!
//! Descriptions begin with what the tool does, because clients look tools up by name and first sentence. All names,
//! descriptions and input schemas together take at most 3,500 tokens (`tests/mcp/sizes.rs`).

use std::collections::HashMap;
use std::sync::{Arc, LazyLock};

use futures::future::BoxFuture;
use rmcp::model::{JsonObject, Tool as Described, ToolAnnotations};
use svc_domain::access::Capability;
use svc_http::ApiResult;

use crate::arguments::read;
use crate::guest::Guest;
use crate::reply::Reply;
use crate::schema;
use crate::tools::{change, comments, context, items, planning, refinement, runs, search, wiki};

/// A tool.
pub(crate) struct Tool {
    /// Name.
    pub(crate) name: &'static str,
    description: &'static str,
    /// What a caller must be able to do somewhere for the tool to be listed.
    needs: Capability,
    effect: Effect,
    input: fn() -> JsonObject,
    output: Option<fn() -> JsonObject>,
    pub(crate) run: fn(&'static Tool, Guest, JsonObject) -> BoxFuture<'static, ApiResult<Reply>>,
}

/// What a call does to the tracker.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Effect {
    /// Nothing.
    Reads,
    /// Something new with every call.
    Adds,
    /// The same however often it is called.
    Settles,
    /// The same however often it is called, and what was there before is gone.
    Replaces,
}

macro_rules! tools {
    ($($name:ident = $run:path, $arguments:ty, $needs:ident, $effect:ident $(, output $output:ty)?; $description:literal;)*) => {
        /// Every tool, in the order in which they are listed.
        pub(crate) static TOOLS: &[Tool] = &[$(Tool {
            name: stringify!($name),
            description: $description,
            needs: Capability::$needs,
            effect: Effect::$effect,
            input: schema::of::<$arguments>,
            output: tools!(@output $($output)?),
            run: |tool, guest, arguments| Box::pin(async move {
                let arguments: $arguments = read(&tool.schema(), arguments)?;
                $run(guest, arguments).await
            }),
        },)*];
    };
    (@output) => { None };
    (@output $output:ty) => { Some(schema::of::<$output>) };
}

tools! {
    get_context = context::context, context::Nothing, SeeOrg, Reads;
        "Who you are here: your role, organization and projects. Call it first.";
    get_project = context::project, context::Project, SeeProject, Reads;
        "A project's workflow states and moves, labels, templates, agents and playbooks.";
    list_items = items::list, items::List, SeeProject, Reads;
        "List or filter a project's items, one line each.";
    get_item = items::get, items::Get, SeeProject, Reads;
        "Read an item: fields, version, description, and what you include.";
    search = search::search, search::Search, SeeProject, Reads;
        "Find items, comments and wiki pages by words.";
    create_item = change::create, change::Create, Work, Adds, output items::ItemState;
        "Create an item, or a subtask with type subtask, parent and estimate.";
    update_item = change::update, change::Update, Work, Replaces, output items::ItemState;
        "Change fields of an item. Fields that you leave out stay; null clears.";
    transition_item = change::transition, change::Transition, Work, Settles, output items::ItemState;
        "Move an item to another workflow state.";
    claim_item = change::claim, change::Claim, Work, Settles, output items::ItemState;
        "Claim an item to work on it. Call again every few minutes to keep the claim.";
    release_item = change::release, change::Key, Work, Settles, output items::ItemState;
        "Give up the claim of an item.";
    add_comment = comments::add, comments::Add, Comment, Adds;
        "Comment on an item, or reply to a comment.";
    link_pull_request = change::link, change::Link, Work, Settles, output items::ItemState;
        "Link a pull request to an item.";
    get_sprints = planning::sprints, planning::Sprints, SeeProject, Reads;
        "Sprints of a project: active, planned, completed.";
    get_wiki_page = wiki::get, wiki::Get, SeeProject, Reads;
        "Read a wiki page; without path, the tree of pages.";
    put_wiki_page = wiki::put, wiki::Put, EditWiki, Replaces;
        "Write a wiki page: without version a new one, with the version you read the next.";
    list_runs = runs::list, runs::List, SeeOrg, Reads;
        "List AI runs, newest first.";
    get_run = runs::get, runs::Get, SeeProject, Reads;
        "Read an AI run: status, outcome, pull request, log. Can wait for news.";
    start_run = runs::start, runs::Start, OperateFactory, Adds, output runs::RunState;
        "Hand an item to a coding agent: start an AI run.";
    cancel_run = runs::cancel, runs::Cancel, StopRuns, Replaces, output runs::RunState;
        "Stop an AI run.";
    submit_refinement = refinement::submit, refinement::Submit, Work, Replaces, output refinement::State;
        "Hand in a refined ticket or questions, as the agent of a refine run. The last call counts.";
}

/// The tool of a name.
pub(crate) fn find(name: &str) -> Option<&'static Tool> {
    TOOLS.iter().find(|tool| tool.name == name)
}

impl Tool {
    /// The schema of its arguments.
    pub(crate) fn schema(&self) -> Arc<JsonObject> {
        described(self).input_schema.clone()
    }

    /// Whether somebody can use it anywhere. Refinements are handed in by the agents of refine runs alone.
    pub(crate) fn is_for(&self, guest: &Guest, refines: bool) -> bool {
        guest.may(self.needs) && (refines || self.name != "submit_refinement")
    }
}

/// A tool as clients see it, made once.
pub(crate) fn described(tool: &Tool) -> &'static Described {
    static DESCRIBED: LazyLock<HashMap<&str, Described>> =
        LazyLock::new(|| TOOLS.iter().map(|tool| (tool.name, describe(tool))).collect());
    &DESCRIBED[tool.name]
}

fn describe(tool: &Tool) -> Described {
    let effect = tool.effect;
    let hints = ToolAnnotations::new().read_only(effect == Effect::Reads).open_world(false);
    let hints = match effect {
        Effect::Reads => hints,
        Effect::Adds => hints.destructive(false).idempotent(false),
        Effect::Settles => hints.destructive(false).idempotent(true),
        Effect::Replaces => hints.destructive(true).idempotent(true),
    };
    let described = Described::new(tool.name, tool.description, (tool.input)()).with_annotations(hints);
    match tool.output {
        Some(output) => described.with_raw_output_schema(Arc::new(output())),
        None => described,
    }
}
