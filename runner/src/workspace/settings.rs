//! The settings of the mapped clone that hold for its runs: its own, and those that a person's files bring in for the clone
//! alone (`includeIf`), which git would not find in the repository of a run.

use std::fs;
use std::path::Path;

use super::git::{Git, GitError};
use super::origin::absolute;
use super::way::{LIST, Setting, settings};

/// Copies settings into the repository of a run, where they do not hold already.
pub(super) async fn take(clone: &Path, repo: &Path, taken: impl Fn(&str) -> bool) -> Result<(), GitError> {
    let failed =
        |error: std::io::Error| GitError { command: "config".to_owned(), message: error.to_string() };
    let place = repo.join(".git/config");
    let begun = fs::read_to_string(&place).map_err(failed)?;
    let (own, other): (Vec<_>, Vec<_>) =
        listed(&Git::at(clone)).await?.into_iter().filter(|one| taken(&one.name)).partition(|one| one.own);
    let own: String = own.iter().map(|one| one.line(clone)).collect();
    fs::write(&place, format!("{begun}{own}")).map_err(failed)?;
    let here = listed(&Git::at(repo)).await?;
    let other = other.iter().filter(|one| !here.contains(one));
    let other: String = other.map(|one| one.line(clone)).collect();
    fs::write(&place, format!("{begun}{other}{own}")).map_err(failed)
}

async fn listed(git: &Git) -> Result<Vec<Setting>, GitError> {
    Ok(settings(&git.run(LIST).await?))
}

impl Setting {
    /// As a line of a file, under a headline of its own. Paths of remotes become absolute.
    fn line(&self, clone: &Path) -> String {
        let name = self.name.as_str();
        let of_remote = name.starts_with("remote.") && (name.ends_with(".url") || name.ends_with(".pushurl"));
        let value = self.value.as_ref().map(|value| match value.as_str() {
            _ if of_remote => absolute(clone, value),
            // A mirror's, by which fetching would take the run's own branches away.
            "+refs/*:refs/*" => "+refs/heads/*:refs/remotes/origin/*".to_owned(),
            _ => value.clone(),
        });
        let quoted = |text: &str| text.replace('\\', "\\\\").replace('"', "\\\"");
        let (section, key) = name.rsplit_once('.').unwrap_or((name, ""));
        let section = match section.split_once('.') {
            Some((section, sub)) => format!("{section} \"{}\"", quoted(sub)),
            None => section.to_owned(),
        };
        let value =
            value.map(|value| format!(" = \"{}\"", quoted(&value).replace('\n', "\\n").replace('\t', "\\t")));
        format!("[{section}]\n\t{key}{}\n", value.unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn settings_are_read_back_as_they_were() {
        let place = tempfile::tempdir().unwrap();
        let (file, text) = (place.path().join("config"), "a \"quoted\" \\ text\nof two\tlines # and ; more ");
        let name = "url.https://me@host/\"x\".y/.insteadof";
        let line = |name: &str, value: Option<&str>| {
            let setting = Setting { name: name.to_owned(), value: value.map(str::to_owned), own: true };
            setting.line(Path::new("/"))
        };
        fs::write(&file, line(name, Some(text)) + &line("core.flag", None)).unwrap();
        let listed = Git::at("/")
            .run(["config".as_ref(), "--file".as_ref(), file.as_os_str(), "--list".as_ref(), "-z".as_ref()])
            .await
            .unwrap();
        assert_eq!(listed, format!("{name}\n{text}\0core.flag\0"));
    }
}
