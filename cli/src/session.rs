//! One command's connection: the client, and the organization that it works in.

use std::time::Duration;

use svc_api::identity::Organization;
use svc_client::{Client, ClientBuilder, Notice, Org, SecretString};

use crate::failure::Failure;
use crate::fresh;
use crate::output::{Output, one_line};
use crate::settings::{Setting, Settings};

/// A pause that people would wonder about.
const NOTICED: Duration = Duration::from_secs(2);
/// Name and version, as the instance sees them.
const USER_AGENT: &str = concat!("svc/", env!("CARGO_PKG_VERSION"));

/// One command's connection to an instance.
pub(crate) struct Session<'a> {
    pub(crate) client: Client,
    pub(crate) output: &'a Output,
    org: Option<String>,
}

impl<'a> Session<'a> {
    /// A connection with the settings' address and credential.
    pub(crate) fn open(settings: &Settings, output: &'a Output) -> Result<Self, Failure> {
        let url = required_url(settings)?;
        let token = settings.token.as_ref().ok_or_else(|| no_token(settings))?;
        let client = connect(url, &token.value, settings, output)?;
        Ok(Self { client, output, org: settings.org.as_ref().map(|org| org.value.clone()) })
    }

    /// Slug of the organization to work in: the one that is set, or the only one that the credential sees.
    /// With several, a person at a terminal is asked.
    pub(crate) async fn org_slug(&self) -> Result<String, Failure> {
        if let Some(slug) = &self.org {
            return Ok(slug.clone());
        }
        let mut orgs = self.client.orgs().await?;
        match orgs.len() {
            0 => Err(Failure::not_found("this credential sees no organization")
                .hint("ask an administrator to add you to one")),
            1 => Ok(orgs.remove(0).slug),
            _ if self.output.can_ask() => choose(&orgs, self.output),
            _ => Err(Failure::rejected("there are several organizations to choose from")
                .detail(slugs(&orgs))
                .hint("name one with --org or SVC_ORG")),
        }
    }

    /// The routes under an organization.
    pub(crate) fn org<'s>(&'s self, slug: &'s str) -> Org<'s> {
        self.client.org(slug)
    }
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
            "use it with `svc runner register`; create an access token under Settings, Access tokens",
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
    let build = |allow_plain_http| {
        begin()
            .allow_plain_http(allow_plain_http)
            .idempotency_keys(fresh::idempotency_key)
            .on_notice(move |notice| tell(&talk, notice))
            .build()
    };
    build(settings.allow_plain_http).map_err(|error| {
        let failure = Failure::from(error);
        if build(true).is_ok() {
            return failure.hint("or set SVC_ALLOW_PLAIN_HTTP=1 where nobody else can read the network");
        }
        failure
    })
}

/// The instance's address, or what to do without one.
pub(crate) fn required_url(settings: &Settings) -> Result<&str, Failure> {
    let url = settings.url.as_ref().map(|Setting { value, .. }| value.as_str());
    url.ok_or_else(|| {
        Failure::rejected("no instance is set")
            .hint("sign in with `svc auth login --url <url>`, or set SVC_URL")
    })
}

fn no_token(settings: &Settings) -> Failure {
    if settings.in_run {
        return Failure::not_authenticated("a run works with its own token only, and SVC_TOKEN is not set")
            .detail("SVC_ITEM is set, so this is an agent's run; the config file belongs to a person");
    }
    Failure::not_authenticated("not signed in").hint("sign in with `svc auth login`, or set SVC_TOKEN")
}

fn tell(output: &Output, notice: &Notice) {
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
        Failure::rejected(format!("{answer:?} is none of the organizations")).detail(slugs(orgs))
    })?;
    output.say(&format!("Next time: --org {slug}, or `export SVC_ORG={slug}`", slug = chosen.slug));
    Ok(chosen.slug.clone())
}

fn slugs(orgs: &[Organization]) -> String {
    orgs.iter().map(|org| org.slug.as_str()).collect::<Vec<_>>().join(", ")
}
