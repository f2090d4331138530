//! What the commands of this noun share: how they name a thing and how they show it.

use crate::output::{Column, Table, size, when};
use svc_api::tracker::Attachment;

/// Attachments, one a row.
pub(super) fn table<'a>(attachments: impl IntoIterator<Item = &'a Attachment>) -> Table {
    let mut table = Table::new([
        Column::fixed("ID"),
        Column::fixed("ON"),
        Column::fixed("SIZE"),
        Column::fixed("TYPE"),
        Column::fixed("ATTACHED"),
        Column::flexible("BY"),
        Column::flexible("NAME"),
    ]);
    for attachment in attachments {
        let on = if attachment.comment.is_some() { "comment" } else { "item" };
        table.row([
            attachment.id.as_str().into(),
            on.into(),
            size(attachment.size).into(),
            attachment.content_type.as_str().into(),
            when(attachment.created_at).into(),
            attachment.author.name.as_str().into(),
            attachment.name.as_str().into(),
        ]);
    }
    table
}
