//! GitHub itself: its issues and comments page by page, within its rate limits. The token is only ever sent to the
//! address of its API.

use std::time::Duration;

use reqwest::header::{ACCEPT, HeaderMap, LINK, RETRY_AFTER};
use reqwest::{Client, StatusCode, Url};
use serde_json::Value;
use svc_api::tracker::LinkKind;
use svc_import::{Dates, Gathered, at, take_github, text};

use crate::failure::Failure;
use crate::fresh;
use crate::output::Output;

/// How long an answer may take.
const PATIENCE: Duration = Duration::from_secs(60);
/// Pauses before further attempts, in seconds.
const PAUSES: [u64; 4] = [1, 3, 10, 30];
/// The longest wait for a new budget of requests: GitHub gives one each hour.
const LONGEST_WAIT: u64 = 3_700;

/// A connection to GitHub.
pub(crate) struct Api<'a> {
    http: Client,
    base: Url,
    token: Option<String>,
    output: &'a Output,
}

impl<'a> Api<'a> {
    /// A connection to the API at an address, with a token where private repositories or many issues are read.
    ///
    /// # Errors
    /// The address is none, or the token would cross a network in the clear.
    pub(crate) fn new(base: &str, token: Option<String>, output: &'a Output) -> Result<Self, Failure> {
        let no_address = || Failure::rejected(format!("{base:?} is not the address of an API"));
        let base = Url::parse(&format!("{}/", base.trim_end_matches('/'))).map_err(|_| no_address())?;
        let is_here = matches!(base.host_str(), Some("localhost" | "127.0.0.1" | "[::1]"));
        if base.scheme() != "https" && !is_here {
            return Err(no_address().hint("it begins with https://"));
        }
        let agent = concat!("svc/", env!("CARGO_PKG_VERSION"));
        let http = Client::builder().user_agent(agent).timeout(PATIENCE).build();
        let http = http.map_err(|error| Failure::unexpected(format!("cannot make a connection: {error}")))?;
        let token = token.filter(|token| !token.is_empty());
        Ok(Self { http, base, token, output })
    }

    /// Reads the issues and comments of a repository, and what belongs to and blocks what.
    ///
    /// # Errors
    /// The repository is not there, or GitHub stays away.
    pub(crate) async fn read(
        &self,
        repository: &str,
        dates: &Dates,
        gathered: &mut Gathered,
    ) -> Result<(), Failure> {
        let is_name = |part: &str| {
            !part.is_empty()
                && !matches!(part, "." | "..")
                && part.chars().all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c))
        };
        if !repository.split_once('/').is_some_and(|(owner, name)| is_name(owner) && is_name(name)) {
            return Err(Failure::rejected(format!("{repository:?} is not OWNER/NAME")));
        }
        let (mut holders, mut blocked) = (Vec::new(), Vec::new());
        gathered.name_source(&format!("github:{repository}"));
        let query = "per_page=100&sort=created&direction=asc";
        let mut next = Some(self.url(&format!("repos/{repository}/issues?state=all&{query}"))?);
        while let Some(url) = next {
            let (page, after) = self.page(url).await?;
            for issue in page.as_array().into_iter().flatten() {
                take_github(issue, dates, gathered)?;
                let number = text(issue, &["number"]).unwrap_or_default();
                let has =
                    |path: &str| at(issue, &[path]).and_then(Value::as_u64).is_some_and(|count| count > 0);
                if has("sub_issues_summary.total") {
                    holders.push(number.clone());
                }
                if has("issue_dependencies_summary.total_blocked_by")
                    || has("issue_dependencies_summary.blocked_by")
                {
                    blocked.push(number);
                }
            }
            next = after;
            if self.output.is_watched() && next.is_some() {
                self.output.say(&format!("{} issues read", gathered.items.len()));
            }
        }
        gathered.source = format!("github:{repository}");
        let mut next = Some(self.url(&format!("repos/{repository}/issues/comments?{query}"))?);
        while let Some(url) = next {
            let (page, after) = self.page(url).await?;
            for comment in page.as_array().into_iter().flatten() {
                take_github(comment, dates, gathered)?;
            }
            next = after;
        }
        for number in holders {
            for child in self.numbers(repository, &format!("{number}/sub_issues"), gathered).await? {
                gathered.set_parent(&child, &number);
            }
        }
        for number in blocked {
            for other in
                self.numbers(repository, &format!("{number}/dependencies/blocked_by"), gathered).await?
            {
                gathered.link(&number, &other, LinkKind::BlockedBy)?;
            }
        }
        Ok(())
    }

    /// The numbers of the issues of the repository that a list has.
    async fn numbers(
        &self,
        repository: &str,
        path: &str,
        gathered: &mut Gathered,
    ) -> Result<Vec<String>, Failure> {
        let (mut numbers, mut next) =
            (Vec::new(), Some(self.url(&format!("repos/{repository}/issues/{path}?per_page=100"))?));
        while let Some(url) = next {
            let (page, after) = self.page(url).await?;
            for issue in page.as_array().into_iter().flatten() {
                let number = text(issue, &["number"]).unwrap_or_default();
                let elsewhere = text(issue, &["repository_url"]).is_some_and(|url| {
                    !url.to_lowercase().ends_with(&format!("/{}", repository.to_lowercase()))
                });
                if elsewhere {
                    gathered.report.miss(
                        "link",
                        &format!("{path} {number}"),
                        "the issue is of another repository",
                    )?;
                } else {
                    numbers.push(number);
                }
            }
            next = after;
        }
        Ok(numbers)
    }

    fn url(&self, path: &str) -> Result<Url, Failure> {
        self.base.join(path).map_err(|error| Failure::rejected(format!("{path} is no address: {error}")))
    }

    /// A page, and where the next one is.
    async fn page(&self, url: Url) -> Result<(Value, Option<Url>), Failure> {
        let mut pauses = PAUSES.iter();
        loop {
            let mut request = self.http.get(url.clone()).header(ACCEPT, "application/vnd.github+json");
            if let Some(token) = &self.token {
                request = request.bearer_auth(token);
            }
            let wait = match request.send().await {
                Ok(response) if response.status().is_success() => {
                    let next = self.next(response.headers())?;
                    let value = response.json().await;
                    let value = value.map_err(|error| {
                        Failure::unexpected(format!("GitHub's answer broke off: {error}"))
                    })?;
                    return Ok((value, next));
                }
                Ok(response) => match (budget(response.headers(), response.status()), response.status()) {
                    (Some(wait), _) if wait <= LONGEST_WAIT => {
                        self.output.say(&format!("GitHub's rate limit is used up; going on in {wait} s"));
                        tokio::time::sleep(Duration::from_secs(wait)).await;
                        continue;
                    }
                    (_, status) if status.is_server_error() => {
                        pauses.next().ok_or_else(|| refused(status, &self.token))
                    }
                    (_, status) => Err(refused(status, &self.token)),
                },
                Err(error) => pauses.next().ok_or_else(|| {
                    Failure::unexpected(format!("GitHub cannot be reached: {}", error.without_url()))
                }),
            }?;
            tokio::time::sleep(Duration::from_secs(*wait)).await;
        }
    }

    /// The address of the next page, which is at the same place.
    fn next(&self, headers: &HeaderMap) -> Result<Option<Url>, Failure> {
        let links = headers.get(LINK).and_then(|links| links.to_str().ok()).unwrap_or_default();
        let next = links.split(',').find(|link| link.contains("rel=\"next\""));
        let address = next.and_then(|link| Some(link.split_once('<')?.1.split_once('>')?.0));
        let Some(address) = address else { return Ok(None) };
        let url = self.url(address)?;
        if url.origin() == self.base.origin() {
            return Ok(Some(url));
        }
        Err(Failure::unexpected("GitHub names a next page at another address"))
    }
}

/// How many seconds to wait for the next request, where a limit was reached.
fn budget(headers: &HeaderMap, status: StatusCode) -> Option<u64> {
    let number = |name: &str| headers.get(name)?.to_str().ok()?.parse::<u64>().ok();
    if !matches!(status, StatusCode::FORBIDDEN | StatusCode::TOO_MANY_REQUESTS) {
        return None;
    }
    if let Some(seconds) = number(RETRY_AFTER.as_str()) {
        return Some(seconds);
    }
    let reset = number("x-ratelimit-reset").filter(|_| number("x-ratelimit-remaining") == Some(0))?;
    let now = u64::try_from(fresh::now().as_second()).unwrap_or_default();
    Some(reset.saturating_sub(now) + 1)
}

fn refused(status: StatusCode, token: &Option<String>) -> Failure {
    let hint = match token {
        Some(_) => "check the name, and that the token may read the issues of the repository",
        None => "check the name; for a private repository give a token in GITHUB_TOKEN or with --with-token",
    };
    match status {
        StatusCode::NOT_FOUND | StatusCode::GONE => {
            Failure::not_found("GitHub has no such repository, or it has no issues").hint(hint)
        }
        StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => {
            Failure::not_authenticated(format!("GitHub refuses the request ({status})")).hint(hint)
        }
        status => Failure::unexpected(format!("GitHub answered {status}")).hint("try again in a minute"),
    }
}
