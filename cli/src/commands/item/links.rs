//! Links of an item: how they are named on the command line, and how they read.

use svc_api::tracker::{ItemLink, Link, LinkKind, Links, PullRequest, PullRequestReview};
use svc_domain::ids::ItemKey;

use crate::failure::Failure;
use crate::keys::item_key;
use crate::output::{Output, Table, name, one_line};

/// What an item is linked with.
#[derive(clap::Args)]
#[group(required = true, multiple = false)]
pub(super) struct Target {
    /// Address of a pull request
    #[arg(value_name = "PR_URL")]
    address: Option<String>,
    /// The same
    #[arg(long, value_name = "PR_URL")]
    pr: Option<String>,
    /// Item that waits for this one
    #[arg(long, value_name = "ITEM_KEY", value_parser = item_key)]
    blocks: Option<ItemKey>,
    /// Item that this one waits for
    #[arg(long, value_name = "ITEM_KEY", value_parser = item_key)]
    blocked_by: Option<ItemKey>,
    /// Related item
    #[arg(long, value_name = "ITEM_KEY", value_parser = item_key)]
    relates: Option<ItemKey>,
    /// Item that this one duplicates
    #[arg(long, value_name = "ITEM_KEY", value_parser = item_key)]
    duplicates: Option<ItemKey>,
    /// Item that duplicates this one
    #[arg(long, value_name = "ITEM_KEY", value_parser = item_key)]
    duplicated_by: Option<ItemKey>,
}

/// What was named.
pub(super) enum Named {
    PullRequest(String),
    Item(LinkKind, String),
}

impl Target {
    /// The one thing that was named, to be linked with the item of this key.
    ///
    /// # Errors
    /// It is another item, without a word on how they are related.
    pub(super) fn named(self, to: &ItemKey) -> Result<Named, Failure> {
        let items = [
            (LinkKind::Blocks, self.blocks),
            (LinkKind::BlockedBy, self.blocked_by),
            (LinkKind::Relates, self.relates),
            (LinkKind::Duplicates, self.duplicates),
            (LinkKind::DuplicatedBy, self.duplicated_by),
        ];
        let item = items.into_iter().find_map(|(kind, key)| Some((kind, key?)));
        match item {
            Some((kind, key)) => Ok(Named::Item(kind, key.to_string())),
            None => {
                let address = self.address.or(self.pr).unwrap_or_default();
                match item_key(&address) {
                    Ok(other) => Err(Failure::rejected(format!("how is {to} related to {other}?")).hint(format!(
                        "say it with --blocks, --blocked-by, --relates, --duplicates or --duplicated-by, as in {to} --relates {other}"
                    ))),
                    Err(_) => Ok(Named::PullRequest(address)),
                }
            }
        }
    }
}

/// What an item is to another one, in words.
const fn words(kind: LinkKind) -> &'static str {
    match kind {
        LinkKind::Blocks => "blocks",
        LinkKind::BlockedBy => "blocked by",
        LinkKind::Relates => "relates to",
        LinkKind::Duplicates => "duplicates",
        LinkKind::DuplicatedBy => "duplicated by",
        LinkKind::Unknown => "linked with",
    }
}

/// The links, one a line.
pub(super) fn lines(links: &Links) -> Vec<String> {
    let item = |link: &ItemLink| {
        let (title, state) = (one_line(&link.title), one_line(&link.state));
        format!("{} {} {title} ({state})", words(link.kind), link.item)
    };
    let pull_request = |link: &Link| {
        let state = link.pull_request.as_ref().map(pull_request).unwrap_or_default();
        format!("{}{state}", one_line(&link.url))
    };
    let hidden =
        (links.hidden > 0).then(|| format!("{} to items in projects that you cannot see", links.hidden));
    links.items.iter().map(item).chain(hidden).chain(links.pull_requests.iter().map(pull_request)).collect()
}

/// What the code host told of a pull request.
fn pull_request(known: &PullRequest) -> String {
    let mut words = vec![name(&known.state)];
    words.extend(known.checks.map(|checks| format!("checks {}", name(&checks))));
    words.extend(known.review.map(|review| match review {
        PullRequestReview::Approved => "approved".to_owned(),
        PullRequestReview::ChangesRequested | PullRequestReview::Unknown => "changes requested".to_owned(),
    }));
    let started = known.follow_ups.iter().filter(|one| one.run.is_some()).count();
    if started > 0 {
        words.push(format!("{started} follow-up{}", if started == 1 { "" } else { "s" }));
    }
    format!("  ({})", words.join(", "))
}

/// Prints the links of an item with others.
pub(super) fn show(links: &Links, output: &Output) -> Result<(), Failure> {
    if output.json {
        return output.json(links);
    }
    let table = Table::of(&links.items)
        .fixed("LINK", |link| words(link.kind))
        .fixed("KEY", |link| link.item.as_str())
        .fixed("STATE", |link| link.state.as_str())
        .flexible("TITLE", |link| link.title.as_str())
        .end();
    output.table(&table)
}
