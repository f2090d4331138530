//! Web addresses in plain text become links, whole: emphasis does not split them, and what belongs to the sentence
//! around an address is no part of it.
//!
//! Reads the source beside the parser's events, because `__init__` in an address is emphasis to the parser. An `@`
//! that is written `\@` begins no mention.

use std::collections::VecDeque;
use std::ops::Range;

use pulldown_cmark::{CowStr, Event, LinkType, OffsetIter, Tag, TagEnd};

/// Longest address that becomes a link, in bytes.
const LONGEST: usize = 2_048;

/// Makes links of addresses.
pub(super) fn linked<'a>(source: &'a str, events: OffsetIter<'a>) -> impl Iterator<Item = Event<'a>> {
    Linked { source, events, ahead: VecDeque::new(), ready: VecDeque::new(), open: Vec::new(), within: 0 }
}

struct Linked<'a> {
    source: &'a str,
    events: OffsetIter<'a>,
    /// Events that were looked at before their turn.
    ahead: VecDeque<(Event<'a>, Range<usize>)>,
    /// What comes out next.
    ready: VecDeque<Event<'a>>,
    /// Where the contents of what is open end.
    open: Vec<usize>,
    /// How many of what is open keep text as it is.
    within: usize,
}

impl<'a> Iterator for Linked<'a> {
    type Item = Event<'a>;

    fn next(&mut self) -> Option<Event<'a>> {
        loop {
            if let Some(ready) = self.ready.pop_front() {
                return Some(ready);
            }
            let (event, place) = self.ahead.pop_front().or_else(|| self.events.next())?;
            match &event {
                Event::Start(tag) => {
                    self.open.push(self.end_of_contents(tag, &place));
                    self.within += usize::from(keeps_text(&tag.to_end()));
                }
                Event::End(tag) => {
                    self.open.pop();
                    self.within = self.within.saturating_sub(usize::from(keeps_text(tag)));
                }
                Event::Text(text) if self.within == 0 && self.source.get(place.clone()) == Some(text) => {
                    self.take_text(place);
                    continue;
                }
                _ => {}
            }
            return Some(event);
        }
    }
}

/// Whether text in it is no plain text.
const fn keeps_text(tag: &TagEnd) -> bool {
    matches!(tag, TagEnd::Link | TagEnd::Image | TagEnd::CodeBlock | TagEnd::HtmlBlock)
}

impl<'a> Linked<'a> {
    fn end_of_contents(&self, tag: &Tag<'_>, place: &Range<usize>) -> usize {
        let doubled = |end: usize| self.source[..end].ends_with("~~");
        let mark = match tag {
            Tag::Emphasis => 1,
            Tag::Strong => 2,
            Tag::Strikethrough => 1 + usize::from(doubled(place.end)),
            _ => 0,
        };
        place.end.saturating_sub(mark)
    }

    /// Takes the text at a place of the source, up to its first address; the rest comes again.
    fn take_text(&mut self, place: Range<usize>) {
        let text = &self.source[place.clone()];
        if text.starts_with('@') && self.source[..place.start].ends_with('\\') {
            self.ready.push_back(Event::Html("@".into()));
            self.put_back(place.start + 1..place.end);
            return;
        }
        let Some(at) = self.first_address(&place) else {
            self.ready.push_back(Event::Text(text.into()));
            return;
        };
        let end = self.end_of_address(at, place.end);
        if place.start < at {
            self.ready.push_back(Event::Text(self.source[place.start..at].into()));
        }
        let address = written(&self.source[at..end]);
        let link = Tag::Link {
            link_type: LinkType::Autolink,
            dest_url: address.clone().into(),
            title: CowStr::Borrowed(""),
            id: CowStr::Borrowed(""),
        };
        self.ready.extend([Event::Start(link), Event::Text(address.into()), Event::End(TagEnd::Link)]);
        // What the parser made of the rest of the address is no more.
        while let Some((event, of)) = self.ahead.pop_front() {
            if !(at + 1..end).contains(&of.start) {
                self.ahead.push_front((event, of));
                break;
            }
            if of.end > end {
                self.put_back(end..of.end);
                break;
            }
        }
        self.put_back(end..place.end);
    }

    /// Puts a piece of plain text back, to be looked at again.
    fn put_back(&mut self, place: Range<usize>) {
        if place.start < place.end {
            self.ahead.push_front((Event::Text(self.source[place.clone()].into()), place));
        }
    }

    fn first_address(&self, place: &Range<usize>) -> Option<usize> {
        let text = &self.source[place.clone()];
        let starts =
            text.char_indices().filter(|(_, c)| matches!(c, 'h' | 'H')).map(|(at, _)| place.start + at);
        let limit = self.limit();
        starts.into_iter().find(|at| {
            scheme(&self.source[*at..]).is_some()
                && may_precede(&self.source[..*at])
                && trimmed(self.source, *at, raw_end(self.source, *at, limit)).is_some()
        })
    }

    fn limit(&self) -> usize {
        self.open.last().copied().unwrap_or(self.source.len())
    }

    /// Where the address at a place ends, which begins in a text that ends at `text_end`: as far as the events after
    /// the text are parts of plain text.
    fn end_of_address(&mut self, at: usize, text_end: usize) -> usize {
        let cut = |source: &str, end| trimmed(source, at, end).unwrap_or(text_end.min(end));
        let mut end = cut(self.source, raw_end(self.source, at, self.limit()));
        // What ends now began before the address, and nothing of it comes after.
        let goes_on = |last: Option<&(Event<'_>, Range<usize>)>| match last {
            Some((Event::End(_), place)) if place.start <= at => false,
            Some((_, place)) => place.start < end,
            None => true,
        };
        while end > text_end && goes_on(self.ahead.back()) {
            match self.events.next() {
                Some(event) => self.ahead.push_back(event),
                None => break,
            }
        }
        // An obstacle makes the address shorter, and what lay in it whole may lie across its end then.
        while let Some(before) = self.obstacle(at, end) {
            end = cut(self.source, before);
        }
        end
    }

    /// Where the first thing begins that cannot be part of an address that ends there.
    fn obstacle(&self, at: usize, end: usize) -> Option<usize> {
        let inside = self.ahead.iter().take_while(|(_, place)| (at + 1..end).contains(&place.start));
        let mut in_the_way = inside.filter(|(event, place)| match event {
            Event::Text(_) => false,
            Event::Start(Tag::Emphasis | Tag::Strong | Tag::Strikethrough)
            | Event::End(TagEnd::Emphasis | TagEnd::Strong | TagEnd::Strikethrough) => place.end > end,
            _ => true,
        });
        in_the_way.next().map(|(_, place)| place.start)
    }
}

/// Where an address may end at the latest: before a character that none has.
fn raw_end(source: &str, at: usize, limit: usize) -> usize {
    let longest = source.floor_char_boundary((at + LONGEST).min(limit.max(at)));
    let text = &source[at..longest];
    at + text.find(ends_address).unwrap_or(text.len())
}

fn ends_address(c: char) -> bool {
    // The punctuation of other scripts stands in sentences, and is written as %… in addresses.
    const PUNCTUATION: &str = "<>\"`。，、；：！？「」『』（）【】《》〈〉“”„‘’«»।॥،؛؟۔…";
    c.is_whitespace() || c.is_control() || PUNCTUATION.contains(c)
}

/// Whether an address may begin after this text: not within a word, but after a letter of a script that puts no spaces
/// between words.
fn may_precede(before: &str) -> bool {
    let Some(last) = before.chars().next_back() else { return true };
    let spaceless = matches!(last, '\u{e00}'..='\u{e7f}' | '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}');
    spaceless || !(last.is_alphanumeric() || "_-@/#.&=".contains(last))
}

/// How long the scheme is that a text begins with, if a host may follow.
fn scheme(text: &str) -> Option<usize> {
    let is_first = |scheme: &&str| text.get(..scheme.len()).is_some_and(|s| s.eq_ignore_ascii_case(scheme));
    let length = ["https://", "http://"].into_iter().find(is_first)?.len();
    text[length..].starts_with(char::is_alphanumeric).then_some(length)
}

/// The end of the address at a place, without the punctuation of the sentence and brackets that it does not open;
/// `None` where there is none.
fn trimmed(source: &str, at: usize, end: usize) -> Option<usize> {
    let text = source.get(at..end)?;
    scheme(text)?;
    let count = |bracket: char| text.matches(bracket).count();
    let mut brackets =
        [(')', '('), (']', '['), ('}', '{')].map(|(close, open)| (close, count(close), count(open)));
    let mut rest = text;
    while let Some(last) = rest.chars().next_back() {
        if let Some((_, closed, opened)) = brackets.iter_mut().find(|(close, ..)| *close == last) {
            if *closed <= *opened {
                break;
            }
            *closed -= 1;
        } else if !".,:;!?'*~\\|".contains(last) {
            break;
        }
        rest = &rest[..rest.len() - last.len_utf8()];
    }
    Some(at + rest.len())
}

/// An address as its writer means it: a backslash before punctuation keeps that from being markup.
fn written(source: &str) -> String {
    let mut address = String::with_capacity(source.len());
    let mut chars = source.chars().peekable();
    while let Some(c) = chars.next() {
        match (c, chars.peek()) {
            ('\\', Some(next)) if next.is_ascii_punctuation() => {}
            _ => address.push(c),
        }
    }
    address.replace("&amp;", "&")
}
