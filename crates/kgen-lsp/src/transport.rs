//! Messages of JSON-RPC over two streams, each behind a header with its length.

use std::io::{self, BufRead, ErrorKind, Write};

use serde_json::Value;

/// The longest message that is read. A longer one is a mistake of the client.
const LONGEST: usize = 256 * 1024 * 1024;

/// Reads one message, or why its text is not JSON. Returns `None` at the end of the stream.
pub(crate) fn read(input: &mut impl BufRead) -> io::Result<Option<serde_json::Result<Value>>> {
    let mut length = None;
    loop {
        let mut line = String::new();
        if input.read_line(&mut line)? == 0 {
            return Ok(None);
        }
        let line = line.trim_end();
        if line.is_empty() {
            break;
        }
        if let Some((name, value)) = line.split_once(':')
            && name.eq_ignore_ascii_case("content-length")
        {
            length = value.trim().parse::<usize>().ok();
        }
    }
    let length = length
        .filter(|length| *length <= LONGEST)
        .ok_or_else(|| io::Error::new(ErrorKind::InvalidData, "a message has no valid Content-Length"))?;
    let mut body = vec![0; length];
    input.read_exact(&mut body)?;
    Ok(Some(serde_json::from_slice(&body)))
}

/// Writes one message.
pub(crate) fn write(output: &mut impl Write, message: &Value) -> io::Result<()> {
    let body = message.to_string();
    write!(output, "Content-Length: {}\r\n\r\n{body}", body.len())?;
    output.flush()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_message_is_read_as_it_was_written() {
        let message = json!({"method": "ü"});
        let mut bytes = Vec::new();
        write(&mut bytes, &message).unwrap();
        write(&mut bytes, &message).unwrap();
        let mut input = bytes.as_slice();
        assert_eq!(read(&mut input).unwrap().unwrap().unwrap(), message);
        assert_eq!(read(&mut input).unwrap().unwrap().unwrap(), message);
        assert!(read(&mut input).unwrap().is_none());
    }

    #[test]
    fn a_message_without_a_length_is_an_error() {
        assert!(read(&mut &b"Content-Type: x\r\n\r\n{}"[..]).is_err());
        let unreadable = read(&mut &b"Content-Length: 2\r\n\r\n{]"[..]).unwrap().unwrap();
        assert!(unreadable.is_err());
    }
}
