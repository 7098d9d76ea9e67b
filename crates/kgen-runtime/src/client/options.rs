//! Options of writes. They are part of a handle, so that the signatures of its verbs stay short.

use kube::api::{PatchParams, PostParams, ValidationDirective};

/// The options for the writes of a handle.
///
/// ```
/// use kgen_runtime::WriteOptions;
///
/// let options = WriteOptions::new().dry_run().strict().field_manager("migration").force();
/// ```
#[derive(Clone, Debug, Default)]
pub struct WriteOptions {
    dry_run: bool,
    force: bool,
    field_validation: Option<ValidationDirective>,
    field_manager: Option<String>,
}

impl WriteOptions {
    /// Returns the default options: the connection's field manager, the server's default validation, no force.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Makes the server process requests without storing anything. This includes deletions.
    #[must_use]
    pub fn dry_run(mut self) -> Self {
        self.dry_run = true;
        self
    }

    /// Rejects unknown and duplicate fields.
    #[must_use]
    pub fn strict(self) -> Self {
        self.field_validation(ValidationDirective::Strict)
    }

    /// Sets how the server treats unknown and duplicate fields.
    #[must_use]
    pub fn field_validation(mut self, directive: ValidationDirective) -> Self {
        self.field_validation = Some(directive);
        self
    }

    /// Uses `name` instead of the connection's field manager.
    #[must_use]
    pub fn field_manager(mut self, name: impl Into<String>) -> Self {
        self.field_manager = Some(name.into());
        self
    }

    /// Takes over fields from other field managers in server-side apply. Other writes ignore it.
    #[must_use]
    pub fn force(mut self) -> Self {
        self.force = true;
        self
    }

    /// Returns whether this is a dry run.
    pub(super) fn is_dry_run(&self) -> bool {
        self.dry_run
    }

    /// Returns the parameters of POST and PUT. kube's parameters do not include the validation; see
    /// [`WriteOptions::validation`].
    pub(super) fn post_params(&self, default_manager: &str) -> PostParams {
        PostParams {
            dry_run: self.dry_run,
            field_manager: Some(self.manager(default_manager)),
        }
    }

    /// Returns the parameters of PATCH. The server accepts force only for server-side apply.
    pub(super) fn patch_params(&self, default_manager: &str, is_apply: bool) -> PatchParams {
        PatchParams {
            dry_run: self.dry_run,
            force: self.force && is_apply,
            field_manager: Some(self.manager(default_manager)),
            field_validation: self.field_validation.clone(),
        }
    }

    /// Returns the value of the query parameter `fieldValidation`.
    pub(super) fn validation(&self) -> Option<&str> {
        self.field_validation.as_ref().map(ValidationDirective::as_str)
    }

    fn manager(&self, default_manager: &str) -> String {
        self.field_manager
            .as_deref()
            .unwrap_or(default_manager)
            .to_owned()
    }
}
