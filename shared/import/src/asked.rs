//! Exports as the service is asked to read them: what would come, and the next batches of what comes. Everything is
//! bounded, because anybody may send anything: the files, what they unpack to, and what is found in them.

use std::io::{Cursor, Read};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::read::MultiGzDecoder;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use svc_api::records::{PersonRecord, Record};
use svc_api::tracker::WorkflowState;
use svc_domain::schedule::cron::time_zone;

use super::batches::{Batch, batches, count, foresee};
use super::bounds::Bounds;
use super::gathered::Gathered;
use super::input::{Dates, Input};
use super::mapping::{Proposed, propose};
use super::plain::Fields;
use super::portions::Unpacked;
use super::source::{Reading, read};
use crate::exports::{ExportPreview, MAX_FILES, MAX_UNPACKED, ReadExport};
use crate::failure::{About, Failure};

/// Batches of a request at most.
const MOST_BATCHES: usize = 20;
/// People, misses and items of a preview at most.
const MOST_PEOPLE: usize = 500;
const MOST_MISSES: usize = 1_000;
const MOST_ITEMS: usize = 10;
/// How much one export may have.
const BOUNDS: Bounds = Bounds { unpacked: 4 * MAX_UNPACKED, names: 50_000, words: 500, takes_files: false };

/// The next batches of an export.
#[derive(Debug)]
pub struct Part {
    /// The source and its project.
    pub source: String,
    /// The batches, each with how many records came before it.
    pub batches: Vec<(u64, Batch)>,
    /// Records of the export, without the people.
    pub records: u64,
}

/// What would come of an export into a project with these states. `now` stands for times that it does not tell.
///
/// # Errors
/// The files cannot be read, or have more than is read at once; the mapping does not fit the project.
pub fn preview(
    wanted: &ReadExport,
    states: &[WorkflowState],
    now: Timestamp,
) -> Result<ExportPreview, Failure> {
    let (mut gathered, proposed) = gather(wanted, states, now)?;
    foresee(&mut gathered, &proposed, &|_| false)?;
    let misses = gathered.report.read()?.take(MOST_MISSES).collect::<Result<_, _>>()?;
    let mut people: Vec<PersonRecord> = gathered.people.values().cloned().collect();
    people.sort_by_key(|person| person.address.is_some());
    people.truncate(MOST_PEOPLE);
    let (source, records) = (gathered.source.clone(), count(&gathered));
    let (found, missing) =
        (gathered.found().map(|(kind, count)| (kind.to_owned(), count)), gathered.report.counts().collect());
    let mut sample = Vec::new();
    for batch in batches(&mut gathered, &proposed, &|_| false)? {
        sample.extend(batch?.records.into_iter().filter_map(|record| match record {
            Record::Item(item) => Some(*item),
            _ => None,
        }));
        if sample.len() >= MOST_ITEMS {
            break;
        }
    }
    sample.truncate(MOST_ITEMS);
    let Proposed { states, types, priorities } = proposed;
    Ok(ExportPreview {
        source,
        found: found.into(),
        records,
        states,
        types,
        priorities,
        people,
        missing,
        misses,
        sample,
    })
}

/// The batches of an export after the first `from` records.
///
/// # Errors
/// As [`preview`].
pub fn part(wanted: &ReadExport, states: &[WorkflowState], now: Timestamp) -> Result<Part, Failure> {
    let (mut gathered, proposed) = gather(wanted, states, now)?;
    let (source, records) = (gathered.source.clone(), count(&gathered));
    let (mut before, mut next) = (0, Vec::new());
    for batch in batches(&mut gathered, &proposed, &|_| false)? {
        let batch = batch?;
        let begin = before;
        before += batch.count;
        if before > wanted.from {
            next.push((begin, batch));
        }
        if next.len() == MOST_BATCHES {
            break;
        }
    }
    Ok(Part { source, batches: next, records })
}

fn gather(
    wanted: &ReadExport,
    states: &[WorkflowState],
    now: Timestamp,
) -> Result<(Gathered, Proposed), Failure> {
    let zone = match &wanted.time_zone {
        None => TimeZone::UTC,
        Some(name) => time_zone(name).map_err(|wrong| Failure::rejected(wrong).about(About::TimeZone))?,
    };
    let columns: Vec<String> =
        wanted.columns.iter().map(|(field, column)| format!("{field}={column}")).collect();
    let reading = Reading {
        dates: Dates { order: wanted.dates, zone },
        fields: Fields::new(&columns)?,
        only: wanted.only.clone(),
    };
    let files = unpacked(wanted)?;
    let opens: Vec<_> =
        files.iter().map(|(_, bytes)| move || Ok(Box::new(&bytes[..]) as Box<dyn Read>)).collect();
    let inputs: Vec<Input<'_>> =
        files.iter().zip(&opens).map(|((name, _), open)| Input { name, open }).collect();
    let mut gathered = Gathered::new("")?;
    gathered.bound(BOUNDS);
    gathered.now = now;
    read(wanted.source, &inputs, &reading, &mut gathered)?;
    let proposed = propose(&mut gathered, states, &wanted.mapping)?;
    Ok((gathered, proposed))
}

/// The names and bytes of the files.
fn unpacked(wanted: &ReadExport) -> Result<Vec<(&str, Vec<u8>)>, Failure> {
    if !(1..=MAX_FILES).contains(&wanted.files.len()) {
        return Err(Failure::rejected(format!("send 1 to {MAX_FILES} files")));
    }
    let (mut files, mut left) = (Vec::new(), MAX_UNPACKED);
    for file in &wanted.files {
        let packed = STANDARD.decode(&file.gzip);
        let packed = packed.map_err(|_| Failure::rejected(format!("{} is not Base64", file.name)))?;
        let (mut bytes, packed) = (Vec::new(), MultiGzDecoder::new(Cursor::new(packed)));
        let wrong = |error| Failure::rejected(format!("cannot unpack {}: {error}", file.name));
        Unpacked { bytes: packed, left }.read_to_end(&mut bytes).map_err(wrong)?;
        left -= bytes.len() as u64;
        files.push((file.name.as_str(), bytes));
    }
    Ok(files)
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use base64::Engine as _;
    use base64::engine::general_purpose::STANDARD;
    use flate2::{Compression, write::GzEncoder};
    use jiff::Timestamp;
    use svc_api::tracker::{StateGroup, WorkflowState};

    use super::{part, preview};
    use crate::exports::{ExportFile, ExportSource, ReadExport};
    use crate::failure::{About, Failure};

    fn packed(bytes: &[u8]) -> String {
        let mut packed = GzEncoder::new(Vec::new(), Compression::default());
        packed.write_all(bytes).unwrap();
        STANDARD.encode(packed.finish().unwrap())
    }

    fn wanted(source: ExportSource, bytes: &[u8]) -> ReadExport {
        ReadExport {
            source,
            files: vec![ExportFile { name: "x.csv".into(), gzip: packed(bytes) }],
            dates: None,
            time_zone: Some("Europe/Berlin".into()),
            only: None,
            columns: [].into(),
            mapping: Default::default(),
            from: 0,
        }
    }

    fn states() -> Vec<WorkflowState> {
        vec![WorkflowState::new("Open", StateGroup::Backlog), WorkflowState::new("Done", StateGroup::Closed)]
    }

    fn refused(wanted: &ReadExport) -> Failure {
        preview(wanted, &states(), Timestamp::UNIX_EPOCH).unwrap_err()
    }

    #[test]
    fn what_would_come_is_told_and_then_comes_part_by_part() {
        let rows: String =
            (0..5_000).map(|row| format!("{row},T{row},open,ada,2026-01-05 10:00\n")).collect();
        let mut wanted =
            wanted(ExportSource::Csv, format!("Id,Title,State,Assignee,Created\n{rows}").as_bytes());
        let would = preview(&wanted, &states(), Timestamp::UNIX_EPOCH).unwrap();
        assert_eq!(
            (would.source.as_str(), would.found["items"], would.sample.len()),
            ("csv:x.csv", 5_000, 10)
        );
        assert_eq!((would.states[0].target.as_str(), would.people[0].name.as_str()), ("Open", "ada"));
        assert_eq!(would.sample[0].created_at.to_string(), "2026-01-05T09:00:00Z", "it is winter in Berlin");
        let mut came = 0;
        for _ in 0..3 {
            wanted.from = came;
            let part = part(&wanted, &states(), Timestamp::UNIX_EPOCH).unwrap();
            for (before, batch) in part.batches {
                assert_eq!(before, came);
                came += batch.count;
            }
        }
        assert_eq!(came, would.records);
    }

    #[test]
    fn exports_that_cannot_be_read_are_refused() {
        let mut other = wanted(ExportSource::Csv, b"Title\nA\n");
        other.files[0].gzip = "no".into();
        assert!(refused(&other).title.contains("not Base64"));
        other.files[0].gzip = "AAAA".into();
        assert!(refused(&other).title.contains("cannot unpack"));
        other.files.clear();
        assert_eq!(refused(&other).about, About::File);
        let mut other = wanted(ExportSource::Csv, b"Title,Due\nA,3/4/2026\n");
        assert_eq!(refused(&other).about, About::Dates);
        other.time_zone = Some("Mars".into());
        assert_eq!(refused(&other).about, About::TimeZone);
        let mut other = wanted(ExportSource::Csv, b"Title\nA\n");
        other.mapping.states.insert("open".into(), "Nowhere".into());
        assert_eq!(refused(&other).about, About::Mapping);
        other.columns.insert("nothing".into(), "Title".into());
        assert_eq!(refused(&other).about, About::Columns);
        let many: String = (0..600).map(|state| format!("A,S{state}\n")).collect();
        let many = refused(&wanted(ExportSource::Csv, format!("Title,State\n{many}").as_bytes()));
        assert!(many.title.contains("500 different states"), "{}", many.title);
        let many: String = (0..60_000).map(|label| format!("l{label},")).collect();
        let many = refused(&wanted(ExportSource::Csv, format!("Title,Labels\nA,\"{many}\"\n").as_bytes()));
        assert!(many.title.contains("50000 different"), "{}", many.title);
    }
}
