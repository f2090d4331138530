//! Where messages arrive in a simulation: a mailbox and two chats, which answer as a schedule says, and the book of what
//! arrived.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use parking_lot::Mutex;
use svc_app::ports::{AddressRefusal, Answer, Envelope, Mail, MailError, Outbound, OutboundError, Post};

/// Places where one person is told: mail, Slack, Discord.
pub(super) const PLACES: usize = 3;
/// The place that is mail.
pub(super) const MAIL: usize = 0;

/// How a place answers a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weather {
    /// It takes it, and the answer is lost.
    Lost,
    /// It does not answer.
    Down,
    /// It asks to come later.
    Busy,
    /// It refuses this message.
    Wrong,
    /// It is gone.
    Gone,
}

/// What a comment says, by which it is found again.
pub(super) fn token(n: usize) -> String {
    format!("tok{n}x")
}

/// The tokens in a text.
pub(super) fn tokens(text: &str) -> BTreeSet<usize> {
    text.split("tok").skip(1).filter_map(|rest| rest.split_once('x')?.0.parse().ok()).collect()
}

/// A message that arrived.
struct Arrived {
    place: usize,
    server: usize,
    tokens: BTreeSet<usize>,
    /// Whether whoever sent it did not get to know, or to write, that it arrived.
    died: bool,
}

/// The book.
#[derive(Default)]
pub(super) struct Office {
    answers: Mutex<[VecDeque<Weather>; PLACES]>,
    arrived: Mutex<Vec<Arrived>>,
    /// Messages that had arrived when a server began what it does.
    begun: Mutex<[usize; 2]>,
    /// Tokens that a place refused.
    refused: Mutex<BTreeSet<(usize, usize)>>,
    /// Places that said that they are gone, and were not mended since.
    gone: Mutex<[bool; PLACES]>,
}

impl Office {
    /// The next message to a place is answered like this.
    pub(super) fn expect(&self, place: usize, weather: Weather) {
        self.answers.lock()[place].push_back(weather);
    }

    /// Every message is taken from now on.
    pub(super) fn clear_up(&self) {
        *self.answers.lock() = Default::default();
    }

    /// A server begins something.
    pub(super) fn begin(&self, server: usize) {
        self.begun.lock()[server] = self.arrived.lock().len();
    }

    /// A server died in what it began: the last message that it sent to each place may not be known to have arrived.
    pub(super) fn died(&self, server: usize) {
        let begun = self.begun.lock()[server];
        let mut arrived = self.arrived.lock();
        for place in 0..PLACES {
            let last = arrived[begun..].iter_mut().rfind(|one| one.place == place && one.server == server);
            if let Some(last) = last {
                last.died = true;
            }
        }
    }

    pub(super) fn is_gone(&self, place: usize) -> bool {
        self.gone.lock()[place]
    }

    /// Somebody mended a place, and a test arrived.
    pub(super) fn mended(&self, place: usize) {
        self.gone.lock()[place] = false;
    }

    pub(super) fn was_refused(&self, place: usize, token: usize) -> bool {
        self.refused.lock().contains(&(place, token))
    }

    /// How often each token arrived at a place, and how often more it may have.
    pub(super) fn counts(&self, place: usize) -> BTreeMap<usize, (usize, usize)> {
        let mut counts: BTreeMap<usize, (usize, usize)> = BTreeMap::new();
        for one in self.arrived.lock().iter().filter(|one| one.place == place) {
            for token in &one.tokens {
                let (arrived, may_repeat) = counts.entry(*token).or_default();
                *arrived += 1;
                *may_repeat += usize::from(one.died);
            }
        }
        counts
    }

    /// The tokens in the order in which they first arrived at a place, those of one message together.
    pub(super) fn order(&self, place: usize) -> Vec<BTreeSet<usize>> {
        let mut seen = BTreeSet::new();
        let arrived = self.arrived.lock();
        let of_place = arrived.iter().filter(|one| one.place == place);
        of_place.map(|one| one.tokens.iter().copied().filter(|token| seen.insert(*token)).collect()).collect()
    }

    /// Takes a message, or not.
    fn take(&self, place: usize, server: usize, text: &str) -> Option<Weather> {
        let weather = self.answers.lock()[place].pop_front();
        let tokens = tokens(text);
        match weather {
            None | Some(Weather::Lost) => {
                let died = weather.is_some();
                self.arrived.lock().push(Arrived { place, server, tokens, died });
            }
            Some(Weather::Down | Weather::Busy) => {}
            Some(Weather::Wrong) => {
                self.refused.lock().extend(tokens.into_iter().map(|token| (place, token)));
            }
            Some(Weather::Gone) if place == MAIL => {
                self.refused.lock().extend(tokens.into_iter().map(|token| (place, token)));
            }
            Some(Weather::Gone) => self.gone.lock()[place] = true,
        }
        weather
    }
}

/// How a server reaches the office.
pub(super) struct Counter {
    pub(super) office: Arc<Office>,
    pub(super) server: usize,
}

#[async_trait::async_trait]
impl Mail for Counter {
    async fn send(&self, mail: &Envelope) -> Result<(), MailError> {
        match self.office.take(MAIL, self.server, &mail.email.text) {
            None => Ok(()),
            Some(Weather::Lost | Weather::Down | Weather::Busy) => {
                Err(MailError::Unavailable("451 later".into()))
            }
            Some(Weather::Wrong | Weather::Gone) => Err(MailError::Refused("550 no".to_owned())),
        }
    }
}

#[async_trait::async_trait]
impl Outbound for Counter {
    fn judge(&self, _: &str) -> Result<(), AddressRefusal> {
        Ok(())
    }

    async fn post(&self, post: &Post) -> Result<Answer, OutboundError> {
        let slack = post.address.contains("hooks.slack.com");
        let place = if slack { 1 } else { 2 };
        let text = String::from_utf8_lossy(&post.body).into_owned();
        let (status, body) = match (self.office.take(place, self.server, &text), slack) {
            (Some(Weather::Lost | Weather::Down), _) => {
                return Err(OutboundError::Unavailable("no answer".into()));
            }
            (None, true) => (200, "ok"),
            (None, false) => (200, r#"{"id":"1"}"#),
            (Some(Weather::Busy), true) => (429, ""),
            (Some(Weather::Busy), false) => (429, r#"{"retry_after":30.0}"#),
            (Some(Weather::Wrong), true) => (400, "invalid_payload"),
            (Some(Weather::Wrong), false) => (400, r#"{"code":50035}"#),
            (Some(Weather::Gone), true) => (404, "no_service"),
            (Some(Weather::Gone), false) => (404, r#"{"code":10015}"#),
        };
        let retry_after = (status == 429).then_some(30);
        Ok(Answer { status, retry_after, body: body.as_bytes().to_vec() })
    }
}
