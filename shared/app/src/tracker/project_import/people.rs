//! Persons of a source: members, by their addresses, or names.

use std::collections::{BTreeSet, HashMap};

use svc_domain::identity::Member;
use svc_domain::ids::{Actor, ActorId, UserId};
use svc_domain::import::{Became, Kind, Record};
use svc_domain::untrusted::one_line;
use svc_storage::{Key, RowOf, keys};

use super::{Batch, Fate, OPS};
use crate::error::Result;
use crate::wanted;

/// Longest name that is kept, in characters.
const MAX_NAME: usize = 200;

impl Batch<'_> {
    pub(super) async fn people(&mut self) -> Result<()> {
        let left = self.left(|record| match record {
            Record::Person(person) => Some(person),
            _ => None,
        });
        let addresses = left.iter().filter(|(_, person)| !person.agent);
        let addresses = addresses.filter_map(|(_, person)| person.address.as_deref()).collect();
        let accounts = self.accounts(addresses).await?;
        self.meet(accounts.values().copied().collect()).await?;
        let mut made = Vec::new();
        for (at, person) in left {
            let address = person.address.as_deref().filter(|_| !person.agent).map(folded);
            let user = address.and_then(|address| accounts.get(&address).copied());
            let user = user.filter(|user| matches!(self.members.get(user), Some(Some(_))));
            let name: String = one_line(&person.name).chars().take(MAX_NAME).collect();
            let became = Became::Person { name, user };
            let known = self.became(Kind::Person, &person.id);
            // Who does not see whom an address means takes no member away from it.
            let is_settled = !self.sees_addresses && known.is_some() && user.is_none();
            if known == Some(&became) || is_settled {
                self.fates[at] = Some(Fate::Unchanged);
            } else {
                made.push((at, became));
            }
        }
        for some in made.chunks(OPS) {
            self.commit(self.transaction(), some.to_vec()).await?;
        }
        // Members may have left since their records came.
        let named = self.known.values().filter_map(|(became, _)| match became {
            Became::Person { user, .. } => *user,
            _ => None,
        });
        let named = named.collect();
        self.meet(named).await
    }

    /// The accounts of addresses, as far as the caller sees these.
    async fn accounts(&self, addresses: Vec<&str>) -> Result<HashMap<String, UserId>> {
        let mut accounts = HashMap::new();
        if self.sees_addresses {
            let addresses: BTreeSet<String> = addresses.into_iter().map(folded).collect();
            let wanted: Vec<Key> = addresses.iter().map(|address| keys::email(address)).collect();
            for (address, row) in addresses.into_iter().zip(self.rows(&wanted).await?) {
                if let Some(row) = row {
                    accounts.insert(address, row.read()?);
                }
            }
        } else if let ActorId::User(me) = self.entry.actor().id
            && let Some(row) = self.app.table.find(&keys::user(me)).await?
        {
            accounts.insert(folded(&row.read()?.email), me);
        }
        Ok(accounts)
    }

    /// Looks up which of these accounts see the project.
    async fn meet(&mut self, mut users: Vec<UserId>) -> Result<()> {
        users.sort_unstable();
        users.dedup();
        users.retain(|user| !self.members.contains_key(user));
        let wanted = users
            .iter()
            .map(|user| (keys::member(self.org, *user), keys::project_member(self.org, self.project, *user)));
        let rows = wanted::load(self.app, wanted.collect::<Vec<_>>()).await?;
        for (user, (member, in_project)) in users.into_iter().zip(rows) {
            let member = member.as_ref().map(RowOf::read).transpose()?;
            let sees = |member: &Member| in_project.is_some() || member.role.administers();
            let actor = |member: Member| Actor { id: ActorId::User(member.user), name: member.display_name };
            self.members.insert(user, member.filter(sees).map(actor));
        }
        Ok(())
    }
}

/// An address as accounts are named by it.
fn folded(address: &str) -> String {
    address.trim().to_lowercase()
}
