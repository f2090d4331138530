//! The order in which lists show names: as people read them, so that `v2` comes before `v10`, in any case and with or
//! without accents.

use crate::search::terms::fold_text;

/// What names are ordered by: the name as search folds it, with its numbers by their size.
pub fn natural_key(name: &str) -> String {
    let folded = fold_text(name);
    let mut key = String::with_capacity(folded.len() + 4);
    let mut rest = folded.as_str();
    while let Some(at) = rest.find(|c: char| c.is_ascii_digit()) {
        key.push_str(&rest[..at]);
        let digits = rest[at..].trim_start_matches(|c: char| c.is_ascii_digit());
        let number = &rest[at..rest.len() - digits.len()];
        let number = number.trim_start_matches('0');
        // A longer number is larger. It stands where digits do among other characters.
        key.push('0');
        key.push(char::from_u32(u32::try_from(number.len()).unwrap_or(u32::MAX)).unwrap_or(char::MAX));
        key.push_str(number);
        rest = digits;
    }
    key.push_str(rest);
    key
}

#[cfg(test)]
mod tests {
    use super::natural_key;

    #[test]
    fn names_are_in_the_order_in_which_people_count() {
        let expected = [
            "", " 3", "(new)", "0", "007", "8", "10", "10a", "Ärger 2", "ARGER 10", "B", "v1.2", "v1.10",
            "V2", "v10", "v10 b", "vier", "Ωmega", "日本",
        ];
        let mut names = expected;
        names.sort_unstable();
        names.sort_by_cached_key(|name| natural_key(name));
        assert_eq!(names, expected);
    }
}
