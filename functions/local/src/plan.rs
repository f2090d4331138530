//! The plan of an organization, as the operator of the hosted service sets it.

use svc_app::administration::{self, AdminCaller};
use svc_boot::open;
use svc_domain::identity::Plan;
use svc_domain::ids::OrgSlug;

use crate::args::{Args, PlanArg};
use crate::existing;
use crate::failure::Failure;

/// Puts an organization on a plan, and says how long its run logs are kept from now on.
///
/// # Errors
/// That there is no such organization; what keeps the store from being opened, read or written.
pub async fn set_plan(args: &Args, slug: &OrgSlug, plan: PlanArg) -> Result<(), Failure> {
    let plan = match plan {
        PlanArg::Hosted => Some(Plan::Hosted),
        PlanArg::Evaluation => Some(Plan::Evaluation),
        PlanArg::Free => Some(Plan::Free),
        PlanArg::None => None,
    };
    let opened = open(&existing::config(args)?).await?;
    let days = opened.app.settings.run_log_days(plan);
    let set = administration::set_plan(&opened.app, AdminCaller::Console, slug, plan).await;
    opened.close().await;
    set.map_err(|error| format!("the plan of {slug} was not set: {error}"))?;
    println!("{slug}: run logs are kept for {days} days");
    Ok(())
}
