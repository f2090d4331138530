//! The caller's inbox.

use reqwest::Method;
use svc_api::notifications::{MarkNotification, Notification, NotificationCounts, NotificationQuery};

use crate::client::Client;
use crate::error::Error;

impl Client {
    /// The caller's inbox, newest first.
    pub async fn notifications(&self, query: &NotificationQuery) -> Result<Vec<Notification>, Error> {
        self.get("/me/notifications", &[]).query(query).fetch().await
    }

    /// How much there is to look at in it.
    pub async fn notification_counts(&self) -> Result<NotificationCounts, Error> {
        self.get("/me/notifications/counts", &[]).fetch().await
    }

    /// Marks an entry as read or done.
    pub async fn mark_notification(&self, id: &str, mark: &MarkNotification) -> Result<Notification, Error> {
        self.call(Method::PATCH, "/me/notifications/{}", &[id]).json(mark).fetch().await
    }

    /// Marks every entry as read.
    pub async fn read_notifications(&self) -> Result<(), Error> {
        self.post("/me/notifications/read", &[]).done().await
    }

    /// Marks every entry as done.
    pub async fn finish_notifications(&self) -> Result<(), Error> {
        self.post("/me/notifications/done", &[]).done().await
    }
}
