//! What requests cost on DynamoDB: round trips and units, counted by the rules of DynamoDB from the sizes of the
//! rows. `svc-tracker`'s tests hold the same requests to their budgets.

use svc_testkit::{Priced, priced};

use crate::report::{Report, Unit};

pub(crate) async fn units(report: &mut Report) {
    for Priced { work, cost, .. } in priced(svc_tracker::router()).await {
        report.detail(format!("DynamoDB, {work}: round trips"), cost.round_trips as f64, Unit::Count);
        report.detail("one after the other", cost.waits as f64, Unit::Count);
        report.detail("read units, those of authentication included", cost.read_units as f64, Unit::Count);
        report.detail("write units", cost.write_units as f64, Unit::Count);
    }
}
