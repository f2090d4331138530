//! The head of the document: what the API is, how to get a token and send it, and the list of problems.

use aide::openapi::{ApiKeyLocation, License, SecurityScheme, Server};
use aide::transform::TransformOpenApi;

use super::{indexmap_empty, tags};
use crate::extract::SESSION_COOKIE;
use crate::problems::PROBLEMS;

/// What a reader needs before the first request.
const INTRODUCTION: &str = "Projects, items, wiki and the factory that hands items to coding agents.\n\n\
    ## Get a token\n\n\
    Sign in with your password and create a token with the command line. The token is shown only once:\n\n\
    ```console\n\
    svc auth login --url https://<this host> --email <your address>\n\
    export TOKEN=$(svc token create my-script --scope read,write)\n\
    ```\n\n\
    Or create it in the web app, in the settings of your account. Send it with each request:\n\n\
    ```console\n\
    curl -H \"Authorization: Bearer $TOKEN\" https://<this host>/api/v1/me\n\
    curl -H \"Authorization: Bearer $TOKEN\" -H 'Content-Type: application/json' \\\n  \
    -d '{\"type\": \"task\", \"title\": \"Try the API\"}' \\\n  \
    https://<this host>/api/v1/orgs/<organization>/projects/<project>/items\n\
    ```\n\n\
    On this page, press **Authorize** below and paste it.\n\n\
    ## Change things\n\n\
    A change carries the `version` last read. If somebody else saved first, the answer is 409 \
    `stale-version`: read again, then decide. A POST may carry an `Idempotency-Key`, a text of your choice. \
    If you send it again with the same key and body, it is carried out once and gets the first answer \
    again.\n\n\
    ## Read lists\n\n\
    `page` begins at 1; `pageSize` is at most 100. Enumerations may grow within v1: treat a value that you \
    do not know as unknown, not as an error. The same is true of new fields.\n\n\
    ## Connect an agent\n\n\
    This instance is an MCP server (Streamable HTTP) at `/mcp`. It needs a token with the scope `mcp` that is bound to \
    one organization: `svc token create my-agent --scope read,write,mcp --bound-to <organization>`. Put it into \
    `SVC_TOKEN`. `svc mcp config <client>` prints what connects Claude Code, Codex, Gemini, Copilot, Cursor or VS \
    Code, such as:\n\n\
    ```console\n\
    claude mcp add --transport http svc https://<this host>/mcp --header 'Authorization: Bearer \
    ${SVC_TOKEN}'\n\
    codex mcp add svc --url https://<this host>/mcp --bearer-token-env-var SVC_TOKEN\n\
    gemini mcp add --transport http svc https://<this host>/mcp -H 'Authorization: Bearer ${SVC_TOKEN}' -s \
    user\n\
    copilot mcp add --transport http --header 'Authorization: Bearer ${SVC_TOKEN}' svc https://<this \
    host>/mcp\n\
    ```\n\n\
    Cursor and VS Code read a file: `svc mcp config cursor > .cursor/mcp.json`, `svc mcp config vscode > \
    .vscode/mcp.json`. A client that can only start programs runs `svc mcp`.\n\n\
    ## Errors\n\n\
    Every error is a problem document (RFC 9457, `application/problem+json`). Programs should decide by its \
    `type`, never by a text.\n\n\
    <details><summary>Every type of problem</summary>\n";

/// The head of the document: what the API is, how to authenticate, and the list of problems.
pub fn describe(api: TransformOpenApi<'_>) -> TransformOpenApi<'_> {
    let problems: String = PROBLEMS
        .iter()
        .map(|p| format!("| `{}` | {} | {} |\n", p.slug, p.status.as_u16(), p.title))
        .collect();
    let api = tags::tags().fold(api, TransformOpenApi::tag);
    api.title("Work-tracking service")
        .version("1.0")
        .description(&format!(
            "{INTRODUCTION}\n| type | status | title |\n|---|---|---|\n{problems}\n</details>"
        ))
        .license(License {
            name: "Apache-2.0".into(),
            identifier: Some("Apache-2.0".into()),
            ..License::default()
        })
        .server(Server { url: "/".into(), ..Server::default() })
        .security_scheme(
            "token",
            SecurityScheme::Http {
                scheme: "bearer".into(),
                bearer_format: None,
                description: Some(
                    "Personal access token or a run's agent token, with the scopes named.".into(),
                ),
                extensions: indexmap_empty(),
            },
        )
        .security_scheme(
            "runner",
            SecurityScheme::Http {
                scheme: "bearer".into(),
                bearer_format: None,
                description: Some("Secret of a runner, which begins with `jrn_`.".into()),
                extensions: indexmap_empty(),
            },
        )
        .security_scheme(
            "session",
            SecurityScheme::ApiKey {
                location: ApiKeyLocation::Cookie,
                name: SESSION_COOKIE.into(),
                description: Some(
                    "Session of the web app. Changes also need the header `X-Svc-Request: 1`. A change with \
                     `X-Svc-Account: <id of an account>` is refused (403 `other-account`) in another's session."
                        .into(),
                ),
                extensions: indexmap_empty(),
            },
        )
}
