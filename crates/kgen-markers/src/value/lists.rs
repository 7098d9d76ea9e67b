//! Lists, `{a, b}` or `a;b`, and maps, `{key: value}`.

use super::{Error, Located, Parser, TextFix, Value};

impl<'a> Parser<'a> {
    pub(super) fn list<T: Value>(&mut self) -> Result<Located<Vec<T>>, Error> {
        self.skip_blanks();
        let start = self.at;
        let before = std::mem::replace(&mut self.in_list, true);
        let values = match self.peek() {
            Some('{') => self.nested(start, |parser| parser.braced_list(start)),
            Some('[') => Err(Error::value(
                start..self.text.trim_end().len(),
                "a list cannot be in square brackets",
            )
            .help("write `a;b;c` or `{a, b, c}`")),
            _ => self.legacy_list(),
        };
        self.in_list = before;
        Ok(Located {
            value: values?,
            range: start..self.at,
        })
    }

    /// Elements between braces, separated by commas. A comma behind the last one is fine.
    pub(super) fn braced_list<T: Value>(&mut self, opening: usize) -> Result<Vec<T>, Error> {
        self.take('{');
        let mut values = Vec::new();
        loop {
            self.skip_blanks();
            match self.peek() {
                None => return Err(Error::unclosed(opening..self.text.len(), "brace")),
                Some('}') => {
                    self.take('}');
                    return Ok(values);
                }
                Some(',' | ';') => return Err(self.empty_element()),
                Some(_) => values.push(T::read(self)?),
            }
            self.separator_in_braces(opening)?;
        }
    }

    /// Elements separated by semicolons. A semicolon behind the last one is fine.
    pub(super) fn legacy_list<T: Value>(&mut self) -> Result<Vec<T>, Error> {
        let mut values = Vec::new();
        loop {
            self.skip_blanks();
            match self.peek() {
                Some(';') => return Err(self.empty_element()),
                None | Some(',' | '}') if !values.is_empty() => return Ok(values),
                None | Some(',' | '}') => return Err(self.missing_value()),
                Some(_) => values.push(T::read(self)?),
            }
            self.skip_blanks();
            if !self.take(';') {
                return Ok(values);
            }
        }
    }

    fn empty_element(&self) -> Error {
        Error::value(
            self.at..self.at + 1,
            "a list element is missing before this separator",
        )
        .help("remove the separator, or write `\"\"` for an empty element")
        .with_fix(TextFix::replace(self.at..self.at + 1, "").certain_if(false))
    }

    /// Parses the token after an element between braces: a comma, or the closing brace, which is not consumed.
    fn separator_in_braces(&mut self, opening: usize) -> Result<(), Error> {
        self.skip_blanks();
        match self.peek() {
            None => Err(Error::unclosed(opening..self.text.len(), "brace")),
            Some(',') => {
                self.take(',');
                Ok(())
            }
            Some('}') => Ok(()),
            Some(';') => Err(
                Error::value(self.at..self.at + 1, "`;` cannot separate values in braces")
                    .help("separate them with `,`"),
            ),
            Some(_) => Err(self.surplus()),
        }
    }

    /// Parses `{key: value, …}` in the order in which it is written.
    pub(super) fn map<T: Value>(&mut self) -> Result<Vec<(Located<String>, T)>, Error> {
        self.skip_blanks();
        let opening = self.at;
        if self.peek() != Some('{') {
            let found = self.bare(&[])?;
            return Err(Error::value(found.range, "this value must be a map")
                .help("write `{key: value, key: value}`"));
        }
        self.nested(opening, |parser| parser.braced_map(opening))
    }

    pub(super) fn braced_map<T: Value>(
        &mut self,
        opening: usize,
    ) -> Result<Vec<(Located<String>, T)>, Error> {
        self.take('{');
        let mut entries: Vec<(Located<String>, T)> = Vec::new();
        loop {
            self.skip_blanks();
            match self.peek() {
                None => return Err(Error::unclosed(opening..self.text.len(), "brace")),
                Some('}') => {
                    self.take('}');
                    return Ok(entries);
                }
                Some(',' | ';') => return Err(self.empty_element()),
                Some(_) => {}
            }
            let key = self.map_key()?;
            self.skip_blanks();
            if !self.take(':') {
                return Err(
                    Error::value(key.range, format!("key `{}` has no value", key.value))
                        .help("write `key: value`"),
                );
            }
            if entries.iter().any(|(known, _)| known.value == key.value) {
                return Err(Error::argument(
                    key.range,
                    format!("key `{}` is given twice", key.value),
                ));
            }
            let before = std::mem::replace(&mut self.in_list, false);
            let value = T::read(self);
            self.in_list = before;
            entries.push((key, value?));
            self.separator_in_braces(opening)?;
        }
    }

    pub(super) fn map_key(&mut self) -> Result<Located<String>, Error> {
        match self.peek() {
            Some('"') => self.double_quoted(),
            Some('`') => self.back_quoted(),
            _ => self.bare(&[':']).map(|key| Located {
                value: key.value.to_owned(),
                range: key.range,
            }),
        }
    }
}
