//! The Go modules that are built: the `go.mod` of a project, changed so that it works outside its repository.
//!
//! Kubernetes and etcd refer to their sister modules by folders of their repositories, which the module proxy does not
//! have; the sister modules are also published. So the module that is built here has the project's own `go.mod`, with
//! every such folder replaced by the published version. All other dependencies keep the versions that the project
//! chose, and its `go.sum` still covers them.

/// etcd replaces modules that must not be used with a folder that does not exist. They are not used, and are not
/// published in the same version.
const TRIPWIRE: &str = " => ./FORBIDDEN_DEPENDENCY";

/// The module to build.
pub(super) struct GoModule {
    /// The path of the project's module.
    pub(super) path: &'static str,
    /// Its version, with the `v`.
    pub(super) version: String,
    /// The version of its sister modules, with the `v`.
    pub(super) sisters: String,
}

impl GoModule {
    /// Returns the `go.mod` for building the project outside its repository.
    pub(super) fn adapt(&self, go_mod: &str) -> String {
        let mut adapted = String::new();
        for line in go_mod.lines() {
            if line.starts_with("module ") {
                adapted.push_str("module kgen.local/control-plane");
            } else if line.starts_with("toolchain ") {
                // Only the project's release machines need this line; any Go that satisfies the `go` line works.
                continue;
            } else if line.ends_with(TRIPWIRE) {
                continue;
            } else if let Some(replaced) = replaced_by_folder(line) {
                let module = replaced.trim_start().trim_start_matches("replace ");
                adapted.push_str(&format!("{replaced} => {module} {}", self.sisters));
            } else {
                adapted.push_str(line);
            }
            adapted.push('\n');
        }
        adapted.push_str(&format!("\nrequire {} {}\n", self.path, self.version));
        adapted
    }
}

/// Returns the left side of a line that replaces a module with a folder.
fn replaced_by_folder(line: &str) -> Option<&str> {
    let (replaced, by) = line.split_once(" => ")?;
    by.starts_with('.').then_some(replaced)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_become_published_versions_and_the_rest_stays() {
        let module = GoModule {
            path: "k8s.io/kubernetes",
            version: "v1.36.4".into(),
            sisters: "v0.36.4".into(),
        };
        let adapted = module.adapt(
            "module k8s.io/kubernetes\n\ngo 1.26.0\n\ntoolchain go1.26.10\n\nrequire (\n\tk8s.io/api v0.0.0\n)\n\n\
             replace (\n\tk8s.io/api => ./staging/src/k8s.io/api\n\texample.com/a => example.com/b v1.0.0\n)\n\
             replace k8s.io/kms => ../kms\nreplace go.etcd.io/etcd => ./FORBIDDEN_DEPENDENCY\n",
        );
        assert_eq!(
            adapted,
            "module kgen.local/control-plane\n\ngo 1.26.0\n\n\nrequire (\n\tk8s.io/api v0.0.0\n)\n\n\
             replace (\n\tk8s.io/api => k8s.io/api v0.36.4\n\texample.com/a => example.com/b v1.0.0\n)\n\
             replace k8s.io/kms => k8s.io/kms v0.36.4\n\nrequire k8s.io/kubernetes v1.36.4\n"
        );
    }
}
