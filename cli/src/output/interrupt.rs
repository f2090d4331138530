//! Ctrl-C while a secret is asked for: the terminal, which does not show what is typed then, must show it
//! again to whoever goes on in it.

use std::io;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use rustix::termios::{OptionalActions, Termios, tcgetattr, tcsetattr};
use tokio::runtime::Builder;
use tokio::signal::unix::{SignalKind, signal};

/// What a shell says of a program that Ctrl-C ended.
const INTERRUPTED: i32 = 130;
/// More than it takes to be ready; without it the terminal only is as it was before.
const READY: Duration = Duration::from_secs(1);

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
