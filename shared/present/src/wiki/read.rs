//! What requests ask of the wiki, in the domain's words. Refuses words that the domain does not have.

use svc_api::wiki as wire;
use svc_app::wiki::SetAccess;
use svc_domain::ids::UserId;
use svc_domain::refusal::FieldErrors;
use svc_domain::wiki::audience::{Audience, PageAccess};

/// The new readers and editors of a page.
///
/// # Errors
/// Words and ids that there are not, and people named where none are meant.
pub fn access(set: wire::SetPageAccess) -> Result<SetAccess, FieldErrors> {
    let mut errors = FieldErrors::default();
    let access = PageAccess {
        read: set.read.and_then(|wanted| audience("read", wanted, &mut errors)),
        edit: set.edit.and_then(|wanted| audience("edit", wanted, &mut errors)),
    };
    errors.into_result()?;
    Ok(SetAccess { version: set.version, access })
}

fn audience(field: &str, wanted: wire::Audience, errors: &mut FieldErrors) -> Option<Audience> {
    let wire::Audience { who, people } = wanted;
    if who != wire::AudienceKind::People && !people.is_empty() {
        errors.add(field, "Name people only if `who` is people.");
    }
    match who {
        wire::AudienceKind::Everyone => Some(Audience::Everyone),
        wire::AudienceKind::Members => Some(Audience::Members),
        wire::AudienceKind::Admins => Some(Audience::Admins),
        wire::AudienceKind::People => {
            let parsed = people.iter().filter_map(|id| {
                let id: Option<UserId> = id.parse().ok();
                if id.is_none() {
                    errors.add(field, "Name people by their ids.");
                }
                id
            });
            Some(Audience::People(parsed.collect()))
        }
        wire::AudienceKind::Unknown => {
            errors.add(field, "`who` is one of everyone, members, admins, people.");
            None
        }
    }
}
