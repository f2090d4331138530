//! Closed sets of words: the enums of which every value is one word, stored, sent and read alike.
//!
//! Knows no word itself; each set is declared where its meaning is.

/// A word is none of those that are known, which this carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("use one of: {}", .0.join(", "))]
pub struct UnknownWord(pub &'static [&'static str]);

/// Declares such an enum: its words in rising order, and how it is written, read and listed.
macro_rules! word_enum {
    ($(#[$doc:meta])* $name:ident { $($(#[$vdoc:meta])* $variant:ident = $word:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, ::serde::Serialize, ::serde::Deserialize)]
        #[serde(rename_all = "camelCase")]
        pub enum $name { $($(#[$vdoc])* $variant,)* }

        impl $name {
            /// Every value, in order.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// The word for it, as stored and sent.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $word,)* }
            }
        }

        impl ::std::fmt::Display for $name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.write_str(self.as_str())
            }
        }

        impl ::std::str::FromStr for $name {
            type Err = $crate::word::UnknownWord;

            /// Reads the word whatever its case.
            fn from_str(text: &str) -> Result<Self, $crate::word::UnknownWord> {
                Self::ALL
                    .iter()
                    .copied()
                    .find(|value| value.as_str().eq_ignore_ascii_case(text))
                    .ok_or($crate::word::UnknownWord(&[$($word),*]))
            }
        }
    };
}
pub(crate) use word_enum;
