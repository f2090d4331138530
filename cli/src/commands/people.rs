//! Finds the member of an organization that a person means: by address, by name, by id, or `@me`. A first or last name,
//! or what an address begins with, will do where only one member has it, whatever the command.

use svc_api::identity::Member;
use uuid::Uuid;

use crate::failure::Failure;
use crate::near::did_you_mean;
use crate::session::Session;

/// How the caller names themselves; `me` will do, too, where no member has that name.
const ME: &str = "@me";

/// The member that `wanted` means.
///
/// # Errors
/// No member (exit code 4), or several of one name (exit code 2, with their addresses).
pub(super) async fn member(wanted: &str, org: &str, session: &Session<'_>) -> Result<Member, Failure> {
    let members = session.org(org).members().await?;
    let wanted = if is_me(wanted, &members) { ME } else { wanted };
    let me = mine(&[wanted], session).await?;
    meant(me.as_deref().unwrap_or(wanted), &members).cloned()
}

/// The account that `wanted` means, where the API itself knows `@me`: that and an id as they are.
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

/// The id of the member or agent that `wanted` means: an id as it is, which may be that of somebody who left.
///
/// # Errors
/// Those of [`member`].
pub(super) async fn actor(wanted: &str, org: &str, session: &Session<'_>) -> Result<String, Failure> {
    if is_id(wanted) {
        return Ok(wanted.to_owned());
    }
    Ok(member(wanted, org, session).await?.user_id)
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
        let id = &meant(wanted, &members)?.user_id;
        if !ids.contains(id) {
            ids.push(id.clone());
        }
    }
    Ok(ids)
}

/// Whether the caller means themselves and left out the sign: no member has that name.
fn is_me(wanted: &str, members: &[Member]) -> bool {
    wanted.eq_ignore_ascii_case("me") && meant(wanted, members).is_err()
}

fn is_id(wanted: &str) -> bool {
    Uuid::try_parse(wanted).is_ok()
}

/// The id of the caller, for `@me`.
async fn mine(wanted: &[impl AsRef<str>], session: &Session<'_>) -> Result<Option<String>, Failure> {
    if wanted.iter().any(|wanted| wanted.as_ref() == ME) {
        return Ok(Some(session.client.me().await?.id));
    }
    Ok(None)
}

/// The member that `wanted` means. The more exact name counts first: an id or an address, then the whole name as
/// it is spelled, then in any case, then one of several names or what an address begins with.
fn meant<'a>(wanted: &str, members: &'a [Member]) -> Result<&'a Member, Failure> {
    let folded = wanted.to_lowercase();
    let matching = |meant: &dyn Fn(&Member) -> bool| -> Vec<&'a Member> {
        members.iter().filter(|member| meant(member)).collect()
    };
    let exactly = matching(&|member| {
        member.user_id.eq_ignore_ascii_case(wanted)
            || (!member.email.is_empty() && member.email.eq_ignore_ascii_case(wanted))
    });
    if let Some(member) = exactly.first() {
        return Ok(member);
    }
    let mut named = matching(&|member| member.display_name == wanted);
    if named.is_empty() {
        named = matching(&|member| member.display_name.to_lowercase() == folded);
    }
    if named.is_empty() {
        named = matching(&|member| short_names(member).any(|name| name == folded));
    }
    match named[..] {
        [] => {
            let begin = |name: String| !folded.is_empty() && name.starts_with(&folded);
            let alike = matching(&|member| short_names(member).any(begin));
            Err(nobody(wanted, &alike, members))
        }
        [only] => Ok(only),
        _ => {
            let how = if named.iter().all(|member| member.email.is_empty()) { "id" } else { "address" };
            Err(Failure::rejected(format!("{wanted:?} is the name of more than one member"))
                .detail(candidates(&named))
                .hint(format!("name the member by the {how}")))
        }
    }
}

/// What people call a member for short: each of the names, and what the address begins with.
fn short_names(member: &Member) -> impl Iterator<Item = String> {
    let name = member.display_name.to_lowercase();
    let names: Vec<_> = name.split_whitespace().map(str::to_owned).collect();
    let local = member.email.split_once('@').map(|(local, _)| local.to_lowercase());
    names.into_iter().chain(local)
}

/// That no member has this name, and who may be meant: `alike` are those whose names begin with it.
fn nobody(wanted: &str, alike: &[&Member], members: &[Member]) -> Failure {
    let failure = Failure::not_found(format!("no member {wanted:?} in the organization"));
    if !alike.is_empty() {
        return failure.detail(candidates(alike)).hint("did you mean one of these?");
    }
    let names = members.iter().flat_map(|member| [member.display_name.as_str(), member.email.as_str()]);
    let words = members.iter().flat_map(|member| member.display_name.split_whitespace());
    let meant = did_you_mean(wanted, names.chain(words).filter(|name| !name.is_empty()));
    let meant = meant.map(|meant| format!("{meant} ")).unwrap_or_default();
    failure.hint(format!(
        "{meant}list the members with `svc member list`, or invite somebody with `svc invite \
    create`"
    ))
}

fn candidates(members: &[&Member]) -> String {
    let lines: Vec<_> =
        members.iter().map(|member| format!("{}  {}", unique(member), member.display_name)).collect();
    lines.join("\n  ")
}

/// What tells a member from every other: the address, or the id where addresses are hidden.
fn unique(member: &Member) -> &str {
    if member.email.is_empty() { &member.user_id } else { &member.email }
}

/// Whether a column of these addresses tells anything: a caller to whom others' are hidden sees at most their
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

    use super::{is_me, meant};

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
            assert_eq!(meant(wanted, &members).unwrap().user_id, id, "{wanted}");
        }
        let several = meant("Ben", &members).unwrap_err();
        assert_eq!(several.detail.unwrap(), "ben@example.org  Ben\n  ben@example.com  Ben");
        assert!(meant("Eve", &members).is_err());
        let slip = meant("Adda", &members).unwrap_err();
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
        let part = meant("Ad", &members).unwrap_err();
        assert_eq!(part.title, "no member \"Ad\" in the organization", "a part of a name is none");
        assert_eq!(part.detail.unwrap(), "ada@example.org  Ada King", "but says who may be meant");
    }

    #[test]
    fn what_an_address_begins_with_names_its_member() {
        let members = [member("u1", "Ada King", "ak@example.org"), member("u2", "AK", "else@example.org")];
        assert_eq!(meant("AK", &members).unwrap().user_id, "u2", "a whole name counts first");
        assert_eq!(meant("Else", &members).unwrap().user_id, "u2");
        assert_eq!(meant("ak", &members[..1]).unwrap().user_id, "u1");
    }
}
