//! The project of the clone that a command runs in, as `svc runner map` maps it.

use std::path::Path;

use svc_runner::directories::config_home;
use svc_runner::runner_file::{RunnerFile, RunnerFileStore};

use super::{Setting, Source, same_instance};

/// The project whose clone the current directory is in, of an instance and an organization.
pub(super) fn project(url: &str, org: Option<&str>) -> Option<Setting> {
    let store = RunnerFileStore::in_directory(&config_home().ok()?);
    let here = std::env::current_dir().ok()?;
    let value = of_clone(&store.load().ok()?, &here, url, org)?;
    Some(Setting { value, source: Source::File(store.path().to_owned()) })
}

/// The innermost mapped clone decides.
fn of_clone(file: &RunnerFile, here: &Path, url: &str, org: Option<&str>) -> Option<String> {
    let profiles = file.profiles.iter().filter(|profile| {
        same_instance(&profile.url, url) && org.is_none_or(|org| org == profile.organization)
    });
    let clones = profiles.flat_map(|profile| &profile.workspaces);
    let around = clones.filter(|(_, clone)| here.starts_with(clone.canonicalize().as_ref().unwrap_or(clone)));
    around.max_by_key(|(_, clone)| clone.components().count()).map(|(key, _)| key.clone())
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::of_clone;

    #[test]
    fn the_innermost_clone_of_the_instance_and_organization_decides() {
        let file = serde_json::from_str(
            r#"{"profiles":[
                {"organization":"demo","url":"http://here","token":"jrn_1","workspaces":{"PRJ":"/src","WEB":"/src/web"}},
                {"organization":"other","url":"http://here","token":"jrn_2","workspaces":{"API":"/src/api"}}]}"#,
        )
        .unwrap();
        let found = |here: &str, url, org| of_clone(&file, Path::new(here), url, org);
        assert_eq!(found("/src/web/app", "http://here", None).as_deref(), Some("WEB"));
        assert_eq!(found("/src/lib", "http://here/", Some("demo")).as_deref(), Some("PRJ"));
        assert_eq!(found("/src/api", "http://here", Some("other")).as_deref(), Some("API"));
        assert_eq!(found("/src/api", "http://there", None), None);
        assert_eq!(found("/srcs", "http://here", None), None);
    }
}
