//! One operation of a commit in DynamoDB's expression language. Every attribute goes by a placeholder, since
//! some names (`ttl`) are reserved words.

use std::collections::HashMap;

use aws_sdk_dynamodb::primitives::Blob;
use aws_sdk_dynamodb::types::AttributeValue;
use svc_storage::{Condition, Op, OpKind};

use crate::item::{COUNTER, TOKENS, number};

/// Update and condition expressions with their placeholders.
#[derive(Debug, Default)]
pub(crate) struct Expression {
    set: Vec<String>,
    add: Vec<String>,
    remove: Vec<String>,
    conditions: Vec<String>,
    names: HashMap<String, String>,
    values: HashMap<String, AttributeValue>,
}

impl Expression {
    /// The operation's condition, and for a put or an addition what it changes.
    pub(crate) fn of(op: &Op) -> Self {
        let mut this = Self::default();
        this.require(op.condition);
        match &op.kind {
            OpKind::Check | OpKind::Delete => {}
            OpKind::Put { step, doc, ttl } => {
                this.set("doc", AttributeValue::S(doc.clone()));
                match ttl {
                    Some(ttl) => this.set("ttl", number(ttl)),
                    None => {
                        let ttl = this.name("ttl");
                        this.remove.push(ttl);
                    }
                }
                this.add("v", i64::try_from(*step).unwrap_or(i64::MAX));
            }
            OpKind::Add { field, amount } => {
                this.add("v", 1);
                this.add(&format!("{COUNTER}{field}"), *amount);
            }
        }
        this
    }

    /// Sets an attribute.
    pub(crate) fn set(&mut self, attribute: &str, value: AttributeValue) {
        let (name, value) = (self.name(attribute), self.value(attribute, value));
        self.set.push(format!("{name} = {value}"));
    }

    /// Remembers a commit of this row alone, and demands that it was not done before.
    pub(crate) fn once(&mut self, token: &[u8]) {
        let token = self.value("token", AttributeValue::B(Blob::new(token)));
        let none = self.value("none", AttributeValue::B(Blob::new([0])));
        let names = TOKENS.map(|attribute| self.name(attribute));
        for name in &names {
            self.conditions.push(format!("(attribute_not_exists({name}) OR {name} <> {token})"));
        }
        // The oldest first, though all right sides are said to be read before any is written.
        for pair in names.windows(2).rev() {
            self.set.push(format!("{} = if_not_exists({}, {none})", pair[1], pair[0]));
        }
        self.set.push(format!("{} = {token}", names[0]));
    }

    /// The update expression.
    pub(crate) fn update(&self) -> String {
        let clauses = [("SET", &self.set), ("ADD", &self.add), ("REMOVE", &self.remove)];
        let clauses = clauses.iter().filter(|(_, parts)| !parts.is_empty());
        clauses.map(|(word, parts)| format!("{word} {}", parts.join(", "))).collect::<Vec<_>>().join(" ")
    }

    /// The condition expression, where there is any condition.
    pub(crate) fn condition(&self) -> Option<String> {
        (!self.conditions.is_empty()).then(|| self.conditions.join(" AND "))
    }

    /// The placeholders of attributes: an empty map would be refused.
    pub(crate) fn names(&self) -> Option<HashMap<String, String>> {
        (!self.names.is_empty()).then(|| self.names.clone())
    }

    /// The placeholders of values.
    pub(crate) fn values(&self) -> Option<HashMap<String, AttributeValue>> {
        (!self.values.is_empty()).then(|| self.values.clone())
    }

    fn require(&mut self, condition: Condition) {
        let text = match condition {
            Condition::Absent => format!("attribute_not_exists({})", self.name("pk")),
            Condition::Present => format!("attribute_exists({})", self.name("pk")),
            Condition::Version(version) => {
                format!("{} = {}", self.name("v"), self.value("version", number(version)))
            }
            Condition::None => return,
        };
        self.conditions.push(text);
    }

    fn add(&mut self, attribute: &str, amount: i64) {
        let (name, amount) = (self.name(attribute), self.value(attribute, number(amount)));
        self.add.push(format!("{name} {amount}"));
    }

    fn name(&mut self, attribute: &str) -> String {
        let placeholder = format!("#{attribute}");
        self.names.insert(placeholder.clone(), attribute.to_owned());
        placeholder
    }

    fn value(&mut self, name: &str, value: AttributeValue) -> String {
        let placeholder = format!(":{name}");
        self.values.insert(placeholder.clone(), value);
        placeholder
    }
}

#[cfg(test)]
mod tests {
    use svc_storage::Key;

    use super::*;

    #[test]
    fn a_put_sets_the_document_and_clears_the_ttl() {
        let put = Op::replace(Key::new("p", "s"), 3, &1);
        let expression = Expression::of(&put);
        assert_eq!(expression.update(), "SET #doc = :doc ADD #v :v REMOVE #ttl");
        assert_eq!(expression.condition().as_deref(), Some("#v = :version"));
        let expression = Expression::of(&put.expiring(60));
        assert_eq!(expression.update(), "SET #doc = :doc, #ttl = :ttl ADD #v :v");
    }

    #[test]
    fn a_token_pushes_the_oldest_out() {
        let mut expression = Expression::of(&Op::add(Key::new("p", "s"), "n", 2));
        expression.once(&[1]);
        assert_eq!(
            expression.update(),
            "SET #t3 = if_not_exists(#t2, :none), #t2 = if_not_exists(#t1, :none), \
             #t1 = if_not_exists(#t0, :none), #t0 = :token ADD #v :v, #c_n :c_n"
        );
        assert_eq!(expression.condition().unwrap().matches("<> :token").count(), 4);
    }

    #[test]
    fn an_unconditional_delete_has_no_placeholders() {
        let expression = Expression::of(&Op::delete(Key::new("p", "s"), Condition::None));
        assert_eq!((expression.condition(), expression.names(), expression.values()), (None, None, None));
    }
}
