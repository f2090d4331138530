//! Finds the account of a member that work is given to, or a page is for.

use svc_api::identity::Member;
use uuid::Uuid;

use super::named::{Named, resolve};
use crate::failure::Failure;
use crate::session::Session;

/// The account that `wanted` means: `@me` and an id as they are, else the member with that address or name.
pub(super) async fn account(wanted: &str, org: &str, session: &Session<'_>) -> Result<String, Failure> {
    if wanted == "@me" || is_id(wanted) {
        return Ok(wanted.to_owned());
    }
    found(wanted, &session.org(org).members().await?)
}

/// The same for each of several.
pub(super) async fn accounts(
    wanted: &[String],
    org: &str,
    session: &Session<'_>,
) -> Result<Vec<String>, Failure> {
    if wanted.iter().all(|wanted| is_id(wanted)) {
        return Ok(wanted.to_vec());
    }
    let members = session.org(org).members().await?;
    wanted.iter().map(|wanted| found(wanted, &members)).collect()
}

fn is_id(wanted: &str) -> bool {
    Uuid::try_parse(wanted).is_ok()
}

fn found(wanted: &str, members: &[Member]) -> Result<String, Failure> {
    let addressed = |member: &&Member| member.email.eq_ignore_ascii_case(wanted);
    if let Some(member) = members.iter().find(addressed) {
        return Ok(member.user_id.clone());
    }
    let all: Vec<_> =
        members.iter().map(|member| Named { id: &member.user_id, name: &member.display_name }).collect();
    resolve("member", wanted, &all, false)
}

#[cfg(test)]
mod tests {
    use svc_api::identity::{Member, OrgRole};

    use super::found;

    fn member(user_id: &str, display_name: &str, email: &str) -> Member {
        let (user_id, display_name, email) = (user_id.into(), display_name.into(), email.into());
        Member {
            user_id,
            email,
            display_name,
            role: OrgRole::Member,
            can_start_ai_work: false,
            avatar_key: None,
            version: 1,
        }
    }

    #[test]
    fn a_member_is_named_by_id_address_or_name() {
        let members = [
            member("u1", "Ada", "ada@example.org"),
            member("u2", "Ben", "ben@example.org"),
            member("u3", "Ben", "ben@example.com"),
        ];
        for (wanted, id) in
            [("u2", "u2"), ("ADA@example.org", "u1"), ("ada", "u1"), ("ben@example.com", "u3")]
        {
            assert_eq!(found(wanted, &members).unwrap(), id, "{wanted}");
        }
        let several = found("Ben", &members).unwrap_err();
        assert_eq!(several.detail.unwrap(), "u2  Ben\n  u3  Ben");
        assert!(found("Eve", &members).is_err());
    }
}
