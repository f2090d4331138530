//! The caller's inbox, what they want to be told of, and their channels.

use reqwest::Method;
use svc_api::notifications::{
    ChangeNotificationSettings, ChangeOrgNotificationChannel, ChannelTested, CreatedNotificationChannel,
    MarkNotification, NewNotificationChannel, NewOrgNotificationChannel, Notification, NotificationChannels,
    NotificationCounts, NotificationPreference, NotificationQuery, NotificationSettings,
    OrgNotificationChannel, OrgNotificationChannels,
};

use crate::client::{Client, Org};
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

    /// What the caller wants to be told of.
    pub async fn notification_preferences(&self) -> Result<Vec<NotificationPreference>, Error> {
        self.get("/me/notification-preferences", &[]).fetch().await
    }

    /// Writes what the caller wants of these kinds.
    pub async fn set_notification_preferences(
        &self,
        preferences: &[NotificationPreference],
    ) -> Result<Vec<NotificationPreference>, Error> {
        self.call(Method::PUT, "/me/notification-preferences", &[]).json(&preferences).fetch().await
    }

    /// When digests are sent, and what the caller does not want to hear of.
    pub async fn notification_settings(&self) -> Result<NotificationSettings, Error> {
        self.get("/me/notification-settings", &[]).fetch().await
    }

    /// Changes these.
    pub async fn change_notification_settings(
        &self,
        change: &ChangeNotificationSettings,
    ) -> Result<NotificationSettings, Error> {
        self.call(Method::PATCH, "/me/notification-settings", &[]).json(change).fetch().await
    }

    /// The caller's channels.
    pub async fn notification_channels(&self) -> Result<NotificationChannels, Error> {
        self.get("/me/notification-channels", &[]).fetch().await
    }

    /// Creates a channel of the caller.
    pub async fn create_notification_channel(
        &self,
        new: &NewNotificationChannel,
    ) -> Result<CreatedNotificationChannel, Error> {
        self.post("/me/notification-channels", &[]).json(new).fetch().await
    }

    /// Sends a test message to a channel of the caller.
    pub async fn test_notification_channel(&self, id: &str) -> Result<ChannelTested, Error> {
        self.post("/me/notification-channels/{}/test", &[id]).fetch().await
    }

    /// Deletes a channel of the caller.
    pub async fn delete_notification_channel(&self, id: &str) -> Result<(), Error> {
        self.call(Method::DELETE, "/me/notification-channels/{}", &[id]).done().await
    }

    /// Marks every entry as done.
    pub async fn finish_notifications(&self) -> Result<(), Error> {
        self.post("/me/notifications/done", &[]).done().await
    }
}

impl Org<'_> {
    /// The channels of the organization.
    pub async fn notification_channels(self) -> Result<OrgNotificationChannels, Error> {
        self.client.get("/orgs/{}/notification-channels", &[self.slug]).fetch().await
    }

    /// Creates a channel, which is told of nothing yet.
    pub async fn create_notification_channel(
        self,
        new: &NewOrgNotificationChannel,
    ) -> Result<CreatedNotificationChannel<OrgNotificationChannel>, Error> {
        self.client.post("/orgs/{}/notification-channels", &[self.slug]).json(new).fetch().await
    }

    /// Changes the name of a channel, or what it is told of.
    pub async fn change_notification_channel(
        self,
        id: &str,
        change: &ChangeOrgNotificationChannel,
    ) -> Result<OrgNotificationChannel, Error> {
        let path = "/orgs/{}/notification-channels/{}";
        self.client.call(Method::PATCH, path, &[self.slug, id]).json(change).fetch().await
    }

    /// Sends a test message to a channel.
    pub async fn test_notification_channel(self, id: &str) -> Result<ChannelTested, Error> {
        self.client.post("/orgs/{}/notification-channels/{}/test", &[self.slug, id]).fetch().await
    }

    /// Deletes a channel.
    pub async fn delete_notification_channel(self, id: &str) -> Result<(), Error> {
        let path = "/orgs/{}/notification-channels/{}";
        self.client.call(Method::DELETE, path, &[self.slug, id]).done().await
    }
}
