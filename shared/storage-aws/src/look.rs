//! Looks whether the engines are there, before a server serves: it says what is missing, or why nothing is known of it.
//!
//! One small call each, and none that a server's role does not have anyway.

use std::error::Error;

use aws_sdk_dynamodb::error::{DisplayErrorContext, ProvideErrorMetadata, SdkError};
use aws_sdk_dynamodb::types::AttributeValue;
use aws_sdk_sqs::types::QueueAttributeName;
use svc_storage::StorageError;

use crate::AwsStore;

/// How a person makes what is missing.
const MAKE: &str = "Deploy infra/template.yaml and use the names in its outputs, or set Storage:Create = true to have a \
                    server make plain ones, without backups and alarms";

impl AwsStore {
    /// Looks for table, bucket and queue.
    ///
    /// # Errors
    /// [`StorageError::Unusable`] with all that are missing and how to make them, or with what keeps the first from being
    /// asked and what to do about it.
    pub async fn look(&self) -> Result<(), StorageError> {
        let (table, blobs, queue) = self.adapters();
        if queue.url.is_empty() {
            let message = format!("Storage:QueueUrl is not set; it is the address of an SQS queue. {MAKE}.");
            return Err(StorageError::Unusable(message));
        }
        let key = |name: &str| AttributeValue::S(name.to_owned());
        let row = table.client.get_item().table_name(&table.name).key("pk", key("?")).key("sk", key("?"));
        let object = blobs.client.list_objects_v2().bucket(&blobs.bucket).max_keys(1);
        let depth = queue
            .client
            .get_queue_attributes()
            .queue_url(&queue.url)
            .attribute_names(QueueAttributeName::ApproximateNumberOfMessages);
        let answers = tokio::join!(row.send(), object.send(), depth.send());
        let mut missing = Vec::new();
        missing.extend(absent(answers.0, "ResourceNotFoundException", format!("table {:?}", table.name))?);
        missing.extend(absent(answers.1, "NoSuchBucket", format!("bucket {:?}", blobs.bucket))?);
        missing.extend(absent(answers.2, "QueueDoesNotExist", format!("queue {}", queue.url))?);
        if missing.is_empty() {
            return Ok(());
        }
        Err(StorageError::Unusable(format!("there is no {}. {MAKE}.", missing.join(", and no "))))
    }
}

/// The thing, if an engine says that it does not exist.
fn absent<T, E, R>(
    answer: Result<T, SdkError<E, R>>,
    code: &str,
    thing: String,
) -> Result<Option<String>, StorageError>
where
    E: Error + ProvideErrorMetadata + 'static,
    R: std::fmt::Debug,
{
    match answer {
        Ok(_) => Ok(None),
        Err(error) if error.code().is_some_and(|said| said.ends_with(code)) => Ok(Some(thing)),
        // Older answers of SQS name it differently.
        Err(error) if error.code() == Some("AWS.SimpleQueueService.NonExistentQueue") => Ok(Some(thing)),
        Err(error) => {
            let said = error.code().map(|code| format!("{code}: {}", error.message().unwrap_or_default()));
            let cause = said.unwrap_or_else(|| DisplayErrorContext(&error).to_string());
            Err(StorageError::Unusable(format!("cannot ask for the {thing}: {}", in_plain_words(&cause))))
        }
    }
}

/// What to do about an error of the SDK, whose own texts are pages of its inside.
fn in_plain_words(cause: &str) -> String {
    let any = |marks: &[&str]| marks.iter().any(|mark| cause.contains(mark));
    let advice = if any(&["CredentialsNotLoaded", "no providers in chain provided credentials"]) {
        "no AWS credentials were found. Run where there is a role, or set AWS_PROFILE, or AWS_ACCESS_KEY_ID and \
         AWS_SECRET_ACCESS_KEY"
    } else if any(&["CredentialsError", "failed to load credentials", "ProviderError"]) {
        "the AWS credentials could not be loaded. Sign in again (`aws sso login`), or look at AWS_PROFILE"
    } else if any(&["ExpiredToken", "token included in the request is expired"]) {
        "the AWS credentials have expired. Sign in again"
    } else if any(&[
        "UnrecognizedClient",
        "InvalidClientTokenId",
        "InvalidAccessKeyId",
        "SignatureDoesNotMatch",
    ]) {
        "AWS does not accept the credentials. Check AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, and this machine's clock"
    } else if any(&["AccessDenied", "AccessDeniedException", "not authorized", "Forbidden"]) {
        "the credentials may not use it. Give their role the permissions that infra/README.md lists, and check the \
         account and the region"
    } else if any(&["region", "Region"]) && any(&["missing", "Missing", "must be set", "Invalid"]) {
        "the region is not known. Set Storage:Region or AWS_REGION"
    } else if any(&[
        "dns error",
        "ConnectorError",
        "Connection refused",
        "timeout",
        "Timeout",
        "dispatch failure",
    ]) {
        "it does not answer. Check Storage:Endpoint, Storage:Region and the network"
    } else {
        return cause.chars().take(300).collect();
    };
    advice.to_owned()
}

#[cfg(test)]
mod tests {
    use super::in_plain_words;

    #[test]
    fn people_read_what_to_do_and_nothing_of_the_inside_of_the_sdk() {
        for (cause, says) in [
            (
                "dispatch failure: other: the credential provider was not enabled: CredentialsNotLoaded",
                "no AWS credentials",
            ),
            ("ExpiredTokenException: The security token included in the request is expired", "have expired"),
            ("UnrecognizedClientException: The security token is invalid", "does not accept"),
            ("AccessDeniedException: User is not authorized to perform: dynamodb:GetItem", "may not use it"),
            (
                "dispatch failure: io error: tcp connect error: Connection refused (os error 111)",
                "does not answer",
            ),
            ("failed to construct request: Invalid Configuration: Missing Region", "Set Storage:Region"),
        ] {
            let said = in_plain_words(cause);
            assert!(said.contains(says) && !said.contains("dispatch"), "{cause}: {said}");
        }
        assert!(in_plain_words(&"x".repeat(5_000)).len() <= 300);
    }
}
