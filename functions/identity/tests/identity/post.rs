//! A mailbox in memory, and the workers' part of sending.

use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use svc_app::ports::{Envelope, Mail, MailError};
use svc_testkit::TestApp;

/// What happens to the next mails.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Weather {
    #[default]
    Fine,
    Refusing,
    Down,
}

/// Keeps every mail that was sent.
#[derive(Default)]
pub(crate) struct Mailbox {
    pub(crate) weather: Mutex<Weather>,
    sent: Mutex<Vec<Envelope>>,
}

#[async_trait::async_trait]
impl Mail for Mailbox {
    async fn send(&self, mail: &Envelope) -> Result<(), MailError> {
        let weather = *self.weather.lock();
        match weather {
            Weather::Fine => {
                self.sent.lock().push(mail.clone());
                Ok(())
            }
            Weather::Refusing => Err(MailError::Refused("550 nobody of this name".to_owned())),
            Weather::Down => Err(MailError::Unavailable("connection refused".into())),
        }
    }
}

impl Mailbox {
    /// What was sent since the last time.
    pub(crate) fn take(&self) -> Vec<Envelope> {
        std::mem::take(&mut *self.sent.lock())
    }
}

/// The same application, and its mailbox.
pub(crate) fn with_mailbox(t: TestApp) -> (TestApp, Arc<Mailbox>) {
    let mailbox = Arc::new(Mailbox::default());
    (t.with_mail(mailbox.clone()), mailbox)
}

/// Does what the workers do, until no message is left; answers how many failed and will come again.
pub(crate) async fn work(t: &TestApp) -> usize {
    let mut failed = 0;
    loop {
        let messages = t.app.queue.receive(10, Duration::ZERO).await.expect("the queue answers");
        if messages.is_empty() {
            return failed;
        }
        for message in messages {
            let known = serde_json::from_str(&message.body).expect("a message");
            match svc_workers::handle(&t.app, &known).await {
                Ok(()) => t.app.queue.ack(&message.receipt).await.expect("the queue answers"),
                Err(_) => failed += 1,
            }
        }
    }
}

/// The secret of the link in a text.
pub(crate) fn secret_in(text: &str) -> String {
    let (_, rest) = text.split_once('#').expect("a link with a secret");
    rest.split_whitespace().next().expect("a secret").to_owned()
}
