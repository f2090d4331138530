//! The attacks, each as long as it lasts.

use std::io::Cursor;
use std::pin::Pin;
use std::sync::atomic::Ordering;

use futures::future::join_all;
use image::{ImageFormat, RgbImage};
use tokio::io::AsyncWriteExt as _;
use tokio::net::TcpStream;
use tokio::time::{Duration, sleep};

use super::Attack;
use super::ground::{LONG, PROJECT, TABLES};
use crate::driver::Connection;

/// Attackers at once, where each waits for its answers.
const CONNECTIONS: usize = 32;

pub(super) type Run = fn(Attack) -> Pin<Box<dyn Future<Output = ()>>>;

/// A kind of attack.
pub(super) struct Kind {
    pub(super) name: &'static str,
    pub(super) what: &'static str,
    pub(super) run: Run,
}

/// All of them.
pub(super) const KINDS: [Kind; 10] = [
    Kind {
        name: "narrow",
        what: "pictures of 1 × 9,999",
        run: |attack| Box::pin(pictures(attack, 1, 9_999)),
    },
    Kind {
        name: "large",
        what: "pictures of 5,400 × 5,400",
        run: |attack| Box::pin(pictures(attack, 5_400, 5_400)),
    },
    Kind {
        name: "tables",
        what: "100 comments of wide tables as HTML",
        run: |attack| Box::pin(tables(attack)),
    },
    Kind { name: "phrase", what: "a phrase in 296 pages of 190 kB", run: |attack| Box::pin(phrase(attack)) },
    Kind { name: "difference", what: "90 against 99,000 lines", run: |attack| Box::pin(difference(attack)) },
    Kind {
        name: "comments",
        what: "one of 1,488 comments of 50 kB",
        run: |attack| Box::pin(comments(attack)),
    },
    Kind {
        name: "unread",
        what: "280 answers of 5 MB that nobody takes",
        run: |attack| Box::pin(unread(attack)),
    },
    Kind { name: "tokens", what: "a made-up token for each request", run: |attack| Box::pin(tokens(attack)) },
    Kind { name: "passwords", what: "guesses at a password", run: |attack| Box::pin(passwords(attack)) },
    Kind { name: "silent", what: "1,000 silent connections", run: |attack| Box::pin(silent(attack)) },
];

/// Sends requests over so many connections until the attack is over, whatever is answered.
async fn flood(attack: &Attack, request: impl Fn(usize) -> Vec<u8>) {
    let one = async |place: usize| {
        let mut number = place;
        while !attack.is_over() {
            let Ok(mut connection) = Connection::open(attack.target.address).await else {
                sleep(Duration::from_millis(10)).await;
                continue;
            };
            while !attack.is_over() && connection.send(&request(number)).await.is_ok() {
                attack.answers.fetch_add(1, Ordering::Relaxed);
                number += CONNECTIONS;
            }
        }
    };
    join_all((0..CONNECTIONS).map(one)).await;
}

async fn flood_path(attack: &Attack, path: &str) {
    let request = attack.target.get(&format!("{}/{path}", attack.org));
    flood(attack, |_| request.clone()).await;
}

async fn pictures(attack: Attack, width: u32, height: u32) {
    let mut png = Cursor::new(Vec::new());
    RgbImage::new(width, height).write_to(&mut png, ImageFormat::Png).expect("a picture can be written");
    let request = attack.target.upload("/api/v1/me/avatar", png.get_ref());
    flood(&attack, |_| request.clone()).await;
}

async fn tables(attack: Attack) {
    flood_path(&attack, &format!("items/{TABLES}/comments?pageSize=100&render=html")).await;
}

async fn phrase(attack: Attack) {
    let path = format!("projects/{PROJECT}/search?types=pages&q=%22one%20after%20every%20page%22");
    flood_path(&attack, &path).await;
}

async fn difference(attack: Attack) {
    flood_path(&attack, &format!("projects/{PROJECT}/wiki/diff/Versions?from=1&to=2")).await;
}

async fn comments(attack: Attack) {
    flood_path(&attack, &format!("items/{LONG}/comments?pageSize=1&page=1488")).await;
}

/// Asks for large answers and takes nothing of them.
async fn unread(attack: Attack) {
    let path = format!("{}/items/{LONG}/comments?pageSize=100", attack.org);
    let request = attack.target.get(&path);
    let mut open = Vec::new();
    while !attack.is_over() {
        if open.len() < 280
            && let Ok(mut stream) = TcpStream::connect(attack.target.address).await
            && stream.write_all(&request).await.is_ok()
        {
            open.push(stream);
            continue;
        }
        // Those that were closed are opened again.
        open.retain(is_open);
        sleep(Duration::from_millis(50)).await;
    }
}

/// Whether a connection was not closed by the other side; takes at most a byte of what there is to read.
fn is_open(stream: &TcpStream) -> bool {
    match stream.try_read(&mut [0; 1]) {
        Ok(read) => read > 0,
        Err(error) => error.kind() == std::io::ErrorKind::WouldBlock,
    }
}

async fn tokens(attack: Attack) {
    let path = format!("{}/projects", attack.org);
    let made_up = |number: usize| {
        let mut target = attack.target.clone();
        target.token = format!("svt_made-up-{number}");
        target.get(&path)
    };
    flood(&attack, made_up).await;
}

async fn passwords(attack: Attack) {
    let guess = |number: usize| {
        let body = format!(r#"{{"email":"nobody@example.com","password":"a guess at it {number}"}}"#);
        attack.target.post("/api/v1/auth/login", &body)
    };
    flood(&attack, guess).await;
}

/// Opens connections that ask for nothing, as fast as they are closed.
async fn silent(attack: Attack) {
    let mut open = Vec::new();
    while !attack.is_over() {
        if open.len() >= 1_000 {
            sleep(Duration::from_millis(20)).await;
            open.retain(is_open);
            continue;
        }
        if let Ok(stream) = TcpStream::connect(attack.target.address).await {
            open.push(stream);
            attack.answers.fetch_add(1, Ordering::Relaxed);
        }
    }
}
