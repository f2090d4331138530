//! How much of a process its clients may use, and for how long.

use std::time::Duration;

/// The limits of a server.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Connections of all clients together.
    pub connections: usize,
    /// Connections of one network.
    pub of_network: usize,
    /// How long a new connection may take to say what it wants.
    pub first: Duration,
    /// How long one may after an answer. Longer than what proxies keep an idle connection for, so that they close
    /// it and never send into a closed one.
    pub patience: Duration,
    /// How long a client may take nothing of an answer.
    pub stall: Duration,
    /// A client that has had bytes to take for no longer than this is taking them.
    pub brisk: Duration,
    /// Bytes of answers on one connection that are not taken before it is given more.
    pub unsent_of_one: usize,
    /// Bytes of answers that are not taken on all connections.
    pub unsent: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connections: 8_192,
            of_network: 512,
            first: Duration::from_secs(15),
            patience: Duration::from_secs(75),
            stall: Duration::from_secs(20),
            brisk: Duration::from_secs(2),
            unsent_of_one: 4 * 1024 * 1024,
            unsent: 64 * 1024 * 1024,
        }
    }
}

impl Limits {
    /// The limits of a process that may open so many files, behind so many proxies: a proxy brings everybody from
    /// one address.
    #[must_use]
    pub fn within(files: usize, trusted_proxies: u32) -> Self {
        let usual = Self::default();
        // Half is left to the store, to files and to what the service asks of others.
        let connections = usual.connections.min(files / 2).max(16);
        let of_network = if trusted_proxies > 0 { connections } else { usual.of_network.min(connections) };
        Self { connections, of_network, ..usual }
    }
}

#[cfg(test)]
mod tests {
    use super::Limits;

    #[test]
    fn connections_fit_into_the_files_that_a_process_may_open() {
        let limits = |files, proxies| {
            let limits = Limits::within(files, proxies);
            (limits.connections, limits.of_network)
        };
        assert_eq!(limits(1_048_576, 0), (8_192, 512));
        assert_eq!(limits(1_024, 0), (512, 512));
        assert_eq!(limits(1_048_576, 1), (8_192, 8_192));
        assert_eq!(limits(0, 0), (16, 16));
    }
}
