//! Work in lanes: one thing at a time of each subject, in the order in which they came; different subjects at the
//! same time.

use std::collections::{HashMap, VecDeque};

use futures::future::{BoxFuture, FutureExt as _};
use futures::stream::{FuturesUnordered, StreamExt as _};

/// Work that is done, or waits for its lane.
pub(crate) struct Lanes<'a, T, O> {
    work: Box<dyn Fn(T) -> BoxFuture<'a, O> + Send + Sync + 'a>,
    at_work: FuturesUnordered<BoxFuture<'a, (String, O)>>,
    /// What waits, by subject. A subject that is at work has an entry.
    waiting: HashMap<String, VecDeque<T>>,
    held: usize,
}

impl<'a, T, O: Send + 'a> Lanes<'a, T, O> {
    /// Lanes in which this is done.
    pub(crate) fn new(work: impl Fn(T) -> BoxFuture<'a, O> + Send + Sync + 'a) -> Self {
        Self { work: Box::new(work), at_work: FuturesUnordered::new(), waiting: HashMap::new(), held: 0 }
    }

    /// How much is at work or waits.
    pub(crate) const fn held(&self) -> usize {
        self.held
    }

    /// Begins the work, or lets it wait for what has the same subject.
    pub(crate) fn add(&mut self, subject: String, one: T) {
        self.held += 1;
        if let Some(queue) = self.waiting.get_mut(&subject) {
            queue.push_back(one);
        } else {
            self.waiting.insert(subject.clone(), VecDeque::new());
            self.begin(subject, one);
        }
    }

    /// Works until the next piece of work is done; answers its outcome, and nothing when there is none. Nothing is lost
    /// when it is dropped.
    pub(crate) async fn next(&mut self) -> Option<O> {
        let (subject, outcome) = self.at_work.next().await?;
        self.held -= 1;
        match self.waiting.get_mut(&subject).and_then(VecDeque::pop_front) {
            Some(one) => self.begin(subject, one),
            None => drop(self.waiting.remove(&subject)),
        }
        Some(outcome)
    }

    fn begin(&self, subject: String, one: T) {
        self.at_work.push((self.work)(one).map(|outcome| (subject, outcome)).boxed());
    }
}

#[cfg(test)]
mod tests {
    use super::Lanes;
    use futures::FutureExt as _;
    use tokio::time::{Duration, sleep};

    #[tokio::test(start_paused = true)]
    async fn a_subject_keeps_its_order_and_holds_up_no_other() {
        let mut lanes = Lanes::new(|(name, seconds): (&'static str, u64)| {
            async move {
                sleep(Duration::from_secs(seconds)).await;
                name
            }
            .boxed()
        });
        for (subject, name, seconds) in
            [("a", "slow a", 10), ("a", "quick a", 1), ("b", "quick b", 2), ("b", "last b", 3)]
        {
            lanes.add(subject.to_owned(), (name, seconds));
        }
        assert_eq!(lanes.held(), 4);
        let mut done = Vec::new();
        while let Some(name) = lanes.next().await {
            done.push(name);
        }
        assert_eq!(done, ["quick b", "last b", "slow a", "quick a"]);
        assert!(lanes.held() == 0 && lanes.waiting.is_empty());
    }
}
