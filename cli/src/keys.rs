//! Keys as they are typed: in any case, a number alone where commands work in a project, and with a hint where
//! something else was typed or pasted.

use std::sync::OnceLock;

use svc_domain::ids::{ItemKey, ProjectKey};

use crate::values::{OrNone, is_none};

/// Finds the project that commands work in when none is named.
static DEFAULT_PROJECT: OnceLock<fn() -> Option<String>> = OnceLock::new();

/// From now on a number alone is an item of the project that this finds.
pub(crate) fn number_items_in(project: fn() -> Option<String>) {
    // Only the first choice counts, and there is only one.
    let _ = DEFAULT_PROJECT.set(project);
}

/// Reads an item key in any case, or the number of an item of the default project.
pub(crate) fn item_key(text: &str) -> Result<ItemKey, String> {
    let key = text.to_ascii_uppercase();
    key.parse().or_else(|_| item_of_default_project(text).ok_or_else(|| no_item_key(text)))
}

fn item_of_default_project(text: &str) -> Option<ItemKey> {
    let number = text.strip_prefix('#').unwrap_or(text);
    if !is_number(number) {
        return None;
    }
    let project = DEFAULT_PROJECT.get()?()?;
    format!("{}-{number}", project.to_ascii_uppercase()).parse().ok()
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Reads an item key in any case, or `none`.
pub(crate) fn item_key_or_none(text: &str) -> Result<OrNone<ItemKey>, String> {
    if is_none(text) { Ok(OrNone::None) } else { item_key(text).map(OrNone::Some) }
}

/// Reads a project key in any case.
pub(crate) fn project_key(text: &str) -> Result<ProjectKey, String> {
    let key = text.to_ascii_uppercase();
    key.parse().map_err(|wrong| match key.parse::<ItemKey>() {
        Ok(item) => format!("{item} is an item; its project is {}", item.project),
        Err(_) => format!("{wrong}"),
    })
}

/// What is wrong with what is no item key, and what to write.
fn no_item_key(text: &str) -> String {
    let upper = text.to_ascii_uppercase();
    let number = upper.trim_start_matches('#');
    if text.contains("://") {
        let pasted = upper.split(['/', '?', '#']).filter_map(|part| part.parse::<ItemKey>().ok()).next_back();
        return match pasted {
            Some(key) => format!("this is a URL; use the key in it, {key}"),
            None => "this URL does not name an item; use a key such as PRJ-12".to_owned(),
        };
    }
    if text.len() == 36 && uuid::Uuid::try_parse(text).is_ok() {
        return "this is an id; give the key of the item first, such as PRJ-12".to_owned();
    }
    if is_number(number) {
        return format!(
            "for a number alone, set a default project with `svc project use <PROJECT_KEY>`; or give the key, such \
            as PRJ-{number}"
        );
    }
    let start = upper.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(upper.len());
    let (project, rest) = upper.split_at(start);
    let digits = rest.trim_start_matches(['-', '_', '#', ' ', '/', ':']);
    match format!("{project}-{digits}").parse::<ItemKey>() {
        Ok(key) => format!("this is not an item key; did you mean {key}?"),
        Err(_) => "this is not an item key such as PRJ-12".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::{item_key, project_key};

    #[test]
    fn keys_are_read_in_any_case_and_checked() {
        assert_eq!(item_key("prj-12").unwrap().to_string(), "PRJ-12");
        assert_eq!(project_key("prj").unwrap().as_str(), "PRJ");
        for text in ["", "PRJ", "PRJ-x", "../me-1"] {
            assert!(item_key(text).is_err(), "{text:?}");
        }
        for text in ["", "P/1", "..", "é"] {
            assert!(project_key(text).is_err(), "{text:?}");
        }
    }

    #[test]
    fn what_people_paste_instead_is_told_from_a_key() {
        for (text, said) in [
            ("https://tracker.example/o/demo/p/PRJ/items/PRJ-12?tab=history", "use the key in it, PRJ-12"),
            ("https://tracker.example/inbox", "use a key such as PRJ-12"),
            ("#12", "such as PRJ-12"),
            ("12", "such as PRJ-12"),
            ("0193a6e5-0000-7000-8000-000000000001", "give the key of the item first"),
            ("prj12", "did you mean PRJ-12?"),
            ("PRJ_12", "did you mean PRJ-12?"),
            ("prj#12", "did you mean PRJ-12?"),
            ("PRJ-012", "not an item key such as PRJ-12"),
            ("", "not an item key such as PRJ-12"),
        ] {
            let wrong = item_key(text).unwrap_err();
            assert!(wrong.contains(said), "{text:?}: {wrong}");
        }
        assert_eq!(project_key("prj-12").unwrap_err(), "PRJ-12 is an item; its project is PRJ");
    }
}
