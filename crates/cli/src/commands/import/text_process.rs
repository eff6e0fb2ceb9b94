//! The text of files, read by another process of this program: whatever a file does to it, the import
//! goes on.

use std::io::{self, Read, Write};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::channel;
use std::thread;

use pdpp_import::texts::kind::FileTextKind;
use pdpp_import::texts::limits::{MAX_TEXT_BYTES, MAX_WAIT};
use pdpp_import::texts::reader::{FileText, FileTextReader, NoTexts};

/// Starts this program again for each file. Without its path no text is read, and the report says so.
pub fn text_reader() -> Box<dyn FileTextReader> {
    match std::env::current_exe() {
        Ok(program) => Box::new(TextProcesses { program }),
        Err(_) => Box::new(NoTexts),
    }
}

/// Starts a process for each file. It knows nothing of the store, and its environment is empty.
struct TextProcesses {
    program: PathBuf,
}

impl FileTextReader for TextProcesses {
    fn read(&mut self, kind: FileTextKind, file: Vec<u8>) -> io::Result<FileText> {
        let mut child = Command::new(&self.program)
            .args(["read-text", kind.name()])
            .env_clear()
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let answer = exchange(&mut child, file);
        // Already ended, or to be ended now.
        let _ = child.kill();
        let ended = child.wait()?;
        Ok(match answer {
            Some(text) if ended.success() || text.len() > MAX_TEXT_BYTES => FileText::of(text),
            _ => FileText::refused(),
        })
    }
}

/// Sends the file and takes the text; `None` when none came in time or it is no text.
fn exchange(child: &mut Child, file: Vec<u8>) -> Option<String> {
    let (mut input, output) = (child.stdin.take()?, child.stdout.take()?);
    // A process that stops reading closes its end; what it answered still counts.
    thread::spawn(move || input.write_all(&file));
    let (send, receive) = channel();
    thread::spawn(move || {
        let limit = u64::try_from(MAX_TEXT_BYTES + 1).unwrap_or(u64::MAX);
        let mut bytes = Vec::new();
        let read = output.take(limit).read_to_end(&mut bytes);
        let _ = send.send(read.map(|_| bytes));
    });
    let bytes = receive.recv_timeout(MAX_WAIT).ok()?.ok()?;
    Some(match String::from_utf8(bytes) {
        Ok(text) => text,
        // The last letter may be cut in two.
        Err(error) if error.utf8_error().error_len().is_none() => {
            String::from_utf8_lossy(error.as_bytes()).trim_end_matches('\u{fffd}').to_owned()
        }
        Err(_) => return None,
    })
}
