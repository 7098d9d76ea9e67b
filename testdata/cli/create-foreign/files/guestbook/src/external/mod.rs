// Imported by kgen from certificates.cert-manager.io.

pub mod cert_manager_io;
