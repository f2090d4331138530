//! Addresses: a route's template filled with encoded arguments.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use crate::error::Error;

/// Everything but the unreserved characters of RFC 3986.
const SEGMENT: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// Fills each `{}` of a route with one encoded segment and each `{path}` with several, separated by `/`.
///
/// An argument that would change the route is refused: an empty one, and `.` and `..`, which every URL
/// parser resolves even when they are encoded.
pub(crate) fn fill(template: &str, args: &[&str]) -> Result<String, Error> {
    let mut filled = String::with_capacity(template.len() + 40);
    let mut args = args.iter();
    for part in template.split('/').skip(1) {
        match part {
            "{}" => push(&mut filled, next(&mut args, template)?)?,
            "{path}" => {
                for segment in next(&mut args, template)?.split('/') {
                    push(&mut filled, segment)?;
                }
            }
            literal => {
                filled.push('/');
                filled.push_str(literal);
            }
        }
    }
    Ok(filled)
}

fn next<'a>(args: &mut std::slice::Iter<'_, &'a str>, template: &str) -> Result<&'a str, Error> {
    args.next().copied().ok_or_else(|| Error::Unsendable(format!("{template} lacks an argument")))
}

fn push(filled: &mut String, segment: &str) -> Result<(), Error> {
    if matches!(segment, "" | "." | "..") {
        return Err(Error::Unsendable(format!("{segment:?} cannot be part of an address")));
    }
    filled.push('/');
    filled.extend(utf8_percent_encode(segment, SEGMENT));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::fill;

    #[test]
    fn arguments_are_one_segment_each() {
        assert_eq!(fill("/orgs/{}/items/{}", &["demo", "PRJ-1"]).unwrap(), "/orgs/demo/items/PRJ-1");
        assert_eq!(fill("/orgs/{}", &["a/b?c#d é%"]).unwrap(), "/orgs/a%2Fb%3Fc%23d%20%C3%A9%25");
    }

    #[test]
    fn a_page_path_keeps_its_slashes() {
        assert_eq!(
            fill("/wiki/pages/{path}", &["Factory/Fix a bug"]).unwrap(),
            "/wiki/pages/Factory/Fix%20a%20bug"
        );
    }

    #[test]
    fn an_argument_cannot_climb_to_another_route() {
        for argument in ["", ".", ".."] {
            assert!(fill("/orgs/{}/items/{}", &["demo", argument]).is_err(), "{argument:?}");
        }
        for path in ["../../me", "a//b", "/a", "a/", "a/../b"] {
            assert!(fill("/wiki/pages/{path}", &[path]).is_err(), "{path:?}");
        }
    }
}
