//! Circles between the files of a room: which files use one another, directly or through others. Read from their text:
//! each path that begins with `crate`, `self` or `super` is followed to the file that declares what it names, through
//! re-exports.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// A module, by the names on the way to it.
type Module = Vec<String>;

/// A room's files and what they use of each other.
pub(super) struct Room {
    texts: BTreeMap<Module, String>,
    /// What a module re-exports, by its name there.
    exports: BTreeMap<(Module, String), Module>,
}

impl Room {
    /// Reads every file of a `src` folder.
    pub(super) fn read(source: &Path) -> Self {
        let mut files = Vec::new();
        super::tests::sources(source, &mut files);
        let mut room = Self { texts: BTreeMap::new(), exports: BTreeMap::new() };
        for file in files {
            let name = file.strip_prefix(source).expect("a file of the room").with_extension("");
            let mut module: Module = name.iter().map(|part| part.to_string_lossy().into_owned()).collect();
            if matches!(module.as_slice(), [root] if root == "lib" || root == "main") {
                module.clear();
            }
            let text = std::fs::read_to_string(&file).expect("a source file is text");
            room.texts.insert(module, program_of(&text));
        }
        let modules: Vec<Module> = room.texts.keys().cloned().collect();
        for module in modules {
            for (path, name) in exported(&room.texts[&module]) {
                if let Some(target) = room.absolute(&module, &path) {
                    room.exports.insert((module.clone(), name), target);
                }
            }
        }
        room
    }

    /// Sets of files that all reach each other.
    pub(super) fn circles(&self) -> Vec<BTreeSet<String>> {
        let reach: BTreeMap<&Module, BTreeSet<Module>> =
            self.texts.keys().map(|module| (module, self.reached_from(module))).collect();
        let mut circles = BTreeSet::new();
        for (module, reached) in &reach {
            if reached.contains(*module) {
                let together = reached.iter().filter(|other| reach[other].contains(*module));
                circles.insert(together.map(|module| module.join("::")).collect::<BTreeSet<_>>());
            }
        }
        circles.into_iter().collect()
    }

    fn reached_from(&self, module: &Module) -> BTreeSet<Module> {
        let (mut reached, mut next) = (BTreeSet::new(), vec![module.clone()]);
        while let Some(module) = next.pop() {
            for used in self.used_by(&module) {
                if reached.insert(used.clone()) {
                    next.push(used);
                }
            }
        }
        reached
    }

    fn used_by(&self, module: &Module) -> BTreeSet<Module> {
        let text = &self.texts[module];
        let paths = used(text).into_iter().filter_map(|path| self.absolute(module, &path));
        let files = paths.filter_map(|path| self.file_of(&path, 0));
        // The root only declares.
        files.filter(|used| used != module && !used.is_empty()).collect()
    }

    /// The path from the root of the room; `None` for one that leads out of it.
    fn absolute(&self, module: &Module, path: &str) -> Option<Module> {
        let mut parts = path.split("::").map(str::trim).peekable();
        let mut base = module.clone();
        match *parts.peek()? {
            "crate" => {
                base.clear();
                parts.next();
            }
            "self" => drop(parts.next()),
            "super" => {
                while parts.next_if_eq(&"super").is_some() {
                    base.pop();
                }
            }
            first => {
                base.push(first.to_owned());
                if !self.texts.contains_key(&base) {
                    return None;
                }
                parts.next();
            }
        }
        base.extend(parts.map(str::to_owned));
        Some(base)
    }

    /// The file that declares what a path names.
    fn file_of(&self, path: &[String], depth: usize) -> Option<Module> {
        let length = (0..=path.len()).rev().find(|length| self.texts.contains_key(&path[..*length]))?;
        let file = path[..length].to_vec();
        let exported = path.get(length).and_then(|name| self.exports.get(&(file.clone(), name.clone())));
        match exported.filter(|_| depth < 8) {
            Some(target) => {
                let further: Module = target.iter().chain(&path[length + 1..]).cloned().collect();
                self.file_of(&further, depth + 1)
            }
            None => Some(file),
        }
    }
}

/// The text without comments and tests.
fn program_of(text: &str) -> String {
    let program = text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
    let lines = program.lines().filter(|line| !line.trim_start().starts_with("//"));
    lines.collect::<Vec<_>>().join("\n")
}

/// Statements that begin with `use`, whether they re-export.
fn statements(text: &str) -> impl Iterator<Item = (bool, String)> {
    let after = |line: &str| -> Option<(bool, usize)> {
        let begin = line.trim_start().find("use ")?;
        let visibility = line.trim_start()[..begin].trim_end();
        let visible =
            ["pub", "pub(crate)", "pub(super)"].contains(&visibility) || visibility.starts_with("pub(in ");
        (visible || visibility.is_empty()).then_some((visible, begin + 4))
    };
    let mut found = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let Some((visible, begin)) = after(line) else { continue };
        let mut statement = line.trim_start()[begin..].to_owned();
        while !statement.contains(';') {
            let Some(more) = lines.next() else { break };
            statement.push_str(more.trim());
        }
        found.push((visible, statement.split(';').next().unwrap_or_default().to_owned()));
    }
    found.into_iter()
}

/// `a::{b, c::{d, e}}` as `a::b`, `a::c::d` and `a::c::e`.
fn branches(path: &str) -> Vec<String> {
    let Some((before, rest)) = path.split_once('{') else { return vec![path.trim().to_owned()] };
    let inner = rest.trim_end().strip_suffix('}').unwrap_or(rest);
    let (mut all, mut depth, mut begin) = (Vec::new(), 0_usize, 0);
    for (place, letter) in inner.char_indices().chain([(inner.len(), ',')]) {
        match letter {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                let part = inner[begin..place].trim();
                if !part.is_empty() {
                    all.extend(branches(&format!("{before}{part}")));
                }
                begin = place + 1;
            }
            _ => {}
        }
    }
    all
}

/// What a text re-exports: the path, and the name that it has there.
fn exported(text: &str) -> Vec<(String, String)> {
    let exports = statements(text).filter(|(visible, _)| *visible);
    let paths = exports.flat_map(|(_, statement)| branches(&statement));
    paths
        .map(|path| {
            let (path, name) =
                path.split_once(" as ").unwrap_or((&path, path.rsplit("::").next().unwrap_or_default()));
            (path.to_owned(), name.to_owned())
        })
        .collect()
}

/// Paths that a text uses: those of its `use` statements, and those in its code.
fn used(text: &str) -> Vec<String> {
    let statements: Vec<(bool, String)> = statements(text).collect();
    let mut paths: Vec<String> = Vec::new();
    for (_, statement) in statements.iter().filter(|(visible, _)| !*visible) {
        let plain = branches(statement);
        paths.extend(plain.into_iter().map(|path| path.split(" as ").next().unwrap_or_default().to_owned()));
    }
    let code = text.lines().filter(|line| !line.contains("use "));
    for line in code {
        for root in ["crate::", "super::"] {
            for (place, _) in line.match_indices(root) {
                let before = line[..place].chars().next_back();
                if before.is_some_and(|letter| letter.is_alphanumeric() || letter == '_' || letter == ':') {
                    continue;
                }
                let end = |letter: char| !(letter.is_alphanumeric() || letter == '_' || letter == ':');
                let path = line[place..].split(end).next().unwrap_or_default();
                paths.push(path.trim_end_matches(':').to_owned());
            }
        }
    }
    paths
}
