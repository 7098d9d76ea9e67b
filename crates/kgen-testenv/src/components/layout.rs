//! The ports of one control plane, and the files in its folder.

use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use crate::certificates::{Authority, CertifiedKey, new_key};
use crate::components::{Component, kwok, scheduler};
use crate::error::{IoContext, Result};
use crate::kubeconfig::{Credentials, Kubeconfig};

/// The name of the administrator.
pub(crate) const ADMIN: &str = "kubernetes-admin";

/// The user as which aggregated API servers are called.
pub(super) const FRONT_PROXY: &str = "front-proxy-client";

/// The policy of the audit log.
pub(super) const AUDIT_POLICY: &str = "audit-policy.json";

/// The audit log of the API server.
pub(crate) const AUDIT_LOG: &str = "audit.log";

/// Objects that are written, and only the names of others. Watches are logged when they start.
const AUDIT_RULES: &str = r#"{
  "apiVersion": "audit.k8s.io/v1",
  "kind": "Policy",
  "omitStages": ["RequestReceived"],
  "rules": [
    { "level": "Request", "verbs": ["create", "update", "patch"] },
    { "level": "Metadata" }
  ]
}
"#;

/// The group with all permissions.
pub(crate) const ADMINS: &str = "system:masters";

/// The ports of one control plane, all on 127.0.0.1.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ports {
    pub(crate) etcd: u16,
    pub(crate) etcd_peer: u16,
    pub(crate) api_server: u16,
    pub(crate) controller_manager: u16,
    pub(crate) scheduler: u16,
    pub(crate) kwok: u16,
}

impl Ports {
    /// The number of ports of a control plane.
    pub(crate) const COUNT: usize = 6;

    pub(crate) fn new(
        [etcd, etcd_peer, api_server, controller_manager, scheduler, kwok]: [u16; Self::COUNT],
    ) -> Self {
        Self {
            etcd,
            etcd_peer,
            api_server,
            controller_manager,
            scheduler,
            kwok,
        }
    }

    /// Returns the port on which `component` serves requests and its health.
    pub(crate) fn of(self, component: Component) -> u16 {
        match component {
            Component::Etcd => self.etcd,
            Component::ApiServer => self.api_server,
            Component::ControllerManager => self.controller_manager,
            Component::Scheduler => self.scheduler,
            Component::Kwok => self.kwok,
        }
    }
}

/// Ports and paths of one control plane.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    pub(crate) folder: PathBuf,
    pub(crate) logs: PathBuf,
    pub(crate) ports: Ports,
}

impl Layout {
    /// Returns the path of a file in the folder, in the form of a flag's value.
    pub(crate) fn file(&self, name: &str) -> String {
        self.folder.join(name).display().to_string()
    }

    /// Returns the log of a component.
    pub(crate) fn log(&self, component: Component) -> PathBuf {
        self.logs.join(format!("{component}.log"))
    }

    /// Returns the administrator's kubeconfig.
    pub(crate) fn admin_kubeconfig(&self) -> PathBuf {
        self.folder.join("kubeconfig")
    }

    /// Writes certificates, kubeconfigs and configuration files, and returns the administrator's kubeconfig.
    pub(crate) fn write_files(&self, authority: &Authority, admin: &CertifiedKey) -> Result<Kubeconfig> {
        let server = authority.server(&[
            "127.0.0.1",
            "localhost",
            "kubernetes",
            "kubernetes.default",
            "kubernetes.default.svc",
            "kubernetes.default.svc.cluster.local",
        ])?;
        self.write_pair("authority", &authority.own)?;
        self.write_pair("server", &server)?;
        self.write_pair("front-proxy", &authority.client(FRONT_PROXY, None)?)?;
        // Service account tokens are signed with this key; the API server and the controller manager share it.
        let service_accounts = new_key()?;
        self.write("service-accounts.key", &service_accounts.serialize_pem())?;
        self.write("service-accounts.pub", &service_accounts.public_key_pem())?;

        self.write(AUDIT_POLICY, AUDIT_RULES)?;
        self.write_pair("admin", admin)?;
        let admin = self.kubeconfig(authority, ADMIN, Credentials::Certificate(admin.clone()));
        self.write("kubeconfig", &admin.to_yaml())?;
        for (name, user, group) in [
            (
                "controller-manager.kubeconfig",
                "system:kube-controller-manager",
                None,
            ),
            ("scheduler.kubeconfig", "system:kube-scheduler", None),
            // kwok does the work of the kubelets of all nodes, for which Kubernetes does not have a role.
            ("kwok.kubeconfig", "kwok", Some(ADMINS)),
        ] {
            self.write(name, &self.client(authority, user, group)?.to_yaml())?;
        }
        self.write(scheduler::CONFIGURATION, &scheduler::configuration(self))?;
        self.write(kwok::STAGES, kwok::STAGES_TEXT)?;
        Ok(admin)
    }

    /// Returns a kubeconfig with a new client certificate.
    pub(crate) fn client(
        &self,
        authority: &Authority,
        user: &str,
        group: Option<&str>,
    ) -> Result<Kubeconfig> {
        Ok(self.kubeconfig(
            authority,
            user,
            Credentials::Certificate(authority.client(user, group)?),
        ))
    }

    /// Returns a kubeconfig of this control plane with the given credentials.
    pub(crate) fn kubeconfig(
        &self,
        authority: &Authority,
        user: &str,
        credentials: Credentials,
    ) -> Kubeconfig {
        Kubeconfig {
            server: format!("https://127.0.0.1:{}", self.ports.api_server),
            authority: authority.own.certificate.clone(),
            user: user.to_owned(),
            namespace: "default".to_owned(),
            credentials,
        }
    }

    fn write_pair(&self, name: &str, pair: &CertifiedKey) -> Result<()> {
        self.write(&format!("{name}.crt"), &pair.certificate)?;
        self.write(&format!("{name}.key"), &pair.key)
    }

    /// Writes a file that only its owner may read, because most of these files contain a key.
    fn write(&self, name: &str, text: &str) -> Result<()> {
        let path = self.folder.join(name);
        write_private(&path, text).context("write", &path)
    }
}

fn write_private(path: &Path, text: &str) -> std::io::Result<()> {
    use std::io::Write as _;

    let mut file = std::fs::OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(true)
        .mode(0o600)
        .open(path)?;
    file.write_all(text.as_bytes())
}
