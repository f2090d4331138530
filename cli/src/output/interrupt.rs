//! Ctrl-C where it must not simply end the program. While a secret is asked for, the terminal does not show what is
//! typed: it must show it again. While a draft is saved or a run followed, the person must hear what became of it.

use std::io;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use rustix::termios::{OptionalActions, Termios, tcgetattr, tcsetattr};
use tokio::runtime::Builder;
use tokio::signal::unix::{Signal, SignalKind, signal};

/// What a shell says of a program that Ctrl-C ended.
const INTERRUPTED: i32 = 130;
/// More than it takes to be ready; without it the terminal only is as it was before.
const READY: Duration = Duration::from_secs(1);

/// Presses of Ctrl-C. From the first of these on, none ends the program by itself.
pub(crate) struct Interrupts(Option<Signal>);

impl Interrupts {
    /// Those from now on. Where the system gives none, Ctrl-C ends the program as usual.
    pub(crate) fn from_now() -> Self {
        Self(signal(SignalKind::interrupt()).ok())
    }

    /// Waits for the next one.
    pub(crate) async fn next(&mut self) {
        match &mut self.0 {
            Some(signal) => drop(signal.recv().await),
            None => std::future::pending().await,
        }
    }
}

/// From now on Ctrl-C gives the terminal back as it is now, and ends the program.
pub(super) fn give_terminal_back() {
    let Ok(now) = tcgetattr(io::stdin()) else { return };
    let (ready, wait) = mpsc::channel();
    thread::spawn(move || watch(&now, &ready));
    let _ = wait.recv_timeout(READY);
}

fn watch(before: &Termios, ready: &mpsc::Sender<()>) {
    let Ok(runtime) = Builder::new_current_thread().enable_all().build() else { return };
    let interrupted = runtime.block_on(async {
        let mut interrupts = signal(SignalKind::interrupt()).ok()?;
        let _ = ready.send(());
        interrupts.recv().await
    });
    if interrupted.is_some() {
        let _ = tcsetattr(io::stdin(), OptionalActions::Now, before);
        eprintln!();
        std::process::exit(INTERRUPTED);
    }
}
