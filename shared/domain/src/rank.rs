//! Ranks: the order that people give to items by hand.
//!
//! A rank is a text; items are in the order of its bytes. Between any two ranks there is another, so that a
//! move changes the moved item only. No two items ever have one rank, even when two are moved to one place
//! at the same moment: each rank ends with a tail that tells its item's number.
//!
//! A rank is a number in base 36, digits `0` to `z`: eight digits before an imagined point, then a fraction,
//! of which the last seven digits are the tail. A tail has no `0`, so that no rank is another with zeros
//! behind it, which nothing could come between.
//!
//! Between two neighbours of which one is longer, and so came later, the next rank is a small step from that
//! one: a list that is put in order item after item, or that always grows at the same place, takes twenty
//! thousand moves before its ranks become four digits longer. Moving always between the last two that were
//! moved makes ranks longer by four digits every few moves. One that would be longer than [`MAX_LENGTH`] is not
//! given out: the items around it are spread anew ([`Rank::spread`]).

use std::cmp::Ordering;
use std::fmt;

use serde::{Deserialize, Serialize};

/// Digits before the point.
const WHOLE: usize = 8;
/// Digits of a tail.
const TAIL: usize = 7;
const DIGITS: &[u8; 36] = b"0123456789abcdefghijklmnopqrstuvwxyz";
const BASE: u64 = 36;
/// 36 to the power of [`WHOLE`].
const LIMIT: u64 = BASE.pow(8);
/// By how many digits a rank is longer than neighbours that leave no room.
const GROWTH: usize = 4;
/// Longest rank that is given out, in digits.
pub const MAX_LENGTH: usize = 200;

/// A place in the order of a project's items.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Rank(String);

impl Rank {
    /// The rank of an item that was never moved: behind all that were made before it.
    pub fn initial(number: u64) -> Self {
        Self::at(Self::initial_sort_key(number), number)
    }

    /// A rank for the item of this number above `low` and below `high`; above or below everything that is
    /// there without one of them. `low` must be lower than `high`.
    ///
    /// It is longer than its neighbours only where they leave no room. One of more than [`MAX_LENGTH`] digits
    /// is not to be given out ([`Rank::is_too_long`]).
    pub fn between(low: Option<&Self>, high: Option<&Self>, number: u64) -> Self {
        match (low, high) {
            (None, None) => Self::initial(number),
            (Some(low), None) if low.whole() + 1 < LIMIT => Self::at(low.whole() + 1, number),
            (None, Some(high)) if high.whole() > 0 => Self::at(high.whole() - 1, number),
            (low, high) => Self::inside(low.map_or(&[], Self::digits), high.map(Self::digits), number),
        }
    }

    /// Ranks for the items of these numbers, in this order and as short as they can be, above `low` and below `high`.
    pub fn spread(low: Option<&Self>, high: Option<&Self>, numbers: &[u64]) -> Vec<Self> {
        let (before, rest) = numbers.split_at(numbers.len() / 2);
        let [number, after @ ..] = rest else { return Vec::new() };
        let digits = low.map_or(&[][..], Self::digits);
        let middle = Self::first_between(digits, high.map(Self::digits), WHOLE, None, *number);
        let mut ranks = Self::spread(low, Some(&middle), before);
        let higher = Self::spread(Some(&middle), high, after);
        ranks.push(middle);
        ranks.extend(higher);
        ranks
    }

    /// The rank of this text, which was one's before.
    pub(crate) const fn stored(text: String) -> Self {
        Self(text)
    }

    /// Whether it has more than [`MAX_LENGTH`] digits.
    pub const fn is_too_long(&self) -> bool {
        self.0.len() > MAX_LENGTH
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The digits before the point as a number that compares as they do.
    pub(crate) fn sort_key(&self) -> u64 {
        self.whole()
    }

    /// The [`Rank::sort_key`] of an item that was never moved.
    pub(crate) const fn initial_sort_key(number: u64) -> u64 {
        LIMIT / 2 + number % (LIMIT / 2)
    }

    fn digits(&self) -> &[u8] {
        self.0.as_bytes()
    }

    fn whole(&self) -> u64 {
        (0..WHOLE).fold(0, |whole, place| whole * BASE + digit(self.digits(), place))
    }

    fn at(whole: u64, number: u64) -> Self {
        let mut text = vec![b'0'; WHOLE];
        let mut rest = whole;
        for place in text.iter_mut().rev() {
            *place = letter(rest % BASE);
            rest /= BASE;
        }
        Self::with_tail(text, number)
    }

    /// What is chosen differs from both neighbours in the digits that all three have, so that any tail keeps
    /// it between them.
    fn inside(low: &[u8], high: Option<&[u8]>, number: u64) -> Self {
        let body = |digits: &[u8]| digits.len().saturating_sub(TAIL).max(WHOLE);
        let (of_low, of_high) = (body(low), high.map_or(WHOLE, body));
        let places = of_low.max(of_high);
        let next_to = match of_low.cmp(&of_high) {
            Ordering::Greater => step(&digits_of(low, places), 1),
            Ordering::Less => high.and_then(|high| step(&digits_of(high, places), -1)),
            Ordering::Equal => None,
        };
        Self::first_between(low, high, places, next_to, number)
    }

    /// These digits where they are in between, else those halfway, of as many digits or as many more as it takes.
    fn first_between(
        low: &[u8],
        high: Option<&[u8]>,
        mut places: usize,
        mut chosen: Option<Vec<u64>>,
        number: u64,
    ) -> Self {
        let (mut above, mut below) = (digits_of(low, places), high.map(|high| digits_of(high, places)));
        loop {
            let fits = |digits: &Vec<u64>| *digits > above && below.as_ref().is_none_or(|high| digits < high);
            if let Some(digits) = chosen.filter(fits) {
                return Self::with_tail(digits.into_iter().map(letter).collect(), number);
            }
            chosen = Some(middle(&above, below.as_deref())).filter(fits);
            if chosen.is_none() {
                places += GROWTH;
                (above, below) = (digits_of(low, places), high.map(|high| digits_of(high, places)));
            }
        }
    }

    fn with_tail(mut text: Vec<u8>, number: u64) -> Self {
        let start = text.len();
        let mut rest = number;
        for _ in 0..TAIL {
            text.insert(start, letter(rest % (BASE - 1) + 1));
            rest /= BASE - 1;
        }
        Self(text.into_iter().map(char::from).collect())
    }
}

impl fmt::Display for Rank {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The first digits; zeros beyond the end.
fn digits_of(digits: &[u8], places: usize) -> Vec<u64> {
    (0..places).map(|place| digit(digits, place)).collect()
}

/// A number of as many digits, higher or lower by one in the last place but one; `None` where there is none.
/// What is between them is room for others.
fn step(digits: &[u64], by: i64) -> Option<Vec<u64>> {
    let mut digits = digits.to_vec();
    let (full, empty) = if by > 0 { (BASE - 1, 0) } else { (0, BASE - 1) };
    for digit in digits.iter_mut().rev().skip(1) {
        if *digit != full {
            *digit = digit.wrapping_add_signed(by);
            return Some(digits);
        }
        *digit = empty;
    }
    None
}

/// The number halfway, rounded down; `high` is the first beyond these digits where it is not given.
fn middle(low: &[u64], high: Option<&[u64]>) -> Vec<u64> {
    let mut rest = u64::from(high.is_none());
    // The sum of both, a digit at a time from the front, halved as it goes.
    let mut half = Vec::with_capacity(low.len());
    for (place, low) in low.iter().enumerate() {
        let sum = rest * BASE + low + high.map_or(0, |high| high[place]);
        half.push(sum / 2);
        rest = sum % 2;
    }
    // Halves may be of two digits: carry.
    for place in (1..half.len()).rev() {
        half[place - 1] += half[place] / BASE;
        half[place] %= BASE;
    }
    half
}

/// The digit at a place; zero beyond the end.
fn digit(digits: &[u8], place: usize) -> u64 {
    match digits.get(place) {
        Some(letter @ b'0'..=b'9') => u64::from(letter - b'0'),
        Some(letter @ b'a'..=b'z') => u64::from(letter - b'a') + 10,
        _ => 0,
    }
}

/// The letter of a digit below the base.
fn letter(digit: u64) -> u8 {
    usize::try_from(digit).ok().and_then(|digit| DIGITS.get(digit)).copied().unwrap_or(b'z')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::Rank;

    fn is_between(low: Option<&Rank>, rank: &Rank, high: Option<&Rank>) -> bool {
        low.is_none_or(|low| low < rank) && high.is_none_or(|high| rank < high)
    }

    #[test]
    fn items_that_nobody_moved_are_in_the_order_of_their_numbers() {
        let ranks: Vec<Rank> = [1, 2, 9, 10, 35, 36, 37, 99_999, 100_000].map(Rank::initial).into();
        assert!(ranks.is_sorted(), "{ranks:?}");
        assert_eq!(Rank::initial(36).as_str(), "i00000101111122");
    }

    #[test]
    fn moving_to_either_end_again_and_again_makes_no_rank_longer() {
        let (mut first, mut last) = (Rank::initial(1), Rank::initial(2));
        for number in 3..10_000 {
            first = Rank::between(None, Some(&first), number);
            last = Rank::between(Some(&last), None, number);
        }
        assert!(first < Rank::initial(1) && last > Rank::initial(9_998));
        assert_eq!((first.as_str().len(), last.as_str().len()), (15, 15));
    }

    #[test]
    fn putting_a_long_list_in_order_hardly_makes_ranks_longer() {
        let (before, behind) = (Rank::initial(1), Rank::initial(2));
        let mut last = before.clone();
        for number in 3..10_000 {
            let next = Rank::between(Some(&last), Some(&behind), number);
            assert!(is_between(Some(&last), &next, Some(&behind)));
            last = next;
        }
        let mut first = behind.clone();
        for number in 3..10_000 {
            let next = Rank::between(Some(&before), Some(&first), number);
            assert!(is_between(Some(&before), &next, Some(&first)));
            first = next;
        }
        assert!(last.as_str().len() <= 19 && first.as_str().len() <= 19, "{last} {first}");
    }

    #[test]
    fn the_worst_moves_make_ranks_longer_by_less_than_a_digit_each() {
        let (mut low, mut high) = (Rank::initial(1), Rank::initial(2));
        for number in 3..103 {
            let rank = Rank::between(Some(&low), Some(&high), number);
            assert!(is_between(Some(&low), &rank, Some(&high)));
            if number % 2 == 0 { low = rank } else { high = rank }
        }
        assert!(low.as_str().len() < 100 && !low.is_too_long(), "{low}");
        assert!(Rank("1".repeat(201)).is_too_long());
    }

    #[test]
    fn ranks_without_room_are_spread_anew() {
        let (mut low, mut high) = (Rank::initial(1), Rank::initial(2));
        let mut order = vec![(1, low.clone()), (2, high.clone())];
        let mut number = 2;
        while !Rank::between(Some(&low), Some(&high), number + 1).is_too_long() {
            number += 1;
            let rank = Rank::between(Some(&low), Some(&high), number);
            let at = order.iter().position(|(_, other)| *other == high).unwrap();
            order.insert(at, (number, rank.clone()));
            if number % 2 == 0 { low = rank } else { high = rank }
        }
        let at = order.iter().position(|(_, other)| *other == high).unwrap();
        let around = &order[at - 11..at + 11];
        let inner: Vec<u64> = around[1..21].iter().map(|(number, _)| *number).collect();
        let ranks = Rank::spread(Some(&around[0].1), Some(&around[21].1), &inner);
        assert_eq!(ranks.len(), inner.len());
        let all = [vec![around[0].1.clone()], ranks.clone(), vec![around[21].1.clone()]].concat();
        assert!(all.is_sorted_by(|one, next| one < next), "{all:?}");
        let longest = ranks.iter().map(|rank| rank.as_str().len()).max().unwrap();
        assert!(longest + 2 * super::GROWTH <= low.as_str().len(), "{longest} of {}", low.as_str().len());
    }

    #[test]
    fn beyond_the_last_whole_number_there_is_still_room() {
        let (least, most) = (Rank("000000001111112".into()), Rank("zzzzzzzz1111112".into()));
        assert!(is_between(None, &Rank::between(None, Some(&least), 7), Some(&least)));
        assert!(is_between(Some(&most), &Rank::between(Some(&most), None, 7), None));
    }

    #[test]
    fn two_items_moved_to_one_place_at_once_have_ranks_of_their_own_and_room_between_them() {
        let (low, high) = (Rank::initial(1), Rank::initial(2));
        let (one, other) =
            (Rank::between(Some(&low), Some(&high), 3), Rank::between(Some(&low), Some(&high), 4));
        assert!(one < other);
        assert!(is_between(Some(&one), &Rank::between(Some(&one), Some(&other), 5), Some(&other)));
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(256) })]

        /// Any item is moved to any place, any number of times: the order is what the moves made it.
        #[test]
        fn every_move_ends_where_it_was_meant_to(moves in prop::collection::vec((0..20_usize, 0..20_usize), 0..200)) {
            let mut order: Vec<(u64, Rank)> = (1..=20).map(|number| (number, Rank::initial(number))).collect();
            for (from, to) in moves {
                let (number, _) = order.remove(from);
                let low = to.checked_sub(1).map(|before| &order[before].1);
                let high = order.get(to).map(|(_, rank)| rank);
                let rank = Rank::between(low, high, number);
                prop_assert!(is_between(low, &rank, high), "{low:?} {rank} {high:?}");
                order.insert(to, (number, rank));
            }
            prop_assert!(order.is_sorted_by(|one, next| one.1 < next.1));
        }
    }
}
