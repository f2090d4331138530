//! Keys that know what their row says: `keys::item` names an [`Item`](svc_domain::item::Item), and a row that was loaded
//! by it reads as nothing else.

use std::fmt;
use std::marker::PhantomData;
use std::ops::Deref;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::{Key, Op, Row, StorageError, Table};

/// Name of a row whose document is a `T`. It is used as the [`Key`] that it is.
pub struct KeyOf<T> {
    key: Key,
    document: PhantomData<fn() -> T>,
}

impl<T> KeyOf<T> {
    /// A key of these two parts. Neither may be empty.
    pub(crate) fn new(pk: impl Into<String>, sk: impl Into<String>) -> Self {
        Self { key: Key::new(pk, sk), document: PhantomData }
    }
}

impl<T> Clone for KeyOf<T> {
    fn clone(&self) -> Self {
        Self { key: self.key.clone(), document: PhantomData }
    }
}

impl<T> fmt::Debug for KeyOf<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.key.fmt(formatter)
    }
}

impl<T> Deref for KeyOf<T> {
    type Target = Key;

    fn deref(&self) -> &Key {
        &self.key
    }
}

impl<T> From<KeyOf<T>> for Key {
    fn from(typed: KeyOf<T>) -> Self {
        typed.key
    }
}

impl<T> PartialEq for KeyOf<T> {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key
    }
}

impl<T> PartialEq<KeyOf<T>> for Key {
    fn eq(&self, other: &KeyOf<T>) -> bool {
        *self == other.key
    }
}

impl dyn Table {
    /// As [`Table::get`], of a row whose document is known by its key.
    ///
    /// # Errors
    /// As there.
    pub async fn find<T>(&self, key: &KeyOf<T>) -> Result<Option<RowOf<T>>, StorageError> {
        Ok(self.get(key).await?.map(|row| RowOf::found(key, row)))
    }
}

/// A row that was loaded by a [`KeyOf`]. It is used as the [`Row`] that it is, but reads as a `T` only.
pub struct RowOf<T> {
    row: Row,
    document: PhantomData<fn() -> T>,
}

impl<T> RowOf<T> {
    /// The row that was found under this key.
    pub fn found(_: &KeyOf<T>, row: Row) -> Self {
        Self { row, document: PhantomData }
    }
}

impl<T: DeserializeOwned> RowOf<T> {
    /// The document as a value.
    ///
    /// # Errors
    /// [`StorageError::Corrupt`] when it does not read as a `T`.
    pub fn read(&self) -> Result<T, StorageError> {
        self.row.read()
    }
}

impl<T: Serialize> RowOf<T> {
    /// As [`Row::replaced_by`], by a document of the row's own kind.
    pub fn replaced_by(&self, doc: &T) -> Op {
        self.row.replaced_by(doc)
    }
}

impl<T: DeserializeOwned + Default> RowOf<T> {
    /// The document of a row; the default where there is none.
    ///
    /// # Errors
    /// As [`RowOf::read`].
    pub fn or_default(row: Option<&Self>) -> Result<T, StorageError> {
        row.map_or_else(|| Ok(T::default()), Self::read)
    }
}

impl<T> Clone for RowOf<T> {
    fn clone(&self) -> Self {
        Self { row: self.row.clone(), document: PhantomData }
    }
}

impl<T> fmt::Debug for RowOf<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.row.fmt(formatter)
    }
}

impl<T> Deref for RowOf<T> {
    type Target = Row;

    fn deref(&self) -> &Row {
        &self.row
    }
}

impl<T> From<RowOf<T>> for Row {
    fn from(typed: RowOf<T>) -> Self {
        typed.row
    }
}
