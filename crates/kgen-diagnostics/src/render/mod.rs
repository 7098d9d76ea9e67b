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

    /// One problem, with the line break at its end.
    #[must_use]
    pub fn render(&self, problem: &Problem, files: &Files) -> String {
        match self.format {
            Format::Human => human::render(problem, files, self.color),
            Format::Json => json::render(problem, files),
            Format::Github => github::render(problem, files),
        }
    }
}

#[cfg(test)]
mod tests;
