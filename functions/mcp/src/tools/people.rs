//! People that an argument names.

use svc_api::patch::Patch;
use svc_app::identity::members;
use svc_domain::identity::Member;
use svc_domain::ids::UserId;
use svc_domain::refusal::Refusal;
use svc_domain::untrusted::{first_of, quoted};
use svc_http::ApiResult;

use crate::guest::Guest;

/// The id of the person whom an argument names by id, by name, by a part of the name that only they have, or by an
/// address that the caller may see; `@me` stays.
///
/// # Errors
/// Whom the caller knows, if it is none of them or several.
pub(crate) async fn person(guest: &Guest, argument: &str, said: &str) -> ApiResult<String> {
    let name = said.trim();
    if name.eq_ignore_ascii_case("@me") || name.parse::<UserId>().is_ok() {
        return Ok(name.to_owned());
    }
    let all = members(&guest.app, guest.caller()).await?;
    let all: Vec<Member> = all.into_iter().map(|known| known.member).collect();
    match chosen(&all, name.trim_start_matches('@')).as_slice() {
        [one] => Ok(one.user.to_string()),
        [] => Err(Refusal::invalid(argument, format!("Nobody is called {name:?}. {}", listed(&all))).into()),
        several => {
            let (count, known) = (several.len(), listed(several.iter().copied()));
            Err(Refusal::invalid(argument, format!("{count} people are called that. {known}")).into())
        }
    }
}

/// The same for a change.
///
/// # Errors
/// As [`person`].
pub(crate) async fn patched(guest: &Guest, argument: &str, said: Patch<String>) -> ApiResult<Patch<String>> {
    Ok(match said {
        Patch::Set(said) => Patch::Set(person(guest, argument, &said).await?),
        same => same,
    })
}

/// Those of the name or address; otherwise those of whose name it is a word.
fn chosen<'a>(all: &'a [Member], name: &str) -> Vec<&'a Member> {
    let same = |text: &str| text.to_lowercase() == name.to_lowercase();
    let exact: Vec<&Member> =
        all.iter().filter(|member| same(&member.display_name) || same(&member.email)).collect();
    if !exact.is_empty() {
        return exact;
    }
    all.iter().filter(|member| member.display_name.split_whitespace().any(same)).collect()
}

fn listed<'a>(people: impl IntoIterator<Item = &'a Member>) -> String {
    let names: Vec<String> = people
        .into_iter()
        .map(|member| format!("{} ({})", quoted(&member.display_name), member.user))
        .collect();
    format!("There are: {}. get_context lists all.", first_of(names.iter().map(String::as_str)))
}
