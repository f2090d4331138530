//! Paging: clamped, never refused (specification section 4.1 rule 2).

use svc_api::Page;
use svc_api::page::PageQuery;

/// A page that was asked for, clamped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Paging {
    /// One-based.
    pub page: u32,
    /// Entries per page.
    pub page_size: u32,
}

impl Paging {
    /// Entries per page where none are asked for.
    pub const DEFAULT: u32 = 50;
    /// Entries per page at most.
    pub const MAX: u32 = 100;

    /// Clamps what was asked for.
    pub fn clamp(page: Option<u32>, page_size: Option<u32>) -> Self {
        Self {
            page: page.unwrap_or(1).max(1),
            page_size: page_size.unwrap_or(Self::DEFAULT).clamp(1, Self::MAX),
        }
    }

    /// How many entries come before the page.
    pub const fn offset(self) -> usize {
        (self.page as usize - 1).saturating_mul(self.page_size as usize)
    }

    /// A page of these entries.
    pub const fn of<T>(self, items: Vec<T>, total_count: u64) -> Page<T> {
        Page { page: self.page, page_size: self.page_size, total_count, items }
    }
}

impl From<PageQuery> for Paging {
    fn from(query: PageQuery) -> Self {
        Self::clamp(query.page, query.page_size)
    }
}

/// The asked-for page of a list that is wholly at hand.
pub fn page<T>(all: impl IntoIterator<Item = T>, paging: Paging) -> Page<T> {
    let all: Vec<T> = all.into_iter().collect();
    let total = all.len() as u64;
    let items = all.into_iter().skip(paging.offset()).take(paging.page_size as usize).collect();
    paging.of(items, total)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{any, prop_assert, prop_assert_eq, proptest};

    use super::{Paging, page};

    proptest! {
        #[test]
        fn pages_hold_each_entry_once_whatever_is_asked_for(
            number in any::<u32>(),
            size in any::<Option<u32>>(),
            all in 0..300_usize,
        ) {
            let asked = Paging::clamp(Some(number), size);
            prop_assert!(asked.page >= 1 && (1..=Paging::MAX).contains(&asked.page_size));
            let found = page(0..all, asked);
            prop_assert_eq!(found.total_count, all as u64);
            let mut read: Vec<usize> = Vec::new();
            for number in 1.. {
                let next = page(0..all, Paging::clamp(Some(number), size));
                prop_assert!(next.items.len() <= asked.page_size as usize);
                read.extend(&next.items);
                if number == asked.page {
                    prop_assert_eq!(&next.items, &found.items);
                }
                if read.len() as u64 >= next.total_count {
                    break;
                }
            }
            prop_assert_eq!(read, (0..all).collect::<Vec<_>>());
        }
    }

    #[test]
    fn pages_are_clamped_and_cut() {
        let paging = Paging::clamp(Some(0), Some(1000));
        assert_eq!((paging.page, paging.page_size), (1, 100));
        let second = page(1..=5, Paging::clamp(Some(2), Some(2)));
        assert_eq!((second.items, second.total_count), (vec![3, 4], 5));
        assert!(page(1..=5, Paging::clamp(Some(u32::MAX), Some(100))).items.is_empty());
    }
}
