//! `install-service`: prints a service definition. It writes and enables nothing.
//!
//! | platform | definition        | stop                                       | started again                       |
//! |----------|-------------------|--------------------------------------------|-------------------------------------|
//! | linux    | systemd user unit | runs end first; a second signal cancels    | after 75 and any failure but 5      |
//! | macos    | launchd agent     | runs get 15 minutes                        | after any failure; 5 becomes 0 there |
//! | windows  | scheduled task    | runs are cancelled at once                 | 10 seconds after any end but 5      |

use std::path::Path;

use clap::{Args, ValueEnum};

use super::CliError;
use crate::harness::KNOWN;
use crate::update::Installation;

/// Print a service definition for this user
///
/// The service starts the runner with the machine, and again after an update or a crash. The command only prints the
/// definition; its first lines say how to install it.
#[derive(Clone, Debug, Args)]
pub struct InstallService {
    /// Number of runs at the same time
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=16))]
    parallel: Option<u32>,
    /// System to print the definition for [default: this one]
    #[arg(long, value_name = "OS", value_enum)]
    platform: Option<Platform>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Platform {
    /// systemd
    Linux,
    /// launchd
    Macos,
    /// Task Scheduler
    Windows,
}

/// What a definition is made of.
struct Service {
    program: String,
    args: Vec<String>,
    path: String,
    /// Others that say where things are.
    variables: Vec<(String, String)>,
    home: String,
    user: String,
}

impl InstallService {
    pub(super) fn run(self) -> Result<u8, CliError> {
        let platform = self.platform.unwrap_or(match std::env::consts::OS {
            "macos" => Platform::Macos,
            "windows" => Platform::Windows,
            _ => Platform::Linux,
        });
        let service = Service::of_this_program(self.parallel)?;
        print!("{}", service.definition(platform));
        Ok(0)
    }
}

impl Service {
    fn of_this_program(parallel: Option<u32>) -> Result<Self, CliError> {
        let program = std::env::current_exe()
            .map_err(|error| CliError::Rejected(format!("cannot find the path of this program: {error}")))?;
        // The path of an installed binary may change with its version, that of the command does not.
        let program = Installation::of(&program).and_then(|found| found.launcher()).unwrap_or(program);
        let variable = |name: &str| std::env::var(name).unwrap_or_default();
        let named = program.file_stem().is_some_and(|name| name == "svc-runner");
        let mut args: Vec<String> =
            if named { vec!["start".into()] } else { vec!["runner".into(), "start".into()] };
        if let Some(parallel) = parallel {
            args.extend(["--parallel".to_owned(), parallel.to_string()]);
        }
        let service = Self {
            program: text(&program),
            args,
            path: variable("PATH"),
            variables: carried(),
            home: variable("HOME"),
            user: [variable("USER"), variable("LOGNAME"), variable("USERNAME")]
                .into_iter()
                .find(|name| !name.is_empty())
                .unwrap_or_default(),
        };
        let all = [&service.program, &service.path, &service.home, &service.user];
        if all
            .into_iter()
            .chain(service.variables.iter().map(|(_, value)| value))
            .any(|text| text.chars().any(char::is_control))
        {
            return Err(CliError::Rejected("PATH, HOME or this program's path hold a line break".to_owned()));
        }
        Ok(service)
    }

    fn each(&self, line: impl Fn(&str, &str) -> String) -> String {
        self.variables.iter().map(|(name, value)| line(name, value)).collect()
    }

    fn definition(&self, platform: Platform) -> String {
        match platform {
            Platform::Linux => self.systemd(),
            Platform::Macos => self.launchd(),
            Platform::Windows => self.scheduler(),
        }
    }

    /// A unit of the user's own manager. One stop signal lets runs end, which takes as long as it takes; the second
    /// comes from a person, with `systemctl --user kill`.
    fn systemd(&self) -> String {
        let words: Vec<String> =
            std::iter::once(&self.program).chain(&self.args).map(|word| systemd_word(word)).collect();
        format!(
            "# Save as ~/.config/systemd/user/svc-runner.service, then:\n\
             #   systemctl --user daemon-reload && systemctl --user enable --now svc-runner\n\
             #   loginctl enable-linger   # lets it run while nobody is signed in\n\
             # `systemctl --user stop svc-runner` lets runs end; to cancel them: systemctl --user kill svc-runner\n\
             [Unit]\n\
             Description=svc runner: executes runs of the agent factory\n\
             Wants=network-online.target\n\
             After=network-online.target\n\
             StartLimitIntervalSec=0\n\
             \n\
             [Service]\n\
             Type=exec\n\
             ExecStart={}\n\
             Environment={}\n\
             {}Environment=SVC_RUNNER_SERVICE=1\n\
             Restart=on-failure\n\
             RestartForceExitStatus=75\n\
             RestartPreventExitStatus=5\n\
             RestartSec=10\n\
             KillMode=mixed\n\
             KillSignal=SIGTERM\n\
             TimeoutStopSec=infinity\n\
             \n\
             [Install]\n\
             WantedBy=default.target\n",
            words.join(" "),
            systemd_word(&format!("PATH={}", self.path)),
            self.each(|name, value| format!("Environment={}\n", systemd_word(&format!("{name}={value}")))),
        )
    }

    fn launchd(&self) -> String {
        let words = std::iter::once(&self.program).chain(&self.args);
        let words: String =
            words.map(|word| format!("        <string>{}</string>\n", escaped(word))).collect();
        format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
             <!DOCTYPE plist PUBLIC \"-//Apple//DTD PLIST 1.0//EN\" \"http://www.apple.com/DTDs/PropertyList-1.0.dtd\">\n\
             <!-- Save as ~/Library/LaunchAgents/svc.runner.plist, then:\n     \
             launchctl bootstrap gui/$(id -u) ~/Library/LaunchAgents/svc.runner.plist -->\n\
             <plist version=\"1.0\">\n<dict>\n    \
             <key>Label</key>\n    <string>svc.runner</string>\n    \
             <key>ProgramArguments</key>\n    <array>\n{words}    </array>\n    \
             <key>EnvironmentVariables</key>\n    <dict>\n        \
             <key>PATH</key>\n        <string>{path}</string>\n        {variables}\
             <key>SVC_RUNNER_SERVICE</key>\n        <string>1</string>\n    </dict>\n    \
             <key>RunAtLoad</key>\n    <true/>\n    \
             <key>KeepAlive</key>\n    <dict>\n        \
             <key>SuccessfulExit</key>\n        <false/>\n    </dict>\n    \
             <key>ThrottleInterval</key>\n    <integer>10</integer>\n    \
             <key>ExitTimeOut</key>\n    <integer>900</integer>\n    \
             <key>StandardErrorPath</key>\n    <string>{home}/Library/Logs/svc-runner.log</string>\n\
             </dict>\n</plist>\n",
            path = escaped(&self.path),
            variables = self.each(|name, value| {
                format!("<key>{name}</key>\n        <string>{}</string>\n        ", escaped(value))
            }),
            home = escaped(&self.home),
        )
    }

    /// Task Scheduler restarts nothing by exit code: the loop does, until the secret is refused (5).
    fn scheduler(&self) -> String {
        let words: Vec<String> =
            std::iter::once(&self.program).chain(&self.args).map(|word| format!("\"{word}\"")).collect();
        let script = format!(
            "/d /s /c \"set SVC_RUNNER_SERVICE=1& {}set PATH={}& for /l %i in () do ({} & if errorlevel 5 if not \
             errorlevel 6 exit /b 0 & timeout /t 10 /nobreak >nul)\"",
            self.each(|name, value| format!("set {name}={value}& ")),
            self.path,
            words.join(" "),
        );
        format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
             <!-- Save as svc-runner.xml, then: schtasks /create /tn svc-runner /xml svc-runner.xml -->\n\
             <Task version=\"1.2\" xmlns=\"http://schemas.microsoft.com/windows/2004/02/mit/task\">\n  \
             <RegistrationInfo>\n    <Description>svc runner: executes runs of the agent factory</Description>\n  \
             </RegistrationInfo>\n  \
             <Triggers>\n    <LogonTrigger>\n      <UserId>{user}</UserId>\n    </LogonTrigger>\n  </Triggers>\n  \
             <Principals>\n    <Principal id=\"Author\">\n      <UserId>{user}</UserId>\n      \
             <LogonType>InteractiveToken</LogonType>\n      <RunLevel>LeastPrivilege</RunLevel>\n    \
             </Principal>\n  </Principals>\n  \
             <Settings>\n    <MultipleInstancesPolicy>IgnoreNew</MultipleInstancesPolicy>\n    \
             <DisallowStartIfOnBatteries>false</DisallowStartIfOnBatteries>\n    \
             <StopIfGoingOnBatteries>false</StopIfGoingOnBatteries>\n    \
             <ExecutionTimeLimit>PT0S</ExecutionTimeLimit>\n    \
             <Enabled>true</Enabled>\n  </Settings>\n  \
             <Actions Context=\"Author\">\n    <Exec>\n      <Command>cmd.exe</Command>\n      \
             <Arguments>{script}</Arguments>\n    </Exec>\n  </Actions>\n\
             </Task>\n",
            user = escaped(&self.user),
            script = escaped(&script),
        )
    }
}

/// The variables of this shell by which the runner finds its files and harnesses. A service starts elsewhere: paths
/// become absolute.
fn carried() -> Vec<(String, String)> {
    let places = ["SVC_CONFIG_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"];
    let names = places.into_iter().chain(KNOWN.iter().map(|known| known.variable));
    let set =
        names.filter_map(|name| Some((name, std::env::var(name).ok().filter(|value| !value.is_empty())?)));
    let absolute = |(name, value): (&str, String)| {
        let is_path = places.contains(&name) || value.contains('/');
        let path = std::path::absolute(&value).ok().filter(|_| is_path);
        (name.to_owned(), path.map_or(value, |path| text(&path)))
    };
    set.map(absolute).collect()
}

fn text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

/// A word of a unit: `%` and `$` mean something there.
fn systemd_word(word: &str) -> String {
    let escaped = word.replace('\\', "\\\\").replace('"', "\\\"").replace('%', "%%").replace('$', "$$");
    format!("\"{escaped}\"")
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    fn service() -> Service {
        Service {
            program: "/opt/a b/svc".into(),
            args: vec!["runner".into(), "start".into(), "--parallel".into(), "2".into()],
            path: "/opt/50% & <more>/bin:/usr/bin".into(),
            variables: Vec::new(),
            home: "/home/ada".into(),
            user: "ada".into(),
        }
    }

    #[test]
    fn every_platform_has_a_definition() {
        for (name, platform) in
            [("linux", Platform::Linux), ("macos", Platform::Macos), ("windows", Platform::Windows)]
        {
            insta::assert_snapshot!(name, service().definition(platform));
        }
    }

    /// The service took the default places, where nothing is registered.
    #[test]
    fn variables_that_say_where_things_are_are_carried_over() {
        let variables = vec![("SVC_CONFIG_HOME".to_owned(), "/srv/50% conf".to_owned())];
        let service = Service { variables, ..service() };
        assert!(service.systemd().contains("Environment=\"SVC_CONFIG_HOME=/srv/50%% conf\"\n"));
        assert!(
            service.launchd().contains("<key>SVC_CONFIG_HOME</key>\n        <string>/srv/50% conf</string>")
        );
        assert!(service.scheduler().contains("set SVC_CONFIG_HOME=/srv/50% conf&amp; "));
    }

    /// The platform's own checker, where it is installed.
    #[test]
    fn systemd_accepts_its_definition() {
        let directory = tempfile::tempdir().unwrap();
        let unit = directory.path().join("svc-runner.service");
        let service = Service { program: "/bin/sh".into(), ..service() };
        std::fs::write(&unit, service.systemd()).unwrap();
        let Ok(output) = Command::new("systemd-analyze").args(["verify", "--user"]).arg(&unit).output()
        else {
            println!("systemd-analyze is not installed");
            return;
        };
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(!said.contains("svc-runner.service:"), "{said}");
    }

    #[test]
    fn the_others_are_well_formed() {
        for platform in [Platform::Macos, Platform::Windows] {
            let text = service().definition(platform);
            let script = "import sys, xml.dom.minidom as x; x.parseString(sys.stdin.buffer.read())";
            let Ok(mut python) =
                Command::new("python3").args(["-c", script]).stdin(std::process::Stdio::piped()).spawn()
            else {
                println!("python3 is not installed");
                return;
            };
            std::io::Write::write_all(&mut python.stdin.take().unwrap(), text.as_bytes()).unwrap();
            assert!(python.wait().unwrap().success(), "{platform:?}");
        }
    }
}
