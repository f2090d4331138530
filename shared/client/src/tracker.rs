//! Projects, workflow, items, claims, comments and history.

use reqwest::Method;
use svc_api::Page;
use svc_api::identity::Actor;
use svc_api::page::PageQuery;
use svc_api::records::{ImportRecords, Imported};
use svc_api::rendered::{RenderText, RenderedText, SetTask};
use svc_api::tracker::{
    AddReaction, Board, BulkChange, BulkResult, ClaimItem, Comment, CommentEdit, DeletedItem, EditComment,
    ExportQuery, HistoryEntry, Item, ItemCountQuery, ItemCounts, ItemPage, ItemQuery, LinkQuery, Links,
    NewComment, NewItem, NewLink, NewProject, NewSubtask, OrgChanges, OrgChangesQuery, Project,
    ProjectOverview, ProjectQuery, ProjectStats, ProjectStatsQuery, SetWorkflow, TextDiff, TransferItem,
    Transition, UpdateItem, UpdateProject, Workflow,
};

use crate::attachments::Download;
use crate::client::Org;
use crate::error::Error;

impl Org<'_> {
    /// The projects that the caller can see.
    pub async fn projects(self, query: &ProjectQuery) -> Result<Vec<Project>, Error> {
        self.client.get("/orgs/{}/projects", &[self.slug]).query(query).fetch().await
    }

    /// A project.
    pub async fn project(self, key: &str) -> Result<Project, Error> {
        self.client.get("/orgs/{}/projects/{}", &[self.slug, key]).fetch().await
    }

    /// Creates a project.
    pub async fn create_project(self, new: &NewProject) -> Result<Project, Error> {
        self.client.post("/orgs/{}/projects", &[self.slug]).json(new).fetch().await
    }

    /// Changes a project.
    pub async fn update_project(self, key: &str, change: &UpdateProject) -> Result<Project, Error> {
        let call = self.client.call(Method::PATCH, "/orgs/{}/projects/{}", &[self.slug, key]);
        call.json(change).fetch().await
    }

    /// The workflow of a project.
    pub async fn workflow(self, project: &str) -> Result<Workflow, Error> {
        self.client.get("/orgs/{}/projects/{}/workflow", &[self.slug, project]).fetch().await
    }

    /// Replaces the workflow of a project.
    pub async fn set_workflow(self, project: &str, set: &SetWorkflow) -> Result<Workflow, Error> {
        let call = self.client.call(Method::PUT, "/orgs/{}/projects/{}/workflow", &[self.slug, project]);
        call.json(set).fetch().await
    }

    /// The board of a project: its workflow, all its items, and where to follow their changes from.
    pub async fn board(self, project: &str) -> Result<Board<Item>, Error> {
        self.client.get("/orgs/{}/projects/{}/board", &[self.slug, project]).fetch().await
    }

    /// What changed in the organization since a cursor; without one, where to begin.
    pub async fn org_changes(self, query: &OrgChangesQuery) -> Result<OrgChanges<Item>, Error> {
        self.client.get("/orgs/{}/changes", &[self.slug]).query(query).fetch().await
    }

    /// One page of a project's items.
    pub async fn items(self, project: &str, query: &ItemQuery) -> Result<Page<Item>, Error> {
        self.client.get("/orgs/{}/projects/{}/items", &[self.slug, project]).query(query).page().await
    }

    /// The items of a project that match as comma-separated values.
    pub async fn items_csv(self, project: &str, query: &ExportQuery) -> Result<Download, Error> {
        let call = self.client.get("/orgs/{}/projects/{}/items.csv", &[self.slug, project]);
        self.client.download(call.query(query)).await
    }

    /// A project as records, one JSON object a line.
    pub async fn export_project(self, project: &str) -> Result<Download, Error> {
        self.client.download(self.client.get("/orgs/{}/projects/{}/export", &[self.slug, project])).await
    }

    /// Brings records into a project. Repeating it does no harm.
    pub async fn import_records(self, project: &str, records: &ImportRecords) -> Result<Imported, Error> {
        let call = self.client.post("/orgs/{}/projects/{}/import", &[self.slug, project]);
        call.json(records).repeatable().fetch().await
    }

    /// One page of the items of every project that the caller sees.
    pub async fn org_items(self, query: &ItemQuery) -> Result<Page<Item>, Error> {
        self.client.get("/orgs/{}/items", &[self.slug]).query(query).page().await
    }

    /// How many items of a project match.
    pub async fn count_items(self, project: &str, query: &ItemCountQuery) -> Result<ItemCounts, Error> {
        self.client.get("/orgs/{}/projects/{}/items/counts", &[self.slug, project]).query(query).fetch().await
    }

    /// How many items of every project that the caller sees match.
    pub async fn count_org_items(self, query: &ItemCountQuery) -> Result<ItemCounts, Error> {
        self.client.get("/orgs/{}/items/counts", &[self.slug]).query(query).fetch().await
    }

    /// Deletes an item.
    pub async fn delete_item(self, key: &str) -> Result<(), Error> {
        self.client.call(Method::DELETE, "/orgs/{}/items/{}", &[self.slug, key]).done().await
    }

    /// The items of a project that were deleted and can be brought back.
    pub async fn deleted_items(self, project: &str) -> Result<Vec<DeletedItem>, Error> {
        self.client.get("/orgs/{}/projects/{}/deleted-items", &[self.slug, project]).fetch().await
    }

    /// Brings a deleted item back.
    pub async fn restore_item(self, key: &str) -> Result<Item, Error> {
        self.client.post("/orgs/{}/items/{}/restore", &[self.slug, key]).fetch().await
    }

    /// Moves an item to another project.
    pub async fn transfer_item(self, key: &str, to: &TransferItem) -> Result<Item, Error> {
        self.client.post("/orgs/{}/items/{}/transfer", &[self.slug, key]).json(to).fetch().await
    }

    /// All that a page about an item shows.
    pub async fn item_page(self, key: &str) -> Result<ItemPage<Item>, Error> {
        self.client.get("/orgs/{}/items/{}/page", &[self.slug, key]).fetch().await
    }

    /// How far each project is.
    pub async fn project_overviews(self) -> Result<Vec<ProjectOverview>, Error> {
        self.client.get("/orgs/{}/project-overviews", &[self.slug]).fetch().await
    }

    /// Numbers of a project's work.
    pub async fn project_stats(
        self,
        project: &str,
        query: &ProjectStatsQuery,
    ) -> Result<ProjectStats, Error> {
        self.client.get("/orgs/{}/projects/{}/stats", &[self.slug, project]).query(query).fetch().await
    }

    /// A text as HTML.
    pub async fn render(self, text: &RenderText) -> Result<RenderedText, Error> {
        self.client.post("/orgs/{}/render", &[self.slug]).json(text).fetch().await
    }

    /// Ticks the box of a task in a description, or empties it.
    pub async fn set_task(self, key: &str, number: usize, set: &SetTask) -> Result<Item, Error> {
        let number = number.to_string();
        let call = self.client.post("/orgs/{}/items/{}/tasks/{}", &[self.slug, key, &number]);
        call.json(set).fetch().await
    }

    /// Creates an item.
    pub async fn create_item(self, project: &str, new: &NewItem) -> Result<Item, Error> {
        self.client.post("/orgs/{}/projects/{}/items", &[self.slug, project]).json(new).fetch().await
    }

    /// An item.
    pub async fn item(self, key: &str) -> Result<Item, Error> {
        self.client.get("/orgs/{}/items/{}", &[self.slug, key]).fetch().await
    }

    /// Changes an item.
    pub async fn update_item(self, key: &str, change: &UpdateItem) -> Result<Item, Error> {
        let call = self.client.call(Method::PATCH, "/orgs/{}/items/{}", &[self.slug, key]);
        call.json(change).fetch().await
    }

    /// Changes or moves many items; says of each what became of it.
    pub async fn change_items(self, project: &str, change: &BulkChange) -> Result<BulkResult, Error> {
        let call = self.client.post("/orgs/{}/projects/{}/items/bulk", &[self.slug, project]);
        call.json(change).fetch().await
    }

    /// Moves an item to another workflow state.
    pub async fn transition(self, key: &str, transition: &Transition) -> Result<Item, Error> {
        let call = self.client.post("/orgs/{}/items/{}/transition", &[self.slug, key]);
        call.json(transition).fetch().await
    }

    /// Claims an item for the caller.
    pub async fn claim(self, key: &str, claim: &ClaimItem) -> Result<Item, Error> {
        self.client.post("/orgs/{}/items/{}/claim", &[self.slug, key]).json(claim).fetch().await
    }

    /// Releases the claim.
    pub async fn release(self, key: &str) -> Result<Item, Error> {
        self.client.post("/orgs/{}/items/{}/release", &[self.slug, key]).fetch().await
    }

    /// Keeps the caller's claim fresh. Repeating it does no harm.
    pub async fn heartbeat_item(self, key: &str) -> Result<Item, Error> {
        self.client.post("/orgs/{}/items/{}/heartbeat", &[self.slug, key]).repeatable().fetch().await
    }

    /// What an item is linked with.
    pub async fn links(self, key: &str) -> Result<Links, Error> {
        self.client.get("/orgs/{}/items/{}/links", &[self.slug, key]).fetch().await
    }

    /// Links a pull request or another item to an item. Repeating it does no harm.
    pub async fn link(self, key: &str, new: &NewLink) -> Result<Item, Error> {
        let call = self.client.post("/orgs/{}/items/{}/links", &[self.slug, key]);
        call.repeatable().json(new).fetch().await
    }

    /// Takes a link away.
    pub async fn unlink(self, key: &str, link: &LinkQuery) -> Result<Item, Error> {
        let call = self.client.call(Method::DELETE, "/orgs/{}/items/{}/links", &[self.slug, key]);
        call.query(link).fetch().await
    }

    /// Creates a subtask of an item.
    pub async fn create_subtask(self, key: &str, new: &NewSubtask) -> Result<Item, Error> {
        self.client.post("/orgs/{}/items/{}/subtasks", &[self.slug, key]).json(new).fetch().await
    }

    /// One page of the items that belong to an item.
    pub async fn subtasks(self, key: &str, page: &PageQuery) -> Result<Page<Item>, Error> {
        self.client.get("/orgs/{}/items/{}/subtasks", &[self.slug, key]).query(page).page().await
    }

    /// Who watches an item.
    pub async fn watchers(self, key: &str) -> Result<Vec<Actor>, Error> {
        self.client.get("/orgs/{}/items/{}/watchers", &[self.slug, key]).fetch().await
    }

    /// The caller watches an item. Repeating it does no harm.
    pub async fn watch(self, key: &str) -> Result<(), Error> {
        self.client.call(Method::PUT, "/orgs/{}/items/{}/watch", &[self.slug, key]).repeatable().done().await
    }

    /// The caller no longer watches an item. Repeating it does no harm.
    pub async fn unwatch(self, key: &str) -> Result<(), Error> {
        let call = self.client.call(Method::DELETE, "/orgs/{}/items/{}/watch", &[self.slug, key]);
        call.repeatable().done().await
    }

    /// One page of an item's comments, oldest first.
    pub async fn comments(self, key: &str, page: &PageQuery) -> Result<Page<Comment>, Error> {
        self.client.get("/orgs/{}/items/{}/comments", &[self.slug, key]).query(page).page().await
    }

    /// Writes a comment.
    pub async fn comment(self, key: &str, new: &NewComment) -> Result<Comment, Error> {
        self.client.post("/orgs/{}/items/{}/comments", &[self.slug, key]).json(new).fetch().await
    }

    /// A comment.
    pub async fn view_comment(self, key: &str, id: &str) -> Result<Comment, Error> {
        self.client.get("/orgs/{}/items/{}/comments/{}", &[self.slug, key, id]).fetch().await
    }

    /// Changes the text of the caller's comment.
    pub async fn edit_comment(self, key: &str, id: &str, edit: &EditComment) -> Result<Comment, Error> {
        let call = self.client.call(Method::PATCH, "/orgs/{}/items/{}/comments/{}", &[self.slug, key, id]);
        call.json(edit).fetch().await
    }

    /// Deletes a comment. Repeating it does no harm.
    pub async fn delete_comment(self, key: &str, id: &str) -> Result<(), Error> {
        let call = self.client.call(Method::DELETE, "/orgs/{}/items/{}/comments/{}", &[self.slug, key, id]);
        call.repeatable().done().await
    }

    /// Reacts to a comment with one of the six emoji. Repeating it does no harm.
    pub async fn react(self, key: &str, id: &str, add: &AddReaction) -> Result<Comment, Error> {
        let path = "/orgs/{}/items/{}/comments/{}/reactions";
        let call = self.client.call(Method::PUT, path, &[self.slug, key, id]);
        call.repeatable().json(add).fetch().await
    }

    /// Takes a reaction of the caller back. Repeating it does no harm.
    pub async fn unreact(self, key: &str, id: &str, emoji: &str) -> Result<(), Error> {
        let path = "/orgs/{}/items/{}/comments/{}/reactions/{}";
        let call = self.client.call(Method::DELETE, path, &[self.slug, key, id, emoji]);
        call.repeatable().done().await
    }

    /// One page of an item's history.
    pub async fn history(self, key: &str, page: &PageQuery) -> Result<Page<HistoryEntry>, Error> {
        self.client.get("/orgs/{}/items/{}/history", &[self.slug, key]).query(page).page().await
    }

    /// What a change did to the description, by a history entry that has it.
    pub async fn history_diff(self, key: &str, entry: &str) -> Result<TextDiff, Error> {
        self.client.get("/orgs/{}/items/{}/history/{}/diff", &[self.slug, key, entry]).fetch().await
    }

    /// One page of the edits of a comment, newest first.
    pub async fn comment_edits(
        self,
        key: &str,
        id: &str,
        page: &PageQuery,
    ) -> Result<Page<CommentEdit>, Error> {
        let path = "/orgs/{}/items/{}/comments/{}/edits";
        self.client.get(path, &[self.slug, key, id]).query(page).page().await
    }

    /// What an edit of a comment changed.
    pub async fn comment_diff(self, key: &str, id: &str, version: u64) -> Result<TextDiff, Error> {
        let (path, version) = ("/orgs/{}/items/{}/comments/{}/edits/{}/diff", version.to_string());
        self.client.get(path, &[self.slug, key, id, &version]).fetch().await
    }
}
