use std::time::{Duration, Instant};

use proptest::prelude::*;

use super::{DEEPEST, Links, html, with_task};

fn shown(markdown: &str) -> String {
    html(markdown, Links { org: "demo", is_project: &|key| key == "PRJ" || key == "A2" })
}

#[test]
fn what_people_write_reads_as_they_mean_it() {
    let page = "\
# Release *now*

A table, https://example.com/a_b?c=d. See PRJ-12, @ada.b and **bold** or ~~not~~.

| left | right |
|:-----|------:|
| a    | `b`   |

- [x] done
- [ ] open

```rust
let x = \"<b>\"; // PRJ-1
```

> 3. three
";
    insta::assert_snapshot!(shown(page));
}

#[test]
fn keys_of_items_link_where_there_is_such_a_project() {
    let link = |key: &str, project: &str| {
        format!("<a href=\"/o/demo/p/{project}/items/{key}\" rel=\"nofollow noopener noreferrer\">{key}</a>")
    };
    for (text, linked) in [
        ("PRJ-12", link("PRJ-12", "PRJ")),
        ("(PRJ-1), A2-34.", format!("({}), {}.", link("PRJ-1", "PRJ"), link("A2-34", "A2"))),
        ("*PRJ-1*", format!("<em>{}</em>", link("PRJ-1", "PRJ"))),
    ] {
        assert_eq!(shown(text), format!("<p>{linked}</p>\n"), "{text}");
    }
    for text in [
        "UTF-8",
        "PRJ-0",
        "PRJ-01",
        "xPRJ-1",
        "PRJ-1x",
        "PRJ-",
        "PRJ-1-2",
        "prj-1",
        "`PRJ-1`",
        "[PRJ-1](/x)",
        "/PRJ-1",
    ] {
        assert!(!shown(text).contains("/items/"), "{text}: {}", shown(text));
    }
}

#[test]
fn mentions_are_marked_and_addresses_of_mail_are_not() {
    assert_eq!(
        shown("@ada, @b.c."),
        "<p><span class=\"mention\">@ada</span>, <span class=\"mention\">@b.c</span>.</p>\n"
    );
    assert_eq!(
        shown("お願い@田中 and @'t Hooft"),
        "<p>お願い<span class=\"mention\">@田中</span> and <span class=\"mention\">@'</span>t Hooft</p>\n"
    );
    assert_eq!(shown("ada@example.com @ @- `@ada`"), "<p>ada@example.com @ @- <code>@ada</code></p>\n");
}

#[test]
fn other_html_is_the_text_that_it_is() {
    assert_eq!(
        shown("a <b onclick=x>b</b>\n\n<script>alert(1)</script>\n"),
        "<p>a &lt;b onclick=x&gt;b&lt;/b&gt;</p>\n<p>&lt;script&gt;alert(1)&lt;/script&gt;\n</p>\n"
    );
    for tag in [
        "<kbd class=x>",
        "<details ontoggle=x>",
        "<sub style=x>",
        "<br id=x>",
        "<iframe>",
        "</kbd>",
        "<kbd/>",
    ] {
        assert_eq!(
            shown(&format!("a {tag} b")),
            format!("<p>a {} b</p>\n", tag.replace('<', "&lt;").replace('>', "&gt;"))
        );
    }
}

#[test]
fn tags_that_people_know_work_and_comments_are_not_shown() {
    for (text, html) in [
        (
            "Press <kbd>Ctrl</kbd>, H<sub>2</sub>O, x<SUP>2</sup>",
            "<p>Press <kbd>Ctrl</kbd>, H<sub>2</sub>O, x<sup>2</sup></p>\n",
        ),
        ("one<br>two<br/>three", "<p>one<br>two<br>three</p>\n"),
        ("a <!-- not for you --> b", "<p>a  b</p>\n"),
        ("<!-- one\n\ntwo -->\n\nafter", "<p>after</p>\n"),
        (
            "<details>\n<summary>More</summary>\n\n*inside*\n\n</details>\n\nafter",
            "<details><summary>More</summary><p><em>inside</em></p>\n</details><p>after</p>\n",
        ),
    ] {
        assert_eq!(shown(text).replace("\n<", "<").trim(), html.replace("\n<", "<").trim(), "{text}");
    }
    assert_eq!(shown("| a |\n|---|\n| b<br>c |\n").matches("<br>").count(), 1);
    assert!(shown(&"<details>".repeat(5_000)).matches("<details>").count() <= 8);
}

#[test]
fn footnotes_have_numbers() {
    let html = shown("One[^a] and two[^b], one again[^a].\n\n[^b]: Second\n[^a]: word\n");
    let mark = |number: u8| format!("<sup class=\"footnote\">{number}</sup>");
    assert!(
        html.starts_with(&format!("<p>One{} and two{}, one again{}.</p>", mark(1), mark(2), mark(1))),
        "{html}"
    );
    assert!(
        html.contains(&format!("<div class=\"footnote\">{}", mark(1))) && html.contains("word"),
        "{html}"
    );
}

#[test]
fn an_address_is_one_link_without_the_sentence_around_it() {
    let link = |address: &str| {
        let escaped = address.replace('&', "&amp;");
        format!("<a href=\"{escaped}\" rel=\"nofollow noopener noreferrer\">{escaped}</a>")
    };
    for (text, address, before, after) in [
        ("see https://h.example/src/__init__.py.", "https://h.example/src/__init__.py", "see ", "."),
        ("https://h.example/a*b*c~~d~~e", "https://h.example/a*b*c~~d~~e", "", ""),
        ("*https://h.example/a_b*", "https://h.example/a_b", "<em>", "</em>"),
        ("**see https://h.example/a_b_**", "https://h.example/a_b_", "<strong>see ", "</strong>"),
        ("(https://h.example/wiki/Foo_(bar))", "https://h.example/wiki/Foo_(bar)", "(", ")"),
        ("https://h.example/a[0]&b={1}!", "https://h.example/a[0]&b={1}", "", "!"),
        ("https://h.example/?a=1&copy=2&b_c=__d__", "https://h.example/?a=1&copy=2&b_c=__d__", "", ""),
        ("“https://h.example/a”", "https://h.example/a", "“", "”"),
        ("'https://h.example/a'", "https://h.example/a", "'", "'"),
        ("请看https://h.example/路径。谢谢", "https://h.example/路径", "请看", "。谢谢"),
        ("HTTPS://H.example/A", "HTTPS://H.example/A", "", ""),
        ("https://h.example/a\\_b\\_c", "https://h.example/a_b_c", "", ""),
        ("https://h.example/*a `b` c*", "https://h.example/", "", "<em>a <code>b</code> c</em>"),
    ] {
        let html = shown(text);
        let html = html.replace("%E8%B7%AF%E5%BE%84", "路径").replace("%7B", "{").replace("%7D", "}");
        let html = html.replace("%5B", "[").replace("%5D", "]");
        assert_eq!(html, format!("<p>{before}{}{after}</p>\n", link(address)), "{text}");
    }
    assert!(shown("| a |\n|---|\n| https://h.example/a_b |\n").contains(">https://h.example/a_b</a>"));
    for text in ["xhttps://h.example", "https://", "`https://h.example`", "    https://h.example"] {
        assert!(!shown(text).contains("<a "), "{text}: {}", shown(text));
    }
    assert_eq!(shown("\\@ada and @bob"), "<p>@ada and <span class=\"mention\">@bob</span></p>\n");
}

#[test]
fn addresses_that_do_something_lead_nowhere() {
    for address in ["javascript:alert(1)", "JaVaScRiPt:x", "data:text/html,x", "vbscript:x", "file:///etc"] {
        let page = format!("[a]({address}) ![b]({address}) <{address}>");
        let html = shown(&page);
        assert!(
            !html.contains("href=\"j") && !html.contains("href=\"J") && !html.contains("href=\"d"),
            "{html}"
        );
        assert!(!html.contains("href=\"v") && !html.contains("href=\"f") && !html.contains("<img"), "{html}");
    }
}

#[test]
fn images_come_from_https_and_attachments() {
    let image =
        |source: &str| format!("<p><img src=\"{source}\" alt=\"a\" referrerpolicy=\"no-referrer\"></p>\n");
    for source in ["https://example.com/x.png", "/api/v1/orgs/demo/attachments/1"] {
        assert_eq!(shown(&format!("![a]({source})")), image(source));
    }
    for source in [
        "http://example.com/x.png",
        "/api/v1/orgs/other/attachments/1",
        "/api/v1/orgs/demo/attachments/../../me",
        "x.png",
        "//example.com/x.png",
    ] {
        assert_eq!(shown(&format!("![*a* b]({source})")), "<p><em>a</em> b</p>\n");
    }
}

#[test]
fn deep_nesting_is_laid_flat() {
    let html = shown(&format!("{}deep", "> ".repeat(5_000)));
    assert_eq!(html.matches("<blockquote>").count(), DEEPEST);
    assert!(html.contains("deep"));
}

/// Texts that have made renderers slow, of about this many bytes.
fn hostile(bytes: usize) -> Vec<String> {
    let times = |text: &str| text.repeat(bytes / text.len());
    let mut texts: Vec<String> = [
        "> ",
        "https://a!",
        "http!",
        "https://a[b](c)",
        "https://a)",
        "<details>",
        "[^a]",
        "- ",
        "1. ",
        "* a\n",
        "*a **b ",
        "_a __b ",
        "[a](",
        "![a](",
        "[",
        "]",
        "[a][b]",
        "`",
        "`a``b```",
        "<",
        "<a ",
        "<!--",
        "&",
        "&#x",
        "\\",
        "~~a",
        "|",
        "|a\n",
        "\u{0}",
        "https://a",
        "@a",
        "PRJ-1 ",
        "AAAAAAAAAA-",
        "a@",
        "\n>",
        "  - a\n",
        "<b>",
        "](",
        "[](",
        "![](https://a)",
        "*_",
        "***",
        "\t",
        "# a\n",
        "```a\n",
        "é",
        "(((",
        "https://)",
    ]
    .into_iter()
    .map(times)
    .collect();
    texts.push(format!("![{}](https://a)", times("&")));
    texts.push(format!("[a](https://a?{})", times("&")));
    texts.push(format!("`{}`", times("&")));
    texts.push(format!("```{}\n{}", times("&"), times("&")));
    texts.push(format!("[x]: https://{}\n{}", "a".repeat(bytes / 2), "[x]".repeat(bytes / 6)));
    texts.push(format!(
        "|{}\n|{}\n{}",
        "a|".repeat(bytes / 8),
        "-|".repeat(bytes / 8),
        "|\n".repeat(bytes / 4)
    ));
    texts.push((0..bytes / 200).map(|n| format!("{}- a\n", " ".repeat(2 * (n % 100)))).collect());
    texts
}

#[test]
fn work_and_output_grow_with_the_text_alone() {
    for text in hostile(40_000) {
        let begin = Instant::now();
        let html = shown(&text);
        let start: String = text.chars().take(12).collect();
        // Unoptimised, on a busy machine. What is quadratic takes minutes.
        assert!(begin.elapsed() < Duration::from_secs(30), "{start:?}: {:?}", begin.elapsed());
        assert!(html.len() < 100 * text.len(), "{start:?}: {} bytes", html.len());
    }
}

/// Every tag of the HTML with its attributes, as a browser reads them: text and values are escaped, so that a
/// `<` begins a tag.
fn tags(html: &str) -> impl Iterator<Item = &str> {
    html.split('<').skip(1).map(|rest| rest.split('>').next().unwrap_or(rest))
}

fn assert_safe(markdown: &str) {
    let html = shown(markdown);
    for tag in tags(&html) {
        let name: String =
            tag.trim_start_matches('/').chars().take_while(char::is_ascii_alphanumeric).collect();
        let known = [
            "a",
            "blockquote",
            "br",
            "code",
            "del",
            "em",
            "h1",
            "h2",
            "h3",
            "h4",
            "h5",
            "h6",
            "hr",
            "img",
            "input",
            "li",
            "ol",
            "p",
            "pre",
            "span",
            "strong",
            "table",
            "tbody",
            "td",
            "th",
            "thead",
            "tr",
            "ul",
            "wbr",
        ];
        assert!(known.contains(&name.as_str()), "{markdown:?} made {html}");
        for (attribute, value) in attributes(tag) {
            assert!(!attribute.starts_with("on"), "{markdown:?} made {html}");
            if matches!(attribute, "href" | "src") {
                // What is before the colon is a scheme only when it is made of these; a browser drops blanks.
                let value: String = value.chars().filter(|c| !c.is_whitespace() && !c.is_control()).collect();
                let scheme = value.split_once(':').map_or("http", |(scheme, _)| scheme).to_ascii_lowercase();
                let is_scheme =
                    scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte));
                assert!(
                    !is_scheme || matches!(scheme.as_str(), "http" | "https" | "mailto"),
                    "{markdown:?} made {html}"
                );
            }
        }
    }
}

/// Attributes of a tag. Values are quoted, and quotes in them escaped.
fn attributes(tag: &str) -> Vec<(&str, &str)> {
    let mut parts = tag.split('"');
    let mut found = Vec::new();
    while let (Some(before), Some(value)) = (parts.next(), parts.next()) {
        found.push((before.rsplit(' ').next().unwrap_or_default().trim_end_matches('='), value));
    }
    found
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn whatever_is_written_nothing_in_it_acts(text in any::<String>()) {
        assert_safe(&text);
    }

    #[test]
    fn whatever_is_put_together_nothing_in_it_acts(
        parts in proptest::collection::vec(prop_oneof![
            Just("<script>"), Just("</script>"), Just("<img src=x onerror=alert(1)>"), Just("<svg/onload=x>"),
            Just("<a href='javascript:x'>"), Just("[a](javascript:alert(1))"), Just("![a](javascript:x)"), Just("](java\tscript:x)"),
            Just("[a]: javascript:x\n"), Just("[a]"), Just("```"), Just("`"), Just("\n"), Just("\n\n"), Just("    "), Just("> "),
            Just("- "), Just("|a|b|\n|-|-|\n"), Just("|"), Just("*"), Just("_"), Just("<"), Just(">"), Just("\""), Just("'"),
            Just("&lt;"), Just("&#106;avascript:"), Just("https://a\"onclick=x"), Just("@a\"b"), Just("PRJ-1"), Just("<!--"), Just("-->"),
            Just("<![CDATA["), Just("<style>"), Just("<math><mtext>"), Just("\u{0}"), Just("\\"), Just("[x](<"), Just(" \"t\" onx=\""),
            Just("``` a\" onclick=\"x\n"), Just("<https://a>"), Just("<javascript:x>"), Just("<a@b>"), Just("é"),
        ], 0..25)
    ) {
        assert_safe(&parts.concat());
    }
}

fn rendered(text: &str) -> String {
    html(text, Links { org: "acme", is_project: &|_| true })
}

#[test]
fn a_table_of_more_cells_than_people_read_is_cut() {
    // A wide head, and rows of one letter that are filled up to its width.
    let wide = format!("|{}\n|{}\n{}", "a|".repeat(5_000), "-|".repeat(5_000), "b\n".repeat(10_000));
    let shown = rendered(&wide);
    assert!(shown.len() < 300_000, "{} bytes", shown.len());
    assert!(shown.matches("<td").count() + shown.matches("<th>").count() <= super::MOST_CELLS);
    let after = rendered(&format!("{wide}\n\nThe *end*."));
    assert!(after.trim_end().ends_with("<p>The <em>end</em>.</p>"), "{}", &after[after.len() - 40..]);
}

#[test]
fn no_text_makes_html_without_end() {
    for piece in
        ["AB-1 ", "@a ", "[](a)", "<a.b:c>", "&", "- a\n", "*a* ", "![](https://a)", "# a\n", "> a\n\n"]
    {
        let shown = rendered(&piece.repeat(100_000 / piece.len()));
        // The sanitizer adds to each link and image.
        assert!(shown.len() < 6 * super::LONGEST_HTML, "{piece:?}: {} bytes", shown.len());
    }
    let cut = rendered(&"@a ".repeat(33_000));
    assert!(cut.ends_with("<p>…</p>"), "{}", &cut[cut.len() - 40..]);
    assert!(!rendered(&"word ".repeat(20_000)).contains('…'));
}

#[test]
fn headings_have_addresses_that_links_in_the_text_lead_to() {
    let shown = shown(
        "# Release *now*\n\n## Ärger `x`\n\n# Release now\n\n# !\n\n[up](#Release%20now) [x](#release-now)",
    );
    for part in [
        "<h1 id=\"section-release-now\">",
        "<h2 id=\"section-ärger-x\">",
        "<h1 id=\"section-release-now-2\">",
        "<h1>!</h1>",
        "href=\"#section-release-now\"",
    ] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
}

const LIST: &str = "# Do\n\n- [ ] one\n- [x] two\n  - [X] deep\n\n```\n- [ ] no box\n```\n\n1. [ ] last\n";

#[test]
fn a_box_is_ticked_where_it_is_and_nothing_else_changes() {
    for (number, done, from, to) in [
        (0, true, "- [ ] one", "- [x] one"),
        (1, false, "- [x] two", "- [ ] two"),
        (2, false, "- [X] deep", "- [ ] deep"),
        (3, true, "1. [ ] last", "1. [x] last"),
    ] {
        assert_eq!(with_task(LIST, number, done), Some(LIST.replace(from, to)), "{number}");
    }
    assert_eq!(with_task(LIST, 1, true).as_deref(), Some(LIST), "it is so already");
    for (text, number) in [(LIST, 4), ("", 0), ("[ ] none", 0), (LIST, usize::MAX)] {
        assert_eq!(with_task(text, number, true), None, "{text:?} {number}");
    }
}
