//! The template's routes are those of the contract, each before the function whose area has it.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;

use svc_lambda::{Area, router_of};

const BEGIN: &str = "  # routes of the contract: begin\n";
const END: &str = "  # routes of the contract: end\n";
/// Routes of an HTTP API at most, unless its owner asks AWS for more.
const MOST: usize = 300;

/// `make snapshots` writes the routes.
#[test]
fn each_path_of_the_contract_leads_to_the_function_of_its_area() {
    let file = template();
    let text = std::fs::read_to_string(&file).expect("the template is there");
    let (before, rest) = text.split_once(BEGIN).expect("the template says where routes begin");
    let (written, after) = rest.split_once(END).expect("and where they end");
    let routes = routes();
    if std::env::var_os("SVC_WRITE_SNAPSHOTS").is_some() {
        std::fs::write(&file, format!("{before}{BEGIN}{routes}{END}{after}")).expect("it can be written");
        return;
    }
    let missing = routes.lines().find(|line| !written.contains(line));
    assert_eq!(missing, None, "infra/template.yaml lacks a route; run `make snapshots`");
    assert!(
        written == routes,
        "infra/template.yaml has routes that the contract lacks; run `make snapshots`"
    );
    assert!(
        text.matches("AWS::ApiGatewayV2::Route,").count() < MOST,
        "an HTTP API has {MOST} routes at most"
    );
}

/// What a program of one area answers must be in the document that clients read.
#[test]
fn the_areas_make_up_the_contract() {
    let written = std::fs::read_to_string(template().with_file_name("../functions/portal/openapi/v1.json"));
    let contract: serde_json::Value = serde_json::from_str(&written.expect("the document")).expect("JSON");
    let documented: Vec<_> = contract["paths"].as_object().expect("paths").keys().collect();
    let paths = paths();
    assert!(paths.keys().eq(documented), "`make snapshots` writes the document anew");
}

fn template() -> PathBuf {
    PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").expect("cargo names the folder"))
        .join("../../infra/template.yaml")
}

/// Which area has a path of the contract.
fn paths() -> BTreeMap<String, Area> {
    let mut paths = BTreeMap::new();
    for area in Area::ALL {
        let Some(router) = router_of(area) else { continue };
        let document = svc_http::api([router]).1;
        for path in document.paths.expect("an area has paths").paths.into_keys() {
            if let Some(other) = paths.insert(path.clone(), area) {
                panic!(
                    "{path} is in two areas, {} and {}: it can lead to one function",
                    area.name(),
                    other.name()
                );
            }
        }
    }
    paths
}

fn routes() -> String {
    let mut routes = String::new();
    for (path, area) in paths() {
        // The document names a parameter that takes slashes so, and no other.
        let key = path.replace("{path}", "{path+}");
        let (name, function) = (logical(&path), logical(area.name()));
        writeln!(
            routes,
            "  Route{name}: {{Type: AWS::ApiGatewayV2::Route, Properties: {{ApiId: !Ref Api, RouteKey: \"ANY {key}\", \
             Target: !Sub \"integrations/${{{function}Integration}}\"}}}}"
        )
        .expect("a text takes any");
    }
    routes
}

/// A name that CloudFormation takes: each word with a capital.
fn logical(text: &str) -> String {
    let words = text.trim_start_matches("/api/v1").split(|c: char| !c.is_ascii_alphanumeric());
    words
        .flat_map(|word| word.chars().take(1).map(|c| c.to_ascii_uppercase()).chain(word.chars().skip(1)))
        .collect()
}
