//! What a search is asked for.

use std::collections::BTreeSet;

use svc_domain::ids::ProjectKey;
use svc_domain::refusal::{FieldErrors, Refusal};
use svc_domain::search::{SearchQuery, Target, TextId};

use crate::error::Result;

/// Longest question, in characters.
const MAX_Q: usize = 500;
/// Texts that are counted. Where more hold the words, the totals are what was counted by then.
pub(super) const COUNTED: usize = 500;

/// What there is to find.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// Items.
    Items,
    /// Comments on items.
    Comments,
    /// Wiki pages.
    Pages,
    /// Projects of an organization.
    Projects,
    /// Members of an organization.
    People,
}

impl Kind {
    /// Whether the index is asked for it.
    pub(super) const fn is_text(self) -> bool {
        matches!(self, Self::Items | Self::Comments | Self::Pages)
    }
}

/// A question.
#[derive(Clone, Debug)]
pub struct Find {
    /// What was typed.
    pub q: String,
    /// What to look for.
    pub kinds: BTreeSet<Kind>,
    /// Only in these projects; in all when there are none.
    pub projects: Vec<ProjectKey>,
    /// Most answers.
    pub limit: usize,
    /// Whether to count what there is.
    pub count: bool,
}

impl Find {
    pub(super) fn check(&self, may_be_empty: bool) -> Result<SearchQuery, Refusal> {
        if self.q.chars().count() > MAX_Q {
            let errors = FieldErrors::one("q", format!("Give at most {MAX_Q} characters."));
            return Err(Refusal::InvalidQuery(errors));
        }
        if self.q.trim().is_empty() && !may_be_empty {
            let why = "Give words to search for. Only the items of one project (types=items) can be listed without.";
            return Err(Refusal::InvalidQuery(FieldErrors::one("q", why)));
        }
        Ok(SearchQuery::parse(&self.q))
    }

    pub(super) fn wants(&self, id: &TextId) -> bool {
        self.kinds.contains(&match id.target {
            Target::Item(_) => Kind::Items,
            Target::Comment(_) => Kind::Comments,
            Target::Page(_) => Kind::Pages,
        })
    }

    pub(super) fn wants_texts(&self) -> bool {
        self.kinds.iter().any(|kind| kind.is_text())
    }

    /// As many texts are looked for.
    pub(super) fn reach(&self) -> usize {
        if self.count { self.limit.max(COUNTED) } else { self.limit }
    }
}
