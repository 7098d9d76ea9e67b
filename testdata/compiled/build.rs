//! Generates Rust for the types of a case, as a build script of any crate would.

fn main() {
    kgen_build::configure()
        .path("../cases/separate-crate/types")
        .objects()
        .clients()
        .listers()
        .informers()
        .apply_configurations()
        .emit();
}
