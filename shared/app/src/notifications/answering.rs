//! Presses of buttons and replies in a chat with the bot: the other end of what [`super::asking`] offers.

use serde_json::Value;
use svc_domain::refinement::Refinement;
use svc_storage::{Condition, Op, Row, keys};

use super::asking::{self, Ask, Awaiting, Said, answerable, find, hand_in, refused, standing};
use super::chat::{Press, bot};
use crate::App;
use crate::error::Result;
use crate::transaction::Transaction;

/// Somebody pressed a button. What came of it is said at the button, and in the message.
///
/// # Errors
/// Those of storage.
pub(super) async fn pressed(app: &App, press: &Press) -> Result<()> {
    let sentence = match decide(app, press).await {
        Ok(sentence) => sentence,
        Err(error) => Some(refused(error)?),
    };
    bot::answer_press(app, &press.id, sentence.as_deref()).await;
    Ok(())
}

/// Does what a button says. A sentence where it is done with that.
async fn decide(app: &App, press: &Press) -> Result<Option<String>> {
    let Some((verb, id)) = press.data.split_once(':') else { return Ok(None) };
    // In a group anybody could press it.
    if press.from != press.chat {
        return Ok(Some("Only the person who was asked can answer, in their own chat.".to_owned()));
    }
    let (row, ask) = find(app, id, press.chat).await?;
    if let Some(ended) = ask.ended {
        bot::note_in_message(app, press.chat, &press.message, &ended).await;
        return Ok(Some(ended));
    }
    let sentence = match standing(app, &ask.asked).await {
        Err(error) => refused(error)?,
        Ok(refinement) if answerable(&refinement) != Some(ask.asked.proposal) => {
            "It was answered meanwhile. Open it to see.".to_owned()
        }
        Ok(_) if verb == "confirm" && ask.asked.proposal => hand_in(app, &row, &ask, Said::Confirmed).await?,
        Ok(refinement) => {
            let given = (!ask.asked.proposal).then(Vec::new);
            let awaiting = Awaiting { ask: id.to_owned(), given, message: press.message.clone() };
            prompt(app, press.chat, &refinement, awaiting).await?;
            return Ok(None);
        }
    };
    bot::note_in_message(app, press.chat, &press.message, &sentence).await;
    Ok(Some(sentence))
}

/// Asks for the next answer, or for what should change, and remembers what a reply is about.
async fn prompt(app: &App, chat: i64, refinement: &Refinement, awaiting: Awaiting) -> Result<()> {
    let text = match &awaiting.given {
        None => "What should change? Reply to this message.".to_owned(),
        Some(given) => {
            let questions = refinement.open_questions();
            let number = given.len() + 1;
            let question = questions.get(given.len()).map_or("", String::as_str);
            let of = questions.len();
            format!("Question {number} of {of}\n{question}\n\nReply to this message with your answer.")
        }
    };
    let Some(message) = bot::prompt(app, chat, &text).await else { return Ok(()) };
    let name = asking::message_name(chat, message);
    let op = asking::awaiting_op(app, &name, &awaiting);
    app.commit(Transaction::bookkeeping(app).with([op])).await
}

/// Somebody replied to a message of the bot's. Whether that message asked for it.
///
/// # Errors
/// Those of storage.
pub(super) async fn replied(app: &App, chat: i64, from: i64, to: i64, text: &str) -> Result<bool> {
    let key = keys::chat_reply(&asking::message_name(chat, to));
    let Some(row) = app.table.get(&key).await? else { return Ok(false) };
    if from != chat {
        return Ok(true);
    }
    let awaiting: Awaiting = row.read()?;
    let text = text.trim();
    if text.is_empty() {
        bot::say(app, chat, "Reply with a text, please.").await;
        return Ok(true);
    }
    match go_on(app, chat, &awaiting, text).await {
        Ok(()) => {}
        Err(error) => bot::say(app, chat, &refused(error)?).await,
    }
    // What is read again finds nothing that asked for it.
    let gone = Op::delete(row.key, Condition::None);
    app.commit(Transaction::bookkeeping(app).with([gone])).await?;
    Ok(true)
}

async fn go_on(app: &App, chat: i64, awaiting: &Awaiting, text: &str) -> Result<()> {
    let (row, ask): (Row, Ask) = find(app, &awaiting.ask, chat).await?;
    if let Some(ended) = &ask.ended {
        bot::say(app, chat, ended).await;
        return Ok(());
    }
    let refinement = standing(app, &ask.asked).await?;
    let said = match &awaiting.given {
        None => Said::Changes(text.to_owned()),
        Some(given) => {
            let given: Vec<String> = given.iter().cloned().chain([text.to_owned()]).collect();
            if given.len() < refinement.open_questions().len() {
                let next = Awaiting { given: Some(given), ..awaiting.clone() };
                return prompt(app, chat, &refinement, next).await;
            }
            Said::Answers(given)
        }
    };
    let sentence = hand_in(app, &row, &ask, said).await?;
    note(app, chat, &awaiting.message, &sentence).await;
    Ok(())
}

/// Says how it ended, in the chat and in the message with the buttons.
async fn note(app: &App, chat: i64, message: &Value, sentence: &str) {
    bot::say(app, chat, sentence).await;
    bot::note_in_message(app, chat, message, sentence).await;
}
