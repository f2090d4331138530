//! This service's own export: records, one JSON object a line, with their files in a folder beside them.

use std::collections::HashMap;

use svc_api::records::Record;
use svc_api::tracker::StateGroup;

use super::found::FoundItem;
use super::gathered::Gathered;
use super::input::Input;
use super::json;
use crate::failure::Failure;
use crate::wire;

/// Reads a file of records.
///
/// # Errors
/// It cannot be read, or does not begin with a record.
pub(crate) fn read(input: &Input<'_>, gathered: &mut Gathered) -> Result<(), Failure> {
    let mut groups = HashMap::<String, StateGroup>::new();
    json::each_line((input.open)()?, input.name, |line, number| {
        match serde_json::from_slice::<Record>(line) {
            Ok(Record::Unknown) => {
                let place = format!("{} line {number}", input.name);
                gathered.report.miss("record", &place, "this version of svc does not know its kind")
            }
            Ok(record) => take(record, &mut groups, gathered),
            Err(error) if number == 1 => {
                let wrong = format!("{} is no export of this service: {error}", input.name);
                Err(Failure::rejected(wrong).hint("`svc project export` writes one"))
            }
            Err(error) => {
                let place = format!("{} line {number}", input.name);
                gathered.report.miss_text("record", &place, "it cannot be read", &error.to_string())
            }
        }
    })
}

fn take(
    record: Record,
    groups: &mut HashMap<String, StateGroup>,
    gathered: &mut Gathered,
) -> Result<(), Failure> {
    match record {
        Record::Project(project) => {
            gathered.name_source(&project.source);
            groups.extend(project.states.into_iter().map(|state| (state.name, state.group)));
        }
        Record::Person(person) => {
            if let Some(id) = gathered.person(&person.id, Some(&person.name), person.address.as_deref())
                && let Some(known) = gathered.people.get_mut(&id)
            {
                known.agent = person.agent;
            }
        }
        Record::Label(label) => {
            gathered.label(&label.name, label.color.as_deref())?;
        }
        Record::Milestone(milestone) => {
            gathered.milestones.insert(milestone.id.clone(), milestone);
        }
        Record::Sprint(sprint) => {
            gathered.sprints.insert(sprint.id.clone(), sprint);
        }
        Record::Item(mut item) => {
            let kind = item.item_type.take().map(|kind| wire(&kind));
            let priority = item.priority.take().map(|priority| wire(&priority));
            let group = groups.get(&item.state).copied();
            gathered.item(FoundItem { item: *item, kind, priority }, group)?;
        }
        Record::Comment(comment) => gathered.comment(comment)?,
        Record::Link(link) => gathered.link(&link.from, &link.to, link.relation)?,
        Record::Attachment(attachment) => gathered.attachment(&attachment)?,
        Record::Unknown => {}
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::read;
    use crate::input::testing::{self, all};

    #[test]
    fn records_come_as_they_are() {
        let text = r##"{"kind":"project","name":"Shop","source":"svc:tracker.example/SHOP","states":[{"name":"Ready","group":"backlog"}]}
{"kind":"person","id":"u1","name":"Ada","address":"ada@example.org"}
{"kind":"person","id":"a1","name":"Coder","agent":true}
{"kind":"label","name":"ui","color":"#d73a4a"}
{"kind":"milestone","id":"m1","name":"1.0","due":"2026-10-01"}
{"kind":"sprint","id":"s1","name":"Sprint 1","state":"active"}
{"kind":"item","id":"i1","key":"SHOP-1","title":"One","state":"Ready","type":"bug","priority":"high","labels":["ui"],"assignee":"u1","milestone":"m1","sprint":"s1","createdAt":"2026-09-27T09:00:00Z"}

{"kind":"comment","id":"c1","item":"i1","author":"a1","body":"Done","createdAt":"2026-09-27T10:00:00Z"}
{"kind":"link","from":"i1","to":"i2","relation":"blocks"}
{"kind":"attachment","id":"f1","item":"i1","name":"shot.png","file":"files/f1/shot.png"}
{"kind":"future","id":"x"}
"##;
        let mut gathered = testing::read("shop.ndjson", text.as_bytes(), read).unwrap();
        let found = all(&mut gathered);
        insta::assert_json_snapshot!(found);
        assert!(
            testing::read("x", b"Title\n", read).err().unwrap().title.contains("no export of this service")
        );
    }
}
