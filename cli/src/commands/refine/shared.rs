//! What the commands of this noun share: the item, and how a refinement is shown.

use svc_api::factory::Refinement;
use svc_domain::ids::ItemKey;

use crate::failure::Failure;
use crate::keys::item_key;
use crate::output::{Output, Pairs, list, name};

/// The item that is refined.
#[derive(clap::Args)]
pub(super) struct Which {
    /// Key of the item
    #[arg(value_name = "ITEM_KEY", value_parser = item_key)]
    pub(super) key: ItemKey,
}

/// Shows a refinement: its state, its questions, its proposal, and what to do next.
pub(super) fn show(refinement: &Refinement, output: &Output) -> Result<(), Failure> {
    if output.json {
        return output.json(refinement);
    }
    output.pairs(&pairs(refinement))?;
    if !refinement.questions.is_empty() {
        output.text("\nQuestions:")?;
        for asked in &refinement.questions {
            output.text(&format!("  {}. {}", asked.number, asked.question))?;
        }
    }
    if let Some(proposal) = &refinement.proposal {
        output.text(&format!("\nProposal: {}\n\n{}", proposal.title, proposal.description.trim_end()))?;
    }
    if let Some(next) = next(refinement) {
        output.say(&next);
    }
    Ok(())
}

fn pairs(refinement: &Refinement) -> Pairs {
    let mut pairs = Pairs::default();
    pairs.add("item", refinement.item.as_str());
    pairs.add("status", name(&refinement.status));
    pairs.add("agent", refinement.agent.name.as_str());
    pairs.add("run", refinement.run.as_str());
    pairs.add("round", (refinement.rounds.len() + refinement.forgotten_rounds as usize).to_string());
    if let Some(proposal) = &refinement.proposal {
        pairs.maybe("proposed priority", proposal.priority.as_ref().map(name));
        let labels = proposal.labels.as_ref().map(|labels| list(&labels.iter().cloned().collect::<Vec<_>>()));
        pairs.maybe("proposed labels", labels);
    }
    pairs.maybe("confirmed by", refinement.confirmed_by.as_ref().map(|person| person.name.as_str()));
    pairs
}

fn next(refinement: &Refinement) -> Option<String> {
    use svc_api::factory::RefinementStatus as Status;
    let key = &refinement.item;
    Some(match refinement.status {
        Status::Running => {
            format!("The agent is at work. Follow it with `svc run logs {} --follow`", refinement.run)
        }
        Status::Questions => format!("Answer with: svc refine answer {key} --answer '1=...'"),
        Status::Proposed => format!(
            "Confirm with `svc refine confirm {key}`, or ask for changes with `svc refine changes {key} -m '...'`"
        ),
        Status::Failed => format!("The run submitted nothing. Try again with `svc refine start {key}`"),
        Status::Confirmed | Status::Unknown => return None,
    })
}
