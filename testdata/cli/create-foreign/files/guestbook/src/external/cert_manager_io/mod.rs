// Imported by kgen from certificates.cert-manager.io.

//! +groupName=cert-manager.io

pub mod v1;
