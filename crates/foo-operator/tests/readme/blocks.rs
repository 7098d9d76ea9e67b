//! The code blocks of the README, each with the step that it belongs to.

use crate::package;

/// The content between two fences.
pub struct Block {
    /// The number that the paragraph before begins with, as in `**3. Say what to generate**`.
    pub step: Option<usize>,
    pub language: String,
    pub text: String,
}

/// Returns all blocks, from top to bottom.
pub fn blocks() -> Vec<Block> {
    let readme = std::fs::read_to_string(package().join("README.md")).unwrap();
    let mut found: Vec<Block> = Vec::new();
    let mut step = None;
    let mut inside = false;
    for line in readme.lines() {
        if let Some(language) = line.strip_prefix("```") {
            inside = !inside;
            if inside {
                found.push(Block {
                    step,
                    language: language.to_owned(),
                    text: String::new(),
                });
            }
        } else if inside {
            let text = &mut found.last_mut().unwrap().text;
            text.push_str(line);
            text.push('\n');
        } else if line.starts_with("## ") {
            step = None;
        } else if let Some(number) = line
            .strip_prefix("**")
            .and_then(|rest| rest.split_once(". "))
            .and_then(|(number, _)| number.parse().ok())
        {
            step = Some(number);
        }
    }
    found
}
