//! Tables for the terminal.

/// The alignment of a column.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// Words.
    Left,
    /// Numbers.
    Right,
}

/// Rows with headings; each column is as wide as its widest text.
pub struct Table {
    columns: Vec<(&'static str, Side)>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// Returns a table without rows.
    pub fn new(columns: &[(&'static str, Side)]) -> Self {
        Self {
            columns: columns.to_vec(),
            rows: Vec::new(),
        }
    }

    /// Adds a row; missing texts are empty.
    pub fn row(&mut self, texts: Vec<String>) {
        self.rows.push(texts);
    }

    /// Returns the table with its headings, one line per row.
    pub fn render(&self) -> String {
        let headings = self
            .columns
            .iter()
            .map(|(heading, _)| (*heading).to_owned())
            .collect();
        let lines: Vec<&Vec<String>> = std::iter::once(&headings).chain(&self.rows).collect();
        let mut text = String::new();
        for line in &lines {
            let mut shown = String::new();
            for (index, (_, side)) in self.columns.iter().enumerate() {
                let width = lines
                    .iter()
                    .map(|line| width(line, index))
                    .max()
                    .unwrap_or_default();
                let blanks = " ".repeat(width - self::width(line, index));
                let cell = line.get(index).map_or("", String::as_str);
                shown += if index == 0 { "" } else { "  " };
                shown += &if *side == Side::Right {
                    blanks + cell
                } else {
                    cell.to_owned() + &blanks
                };
            }
            text += shown.trim_end();
            text.push('\n');
        }
        text
    }
}

fn width(line: &[String], index: usize) -> usize {
    line.get(index).map_or(0, |cell| cell.chars().count())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_as_wide_as_their_widest_text() {
        let mut table = Table::new(&[
            ("kinds", Side::Right),
            ("command", Side::Left),
            ("time", Side::Right),
        ]);
        table.row(vec!["1".into(), "kgen crd".into(), "3 ms".into()]);
        table.row(vec![
            "1,000".into(),
            "controller-gen crd".into(),
            "1,234 ms".into(),
        ]);
        table.row(vec!["7".into(), "naïve".into()]);
        insta::assert_snapshot!(table.render(), @"
        kinds  command                 time
            1  kgen crd                3 ms
        1,000  controller-gen crd  1,234 ms
            7  naïve
        ");
    }
}
