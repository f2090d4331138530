//! Keys as they are typed: in any case, and with a hint where something else was typed or pasted.

use svc_domain::ids::{ItemKey, ProjectKey};

use crate::values::{OrNone, is_none};

/// Reads an item key in any case.
pub(crate) fn item_key(text: &str) -> Result<ItemKey, String> {
    text.to_ascii_uppercase().parse().map_err(|_| no_item_key(text))
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
            Some(key) => format!("this is an address; write the key in it, {key}"),
            None => "this is an address, and no item's; write a key such as PRJ-12".to_owned(),
        };
    }
    if !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()) {
        return format!("a number alone does not name a project; write the key, such as PRJ-{number}");
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
            ("https://tracker.example/o/demo/p/PRJ/items/PRJ-12?tab=history", "write the key in it, PRJ-12"),
            ("https://tracker.example/inbox", "write a key such as PRJ-12"),
            ("#12", "such as PRJ-12"),
            ("12", "such as PRJ-12"),
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
