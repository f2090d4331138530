//! Finds the member of an organization that a person means: by address, by name, by id, or `@me`.

use svc_api::identity::Member;
use uuid::Uuid;

use crate::failure::Failure;
use crate::near::did_you_mean;
use crate::session::Session;

/// How the caller names themselves; `me` will do, too, where nobody is called so.
const ME: &str = "@me";

/// The member that `wanted` means.
///
/// # Errors
/// Nobody (exit code 4), or several of one name (exit code 2, with their addresses).
pub(super) async fn member(wanted: &str, org: &str, session: &Session<'_>) -> Result<Member, Failure> {
    let members = session.org(org).members().await?;
    let wanted = if is_me(wanted, &members) { ME } else { wanted };
    let me = mine(&[wanted], session).await?;
    found(me.as_deref().unwrap_or(wanted), &members).cloned()
}

/// The account that `wanted` means, where the API itself knows `@me`: that and an id as they are. A first or last name
/// will do where only one member has it.
pub(super) async fn account(wanted: &str, org: &str, session: &Session<'_>) -> Result<String, Failure> {
    if wanted == ME || is_id(wanted) {
        return Ok(wanted.to_owned());
    }
    let members = session.org(org).members().await?;
    if is_me(wanted, &members) {
        return Ok(ME.to_owned());
    }
    Ok(meant(wanted, &members)?.user_id.clone())
}

/// The ids of the accounts that several words mean, each once.
pub(super) async fn accounts(
    wanted: &[String],
    org: &str,
    session: &Session<'_>,
) -> Result<Vec<String>, Failure> {
    if wanted.iter().all(|wanted| is_id(wanted)) {
        return Ok(wanted.to_vec());
    }
    let members = session.org(org).members().await?;
    let wanted: Vec<&str> =
        wanted.iter().map(|wanted| if is_me(wanted, &members) { ME } else { wanted.as_str() }).collect();
    let me = mine(&wanted, session).await?;
    let mut ids = Vec::new();
    for wanted in wanted {
        let wanted = if wanted == ME { me.as_deref().unwrap_or(wanted) } else { wanted };
        let id = &found(wanted, &members)?.user_id;
        if !ids.contains(id) {
            ids.push(id.clone());
        }
    }
    Ok(ids)
}

/// Whether the caller means themselves and left out the sign: nobody is called so.
fn is_me(wanted: &str, members: &[Member]) -> bool {
    wanted.eq_ignore_ascii_case("me") && meant(wanted, members).is_err()
}

fn is_id(wanted: &str) -> bool {
    Uuid::try_parse(wanted).is_ok()
}

/// The id of the caller, if somebody asks for `@me`.
async fn mine(wanted: &[impl AsRef<str>], session: &Session<'_>) -> Result<Option<String>, Failure> {
    if wanted.iter().any(|wanted| wanted.as_ref() == ME) {
        return Ok(Some(session.client.me().await?.id));
    }
    Ok(None)
}

/// The member that `wanted` means, also by one of several names.
fn meant<'a>(wanted: &str, members: &'a [Member]) -> Result<&'a Member, Failure> {
    let folded = wanted.to_lowercase();
    let partly =
        |member: &&Member| member.display_name.to_lowercase().split_whitespace().any(|name| name == folded);
    one_of(wanted, members, || members.iter().filter(partly).collect())
}

fn found<'a>(wanted: &str, members: &'a [Member]) -> Result<&'a Member, Failure> {
    one_of(wanted, members, Vec::new)
}

/// The member that `wanted` means; `else_named` are those to choose from where it is nobody's whole name.
fn one_of<'a>(
    wanted: &str,
    members: &'a [Member],
    else_named: impl Fn() -> Vec<&'a Member>,
) -> Result<&'a Member, Failure> {
    let meant = |member: &&Member| {
        member.user_id.eq_ignore_ascii_case(wanted)
            || (!member.email.is_empty() && member.email.eq_ignore_ascii_case(wanted))
    };
    if let Some(member) = members.iter().find(meant) {
        return Ok(member);
    }
    let folded = wanted.to_lowercase();
    let spelled: Vec<_> = members.iter().filter(|member| member.display_name == wanted).collect();
    let sounding = || members.iter().filter(|member| member.display_name.to_lowercase() == folded).collect();
    let named: Vec<_> = if spelled.is_empty() { sounding() } else { spelled };
    let named = if named.is_empty() { else_named() } else { named };
    match named[..] {
        [] => Err(nobody(wanted, members)),
        [only] => Ok(only),
        _ => {
            let candidates: Vec<_> =
                named.iter().map(|member| format!("{}  {}", unique(member), member.display_name)).collect();
            let how = if named.iter().all(|member| member.email.is_empty()) { "id" } else { "address" };
            Err(Failure::rejected(format!("{wanted:?} is the name of more than one member"))
                .detail(candidates.join("\n  "))
                .hint(format!("name the member by the {how}")))
        }
    }
}

fn nobody(wanted: &str, members: &[Member]) -> Failure {
    let names = members.iter().flat_map(|member| [member.display_name.as_str(), member.email.as_str()]);
    let words = members.iter().flat_map(|member| member.display_name.split_whitespace());
    let meant = did_you_mean(wanted, names.chain(words).filter(|name| !name.is_empty()));
    let meant = meant.map(|meant| format!("{meant} ")).unwrap_or_default();
    Failure::not_found(format!("no member {wanted:?} in the organization"))
        .hint(format!("{meant}`svc member list` lists the members; `svc invite create` invites somebody"))
}

/// What tells a member from every other: the address, or the id for who may not know addresses.
fn unique(member: &Member) -> &str {
    if member.email.is_empty() { &member.user_id } else { &member.email }
}

/// Whether a column of these addresses tells anything: somebody who may not know those of others sees at most their
/// own.
pub(super) fn are_known<'a>(addresses: impl Iterator<Item = &'a str>) -> bool {
    let (all, known) =
        addresses.fold((0, 0), |(all, known), address| (all + 1, known + usize::from(!address.is_empty())));
    known > 1 || known == all
}

/// A member as a person is asked about them.
pub(super) fn called(member: &Member) -> String {
    format!("{} <{}>", member.display_name, unique(member))
}

#[cfg(test)]
mod tests {
    use svc_api::identity::{Member, OrgRole};

    use super::{found, is_me, meant};

    fn member(user_id: &str, display_name: &str, email: &str) -> Member {
        let (user_id, display_name, email) = (user_id.into(), display_name.into(), email.into());
        Member {
            user_id,
            email,
            display_name,
            role: OrgRole::Member,
            can_start_ai_work: false,
            avatar_key: None,
            invitation: None,
            version: 1,
        }
    }

    #[test]
    fn a_member_is_named_by_id_address_or_name() {
        let members = [
            member("u1", "Ada", "ada@example.org"),
            member("u2", "Ben", "ben@example.org"),
            member("u3", "Ben", "ben@example.com"),
            member("u4", "BEN", "bn@example.com"),
        ];
        for (wanted, id) in
            [("u2", "u2"), ("ADA@example.org", "u1"), ("ada", "u1"), ("ben@example.com", "u3"), ("BEN", "u4")]
        {
            assert_eq!(found(wanted, &members).unwrap().user_id, id, "{wanted}");
        }
        let several = found("Ben", &members).unwrap_err();
        assert_eq!(several.detail.unwrap(), "ben@example.org  Ben\n  ben@example.com  Ben");
        assert!(found("Eve", &members).is_err());
        let slip = found("Adda", &members).unwrap_err();
        assert!(slip.hint.unwrap().starts_with("did you mean \"Ada\"?"));
    }

    #[test]
    fn me_is_the_caller_where_nobody_is_called_so() {
        let mut members = vec![member("u1", "Ada King", "ada@example.org")];
        assert!(is_me("me", &members) && is_me("Me", &members) && !is_me("ada", &members));
        members.push(member("u2", "Me Lee", "lee@example.org"));
        assert!(!is_me("me", &members));
    }

    #[test]
    fn a_first_or_last_name_will_do_where_one_has_it() {
        let members = [
            member("u1", "Ada King", "ada@example.org"),
            member("u2", "Ben Stone", "ben@example.org"),
            member("u3", "Ben King", "king@example.org"),
            member("u4", "Stone", "stone@example.org"),
        ];
        for (wanted, id) in [("ada", "u1"), ("Ben Stone", "u2"), ("stone", "u4")] {
            assert_eq!(meant(wanted, &members).unwrap().user_id, id, "{wanted}");
        }
        let several = meant("Ben", &members).unwrap_err();
        assert_eq!(several.detail.unwrap(), "ben@example.org  Ben Stone\n  king@example.org  Ben King");
        assert!(meant("Be", &members).is_err(), "a part of a name is none");
        assert!(found("ada", &members).is_err(), "who is removed, or let in, is named in full");
    }
}
