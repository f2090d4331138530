//! `svc mcp config`: what connects a client to this instance. Never prints a token.

use clap::ValueEnum;

use crate::failure::Failure;
use crate::output::Output;

/// Print the configuration for connecting a client to this instance
///
/// The configuration does not contain the token: set SVC_TOKEN to a token with the scope mcp that is bound to one
/// organization. Create one with `svc token create my-agent --scope read,write,mcp --bound-to demo`.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc mcp config claude-code
  svc mcp config vscode > .vscode/mcp.json")]
pub(crate) struct Args {
    /// The client
    #[arg(value_enum)]
    client: McpClient,
}

#[derive(Clone, Copy, ValueEnum)]
enum McpClient {
    ClaudeCode,
    Codex,
    Gemini,
    Copilot,
    Cursor,
    Vscode,
    /// Any client that starts a program: svc mcp
    Stdio,
}

pub(crate) fn run(args: &Args, url: &str, output: &Output) -> Result<(), Failure> {
    let url = format!("{}/mcp", url.trim_end_matches('/'));
    output.raw(&text(args.client, &url))
}

fn text(client: McpClient, url: &str) -> String {
    match client {
        McpClient::ClaudeCode => format!(
            "claude mcp add --transport http svc {url} --header 'Authorization: Bearer ${{SVC_TOKEN}}'\n"
        ),
        McpClient::Codex => format!("codex mcp add svc --url {url} --bearer-token-env-var SVC_TOKEN\n"),
        McpClient::Gemini => format!(
            "gemini mcp add --transport http svc {url} -H 'Authorization: Bearer ${{SVC_TOKEN}}' -s user\n"
        ),
        McpClient::Copilot => format!(
            "copilot mcp add --transport http --header 'Authorization: Bearer ${{SVC_TOKEN}}' svc {url}\n"
        ),
        McpClient::Cursor => pretty(&serde_json::json!({"mcpServers": {"svc": {
            "url": url, "headers": {"Authorization": "Bearer ${env:SVC_TOKEN}"},
        }}})),
        McpClient::Vscode => pretty(&serde_json::json!({
            "inputs": [{
                "type": "promptString", "id": "svc-token", "password": true,
                "description": "Access token with the scope mcp, bound to one organization",
            }],
            "servers": {"svc": {
                "type": "http", "url": url, "headers": {"Authorization": "Bearer ${input:svc-token}"},
            }},
        })),
        McpClient::Stdio => pretty(&serde_json::json!({"mcpServers": {"svc": {
            "command": "svc", "args": ["mcp"],
            "env": {"SVC_URL": url.trim_end_matches("/mcp"), "SVC_TOKEN": "${SVC_TOKEN}"},
        }}})),
    }
}

fn pretty(value: &serde_json::Value) -> String {
    // A value of ours is always written.
    serde_json::to_string_pretty(value).unwrap_or_default() + "\n"
}
