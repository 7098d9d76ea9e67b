//! The facts of `Cargo.toml` that pages and charts show.

use std::path::Path;

use toml::de::{DeTable, DeValue};

use crate::view::View;

/// A package, as far as it is shown to users of the operator.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Package {
    pub(crate) name: String,
    pub(crate) version: String,
    pub(crate) description: String,
    pub(crate) repository: String,
    pub(crate) keywords: Vec<String>,
    pub(crate) authors: Vec<String>,
}

impl Package {
    /// Reads the package around `folder`. Values of the workspace are those of the workspace's manifest.
    pub(crate) fn around(folder: &Path, view: View<'_>) -> Self {
        let mut package = Self::default();
        let mut wants_workspace = Vec::new();
        for folder in folder.ancestors() {
            let Ok(text) = view.read_text(&folder.join("Cargo.toml")) else {
                continue;
            };
            let (table, _) = DeTable::parse_recoverable(&text);
            let table = table.get_ref();
            let part = |name: &str| table.get(name).and_then(|value| value.get_ref().as_table());
            if package.name.is_empty()
                && let Some(own) = part("package")
            {
                for (key, value) in own {
                    let is_inherited = value
                        .get_ref()
                        .as_table()
                        .is_some_and(|table| table.contains_key("workspace"));
                    if is_inherited {
                        wants_workspace.push(key.get_ref().to_string());
                    } else {
                        package.set(key.get_ref(), value.get_ref());
                    }
                }
            }
            let workspace =
                part("workspace").and_then(|workspace| workspace.get("package")?.get_ref().as_table());
            if let Some(workspace) = workspace.filter(|_| !package.name.is_empty()) {
                for key in &wants_workspace {
                    if let Some(value) = workspace.get(key.as_str()) {
                        package.set(key, value.get_ref());
                    }
                }
                break;
            }
            if !package.name.is_empty() && wants_workspace.is_empty() {
                break;
            }
        }
        package
    }

    fn set(&mut self, key: &str, value: &DeValue<'_>) {
        let text = || value.as_str().unwrap_or_default().to_owned();
        let texts = || {
            let items = value.as_array().into_iter().flat_map(|array| array.iter());
            items
                .filter_map(|item| item.get_ref().as_str().map(str::to_owned))
                .collect()
        };
        match key {
            "name" => self.name = text(),
            "version" => self.version = text(),
            "description" => self.description = text(),
            "repository" | "homepage" if self.repository.is_empty() || key == "repository" => {
                self.repository = text();
            }
            "keywords" => self.keywords = texts(),
            "authors" => self.authors = texts(),
            _ => {}
        }
    }

    /// Returns a title for pages about the package.
    pub(crate) fn title(&self) -> String {
        if self.name.is_empty() {
            "API reference".to_owned()
        } else {
            self.name.clone()
        }
    }
}
