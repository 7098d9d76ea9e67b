//! The representation that a client asks for.

use k8s_openapi::jiff::Timestamp;
use serde_json::Value;

use crate::status::Failure;
use crate::table::{self, Include};
use crate::verbs::Shown;

/// How an object is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    Plain,
    /// A table, in this version of the group `meta.k8s.io`.
    Table(String),
    Partial(String),
    PartialList(String),
}

/// The representation of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Accept {
    pub(crate) form: Form,
    pub(crate) is_yaml: bool,
}

impl Accept {
    /// Reads the header `Accept`.
    pub(crate) fn read(header: &str) -> Result<Self, Failure> {
        let plain = |is_yaml| Self {
            form: Form::Plain,
            is_yaml,
        };
        if header.trim().is_empty() {
            return Ok(plain(false));
        }
        for part in header.split(',') {
            let mut parameters = part.split(';').map(str::trim);
            let media = parameters.next().unwrap_or_default();
            let mut form = None;
            let (mut group, mut version) = ("", "");
            for parameter in parameters {
                match parameter.split_once('=') {
                    Some(("as", value)) => form = Some(value),
                    Some(("g", value)) => group = value,
                    Some(("v", value)) => version = value,
                    _ => {}
                }
            }
            let is_yaml = media == "application/yaml";
            if !matches!(
                media,
                "application/json" | "application/yaml" | "*/*" | "application/*"
            ) {
                continue;
            }
            let form = match form {
                None => Form::Plain,
                Some(_) if group != "meta.k8s.io" || !matches!(version, "v1" | "v1beta1") => continue,
                Some("Table") => Form::Table(version.to_owned()),
                Some("PartialObjectMetadata") => Form::Partial(version.to_owned()),
                Some("PartialObjectMetadataList") => Form::PartialList(version.to_owned()),
                Some(_) => continue,
            };
            return Ok(Self { form, is_yaml });
        }
        Err(Failure::not_acceptable(
            "only the following media types are accepted: application/json, application/yaml, \
             application/vnd.kubernetes.protobuf",
        ))
    }

    /// Returns whether a header names a media type that the server has, in whatever form.
    pub(crate) fn has_known_type(header: &str) -> bool {
        header.split(',').any(|part| {
            let media = part.split(';').next().unwrap_or_default().trim();
            matches!(
                media,
                "application/json" | "application/yaml" | "*/*" | "application/*"
            )
        })
    }

    /// Returns an object or list in the form that the client asked for.
    pub(crate) fn present(
        &self,
        body: Value,
        shown: &Shown,
        include: &str,
        now: Timestamp,
    ) -> Result<Value, Failure> {
        match &self.form {
            Form::Plain => Ok(body),
            Form::Table(version) => {
                let include = Include::read(include)?;
                Ok(table::table(
                    &shown.kind,
                    &shown.version,
                    &body,
                    shown.is_list,
                    include,
                    (version, now),
                ))
            }
            Form::Partial(_) if shown.is_list => {
                let go_type = if shown.kind.is_custom() {
                    "*unstructured.UnstructuredList".to_owned()
                } else {
                    let package = match shown.kind.group.as_str() {
                        "" => "core",
                        group => group.split('.').next().unwrap_or_default(),
                    };
                    format!("*{package}.{}", shown.kind.list_kind)
                };
                Err(Failure::not_acceptable(format!(
                    "you requested PartialObjectMetadata, but the requested object is a list ({go_type})"
                )))
            }
            Form::Partial(version) => Ok(table::partial(&body, version)),
            Form::PartialList(_) if !shown.is_list => Err(Failure::internal("content is not a list")),
            Form::PartialList(version) => Ok(table::partial_list(&body, version)),
        }
    }
}
