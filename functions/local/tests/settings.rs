//! The settings and what people read about them.

use svc_app::Settings;

/// `RateLimits:RunnerPerMinute` was in no documentation.
#[test]
fn every_setting_is_in_the_readme() {
    let readme = include_str!("../../../README.md");
    let settings = serde_json::to_value(Settings::default()).unwrap();
    let mut missing = Vec::new();
    for (section, names) in settings.as_object().unwrap() {
        for name in names.as_object().into_iter().flat_map(serde_json::Map::keys) {
            if !readme.contains(&format!("`{name}`")) && !readme.contains(&format!("{section}:{name}")) {
                missing.push(format!("{section}:{name}"));
            }
        }
    }
    assert!(settings.as_object().unwrap().len() > 5);
    assert!(missing.is_empty(), "in no line of README.md: {missing:#?}");
}
