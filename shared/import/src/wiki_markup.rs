//! The wiki markup of Jira as Markdown: headings, lists, tables, code, links, pictures and styles of characters.

/// A text of wiki markup as Markdown.
pub(crate) fn markdown(text: &str) -> String {
    let mut lines = Lines::default();
    for line in text.lines() {
        lines.line(line);
    }
    lines.finish()
}

#[derive(Default)]
struct Lines {
    done: Vec<String>,
    /// The mark that ends the text that is taken as it is.
    verbatim: Option<&'static str>,
    quoted: bool,
    in_table: bool,
}

impl Lines {
    fn line(&mut self, line: &str) {
        if let Some(end) = self.verbatim {
            return match line.split_once(end) {
                Some((before, after)) => {
                    if !before.trim().is_empty() {
                        self.push(before);
                    }
                    self.push("```");
                    self.verbatim = None;
                    self.rest(after);
                }
                None => self.push(line),
            };
        }
        for (mark, end) in [("{code", "{code}"), ("{noformat", "{noformat}")] {
            let opened = opening(line, mark);
            if let Some((before, options, after)) = opened {
                self.rest(before);
                let language = options.trim_start_matches(':').split(['|', '=']).next().unwrap_or_default();
                let is_language = !options.contains('=') || options.contains('|');
                self.push(&format!("```{}", if is_language { language.trim() } else { "" }));
                self.verbatim = Some(end);
                if !after.trim().is_empty() {
                    self.line(after);
                }
                return;
            }
        }
        if let Some((before, after)) = line.split_once("{quote}") {
            self.rest(before);
            self.quoted = !self.quoted;
            return self.rest(after);
        }
        self.plain(line);
    }

    /// The rest of a line, where there is any.
    fn rest(&mut self, text: &str) {
        if !text.trim().is_empty() {
            self.line(text);
        }
    }

    fn plain(&mut self, line: &str) {
        let trimmed = line.trim_start();
        if let Some(cells) = trimmed.strip_prefix("||") {
            return self.row(cells.trim_end().trim_end_matches("||").split("||"), true);
        }
        if let Some(cells) = trimmed.strip_prefix('|') {
            let cells = cells.trim_end().trim_end_matches('|');
            return self.row(split_cells(cells).into_iter(), false);
        }
        self.in_table = false;
        if let Some((level, title)) = heading(trimmed) {
            return self.push(&format!("{} {}", "#".repeat(level), inline(title)));
        }
        if let Some(quote) = trimmed.strip_prefix("bq. ") {
            return self.push(&format!("> {}", inline(quote)));
        }
        if let Some((marks, text)) = bullet(trimmed) {
            let numbered = marks.ends_with('#');
            let indent = if marks.contains('#') { 3 } else { 2 };
            let mark = if numbered { "1." } else { "-" };
            return self.push(&format!("{}{mark} {}", " ".repeat(indent * (marks.len() - 1)), inline(text)));
        }
        if trimmed.starts_with("{panel") || trimmed == "{color}" {
            let title = trimmed
                .split_once("title=")
                .map(|(_, title)| title.split(['|', '}']).next().unwrap_or_default());
            return self.push(&title.map(|title| format!("**{title}**")).unwrap_or_default());
        }
        self.push(&inline(line));
    }

    fn row<'a>(&mut self, cells: impl Iterator<Item = &'a str>, is_head: bool) {
        let cells: Vec<String> = cells.map(|cell| inline(cell.trim())).collect();
        let count = cells.len();
        if !self.in_table && !is_head {
            self.push(&format!("|{}", "   |".repeat(count)));
            self.push(&format!("|{}", " --- |".repeat(count)));
        }
        self.push(&format!("| {} |", cells.join(" | ")));
        if is_head && !self.in_table {
            self.push(&format!("|{}", " --- |".repeat(count)));
        }
        self.in_table = true;
    }

    fn push(&mut self, line: &str) {
        self.done.push(if self.quoted { format!("> {line}") } else { line.to_owned() });
    }

    fn finish(mut self) -> String {
        if self.verbatim.is_some() {
            self.push("```");
        }
        self.done.join("\n")
    }
}

/// The text before a block's mark, its options and the text after it. `{{code}}` is none.
fn opening<'a>(line: &'a str, mark: &str) -> Option<(&'a str, &'a str, &'a str)> {
    line.match_indices(mark).find_map(|(at, _)| {
        let (options, after) = line[at + mark.len()..].split_once('}')?;
        let is_block = !line[..at].ends_with('{') && (options.is_empty() || options.starts_with(':'));
        is_block.then(|| (&line[..at], options, after))
    })
}

/// Cells of a row; a bar in a link is none of theirs.
fn split_cells(text: &str) -> Vec<&str> {
    let (mut cells, mut begin, mut depth) = (Vec::new(), 0, 0_u32);
    for (at, c) in text.char_indices() {
        match c {
            '[' => depth += 1,
            ']' => depth = depth.saturating_sub(1),
            '|' if depth == 0 => {
                cells.push(&text[begin..at]);
                begin = at + 1;
            }
            _ => {}
        }
    }
    cells.push(&text[begin..]);
    cells
}

fn heading(line: &str) -> Option<(usize, &str)> {
    let rest = line.strip_prefix('h')?;
    let level = rest.chars().next()?.to_digit(10).filter(|level| (1..=6).contains(level))?;
    Some((level as usize, rest[1..].strip_prefix('.')?.trim()))
}

/// The marks of a list and the text after them. `----` is a rule, `-word` a word.
fn bullet(line: &str) -> Option<(&str, &str)> {
    let end = line.find(|c| !matches!(c, '*' | '#' | '-'))?;
    let (marks, text) = line.split_at(end);
    let is_list = !marks.is_empty() && (marks == "-" || !marks.contains('-'));
    text.strip_prefix(' ').filter(|_| is_list).map(|text| (marks, text.trim()))
}

/// Links, pictures and styles within a line.
fn inline(text: &str) -> String {
    let (mut out, mut rest) = (String::with_capacity(text.len()), text);
    while let Some(c) = rest.chars().next() {
        let before = out.chars().next_back();
        if let Some((markdown, after)) = element(rest, before) {
            out.push_str(&markdown);
            rest = after;
        } else {
            out.push(c);
            rest = &rest[c.len_utf8()..];
        }
    }
    out
}

/// What begins here: its Markdown and the text after it.
fn element(rest: &str, before: Option<char>) -> Option<(String, &str)> {
    if let Some(inner) = rest.strip_prefix("{{") {
        let (code, after) = inner.split_once("}}")?;
        return Some((format!("`{code}`"), after));
    }
    if let Some(inner) = rest.strip_prefix("{color") {
        return inner.split_once('}').map(|(_, after)| (String::new(), after));
    }
    if let Some(inner) = rest.strip_prefix("\\\\") {
        return Some(("<br>".to_owned(), inner));
    }
    if let Some(inner) = rest.strip_prefix('\\') {
        let c = inner.chars().next().filter(|c| "{}[]*_-+!|".contains(*c))?;
        return Some((format!("\\{c}"), &inner[c.len_utf8()..]));
    }
    if let Some(inner) = rest.strip_prefix('[') {
        let (link, after) = inner.split_once(']')?;
        return link_of(link).map(|link| (link, after));
    }
    if let Some(inner) = rest.strip_prefix('!') {
        let (picture, after) = inner.split_once('!')?;
        let name = picture.split('|').next().unwrap_or_default();
        let is_file = name.contains('.') && !name.contains(' ') && !name.is_empty();
        return is_file.then(|| (format!("![{name}]({name})"), after));
    }
    if before.is_some_and(char::is_alphanumeric) {
        return None;
    }
    let (mark, markdown) = [('*', "**"), ('_', "_"), ('-', "~~"), ('+', ""), ('^', ""), ('~', "")]
        .into_iter()
        .find(|(mark, _)| rest.starts_with(*mark))?;
    let inner = &rest[1..];
    let end = inner.match_indices(mark).map(|(at, _)| at).find(|at| {
        let next = inner[at + 1..].chars().next();
        *at > 0 && !inner[..*at].ends_with(' ') && !next.is_some_and(char::is_alphanumeric)
    })?;
    let styled = &inner[..end];
    (!styled.starts_with([' ', mark]))
        .then(|| (format!("{markdown}{}{markdown}", inline(styled)), &inner[end + 1..]))
}

/// `text|address`, `address`, `~person`, `^file` between brackets.
fn link_of(link: &str) -> Option<String> {
    if let Some(person) = link.strip_prefix('~') {
        return Some(format!("@{}", person.trim_start_matches("accountid:")));
    }
    if let Some(file) = link.strip_prefix('^') {
        return Some(file.to_owned());
    }
    let mut parts = link.split('|');
    let first = parts.next()?;
    let is_address =
        |text: &str| text.contains("://") || text.starts_with("mailto:") || text.starts_with('#');
    match parts.next() {
        Some(address) if is_address(address) => Some(format!("[{}]({address})", inline(first))),
        None if is_address(first) => Some(format!("<{first}>")),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::markdown;

    #[test]
    fn wiki_markup_becomes_markdown() {
        for (wiki, expected) in [
            ("h2. A *title*", "## A **title**"),
            (
                "*bold* _em_ -gone- +under+ snake_case_name 3*4*5",
                "**bold** _em_ ~~gone~~ under snake_case_name 3*4*5",
            ),
            ("{{code *x*}} and {color:red}red{color}", "`code *x*` and red"),
            ("* one\n** two\n# first\n## second\n- dash", "- one\n  - two\n1. first\n   1. second\n- dash"),
            (
                "[Docs|https://x.example/a_b] [https://y.example] [~ada] [1]",
                "[Docs](https://x.example/a_b) <https://y.example> @ada [1]",
            ),
            ("!shot.png|width=300! wow! really!", "![shot.png](shot.png) wow! really!"),
            (
                "||A||B||\n|1|[x|https://x.example]|",
                "| A | B |\n| --- | --- |\n| 1 | [x](https://x.example) |",
            ),
            ("|1|2|", "|   |   |\n| --- | --- |\n| 1 | 2 |"),
            ("{code:java}\nint *a*;\n{code}\nafter", "```java\nint *a*;\n```\nafter"),
            ("{code:title=x.rs|lang}a{code}", "```title\na\n```"),
            ("{noformat}h1. x{noformat}", "```\nh1. x\n```"),
            ("{code}\nno end", "```\nno end\n```"),
            ("{quote}\nhe said\n{quote}\nbq. short", "> he said\n> short"),
            ("----", "----"),
            ("a\\\\b \\*kept\\*", "a<br>b \\*kept\\*"),
            ("{panel:title=Note}\ntext\n{panel}", "**Note**\ntext\n"),
            ("plain text - with dashes - and *unclosed", "plain text - with dashes - and *unclosed"),
        ] {
            assert_eq!(markdown(wiki), expected, "{wiki}");
        }
    }
}
