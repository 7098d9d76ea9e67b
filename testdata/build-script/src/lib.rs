//! A package whose build script writes manifests. kgen reads `src/api`; to keep the example small, it is not compiled, so
//! that no crate of Kubernetes is needed.
