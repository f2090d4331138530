//! `svc-server healthcheck`: asks the server of this machine whether it can serve, for what supervises containers.

use std::io::{Read as _, Write as _};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpStream};
use std::time::Duration;

use crate::failure::Failure;

/// How long the server may take for each step of its answer.
const PATIENCE: Duration = Duration::from_secs(5);

/// What is read of an answer, in bytes: it is one line.
const MOST: u64 = 16 * 1024;

/// Asks `GET /readyz` of the server that listens on an address, and prints its answer.
///
/// # Errors
/// That nothing answers there; what the server says is wrong.
pub fn healthcheck(listen: SocketAddr) -> Result<(), Failure> {
    let address = reachable(listen);
    let answer = ask(address).map_err(|error| {
        format!("no answer from {address}: {error}; name the server's address with --listen or SVC_LISTEN")
    })?;
    let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((&answer, ""));
    if head.split(' ').nth(1) == Some("200") {
        print!("{body}");
        Ok(())
    } else {
        Err(format!("{address} is not ready: {}", body.trim_end()).into())
    }
}

/// Where a server that listens on all addresses of this machine can be asked.
fn reachable(listen: SocketAddr) -> SocketAddr {
    let ip = match listen.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        ip => ip,
    };
    SocketAddr::new(ip, listen.port())
}

fn ask(address: SocketAddr) -> std::io::Result<String> {
    let mut stream = TcpStream::connect_timeout(&address, PATIENCE)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    stream.write_all(b"GET /readyz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")?;
    let mut answer = String::new();
    stream.take(MOST).read_to_string(&mut answer)?;
    Ok(answer)
}

#[cfg(test)]
mod tests {
    use super::reachable;

    #[test]
    fn a_server_on_all_addresses_is_asked_on_loopback() {
        for (listen, asked) in
            [("0.0.0.0:8080", "127.0.0.1:8080"), ("[::]:80", "[::1]:80"), ("10.0.0.5:8080", "10.0.0.5:8080")]
        {
            assert_eq!(reachable(listen.parse().unwrap()).to_string(), asked);
        }
    }
}
