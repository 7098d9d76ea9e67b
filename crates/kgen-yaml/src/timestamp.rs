//! Recognizes the dates and times of YAML 1.1, which a parser would not read as strings: `2024-01-15`, `2024-1-15
//! 8:30:00` and `2024-01-15T08:30:00.5+01:00`.

/// Returns whether `text` is a date, or a date and a time, that exists in the calendar.
pub(super) fn is_timestamp(text: &str) -> bool {
    let mut rest = Rest(text.as_bytes());
    rest.date().is_some()
        && match rest.0 {
            [] => true,
            [b'T' | b't', time @ ..] => {
                rest.0 = time;
                rest.time().is_some() && rest.zone().is_some() && rest.0.is_empty()
            }
            [b' ', ..] => {
                while rest.skip(b' ').is_some() {}
                rest.time().is_some() && rest.0.is_empty()
            }
            _ => false,
        }
}

/// The rest of the text. Each step returns `None` if the text does not continue as expected.
struct Rest<'a>(&'a [u8]);

impl Rest<'_> {
    fn date(&mut self) -> Option<()> {
        let (year, rest) = self.0.split_first_chunk::<4>()?;
        let year = year
            .iter()
            .try_fold(0_u32, |year, byte| Some(year * 10 + digit(*byte)?))?;
        self.0 = rest;
        self.skip(b'-')?;
        let month = self.number()?;
        self.skip(b'-')?;
        let day = self.number()?;
        (1..=days_in(month, year)?).contains(&day).then_some(())
    }

    fn time(&mut self) -> Option<()> {
        let hour = self.number()?;
        self.skip(b':')?;
        let minute = self.number()?;
        self.skip(b':')?;
        let second = self.number()?;
        if let [b'.' | b',', fraction @ ..] = self.0 {
            let digits = fraction.iter().take_while(|byte| byte.is_ascii_digit()).count();
            if digits > 0 {
                self.0 = fraction.get(digits..)?;
            }
        }
        (hour < 24 && minute < 60 && second < 60).then_some(())
    }

    fn zone(&mut self) -> Option<()> {
        match self.0 {
            [b'Z', rest @ ..] => {
                self.0 = rest;
                Some(())
            }
            [b'+' | b'-', h1, h2, b':', m1, m2, rest @ ..] => {
                let hours = digit(*h1)? * 10 + digit(*h2)?;
                let minutes = digit(*m1)? * 10 + digit(*m2)?;
                self.0 = rest;
                // The largest offset of a zone in Go.
                (hours <= 24 && minutes <= 60).then_some(())
            }
            _ => None,
        }
    }

    /// Reads one or two digits.
    fn number(&mut self) -> Option<u32> {
        let (first, rest) = self.0.split_first()?;
        let mut number = digit(*first)?;
        self.0 = rest;
        if let Some((second, rest)) = rest.split_first()
            && let Some(second) = digit(*second)
        {
            number = number * 10 + second;
            self.0 = rest;
        }
        Some(number)
    }

    fn skip(&mut self, byte: u8) -> Option<()> {
        let (first, rest) = self.0.split_first()?;
        if *first == byte {
            self.0 = rest;
            return Some(());
        }
        None
    }
}

fn digit(byte: u8) -> Option<u32> {
    char::from(byte).to_digit(10)
}

fn days_in(month: u32, year: u32) -> Option<u32> {
    match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => Some(31),
        4 | 6 | 9 | 11 => Some(30),
        2 if year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400)) => Some(29),
        2 => Some(28),
        _ => None,
    }
}
