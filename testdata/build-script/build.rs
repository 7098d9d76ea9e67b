//! Keeps the manifests of this package in step with its types.

fn main() {
    kgen_build::configure()
        .path("src/api")
        .crd("config/crd")
        .rbac("config/rbac")
        .emit();
}
