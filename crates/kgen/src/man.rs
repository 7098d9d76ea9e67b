//! The manual pages, one per subcommand. Only packaging builds this.

use clap::Command;

use crate::command;

/// Renders the page of every command that is shown in help, by file name.
pub(crate) fn pages() -> std::io::Result<Vec<(String, Vec<u8>)>> {
    let mut root = command::command();
    root.build();
    let mut pages = Vec::new();
    add(&root, &mut pages)?;
    Ok(pages)
}

fn add(command: &Command, pages: &mut Vec<(String, Vec<u8>)>) -> std::io::Result<()> {
    let name = command
        .get_display_name()
        .unwrap_or_else(|| command.get_name())
        .to_owned();
    let mut page = Vec::new();
    clap_mangen::Man::new(command.clone().name(name.clone())).render(&mut page)?;
    pages.push((format!("{name}.1"), page));
    // The pages of generators exist once, not again below `generate`, `verify` and `fix`.
    let is_run = ["generate", "verify", "fix"].contains(&command.get_name());
    for subcommand in command.get_subcommands() {
        if !subcommand.is_hide_set() && subcommand.get_name() != "help" && !is_run {
            add(subcommand, pages)?;
        }
    }
    Ok(())
}

/// Writes all pages to a folder.
#[cfg(any(test, feature = "man"))]
pub(crate) fn write(folder: &std::path::Path, terminal: crate::terminal::Terminal) -> crate::terminal::Exit {
    use kgen_build::{ChangeAction, Findings, Plan};
    use kgen_diagnostics::{Code, Problem};

    use crate::terminal::Exit;

    let written = pages()
        .map_err(|error| Findings::of(Problem::general(Code::Io, error.to_string())))
        .and_then(|pages| {
            let create = |(name, page): (String, Vec<u8>)| {
                let new = String::from_utf8_lossy(&page).into_owned();
                (folder.join(name), ChangeAction::Create { new })
            };
            Plan::of_files(pages.into_iter().map(create), folder).carry_out()
        });
    match written {
        Ok(()) => Exit::Fine,
        Err(findings) => {
            terminal.findings(&[findings]);
            Exit::Failure
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_has_a_page() {
        let pages = pages().unwrap();
        let names: Vec<_> = pages.iter().map(|(name, _)| name.as_str()).collect();
        for name in [
            "kgen.1",
            "kgen-crd.1",
            "kgen-verify.1",
            "kgen-create-api.1",
            "kgen-explain.1",
        ] {
            assert!(names.contains(&name), "{name} is not among {names:?}");
        }
        let (_, crd) = pages.iter().find(|(name, _)| name == "kgen-crd.1").unwrap();
        let crd = String::from_utf8_lossy(crd);
        assert!(crd.starts_with(".ie"), "{crd}");
        assert!(crd.contains("max\\-desc\\-len"), "{crd}");
    }

    #[test]
    fn the_command_writes_the_pages() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("man");
        let words = ["kgen".into(), "man".into(), target.clone().into_os_string()];
        let Ok((call, terminal)) = crate::call::read(words.into()) else {
            panic!("`kgen man` is refused");
        };
        assert!(matches!(
            crate::call::answer(call, terminal),
            crate::terminal::Exit::Fine
        ));
        for (name, page) in pages().unwrap() {
            assert_eq!(std::fs::read(target.join(&name)).unwrap(), page, "{name}");
        }
    }
}
