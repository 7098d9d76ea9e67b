//! The one place where problems become text: for people, for programs, and for GitHub workflows.

mod github;
mod human;
mod json;

use crate::{Files, Problem, Problems};

/// The form in which problems are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    /// As rustc shows them: code, message, place, excerpt, help.
    #[default]
    Human,
    /// One JSON object per line, with byte offsets.
    Json,
    /// Workflow commands that GitHub turns into annotations.
    Github,
}

/// A fact about a problem, and its title.
pub type Remark = (&'static str, String);

/// Turns problems into text.
#[derive(Clone, Copy, Debug, Default)]
pub struct Renderer {
    /// The form.
    pub format: Format,
    /// Whether the human form has colors.
    pub color: bool,
}

impl Renderer {
    /// Returns all problems by place, each once.
    #[must_use]
    pub fn render_all(&self, problems: &Problems, files: &Files) -> String {
        problems
            .sorted(files)
            .into_iter()
            .map(|problem| self.render(problem, files))
            .collect()
    }

    /// Returns the text of one problem, with the line break at its end.
    #[must_use]
    pub fn render(&self, problem: &Problem, files: &Files) -> String {
        self.render_with(problem, &[], files)
    }

    /// Renders one problem, with facts about it before the help, each after a title such as `breaks`. JSON does not
    /// have them.
    #[must_use]
    pub fn render_with(&self, problem: &Problem, remarks: &[Remark], files: &Files) -> String {
        match self.format {
            Format::Human => human::render(problem, remarks, files, self.color),
            Format::Json => json::render(problem, files),
            Format::Github => github::render(problem, remarks, files),
        }
    }
}

#[cfg(test)]
mod tests;
