//! The body of a response in pieces, each counted until it is sent, and the stream that writes them and gives up on
//! clients that read nothing.

use std::io::{self, ErrorKind, IoSlice};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::body::{Body, Bytes, HttpBody};
use hyper::body::{Frame, SizeHint};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Instant, Sleep, sleep};

use super::crowd::{Crowd, Guest};

/// Bytes that are handed on at once: what a connection holds of an answer beyond what is counted.
pub(super) const PIECE: usize = 64 * 1024;

/// A connection as the parts of it know it.
#[derive(Clone)]
pub(super) struct Place {
    pub(super) crowd: Arc<Crowd>,
    pub(super) guest: Arc<Guest>,
}

/// A request that waits for its whole answer.
pub(super) struct Asked(pub(super) Place);

impl Asked {
    pub(super) fn new(place: Place) -> Self {
        place.guest.asks();
        Self(place)
    }
}

impl Drop for Asked {
    fn drop(&mut self) {
        self.0.guest.is_answered(Instant::now());
    }
}

/// The body of an answer.
pub(super) struct Counted {
    body: Body,
    asked: Asked,
    /// Of what was counted, what was not handed on.
    left: usize,
    /// What the body gave and was not handed on.
    piece: Bytes,
    /// How many bytes the body gave at once: they stay in memory until the last of them is handed on.
    given: usize,
}

impl Counted {
    /// A body of which so many bytes were counted.
    pub(super) const fn new(body: Body, asked: Asked, counted: usize) -> Self {
        Self { body, asked, left: counted, piece: Bytes::new(), given: 0 }
    }

    /// So many bytes are in memory no more.
    fn freed(&mut self, bytes: usize) {
        if self.left > 0 {
            let bytes = bytes.min(self.left);
            self.left -= bytes;
            self.asked.0.crowd.took(&self.asked.0.guest, bytes, Instant::now());
        }
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.freed(self.left);
    }
}

impl HttpBody for Counted {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let this = self.get_mut();
        if this.piece.is_empty() {
            match ready!(Pin::new(&mut this.body).poll_frame(cx)) {
                Some(Ok(frame)) => match frame.into_data() {
                    Ok(data) => (this.given, this.piece) = (data.len(), data),
                    Err(trailers) => return Poll::Ready(Some(Ok(trailers))),
                },
                ended => return Poll::Ready(ended),
            }
        }
        let piece = this.piece.split_to(this.piece.len().min(PIECE));
        this.freed(if this.piece.is_empty() { this.given } else { 0 });
        Poll::Ready(Some(Ok(Frame::data(piece))))
    }

    fn is_end_stream(&self) -> bool {
        self.piece.is_empty() && self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        let mut hint = self.body.size_hint();
        let held = self.piece.len() as u64;
        if let Some(upper) = hint.upper() {
            hint.set_upper(upper + held);
        }
        hint.set_lower(hint.lower() + held);
        hint
    }
}

/// A stream whose writing ends when nothing can be written for too long.
pub(super) struct Patient {
    stream: TcpStream,
    stall: Duration,
    stalled: Option<Pin<Box<Sleep>>>,
}

impl Patient {
    pub(super) const fn new(stream: TcpStream, stall: Duration) -> Self {
        Self { stream, stall, stalled: None }
    }

    fn progress<T>(&mut self, cx: &mut Context<'_>, done: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        if done.is_ready() {
            self.stalled = None;
            return done;
        }
        let stall = self.stall;
        let stalled = self.stalled.get_or_insert_with(|| Box::pin(sleep(stall)));
        ready!(stalled.as_mut().poll(cx));
        Poll::Ready(Err(ErrorKind::TimedOut.into()))
    }
}

impl AsyncRead for Patient {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, buf)
    }
}

impl AsyncWrite for Patient {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        let done = Pin::new(&mut self.stream).poll_write(cx, buf);
        self.progress(cx, done)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bufs: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let done = Pin::new(&mut self.stream).poll_write_vectored(cx, bufs);
        self.progress(cx, done)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}
