//! Attachments: announcing, uploading, committing, downloading. Bytes stream both ways, and an address outside
//! the instance is never sent the credential.

use std::io;
use std::time::Duration;

use bytes::Bytes;
use futures::Stream;
use reqwest::header::{CONTENT_LENGTH, CONTENT_TYPE, LOCATION};
use reqwest::{Body, Method, Response, Url};
use svc_api::Page;
use svc_api::page::PageQuery;
use svc_api::tracker::{AnnouncedAttachment, Attachment, NewAttachment, Upload};

use crate::client::{Client, Org};
use crate::error::Error;
use crate::send::{Call, is_elsewhere, network, success};

/// A transfer may take this long as a whole.
const TRANSFER: Duration = Duration::from_secs(60 * 60);

/// A file on its way here.
pub struct Download {
    client: Client,
    response: Response,
}

impl Download {
    /// Size in bytes, where the sender tells it.
    pub fn size(&self) -> Option<u64> {
        self.response.headers().get(CONTENT_LENGTH)?.to_str().ok()?.parse().ok()
    }

    /// The next bytes; `None` at the end.
    ///
    /// # Errors
    /// When the connection breaks.
    pub async fn piece(&mut self) -> Result<Option<Bytes>, Error> {
        self.response.chunk().await.map_err(|error| network(&self.client, error))
    }
}

impl Org<'_> {
    /// One page of the attachments of an item and its comments, oldest first.
    pub async fn attachments(self, item: &str, page: &PageQuery) -> Result<Page<Attachment>, Error> {
        self.client.get("/orgs/{}/items/{}/attachments", &[self.slug, item]).query(page).page().await
    }

    /// An attachment.
    pub async fn attachment(self, id: &str) -> Result<Attachment, Error> {
        self.client.get("/orgs/{}/attachments/{}", &[self.slug, id]).fetch().await
    }

    /// Announces an attachment: the answer says where its bytes go.
    pub async fn announce_attachment(
        self,
        item: &str,
        new: &NewAttachment,
    ) -> Result<AnnouncedAttachment, Error> {
        self.client.post("/orgs/{}/items/{}/attachments", &[self.slug, item]).json(new).fetch().await
    }

    /// Sends the bytes of an announced attachment where the announcement says. `pieces` makes them anew for each
    /// attempt.
    pub async fn upload_attachment<S>(
        self,
        announced: &AnnouncedAttachment,
        pieces: impl Fn() -> S,
    ) -> Result<(), Error>
    where
        S: Stream<Item = io::Result<Bytes>> + Send + 'static,
    {
        let AnnouncedAttachment { attachment, upload } = announced;
        let call = if upload.url.starts_with('/') {
            let args = &[self.slug, attachment.id.as_str()];
            self.client.call(Method::PUT, "/orgs/{}/attachments/{}/content", args)
        } else {
            elsewhere(self.client, upload)?
        };
        let call = call.header(CONTENT_LENGTH.as_str(), &attachment.size.to_string()).timeout(TRANSFER);
        match call.send_made(|| Body::wrap_stream(pieces())).await {
            // Written already: an earlier attempt arrived, and its answer was lost.
            Err(error) if error.status() == Some(412) => Ok(()),
            result => result,
        }
    }

    /// Commits an attachment whose bytes were sent. Repeating it does no harm.
    pub async fn commit_attachment(self, id: &str) -> Result<Attachment, Error> {
        self.client.post("/orgs/{}/attachments/{}/commit", &[self.slug, id]).repeatable().fetch().await
    }

    /// Removes an attachment.
    pub async fn delete_attachment(self, id: &str) -> Result<(), Error> {
        self.client.call(Method::DELETE, "/orgs/{}/attachments/{}", &[self.slug, id]).done().await
    }

    /// Begins to download an attachment, from wherever the instance says that its bytes are.
    pub async fn download_attachment(self, id: &str) -> Result<Download, Error> {
        self.client.download(self.client.get("/orgs/{}/attachments/{}/content", &[self.slug, id])).await
    }
}

impl Client {
    /// Begins to download what a call answers, or what is at the address that it names.
    pub(crate) async fn download(&self, call: Call<'_>) -> Result<Download, Error> {
        let response = call.timeout(TRANSFER).open().await?;
        if !is_elsewhere(&response) {
            return Ok(Download { client: self.clone(), response });
        }
        let location = response.headers().get(LOCATION).and_then(|value| value.to_str().ok());
        let address = safe(self, location.unwrap_or_default())?;
        let request = self.http().get(address).timeout(TRANSFER);
        let response = request.send().await.map_err(|error| network(self, error))?;
        let response = success(self, response).await.map_err(|failure| failure.error)?;
        Ok(Download { client: self.clone(), response })
    }
}

/// A call to another address, without the credential.
fn elsewhere<'a>(client: &'a Client, upload: &Upload) -> Result<Call<'a>, Error> {
    let mut request = client.http().put(safe(client, &upload.url)?);
    for header in &upload.headers {
        let name = header.name.as_str();
        if !name.eq_ignore_ascii_case(CONTENT_LENGTH.as_str()) && !name.eq_ignore_ascii_case("host") {
            request = request.header(name, header.value.as_str());
        }
    }
    if !upload.headers.iter().any(|header| header.name.eq_ignore_ascii_case(CONTENT_TYPE.as_str())) {
        // Object storage makes up a type of its own otherwise; what is served is decided at the commit.
        request = request.header(CONTENT_TYPE, "application/octet-stream");
    }
    Ok(Call::elsewhere(client, "PUT to object storage", request))
}

/// An address that an instance sends its clients to: no weaker than the instance's own.
fn safe(client: &Client, address: &str) -> Result<Url, Error> {
    let base = Url::parse(client.base_url());
    let url = base.and_then(|base| Ok((base.scheme() == "https", base.join(address)?)));
    match url {
        Ok((false, url)) if matches!(url.scheme(), "http" | "https") => Ok(url),
        Ok((true, url)) if url.scheme() == "https" => Ok(url),
        _ => Err(Error::Unsendable("the instance points to an address that is not safe to use".to_owned())),
    }
}
