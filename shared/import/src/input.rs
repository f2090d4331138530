//! A file that a reader reads, once or twice, and what is said about reading it.

use std::io::Read;

use crate::exports::DateOrder;
use jiff::tz::TimeZone;

use super::dates::{Evidence, Times};
use super::gathered::Gathered;
use super::sheet;
use crate::failure::Failure;

/// A file.
pub struct Input<'a> {
    /// What people call it.
    pub name: &'a str,
    /// Its bytes, from the beginning.
    pub open: &'a dyn Fn() -> Result<Box<dyn Read + 'a>, Failure>,
}

/// How times are read.
#[derive(Clone, Debug)]
pub struct Dates {
    /// Which number of a date is the day, where the file does not decide it.
    pub order: Option<DateOrder>,
    /// The time zone of times without an offset.
    pub zone: TimeZone,
}

impl Dates {
    /// How the times of a sheet are read: what its cells in these columns decide. A cell may have more than a date,
    /// after a semicolon.
    ///
    /// # Errors
    /// The file cannot be read, or does not decide it.
    pub(crate) fn of_sheet(
        &self,
        input: &Input<'_>,
        is_date: impl Fn(&str) -> bool,
    ) -> Result<Times, Failure> {
        let (mut evidence, mut scratch) = (Evidence::default(), Gathered::new("scratch")?);
        sheet::each(
            (input.open)()?,
            input.name,
            &[],
            |_| true,
            &mut scratch,
            |row, _| {
                for (_, cell) in row.pairs().filter(|(name, _)| is_date(name)) {
                    evidence.see(cell.split(';').next().unwrap_or_default());
                }
                Ok(())
            },
        )?;
        Ok(Times { order: evidence.decide(self.order)?, zone: self.zone.clone() })
    }

    /// How the times of a file are read whose dates are not ambiguous.
    pub(crate) fn plain(&self) -> Times {
        Times { order: self.order, zone: self.zone.clone() }
    }
}

#[cfg(test)]
pub(crate) mod testing {
    use std::io::Read;

    use jiff::tz::TimeZone;
    use serde_json::{Value, json};

    use super::{Dates, Input};
    use crate::failure::Failure;
    use crate::gathered::Gathered;

    /// Times are UTC, and the file decides their order.
    pub(crate) fn utc() -> Dates {
        Dates { order: None, zone: TimeZone::UTC }
    }

    /// What a reader finds in a file.
    pub(crate) fn read(
        name: &str,
        bytes: &[u8],
        reader: impl Fn(&Input<'_>, &mut Gathered) -> Result<(), Failure>,
    ) -> Result<Gathered, Failure> {
        let mut gathered = Gathered::new("")?;
        let open = || Ok(Box::new(bytes) as Box<dyn Read>);
        reader(&Input { name, open: &open }, &mut gathered)?;
        Ok(gathered)
    }

    /// All that was found, as JSON.
    pub(crate) fn all(gathered: &mut Gathered) -> Value {
        let values = |found: Vec<Value>| Value::Array(found);
        let items: Vec<Value> = gathered
            .items
            .read()
            .unwrap()
            .map(|found| {
                let found = found.unwrap();
                let mut item = serde_json::to_value(&found.item).unwrap();
                item["type"] = json!(found.kind);
                item["priority"] = json!(found.priority);
                item.as_object_mut().unwrap().retain(|_, value| !value.is_null());
                item
            })
            .collect();
        let report = gathered.report.read().unwrap();
        let report: Vec<Value> = report
            .map(|miss| {
                let miss = miss.unwrap();
                let text = miss.text.map(|text| format!(": {text}")).unwrap_or_default();
                json!(format!("{} {}: {}{text}", miss.kind, miss.id, miss.reason))
            })
            .collect();
        let groups: serde_json::Map<_, _> =
            gathered.states.iter().map(|(name, word)| (name.clone(), json!(word.group))).collect();
        json!({
            "source": gathered.source,
            "people": gathered.people.values().collect::<Vec<_>>(),
            "labels": gathered.labels.values().collect::<Vec<_>>(),
            "milestones": gathered.milestones.values().collect::<Vec<_>>(),
            "sprints": gathered.sprints.values().collect::<Vec<_>>(),
            "states": groups,
            "items": items,
            "comments": values(gathered.comments.read().unwrap().map(|one| json!(one.unwrap())).collect()),
            "links": values(gathered.links.read().unwrap().map(|one| json!(one.unwrap())).collect()),
            "attachments": values(gathered.attachments.read().unwrap().map(|one| json!(one.unwrap())).collect()),
            "report": report,
        })
    }
}
