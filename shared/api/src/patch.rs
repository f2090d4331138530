//! A field of a change request that tells "leave it" from "clear it".

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A field of a change request: absent keeps the value, `null` clears it, a value sets it.
///
/// Fields of this type carry `#[serde(default, skip_serializing_if = "Patch::is_keep")]`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Patch<T> {
    /// The field was absent.
    #[default]
    Keep,
    /// The field was `null`.
    Clear,
    /// The field had a value.
    Set(T),
}

impl<T> Patch<T> {
    /// Whether the field was absent.
    pub const fn is_keep(&self) -> bool {
        matches!(self, Self::Keep)
    }

    /// `None` keeps, `Some(None)` clears, `Some(Some(value))` sets.
    pub fn into_option(self) -> Option<Option<T>> {
        match self {
            Self::Keep => None,
            Self::Clear => Some(None),
            Self::Set(value) => Some(Some(value)),
        }
    }
}

impl<T: Serialize> Serialize for Patch<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Keep | Self::Clear => serializer.serialize_none(),
            Self::Set(value) => value.serialize(serializer),
        }
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Patch<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Option::<T>::deserialize(deserializer)?.map_or(Self::Clear, Self::Set))
    }
}

impl<T: JsonSchema> JsonSchema for Patch<T> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        Option::<T>::schema_name()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        Option::<T>::json_schema(generator)
    }
}

/// Reads a field of a change request that always has a value: absent keeps it, and `null`, which would clear it, is
/// refused instead of being taken for absent.
///
/// Fields carry `#[serde(default, deserialize_with = "crate::patch::given", skip_serializing_if = "Option::is_none")]` and
/// `#[schemars(with = …)]` the type without the `Option`.
pub(crate) fn given<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    let value = Option::<T>::deserialize(deserializer)?;
    value.map(Some).ok_or_else(|| D::Error::custom("cannot be cleared; leave it out to keep what there is"))
}
