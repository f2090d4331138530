//! How this program was installed: by which package manager, and where.
//!
//! Read from the path of the executable, which nothing but the installation decides. A program that was built here, or
//! belongs to the packages of a project, is none that is updated.

use std::fs::File;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use rustix::fs::Access;
use semver::Version;
use tempfile::NamedTempFile;

use super::error::UpdateError;
use super::package::platform;
use super::registry::Registry;
use crate::locking::lock_file;
use crate::process::find_executable;

/// A package manager, as far as it matters how it installs for the whole user.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Manager {
    Npm,
    Pnpm,
    Yarn,
    Bun,
}

/// An installation of `@svc/cli` for the whole user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Installation {
    manager: Manager,
    /// The directory that holds the package manager's global packages and programs.
    home: PathBuf,
    /// The directory `@svc/cli`.
    package: PathBuf,
}

impl Installation {
    /// The installation that this program belongs to, if it is one.
    pub fn of_this_program() -> Option<Self> {
        Self::of(&std::env::current_exe().ok()?)
    }

    /// The installation that an executable belongs to, if it is one.
    pub fn of(executable: &Path) -> Option<Self> {
        let packaged = executable.ends_with(format!("@svc/cli-{}/bin/svc", platform()));
        let found = executable.ancestors().filter(|_| packaged).find_map(home_of);
        let (manager, home, package) = found?;
        package.join("package.json").is_file().then_some(Self { manager, home, package })
    }

    /// The directory of the package, which pnpm makes anew for each version.
    pub(super) fn package(&self) -> PathBuf {
        let latest = if self.manager == Manager::Pnpm { latest_of_pnpm(&self.home) } else { None };
        latest.unwrap_or_else(|| self.package.clone())
    }

    pub(super) fn home(&self) -> &Path {
        &self.home
    }

    /// The command that stays the same when another version is installed.
    pub fn launcher(&self) -> Option<PathBuf> {
        let place = match self.manager {
            Manager::Npm | Manager::Bun => self.home.join("bin/svc"),
            Manager::Pnpm => {
                let places = [self.home.join("bin/svc"), self.home.join("svc")];
                places.into_iter().find(|place| place.is_file())?
            }
            Manager::Yarn => find_executable(Path::new("svc"), std::env::var_os("PATH").as_deref())?,
        };
        place.is_file().then_some(place)
    }

    /// Whether this user may replace the files.
    ///
    /// # Errors
    /// [`UpdateError::NoPermission`].
    pub fn writable(&self) -> Result<(), UpdateError> {
        let package = self.package();
        let places = [Some(package.as_path()), package.parent()];
        let closed =
            places.into_iter().flatten().find(|place| rustix::fs::access(*place, Access::WRITE_OK).is_err());
        closed.map_or(Ok(()), |place| Err(UpdateError::NoPermission(place.to_owned())))
    }

    /// The file that says where `@svc` comes from, for a package manager that has no option for that: bun would ask the
    /// registry that `~/.npmrc` names for the scope.
    ///
    /// # Errors
    /// The disk refuses.
    pub(super) fn settings(&self, registry: &Registry) -> io::Result<Option<NamedTempFile>> {
        if self.manager != Manager::Bun {
            return Ok(None);
        }
        let mut file = tempfile::Builder::new().prefix("svc-update-").suffix(".toml").tempfile()?;
        writeln!(file, "[install.scopes]\n\"@svc\" = {:?}", registry.address())?;
        Ok(Some(file))
    }

    /// The package manager's command that installs a version. It runs no scripts of packages, and takes `@svc` from the
    /// registry whatever any file says, but for those [`Self::settings`].
    pub(super) fn command(
        &self,
        version: &Version,
        registry: &Registry,
        settings: Option<&Path>,
    ) -> (PathBuf, Vec<String>) {
        let registry = registry.address();
        let (scope, prefix) = (format!("--@svc:registry={registry}"), self.home.to_string_lossy());
        let pnpm_scope = format!("--config.@svc:registry={registry}");
        let (name, verb): (_, &[&str]) = match self.manager {
            Manager::Npm => ("npm", &["install", "--global", "--prefix", &prefix, &scope]),
            Manager::Pnpm => ("pnpm", &["add", "--global", &pnpm_scope]),
            Manager::Yarn => ("yarn", &["global", "add", "--non-interactive"]),
            Manager::Bun => ("bun", &["add", "--global"]),
        };
        let quiet: &[&str] = match self.manager {
            Manager::Npm => &["--include=optional", "--no-audit", "--no-fund", "--loglevel=error"],
            Manager::Pnpm | Manager::Yarn | Manager::Bun => &[],
        };
        let args = verb.iter().chain(quiet).copied().chain(["--ignore-scripts", "--registry", registry]);
        let mut args: Vec<String> = args.map(str::to_owned).collect();
        args.extend(settings.map(|file| format!("--config={}", file.display())));
        args.push(format!("@svc/cli@{version}"));
        // The package manager lies beside what it installed, or on PATH.
        let beside = self.home.join("bin").join(name);
        (if beside.is_file() { beside } else { PathBuf::from(name) }, args)
    }
}

/// The package manager whose global packages lie in a directory, its home, and the package.
fn home_of(place: &Path) -> Option<(Manager, PathBuf, PathBuf)> {
    let modules = place.join("node_modules");
    let package = modules.join("@svc/cli");
    let up = |count: usize| place.ancestors().nth(count).map(Path::to_owned);
    if place.ends_with("install/global") {
        return Some((Manager::Bun, up(2)?, package));
    }
    if place.ends_with("yarn/global") {
        return Some((Manager::Yarn, place.to_owned(), package));
    }
    if up(1)?.ends_with("pnpm/global") {
        return Some((Manager::Pnpm, up(2)?, package));
    }
    // Since version 11, everything lies in a store that is shared: `pnpm/store/v11/links`.
    if place.ends_with("links") && up(2)?.ends_with("pnpm/store") {
        let home = up(3)?;
        let package = latest_of_pnpm(&home)?;
        return Some((Manager::Pnpm, home, package));
    }
    // A project may be called `lib` as well: that one has a manifest.
    let global = place.ends_with("lib") && modules.is_dir() && !place.join("package.json").exists();
    global.then(|| up(1).map(|home| (Manager::Npm, home, package))).flatten()
}

/// The package where pnpm keeps each set of global packages in a directory of its own: that of the last installation.
fn latest_of_pnpm(home: &Path) -> Option<PathBuf> {
    let listed = |place: &Path| std::fs::read_dir(place).into_iter().flatten().flatten();
    let versions = listed(&home.join("global")).map(|version| version.path());
    let sets = versions.flat_map(|version| listed(&version).map(|set| set.path()).collect::<Vec<_>>());
    let found = sets.filter(|set| set.join("node_modules/@svc/cli/package.json").is_file());
    let latest = found.max_by_key(|set| set.symlink_metadata().and_then(|meta| meta.modified()).ok())?;
    Some(latest.join("node_modules/@svc/cli"))
}

/// Waits until no other process of this user changes the installation.
pub(super) async fn lock(installation: &Installation) -> io::Result<File> {
    let directory = crate::directories::state_home().map_err(io::Error::other)?;
    let name = format!("update-{}.lock", platform());
    tracing::debug!(package = %installation.package.display(), "waiting for other updates");
    lock_file(directory, name).await
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Makes an executable at a place below a directory, and the package at another.
    fn installed(directory: &Path, executable: &str, package: &str) -> PathBuf {
        let executable = directory.join(executable.replace("PLATFORM", &platform()));
        std::fs::create_dir_all(executable.parent().unwrap()).unwrap();
        std::fs::write(&executable, "").unwrap();
        std::fs::create_dir_all(directory.join(package)).unwrap();
        std::fs::write(directory.join(package).join("package.json"), "{}").unwrap();
        executable
    }

    #[test]
    fn each_package_manager_is_known_by_where_it_installs() {
        for (executable, package, manager, home) in [
            (
                "usr/lib/node_modules/@svc/cli/node_modules/@svc/cli-PLATFORM/bin/svc",
                "usr/lib/node_modules/@svc/cli",
                Manager::Npm,
                "usr",
            ),
            (
                "usr/lib/node_modules/@svc/cli-PLATFORM/bin/svc",
                "usr/lib/node_modules/@svc/cli",
                Manager::Npm,
                "usr",
            ),
            (
                "share/pnpm/global/5/.pnpm/@svc+cli-PLATFORM@1.0.0/node_modules/@svc/cli-PLATFORM/bin/svc",
                "share/pnpm/global/5/node_modules/@svc/cli",
                Manager::Pnpm,
                "share/pnpm",
            ),
            (
                "share/pnpm/store/v11/links/@svc/cli-PLATFORM/1.0.0/e0/node_modules/@svc/cli-PLATFORM/bin/svc",
                "share/pnpm/global/v11/38cf-0/node_modules/@svc/cli",
                Manager::Pnpm,
                "share/pnpm",
            ),
            (
                ".config/yarn/global/node_modules/@svc/cli-PLATFORM/bin/svc",
                ".config/yarn/global/node_modules/@svc/cli",
                Manager::Yarn,
                ".config/yarn/global",
            ),
            (
                ".bun/install/global/node_modules/@svc/cli-PLATFORM/bin/svc",
                ".bun/install/global/node_modules/@svc/cli",
                Manager::Bun,
                ".bun",
            ),
        ] {
            let directory = tempfile::tempdir().unwrap();
            let executable = installed(directory.path(), executable, package);
            let found = Installation::of(&executable).unwrap_or_else(|| panic!("{}", executable.display()));
            assert_eq!((found.manager, &found.home), (manager, &directory.path().join(home)));
            assert_eq!(found.package(), directory.path().join(package));
        }
    }

    #[test]
    fn what_was_built_or_belongs_to_a_project_is_not_updated() {
        for (executable, package) in [
            ("target/debug/svc", "target/lib/node_modules/@svc/cli"),
            ("app/node_modules/@svc/cli-PLATFORM/bin/svc", "app/node_modules/@svc/cli"),
            ("usr/lib/node_modules/@svc/cli-PLATFORM/bin/svc", "elsewhere"),
        ] {
            let directory = tempfile::tempdir().unwrap();
            let executable = installed(directory.path(), executable, package);
            assert_eq!(Installation::of(&executable), None, "{}", executable.display());
        }
        let directory = tempfile::tempdir().unwrap();
        let project = installed(
            directory.path(),
            "lib/node_modules/@svc/cli-PLATFORM/bin/svc",
            "lib/node_modules/@svc/cli",
        );
        std::fs::write(directory.path().join("lib/package.json"), "{}").unwrap();
        assert_eq!(Installation::of(&project), None, "a project that is called lib");
    }

    #[test]
    fn npm_is_told_where_everything_comes_from_and_goes_to() {
        let directory = tempfile::tempdir().unwrap();
        let executable = installed(
            directory.path(),
            "usr/lib/node_modules/@svc/cli-PLATFORM/bin/svc",
            "usr/lib/node_modules/@svc/cli",
        );
        let installation = Installation::of(&executable).unwrap();
        let registry = Registry::of_environment(|_| Some("http://r.example".to_owned())).unwrap();
        let (program, args) = installation.command(&Version::new(1, 2, 3), &registry, None);
        assert_eq!(program, PathBuf::from("npm"));
        assert!(installation.settings(&registry).unwrap().is_none(), "it has an option for the scope");
        for arg in
            ["--registry", "http://r.example/", "--@svc:registry=http://r.example/", "--ignore-scripts"]
        {
            assert!(args.iter().any(|known| known == arg), "{args:?}");
        }
        assert_eq!(args.last().unwrap(), "@svc/cli@1.2.3");
        let prefix = args.iter().position(|arg| arg == "--prefix").unwrap();
        assert_eq!(Path::new(&args[prefix + 1]), directory.path().join("usr"));
    }

    /// Bun asked the registry that `~/.npmrc` names for the scope.
    #[test]
    fn bun_is_told_by_a_file_where_the_scope_comes_from() {
        let directory = tempfile::tempdir().unwrap();
        let executable = installed(
            directory.path(),
            ".bun/install/global/node_modules/@svc/cli-PLATFORM/bin/svc",
            ".bun/install/global/node_modules/@svc/cli",
        );
        let installation = Installation::of(&executable).unwrap();
        let registry = Registry::of_environment(|_| Some("http://r.example".to_owned())).unwrap();
        let settings = installation.settings(&registry).unwrap().unwrap();
        let said = std::fs::read_to_string(settings.path()).unwrap();
        assert_eq!(said, "[install.scopes]\n\"@svc\" = \"http://r.example/\"\n");
        let (_, args) = installation.command(&Version::new(1, 2, 3), &registry, Some(settings.path()));
        assert!(args.contains(&format!("--config={}", settings.path().display())), "{args:?}");
    }
}
