//! The table: what was measured, against which target, and whether it is within it.

/// What a value must be.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Target {
    AtLeast(f64),
    AtMost(f64),
    /// Nothing: told for the reader.
    None,
}

/// How a value is written.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Unit {
    Percent,
    Times,
    Millis,
    Megabytes,
    Kilobytes,
    PerSecond,
    Micros,
    Count,
}

impl Unit {
    fn show(self, value: f64) -> String {
        match self {
            Self::Percent => format!("{:.0} %", value * 100.0),
            Self::Times => format!("{value:.2} ×"),
            Self::Millis => format!("{value:.0} ms"),
            Self::Megabytes => format!("{value:.1} MB"),
            Self::Kilobytes => format!("{value:.1} kB"),
            Self::PerSecond => format!("{value:.0} /s"),
            Self::Micros => format!("{value:.0} µs"),
            Self::Count => format!("{value:.0}"),
        }
    }
}

struct Row {
    work: String,
    target: Target,
    measured: f64,
    unit: Unit,
}

impl Row {
    fn verdict(&self) -> &'static str {
        match self.target {
            Target::AtLeast(least) if self.measured < least => "MISS",
            Target::AtMost(most) if self.measured > most => "MISS",
            Target::AtLeast(_) | Target::AtMost(_) => "ok",
            Target::None => "",
        }
    }

    fn target(&self) -> String {
        match self.target {
            Target::AtLeast(least) => format!("≥ {}", self.unit.show(least)),
            Target::AtMost(most) => format!("≤ {}", self.unit.show(most)),
            Target::None => String::new(),
        }
    }
}

/// What was measured so far.
#[derive(Default)]
pub(crate) struct Report {
    rows: Vec<Row>,
}

impl Report {
    /// Notes a value that has a target.
    pub(crate) fn budget(&mut self, work: impl Into<String>, target: Target, measured: f64, unit: Unit) {
        let row = Row { work: work.into(), target, measured, unit };
        eprintln!("{}: {}", row.work, unit.show(measured));
        self.rows.push(row);
    }

    /// Notes a value that explains others.
    pub(crate) fn detail(&mut self, work: impl AsRef<str>, measured: f64, unit: Unit) {
        self.budget(format!("  {}", work.as_ref()), Target::None, measured, unit);
    }

    pub(crate) fn all_within_budget(&self) -> bool {
        self.rows.iter().all(|row| row.verdict() != "MISS")
    }

    /// Prints the table.
    pub(crate) fn print(&self) {
        let header = ["Work", "Target", "Measured", ""].map(str::to_owned);
        let rows = self.rows.iter().map(|row| {
            [row.work.clone(), row.target(), row.unit.show(row.measured), row.verdict().to_owned()]
        });
        let lines: Vec<[String; 4]> = std::iter::once(header).chain(rows).collect();
        let width =
            |column: usize| lines.iter().map(|line| line[column].chars().count()).max().unwrap_or_default();
        let (work, target, measured) = (width(0), width(1), width(2));
        println!();
        for [a, b, c, d] in &lines {
            println!("{a:<work$}  {b:>target$}  {c:>measured$}  {d}");
        }
    }
}

/// The value below which so much of the sample lies (0.95 for p95).
pub(crate) fn percentile(sample: &[f64], part: f64) -> f64 {
    let mut sorted = sample.to_vec();
    sorted.sort_by(f64::total_cmp);
    let rank = (sorted.len() as f64 * part).ceil() as usize;
    sorted.get(rank.saturating_sub(1)).copied().unwrap_or(f64::NAN)
}

/// The value in the middle.
pub(crate) fn median(sample: &[f64]) -> f64 {
    percentile(sample, 0.5)
}

#[cfg(test)]
mod tests {
    use super::{Report, Target, Unit, median, percentile};

    #[test]
    fn percentiles_are_values_of_the_sample() {
        let sample: Vec<f64> = (1..=20).rev().map(f64::from).collect();
        assert_eq!((median(&sample), percentile(&sample, 0.95)), (10.0, 19.0));
    }

    #[test]
    fn one_miss_is_a_miss() {
        let mut report = Report::default();
        report.budget("fast", Target::AtMost(150.0), 150.0, Unit::Millis);
        assert!(report.all_within_budget());
        report.budget("many", Target::AtLeast(3.0), 2.9, Unit::Times);
        assert!(!report.all_within_budget());
    }
}
