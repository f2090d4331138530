//! Which addresses are open to everybody, and which networks an operator opens besides.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Networks that an operator opens, such as `10.0.0.0/8, fd00::/8`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Networks(Vec<(IpAddr, u8)>);

impl Networks {
    /// Reads a list with commas between them. One address alone is a network of its own.
    pub(super) fn parse(list: &str) -> Result<Self, String> {
        list.split(',')
            .map(str::trim)
            .filter(|one| !one.is_empty())
            .map(network)
            .collect::<Result<_, _>>()
            .map(Self)
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether one of them holds the address.
    pub(super) fn hold(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        self.0.iter().any(|(network, length)| match (network, address) {
            (IpAddr::V4(network), IpAddr::V4(address)) => {
                agree(u32::from(*network).into(), u32::from(address).into(), 32, *length)
            }
            (IpAddr::V6(network), IpAddr::V6(address)) => {
                agree(u128::from(*network), u128::from(address), 128, *length)
            }
            _ => false,
        })
    }
}

fn network(text: &str) -> Result<(IpAddr, u8), String> {
    let wrong = || format!("{text:?} is no network such as 10.0.0.0/8");
    let (address, length) =
        text.split_once('/').map_or((text, None), |(address, length)| (address, Some(length)));
    let address: IpAddr = address.parse().map_err(|_| wrong())?;
    let whole = if address.is_ipv4() { 32 } else { 128 };
    let length = length.map_or(Ok(whole), str::parse).map_err(|_| wrong())?;
    if length <= whole { Ok((address, length)) } else { Err(wrong()) }
}

fn agree(a: u128, b: u128, bits: u8, length: u8) -> bool {
    length == 0 || (a ^ b) >> (bits - length) == 0
}

/// Whether everybody can reach an address: it is none of a machine's own, of a private network, or of a special use.
pub(super) fn is_public(address: IpAddr) -> bool {
    match address.to_canonical() {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let [a, b, c, _] = address.octets();
    !(address.is_private()
        || address.is_loopback()
        || address.is_link_local()
        || address.is_documentation()
        || matches!(
            (a, b, c),
            (0 | 224.., ..) | (100, 64..=127, _) | (192, 0, 0) | (192, 88, 99) | (198, 18..=19, _)
        ))
}

/// Only of the global part, and there not what leads to an IPv4 address or to documentation.
fn is_public_v6(address: Ipv6Addr) -> bool {
    let [a, b, ..] = address.segments();
    a & 0xe000 == 0x2000
        && !matches!((a, b), (0x2001, 0..=0x01ff | 0x0db8) | (0x2002, _) | (0x3fff, 0..=0x0fff))
}

#[cfg(test)]
mod tests {
    use super::{Networks, is_public};

    #[test]
    fn only_what_everybody_reaches_is_public() {
        for public in ["8.8.8.8", "172.32.0.1", "100.128.0.1", "::ffff:8.8.8.8", "2606:4700::1111"] {
            assert!(is_public(public.parse().unwrap()), "{public}");
        }
        for other in [
            "127.0.0.1",
            "127.9.9.9",
            "0.0.0.0",
            "0.1.2.3",
            "10.0.0.1",
            "172.16.0.1",
            "172.31.255.255",
            "192.168.1.1",
            "169.254.169.254",
            "100.64.0.1",
            "192.0.0.8",
            "192.0.2.1",
            "192.88.99.1",
            "198.18.0.1",
            "198.51.100.1",
            "203.0.113.1",
            "224.0.0.1",
            "240.0.0.1",
            "255.255.255.255",
            "::",
            "::1",
            "::ffff:127.0.0.1",
            "::ffff:10.0.0.1",
            "::7f00:1",
            "64:ff9b::7f00:1",
            "64:ff9b:1::1",
            "100::1",
            "2001::1",
            "2001:db8::1",
            "2002:7f00:1::1",
            "3fff::1",
            "fc00::1",
            "fd12::1",
            "fe80::1",
            "fec0::1",
            "ff02::1",
        ] {
            assert!(!is_public(other.parse().unwrap()), "{other}");
        }
    }

    #[test]
    fn networks_are_read_and_hold_their_addresses() {
        let networks = Networks::parse("10.1.0.0/16, 127.0.0.1,fd00::/8").unwrap();
        for (address, held) in [
            ("10.1.2.3", true),
            ("10.2.0.1", false),
            ("127.0.0.1", true),
            ("127.0.0.2", false),
            ("::ffff:10.1.2.3", true),
            ("fd12::1", true),
            ("fe80::1", false),
        ] {
            assert_eq!(networks.hold(address.parse().unwrap()), held, "{address}");
        }
        assert!(Networks::parse("0.0.0.0/0").unwrap().hold("1.2.3.4".parse().unwrap()));
        assert!(Networks::parse(" ").unwrap().is_empty());
        for wrong in ["10.0.0.0/33", "::/129", "home", "10.0.0.0/", "10.0.0.0/-1"] {
            assert!(Networks::parse(wrong).is_err(), "{wrong}");
        }
    }
}
