//! Work in lanes: only so much at once of each subject, owner and kind, in the order in which it came; everything else
//! at the same time.
//!
//! What waits for a lane takes no place of what could begin. Where too much waits for a lane, the rest is refused: see
//! [`Lanes::add`].

use std::collections::{HashMap, VecDeque};

use futures::future::{BoxFuture, FutureExt as _};
use futures::stream::{FuturesUnordered, StreamExt as _};

use crate::shares::Share;

/// Pieces of work that wait at most. Beyond, only owners of whom nothing waits get a place.
const MOST_WAITING: usize = 1_000;

/// Work that is done, or waits for its lane.
pub(crate) struct Lanes<'a, T, O> {
    work: Box<dyn Fn(T) -> BoxFuture<'a, O> + Send + Sync + 'a>,
    at_work: FuturesUnordered<BoxFuture<'a, (Vec<Share>, O)>>,
    /// What waits, in the order in which it came.
    waiting: VecDeque<(Vec<Share>, T)>,
    /// How much is at work and how much waits, by the name of the share.
    counts: HashMap<String, Count>,
}

#[derive(Clone, Copy, Default)]
struct Count {
    at_work: usize,
    waiting: usize,
}

impl<'a, T, O: Send + 'a> Lanes<'a, T, O> {
    /// Lanes in which this is done.
    pub(crate) fn new(work: impl Fn(T) -> BoxFuture<'a, O> + Send + Sync + 'a) -> Self {
        Self {
            work: Box::new(work),
            at_work: FuturesUnordered::new(),
            waiting: VecDeque::new(),
            counts: HashMap::new(),
        }
    }

    /// How much is at work.
    pub(crate) fn at_work(&self) -> usize {
        self.at_work.len()
    }

    /// How much is at work or waits.
    pub(crate) fn held(&self) -> usize {
        self.at_work.len() + self.waiting.len()
    }

    /// Begins the work, or lets it wait for its shares, the narrowest of which comes first.
    ///
    /// # Errors
    /// The work, where too much waits already.
    pub(crate) fn add(&mut self, shares: Vec<Share>, one: T) -> Result<(), T> {
        let full = shares.iter().any(|share| self.count(share).waiting >= share.waiting);
        let crowded = self.waiting.len() >= MOST_WAITING && shares.iter().any(|share| self.crowds(share));
        if self.may_begin(&shares) {
            self.begin(shares, one);
        } else if full || crowded {
            return Err(one);
        } else {
            self.tally(&shares, |count| count.waiting += 1);
            self.waiting.push_back((shares, one));
        }
        Ok(())
    }

    /// Takes out what waits.
    pub(crate) fn take_waiting(&mut self) -> Vec<T> {
        let waiting = std::mem::take(&mut self.waiting);
        for (shares, _) in &waiting {
            self.tally(shares, |count| count.waiting -= 1);
        }
        waiting.into_iter().map(|(_, one)| one).collect()
    }

    /// Does this now, whatever else is at work.
    pub(crate) fn add_aside(&mut self, work: BoxFuture<'a, O>) {
        self.at_work.push(work.map(|outcome| (Vec::new(), outcome)).boxed());
    }

    /// Works until the next piece of work is done; answers its outcome, and nothing when there is none. Nothing is lost
    /// when it is dropped.
    pub(crate) async fn next(&mut self) -> Option<O> {
        let (shares, outcome) = self.at_work.next().await?;
        self.tally(&shares, |count| count.at_work -= 1);
        while let Some(place) = self.following() {
            let Some((shares, one)) = self.waiting.remove(place) else { break };
            self.tally(&shares, |count| count.waiting -= 1);
            self.begin(shares, one);
        }
        Some(outcome)
    }

    /// Where the work waits that begins next: of that which may begin, the one whose owner has the least at work.
    fn following(&self) -> Option<usize> {
        let may_begin = self.waiting.iter().enumerate().filter(|(_, (shares, _))| self.may_begin(shares));
        let of_owner = |shares: &[Share]| shares.iter().map(|share| self.count(share).at_work).take(2).max();
        may_begin.min_by_key(|(place, (shares, _))| (of_owner(shares), *place)).map(|(place, _)| place)
    }

    fn begin(&mut self, shares: Vec<Share>, one: T) {
        self.tally(&shares, |count| count.at_work += 1);
        self.at_work.push((self.work)(one).map(|outcome| (shares, outcome)).boxed());
    }

    fn may_begin(&self, shares: &[Share]) -> bool {
        shares.iter().all(|share| self.count(share).at_work < share.at_once)
    }

    /// Whether work waits already for a share that has an end.
    fn crowds(&self, share: &Share) -> bool {
        share.waiting < usize::MAX && self.count(share).waiting > 0
    }

    fn count(&self, share: &Share) -> Count {
        self.counts.get(&share.name).copied().unwrap_or_default()
    }

    fn tally(&mut self, shares: &[Share], change: impl Fn(&mut Count)) {
        for share in shares {
            let count = self.counts.entry(share.name.clone()).or_default();
            change(count);
            if count.at_work + count.waiting == 0 {
                self.counts.remove(&share.name);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Lanes;
    use crate::shares::Share;
    use futures::FutureExt as _;
    use tokio::time::{Duration, sleep};

    type Named = (&'static str, u64);

    fn lanes<'a>() -> Lanes<'a, Named, &'static str> {
        Lanes::new(|(name, seconds): Named| {
            async move {
                sleep(Duration::from_secs(seconds)).await;
                name
            }
            .boxed()
        })
    }

    async fn done(lanes: &mut Lanes<'_, Named, &'static str>) -> Vec<&'static str> {
        let mut done = Vec::new();
        while let Some(name) = lanes.next().await {
            done.push(name);
        }
        assert!(lanes.held() == 0 && lanes.counts.is_empty());
        done
    }

    #[tokio::test(start_paused = true)]
    async fn a_subject_keeps_its_order_and_holds_up_no_other() {
        let mut lanes = lanes();
        for (subject, name, seconds) in
            [("a", "slow a", 10), ("a", "quick a", 1), ("b", "quick b", 2), ("b", "last b", 3)]
        {
            lanes.add(vec![Share::subject(subject.to_owned())], (name, seconds)).unwrap();
        }
        assert_eq!((lanes.held(), lanes.at_work()), (4, 2));
        assert_eq!(done(&mut lanes).await, ["quick b", "last b", "slow a", "quick a"]);
    }

    /// Whatever an owner has, another owner's first comes next.
    #[tokio::test(start_paused = true)]
    async fn the_owner_with_the_least_at_work_goes_first() {
        let mut lanes = lanes();
        let share = |name: &str, at_once| Share { name: name.to_owned(), at_once, waiting: 100 };
        for (place, (owner, name)) in
            [("a", "a1"), ("a", "a2"), ("a", "a3"), ("a", "a4"), ("a", "a5"), ("b", "b1")]
                .into_iter()
                .enumerate()
        {
            let shares = vec![Share::subject(place.to_string()), share(owner, 2), share("all", 2)];
            lanes.add(shares, (name, 10)).unwrap();
        }
        assert_eq!(done(&mut lanes).await, ["a1", "a2", "b1", "a3", "a4", "a5"]);
    }

    #[tokio::test(start_paused = true)]
    async fn a_lane_takes_only_so_much() {
        let mut lanes = lanes();
        let share = || vec![Share { name: "a".to_owned(), at_once: 1, waiting: 1 }];
        lanes.add(share(), ("first", 1)).unwrap();
        lanes.add(share(), ("second", 1)).unwrap();
        assert_eq!(lanes.add(share(), ("third", 1)), Err(("third", 1)));
        lanes.add(vec![Share::subject("b".to_owned())], ("other", 5)).unwrap();
        assert_eq!(done(&mut lanes).await, ["first", "second", "other"]);
    }
}
