//! What is compared: requests to servers, in rounds that take turns, so that what else the machine does hits all
//! alike.

use std::net::SocketAddr;
use std::time::Duration;

use rustix::process::Pid;

use super::rest::cpu_seconds;
use crate::driver::rate;
use crate::report::median;

const CONNECTIONS: usize = 32;

/// One of those that are compared.
pub(super) struct Side {
    pub(super) address: SocketAddr,
    pid: Pid,
    pub(super) request: Vec<u8>,
    /// Requests per second of each round.
    pub(super) rates: Vec<f64>,
    /// Time of a processor that the server spent on each request, of each round.
    pub(super) micros: Vec<f64>,
}

impl Side {
    pub(super) fn new(address: SocketAddr, pid: Pid, request: Vec<u8>) -> Self {
        Self { address, pid, request, rates: Vec::new(), micros: Vec::new() }
    }

    async fn round(&mut self, time: Duration) {
        let before = cpu_seconds(self.pid);
        let rate = rate(self.address, &self.request, CONNECTIONS, time).await;
        let requests = rate * time.as_secs_f64();
        self.micros.push((cpu_seconds(self.pid) - before) / requests * 1e6);
        self.rates.push(rate);
    }
}

/// Rounds of each in turn, after a short one that counts for nothing.
pub(super) async fn in_turn(sides: &mut [&mut Side], rounds: usize, time: Duration) {
    for side in sides.iter_mut() {
        rate(side.address, &side.request, CONNECTIONS, time / 4).await;
    }
    for _ in 0..rounds {
        for side in sides.iter_mut() {
            side.round(time).await;
        }
    }
}

/// Median of the ratios of each round.
pub(super) fn ratio(above: &[f64], below: &[f64]) -> f64 {
    let ratios: Vec<f64> = above.iter().zip(below).map(|(above, below)| above / below).collect();
    median(&ratios)
}
