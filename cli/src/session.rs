//! One command's connection: the client, and the organization that it works in.

use std::cell::OnceCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use sha2::{Digest as _, Sha256};
use svc_api::identity::Organization;
use svc_api::tracker::ProjectQuery;
use svc_client::{Client, ClientBuilder, Notice, Org, SecretString};
use svc_domain::ids::ProjectKey;

use crate::failure::Failure;
use crate::fresh;
use crate::keys::project_key;
use crate::output::{Output, one_line};
use crate::settings::{Account, ConfigFile, Setting, Settings, Source, same_instance};

/// A pause that people would wonder about.
const NOTICED: Duration = Duration::from_secs(2);
/// Milliseconds of pauses after which a person at a terminal hears of them.
const SILENT: u64 = 500;
/// Name and version, as the instance sees them.
const USER_AGENT: &str = concat!("svc/", env!("CARGO_PKG_VERSION"));

/// One command's connection to an instance.
pub(crate) struct Session<'a> {
    pub(crate) client: Client,
    pub(crate) output: &'a Output,
    org: OnceCell<String>,
    project: Option<String>,
    token_source: Source,
    whose: String,
}

impl<'a> Session<'a> {
    /// A connection with the settings' address and credential.
    pub(crate) fn open(settings: &Settings, output: &'a Output) -> Result<Self, Failure> {
        let url = required_url(settings)?;
        let token = settings.token.as_ref().ok_or_else(|| no_token(url, settings))?;
        let client = connect(url, &token.value, settings, output)?;
        let value = |setting: Option<&Setting>| setting.map(|setting| setting.value.clone());
        Ok(Self {
            client,
            output,
            org: value(settings.org.as_ref()).map_or_else(OnceCell::new, OnceCell::from),
            project: value(settings.project.as_ref()),
            token_source: token.source.clone(),
            whose: settings.account_id.clone().unwrap_or_else(|| fingerprint(&token.value)),
        })
    }

    /// Where the credential came from.
    pub(crate) const fn token_source(&self) -> &Source {
        &self.token_source
    }

    /// Tells whose credential it is: the account that signed in here; of another token, which one it is.
    pub(crate) fn whose(&self) -> &str {
        &self.whose
    }

    /// Whether the credential is that of an account that is signed in here.
    pub(crate) const fn is_stored(&self) -> bool {
        matches!(self.token_source, Source::File(_))
    }

    /// Remembers a choice for the account that is signed in here.
    pub(crate) fn remember(
        &self,
        file: ConfigFile,
        change: impl FnOnce(&mut Account),
    ) -> Result<(), Failure> {
        if !self.is_stored() {
            return Err(Failure::rejected("a default can be stored only for a signed-in account")
                .detail(format!("the token came from {}", self.token_source))
                .hint("sign in with `svc auth login`, or set SVC_ORG and SVC_PROJECT"));
        }
        let url = self.client.base_url();
        file.update(|config| {
            if config.current.is_at(url) {
                change(&mut config.current);
            } else if let Some(account) = config.accounts.iter_mut().find(|account| account.is_at(url)) {
                change(account);
            }
        })
    }

    /// The project to work in: the one that is named, else that of `SVC_PROJECT`, of `svc project use` or of the clone,
    /// else the only one.
    pub(crate) async fn project(&self, named: Option<ProjectKey>) -> Result<ProjectKey, Failure> {
        if let Some(key) = named {
            return Ok(key);
        }
        let set = match &self.project {
            Some(set) => set.clone(),
            None => self.only_project().await?,
        };
        project_key(&set)
            .map_err(|wrong| Failure::rejected(format!("the default project {set:?} is not a key: {wrong}")))
    }

    /// Key of the only project of the organization.
    async fn only_project(&self) -> Result<String, Failure> {
        let none = Failure::rejected("no project was given")
            .hint("give one with -p, set SVC_PROJECT, or set a default with `svc project use <PROJECT_KEY>`");
        let slug = self.org_slug().await?;
        let Ok(projects) = self.org(&slug).projects(&ProjectQuery::default()).await else { return Err(none) };
        match &projects[..] {
            [only] => Ok(only.key.clone()),
            [] => Err(Failure::not_found(format!("{slug} has no projects that you can see"))
                .hint("create one with `svc project create`, or ask to be added to one")),
            [first, .., last] => {
                Err(none.detail(format!("{slug} has several, from {} to {}", first.key, last.key)))
            }
        }
    }

    /// Slug of the organization to work in: the one that is set, or the only one that the credential sees.
    /// With several, a person at a terminal is asked, once.
    pub(crate) async fn org_slug(&self) -> Result<String, Failure> {
        if let Some(slug) = self.org.get() {
            return Ok(slug.clone());
        }
        let mut orgs = self.client.orgs().await?;
        let slug = match orgs.len() {
            0 => {
                return Err(Failure::not_found("you belong to no organization")
                    .hint("create one with `svc org create`, or ask for an invitation"));
            }
            1 => orgs.remove(0).slug,
            _ if self.output.can_ask() => choose(&orgs, self.output)?,
            _ => {
                return Err(Failure::rejected("you belong to several organizations")
                    .detail(slugs(&orgs))
                    .hint("give one with --org or SVC_ORG, or set a default with `svc org use <SLUG>`"));
            }
        };
        Ok(self.org.get_or_init(|| slug).clone())
    }

    /// The routes under an organization.
    pub(crate) fn org<'s>(&'s self, slug: &'s str) -> Org<'s> {
        self.client.org(slug)
    }
}

/// Tells one credential from another without saying what it is.
pub(crate) fn fingerprint(token: &str) -> String {
    hex::encode(Sha256::digest(token.as_bytes()))[..16].to_owned()
}

/// A client for the address, telling its notices.
pub(crate) fn connect(
    url: &str,
    token: &str,
    settings: &Settings,
    output: &Output,
) -> Result<Client, Failure> {
    if token.starts_with("jrn_") {
        return Err(Failure::rejected("this is a runner secret, not an access token").hint(
            "use it with `svc runner register`; sign in with `svc auth login --email <EMAIL>`, or with an access token",
        ));
    }
    built(settings, output, || Client::builder(url, USER_AGENT).token(SecretString::from(token)))
}

/// A client for the address that signs in with a password.
pub(crate) fn connect_for_password(
    url: &str,
    settings: &Settings,
    output: &Output,
) -> Result<Client, Failure> {
    built(settings, output, || Client::builder(url, USER_AGENT).passwords())
}

fn built(settings: &Settings, output: &Output, begin: impl Fn() -> ClientBuilder) -> Result<Client, Failure> {
    let talk = *output;
    let waited = Arc::new(AtomicU64::new(0));
    let build = |allow_plain_http| {
        let waited = Arc::clone(&waited);
        begin()
            .allow_plain_http(allow_plain_http)
            .idempotency_keys(fresh::idempotency_key)
            .on_notice(move |notice| tell(&talk, notice, &waited))
            .build()
    };
    build(settings.allow_plain_http).map_err(|error| {
        let failure = Failure::from(error);
        if build(true).is_ok() {
            return failure.hint("or set SVC_ALLOW_PLAIN_HTTP=1 if nobody else can read the network");
        }
        failure
    })
}

/// The instance's address, or what to do without one.
pub(crate) fn required_url(settings: &Settings) -> Result<&str, Failure> {
    let url = settings.url.as_ref().map(|Setting { value, .. }| value.as_str());
    url.ok_or_else(|| {
        Failure::rejected("no instance was given")
            .hint("sign in with `svc auth login --url <URL> --email <EMAIL>`, or set SVC_URL and SVC_TOKEN")
    })
}

fn no_token(url: &str, settings: &Settings) -> Failure {
    if settings.in_run {
        return Failure::not_authenticated("a run uses only its own token, and SVC_TOKEN is not set")
            .detail("SVC_ITEM is set, so this is an agent's run; the config file belongs to a person");
    }
    let here = one_line(url);
    let failure = Failure::not_authenticated(format!("not signed in to {here}"))
        .hint(format!("sign in with `svc auth login --url {here} --email <EMAIL>`, or set SVC_TOKEN"));
    let elsewhere: Vec<_> = settings
        .signed_in
        .iter()
        .filter(|place| !same_instance(place, url))
        .map(|place| one_line(place))
        .collect();
    if settings.signed_in.iter().any(|place| same_instance(place, url)) {
        return failure.hint(format!(
            "use another account that is signed in there with `svc auth switch`, or sign in with `svc auth login --url {here}`"
        ));
    }
    if elsewhere.is_empty() {
        return failure;
    }
    failure.detail(format!("there are stored tokens only for other instances: {}", elsewhere.join(", ")))
}

/// Tells a person what a notice says; `waited` are the milliseconds that were spent in pauses so far.
fn tell(output: &Output, notice: &Notice, waited: &AtomicU64) {
    match notice {
        Notice::Deprecated(deprecation) => {
            let mut text = format!("the instance will drop {}", deprecation.endpoint);
            if let Some(sunset) = &deprecation.sunset {
                text.push_str(&format!(" on {sunset}"));
            }
            match &deprecation.link {
                Some(link) => text.push_str(&format!("; see {link}")),
                None => text.push_str("; a newer svc may no longer use it"),
            }
            output.warn(&one_line(&text));
        }
        Notice::Retrying { reason, pause } if *pause >= NOTICED => {
            output.say(&format!("trying again in {} s: {}", pause.as_secs(), one_line(reason)));
        }
        Notice::Retrying { reason, pause } if output.is_watched() => {
            let pause = u64::try_from(pause.as_millis()).unwrap_or(u64::MAX);
            let before = waited.fetch_add(pause, Ordering::Relaxed);
            if before < SILENT && before.saturating_add(pause) >= SILENT {
                output.say(&format!("{}; trying again", one_line(reason)));
            }
        }
        _ => {}
    }
}

fn choose(orgs: &[Organization], output: &Output) -> Result<String, Failure> {
    for (index, org) in orgs.iter().enumerate() {
        output.say(&format!("  {}  {}  {}", index + 1, one_line(&org.slug), one_line(&org.name)));
    }
    let answer = output.ask("Organization (number or slug): ")?;
    let by_number = answer.parse::<usize>().ok().and_then(|number| orgs.get(number.checked_sub(1)?));
    let chosen = by_number.or_else(|| orgs.iter().find(|org| org.slug == answer));
    let chosen = chosen.ok_or_else(|| {
        Failure::rejected(format!("{answer:?} is not one of the organizations")).detail(slugs(orgs))
    })?;
    output.say(&format!("Make it the default with `svc org use {}`.", chosen.slug));
    Ok(chosen.slug.clone())
}

fn slugs(orgs: &[Organization]) -> String {
    orgs.iter().map(|org| org.slug.as_str()).collect::<Vec<_>>().join(", ")
}
