//! Numbers of the factory, as they go out.

use jiff::civil::Date;
use svc_api::factory as wire;
use svc_app::factory::stats::Stats;
use svc_domain::run::numbers::{Group, Numbers};

use crate::words::Word as _;

/// Numbers of the factory.
pub fn stats(stats: Stats) -> wire::FactoryStats {
    let group = |group: Group| wire::StatsGroup {
        key: group.key,
        name: group.name,
        numbers: numbers(&group.numbers),
        weeks: group.weeks.iter().map(week).collect(),
    };
    wire::FactoryStats {
        from: stats.from,
        until: stats.until,
        by: stats.by.sent(),
        total: numbers(&stats.total),
        groups: stats.groups.into_iter().map(group).collect(),
    }
}

fn week((begins, of): (&Date, &Numbers)) -> wire::WeekOfRuns {
    wire::WeekOfRuns { begins: *begins, numbers: numbers(of) }
}

fn numbers(numbers: &Numbers) -> wire::RunNumbers {
    wire::RunNumbers {
        runs: numbers.runs,
        succeeded: numbers.succeeded,
        failed: numbers.failed,
        cancelled: numbers.cancelled,
        timed_out: numbers.timed_out,
        success_percent: numbers.success_percent(),
        cost: numbers.cost,
        input_tokens: numbers.input_tokens,
        output_tokens: numbers.output_tokens,
        queue_median_seconds: numbers.queue.median,
        queue_p95_seconds: numbers.queue.p95,
        run_median_seconds: numbers.work.median,
        run_p95_seconds: numbers.work.p95,
        rework: numbers.rework,
        review_median_seconds: numbers.review.median,
    }
}
