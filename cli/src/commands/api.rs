//! `svc api`: any request to the API, with the stored credential.

use std::path::PathBuf;

use serde_json::{Map, Value};
use svc_client::RawAnswer;

use crate::commands::files::read_text;
use crate::failure::Failure;
use crate::session::Session;

/// The most that the instance answers on one page.
const PAGE_SIZE: u32 = 100;

/// Send a request to the API
///
/// Take the path from the reference at /docs, with or without /api/v1. {org} and {project} in it stand for your
/// current organization and project. Fields become the query of a GET request, and the JSON body of any other.
#[derive(clap::Args)]
#[command(
    override_usage = "svc api [OPTIONS] [METHOD] <PATH>",
    after_help = "\
Examples:
  svc api /me
  svc api GET '/orgs/{org}/projects/{project}/items' -f filter=state:active --paginate --jq '.[].key'
  svc api PATCH /orgs/{org}/items/PRJ-12 -F version=7 -f title='New title'
  svc api POST /orgs/{org}/projects/PRJ/items --input item.json"
)]
pub(crate) struct Args {
    /// Method and path: GET (the default), POST, PUT, PATCH or DELETE, and a path such as /orgs/demo/items/PRJ-12
    #[arg(value_names = ["METHOD", "PATH"], num_args = 1..=2, required = true)]
    request: Vec<String>,
    /// A field whose value is text; may be repeated
    #[arg(short = 'f', long = "field", value_name = "NAME=VALUE", value_parser = pair)]
    fields: Vec<(String, String)>,
    /// A field whose value is JSON, such as 7, true or ["a","b"]; may be repeated
    #[arg(short = 'F', long = "json-field", value_name = "NAME=JSON", value_parser = pair)]
    json_fields: Vec<(String, String)>,
    /// File with the JSON body; - reads stdin
    #[arg(long, value_name = "PATH", conflicts_with_all = ["fields", "json_fields"])]
    input: Option<PathBuf>,
    /// Read all pages of a list, and print their entries together
    #[arg(long)]
    paginate: bool,
}

pub(crate) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let (method, path) = match &args.request[..] {
        [method, path] => (method.clone(), path),
        [path] if path.starts_with('/') => ("GET".to_owned(), path),
        [word] => {
            let what = format!("{word:?} is not a path");
            return Err(Failure::rejected(what).hint("give a path that begins with a slash, such as /me"));
        }
        _ => return Err(Failure::rejected("the path is missing").hint("give one, such as /me")),
    };
    let path = filled(path, session).await?;
    let get = method.eq_ignore_ascii_case("GET");
    if args.paginate {
        if !get {
            return Err(Failure::rejected("--paginate reads lists: use it with GET"));
        }
        return session.output.json(&every_page(&path, query(args)?, session).await?);
    }
    let (query, body) = if get { (query(args)?, None) } else { (Vec::new(), body(args)?) };
    match session.client.raw(&method, &path, &query, body.as_ref()).await? {
        RawAnswer::Json(value) => session.output.json(&value),
        RawAnswer::Bytes(bytes) if session.output.is_terminal() => {
            session.output.exact(&String::from_utf8_lossy(&bytes))
        }
        RawAnswer::Bytes(bytes) => session.output.bytes(&bytes),
    }
}

/// The path with the organization and project that the person works in.
async fn filled(path: &str, session: &Session<'_>) -> Result<String, Failure> {
    let mut path = path.to_owned();
    if path.contains("{org}") {
        path = path.replace("{org}", &session.org_slug().await?);
    }
    if path.contains("{project}") {
        path = path.replace("{project}", session.project(None).await?.as_str());
    }
    Ok(path)
}

/// The fields as a query.
fn query(args: Args) -> Result<Vec<(String, String)>, Failure> {
    if args.input.is_some() {
        return Err(Failure::rejected("a GET request has no body").hint("give fields with -f"));
    }
    Ok(args.fields.into_iter().chain(args.json_fields).collect())
}

/// The fields, or the file, as a body.
fn body(args: Args) -> Result<Option<Value>, Failure> {
    let wrong =
        |what: &str, error: serde_json::Error| Failure::rejected(format!("{what} is not JSON: {error}"));
    if let Some(path) = &args.input {
        let text = read_text(path)?;
        return serde_json::from_str(&text).map(Some).map_err(|error| wrong("the body", error));
    }
    let mut body = Map::new();
    for (name, value) in args.json_fields {
        let value = serde_json::from_str(&value).map_err(|error| wrong(&name, error))?;
        body.insert(name, value);
    }
    body.extend(args.fields.into_iter().map(|(name, value)| (name, value.into())));
    Ok((!body.is_empty()).then(|| body.into()))
}

/// The entries of all pages. The next page is asked for only while the total says that more remain.
async fn every_page(
    path: &str,
    query: Vec<(String, String)>,
    session: &Session<'_>,
) -> Result<Vec<Value>, Failure> {
    let mut entries: Vec<Value> = Vec::new();
    for number in 1.. {
        let mut query = query.clone();
        query.push(("page".to_owned(), number.to_string()));
        query.push(("pageSize".to_owned(), PAGE_SIZE.to_string()));
        let answer = session.client.raw("GET", path, &query, None).await?;
        let RawAnswer::Json(mut page) = answer else { return Err(no_page()) };
        let Some(items) = page.get_mut("items").and_then(Value::as_array_mut) else { return Err(no_page()) };
        let empty = items.is_empty();
        entries.append(items);
        let total = page.get("totalCount").and_then(Value::as_u64).unwrap_or_default();
        if empty || entries.len() as u64 >= total {
            break;
        }
    }
    Ok(entries)
}

fn no_page() -> Failure {
    Failure::rejected("the response is not a paged list").hint("leave out --paginate")
}

fn pair(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value.to_owned())),
        _ => Err("write a field as name=value".to_owned()),
    }
}
