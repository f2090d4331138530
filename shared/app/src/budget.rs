//! The request budget: a number of requests per minute for each subject, exact across all processes that share the
//! store (specification section 8).
//!
//! Protocol.
//! 1. A subject's budget of a minute is a counter row; only [`Table::increment`] changes it.
//! 2. A process without permits for the subject adds a block to the counter, one request at a time, while the others
//!    wait for it. The counter's earlier value says how much of the block is within the budget; the rest is
//!    discarded.
//! 3. Permits are spent from memory. Unused permits expire with the minute and are never returned. So each process
//!    can waste up to a block, but the budget is never exceeded.
//! 4. Once the counter has passed the limit, the process refuses from memory until the next minute.
//! 5. While the store accepts no writes, each process counts alone, in memory: a full disk must not stop readers.
//!
//! Whose budget a request is counted against: [`payer`]. How many answers an account may hold open: [`held`].
//! How many of its requests are answered at once: [`places`].
//! How many strangers it may mail: [`strangers`].
//!
//! [`Table::increment`]: svc_storage::Table::increment

mod held;
mod leases;
mod payer;
mod payers;
mod places;
mod strangers;

use std::net::IpAddr;

use svc_domain::refusal::Refusal;
use svc_storage::keys;

use crate::App;
use crate::error::Result;

pub use held::{Account, HeldAnswers, Hold};
pub use leases::Budgets;
use leases::Spent;
pub use payer::{Purpose, admit, admit_delivery};
pub use payers::{Payer, Payers};
pub use places::{AT_ONCE, Admission, Places};
pub(crate) use strangers::spend_mail;

/// Spends one request of a subject's budget.
///
/// # Errors
/// [`Refusal::RateLimited`] when the budget of this minute is spent.
pub async fn spend(app: &App, subject: &str, limit: u32) -> Result<()> {
    let second = app.now().as_second();
    let minute = second.div_euclid(60);
    let refusal =
        || Refusal::RateLimited { retry_after: u32::try_from(60 - second.rem_euclid(60)).unwrap_or(60) };
    let turn = match app.budgets.spend(subject, minute) {
        Spent::Permit => return Ok(()),
        Spent::Exhausted => return Err(refusal().into()),
        Spent::Empty(turn) => turn,
    };
    let _turn = turn.lock().await;
    match app.budgets.spend(subject, minute) {
        Spent::Permit => return Ok(()),
        Spent::Exhausted => return Err(refusal().into()),
        Spent::Empty(_) => {}
    }
    let block = block_of(limit);
    let key = keys::rate(subject, minute);
    let expires = (minute + 2) * 60;
    let granted = match app.table.increment(&key, "spent", i64::from(block), Some(expires)).await {
        Ok(after) => granted(after, block, limit),
        Err(error) => {
            app.health.write_failed(&error);
            app.budgets.alone(subject, minute, block, limit)
        }
    };
    app.budgets.lease(subject, minute, granted);
    if granted == 0 { Err(refusal().into()) } else { Ok(()) }
}

/// Spends one of a budget of so many seconds, counted exactly: for what is rare.
async fn spend_one(app: &App, subject: &str, seconds: i64, limit: u32) -> Result<()> {
    let now = app.now().as_second();
    let window = now.div_euclid(seconds);
    let expires = Some((window + 2) * seconds);
    if app.table.increment(&keys::rate(subject, window), "spent", 1, expires).await? > i64::from(limit) {
        let left = seconds - now.rem_euclid(seconds);
        return Err(Refusal::RateLimited { retry_after: u32::try_from(left).unwrap_or(u32::MAX) }.into());
    }
    Ok(())
}

/// The network that an address is charged for: the address itself, or the /64 of which whoever has one IPv6
/// address has all others.
pub fn network(address: IpAddr) -> String {
    match address.to_canonical() {
        IpAddr::V4(address) => address.to_string(),
        IpAddr::V6(address) => {
            let [a, b, c, d, ..] = address.segments();
            format!("{a:x}:{b:x}:{c:x}:{d:x}::/64")
        }
    }
}

/// Small enough that several processes share a budget fairly, large enough that a write serves many.
const fn block_of(limit: u32) -> u32 {
    if limit < 20 { 1 } else { limit / 20 }
}

/// How many permits of a block are within the limit, when the counter is `after` adding it.
fn granted(after: i64, block: u32, limit: u32) -> u32 {
    let before = after - i64::from(block);
    let left = i64::from(limit) - before;
    u32::try_from(left.clamp(0, i64::from(block))).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::{block_of, granted, network};

    #[test]
    fn whoever_has_one_ipv6_address_has_a_whole_network() {
        for (address, charged) in [
            ("192.0.2.7", "192.0.2.7"),
            ("::ffff:192.0.2.7", "192.0.2.7"),
            ("2001:db8:1:2::1", "2001:db8:1:2::/64"),
            ("2001:db8:1:2:ffff:eeee:dddd:cccc", "2001:db8:1:2::/64"),
            ("2001:db8:1:3::1", "2001:db8:1:3::/64"),
        ] {
            assert_eq!(network(address.parse().unwrap()), charged, "{address}");
        }
    }

    #[test]
    fn blocks_never_grant_more_than_the_limit() {
        for limit in [1, 7, 10, 19, 20, 300, 1_000] {
            let block = block_of(limit);
            let mut counter = 0;
            let mut total = 0;
            for _ in 0..2 * limit {
                counter += i64::from(block);
                total += granted(counter, block, limit);
            }
            assert_eq!(total, limit);
        }
    }
}
