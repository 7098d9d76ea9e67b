//! Options of `rbac`.

use super::options;

options! {
    /// How access rules become roles.
    pub struct RbacOptions at rbac, described by RBAC {
        "roleName" => role_name: String = generator().role_name,
            "Name of the role for markers without a role name";

        "fileName" => file_name: String = generator().file_name,
            "Name of the file";
    }
}

/// Returns the defaults of the generator.
fn generator() -> kgen_generators::rbac::RbacOptions {
    kgen_generators::rbac::RbacOptions::default()
}

impl RbacOptions {
    /// Returns the options of the generators.
    pub(crate) fn for_generator(&self, header: Option<String>) -> kgen_generators::rbac::RbacOptions {
        kgen_generators::rbac::RbacOptions {
            role_name: self.role_name.clone(),
            file_name: self.file_name.clone(),
            header,
        }
    }
}
