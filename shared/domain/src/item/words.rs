//! The kinds and priorities of items.

use crate::word::word_enum;

word_enum! {
    /// Kind of work that an item is.
    ItemType {
        /// Something that a user wants.
        Story = "story",
        /// Something broken.
        Bug = "bug",
        /// Something to do.
        Task = "task",
        /// A body of work that other items belong to.
        Epic = "epic",
        /// Part of another item.
        Subtask = "subtask",
    }
}

word_enum! {
    /// Priority of an item, in rising order.
    Priority {
        /// Perhaps never.
        Lowest = "lowest",
        /// When there is time.
        Low = "low",
        /// In its turn.
        Medium = "medium",
        /// Before the others.
        High = "high",
        /// Now.
        Highest = "highest",
    }
}
