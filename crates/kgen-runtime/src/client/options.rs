//! Options of writes: they belong to a handle, so that a verb keeps one short signature.

use kube::api::{PatchParams, PostParams, ValidationDirective};

/// How the writes of a handle are done.
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
    /// Plain writes: the connection's field manager, the server's validation, no force.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Have the server check and answer, and store nothing. This holds for deletions too.
    #[must_use]
    pub fn dry_run(mut self) -> Self {
        self.dry_run = true;
        self
    }

    /// Refuse unknown and repeated fields.
    #[must_use]
    pub fn strict(self) -> Self {
        self.field_validation(ValidationDirective::Strict)
    }

    /// What the server does about unknown and repeated fields.
    #[must_use]
    pub fn field_validation(mut self, directive: ValidationDirective) -> Self {
        self.field_validation = Some(directive);
        self
    }

    /// Owns fields under `name` instead of the connection's field manager.
    #[must_use]
    pub fn field_manager(mut self, name: impl Into<String>) -> Self {
        self.field_manager = Some(name.into());
        self
    }

    /// Take fields over from other managers in server-side apply. It means nothing for other writes.
    #[must_use]
    pub fn force(mut self) -> Self {
        self.force = true;
        self
    }

    /// Whether nothing is to be stored.
    pub(super) fn is_dry_run(&self) -> bool {
        self.dry_run
    }

    /// For POST and PUT. kube has no field for the validation there: [`WriteOptions::validation`] goes beside it.
    pub(super) fn post_params(&self, default_manager: &str) -> PostParams {
        PostParams {
            dry_run: self.dry_run,
            field_manager: Some(self.manager(default_manager)),
        }
    }

    /// For PATCH. Force is a matter of server-side apply; the server refuses it with other patches.
    pub(super) fn patch_params(&self, default_manager: &str, is_apply: bool) -> PatchParams {
        PatchParams {
            dry_run: self.dry_run,
            force: self.force && is_apply,
            field_manager: Some(self.manager(default_manager)),
            field_validation: self.field_validation.clone(),
        }
    }

    /// The value of the query parameter `fieldValidation`.
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
