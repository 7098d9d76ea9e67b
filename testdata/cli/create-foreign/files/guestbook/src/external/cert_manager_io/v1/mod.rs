// Imported by kgen from certificates.cert-manager.io.

//! +versionName=v1

mod certificate;

pub use certificate::*;
