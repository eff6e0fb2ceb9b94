//! The transport of a client on standard input and output. The library reads messages; answers are
//! written here, each as one line in one piece: byte by byte through its codec and a pipe they cost
//! more than all the rest of a list of tools.

use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use rmcp::model::{JsonRpcMessage, ListToolsResult, RequestId, ServerResult};
use rmcp::service::{RoleServer, RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use rmcp::transport::async_rw::AsyncRwTransport;
use serde::Serialize;
use serde_json::value::RawValue;
use tokio::io::{AsyncRead, AsyncWrite, DuplexStream};

use super::credential_filter::{Lines, write_line};

/// What most answers fit into.
const LINE_BYTES: usize = 16 * 1024;

/// Reads from one side, writes whole lines to the other.
pub(super) struct LineTransport<R: AsyncRead, W> {
    incoming: AsyncRwTransport<RoleServer, R, DuplexStream>,
    answers: Lines<W>,
}

impl<R: AsyncRead + Send + Unpin, W> LineTransport<R, W> {
    /// `faults` takes what the library itself says about messages that it cannot read.
    pub(super) fn new(incoming: R, faults: DuplexStream, answers: Lines<W>) -> Self {
        Self { incoming: AsyncRwTransport::new(incoming, faults), answers }
    }
}

impl<R, W> Transport<RoleServer> for LineTransport<R, W>
where
    R: AsyncRead + Send + Unpin,
    W: AsyncWrite + Send + Unpin + 'static,
{
    type Error = io::Error;

    fn send(
        &mut self,
        message: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = io::Result<()>> + Send + 'static {
        let answers = Arc::clone(&self.answers);
        async move {
            let mut line = Vec::with_capacity(LINE_BYTES);
            write_message(&mut line, &message)?;
            write_line(&answers, &mut line).await
        }
    }

    fn receive(&mut self) -> impl Future<Output = Option<RxJsonRpcMessage<RoleServer>>> + Send {
        self.incoming.receive()
    }

    fn close(&mut self) -> impl Future<Output = io::Result<()>> + Send {
        self.incoming.close()
    }
}

/// A list of tools and its JSON, as it was last written down.
static WRITTEN: Mutex<Option<(ListToolsResult, Box<RawValue>)>> = Mutex::new(None);

/// Writes a message down. Clients ask for the tools again and again, and it is always the same list.
fn write_message(line: &mut Vec<u8>, message: &TxJsonRpcMessage<RoleServer>) -> io::Result<()> {
    let JsonRpcMessage::Response(response) = message else {
        return Ok(serde_json::to_writer(line, message)?);
    };
    let ServerResult::ListToolsResult(list) = &response.result else {
        return Ok(serde_json::to_writer(line, message)?);
    };
    let mut written = WRITTEN.lock().unwrap_or_else(PoisonError::into_inner);
    if written.as_ref().is_none_or(|(known, _)| known != list) {
        *written = Some((list.clone(), serde_json::value::to_raw_value(list)?));
    }
    let result = written.as_ref().map(|(_, json)| &**json);
    let response = Listed { jsonrpc: "2.0", id: &response.id, result };
    Ok(serde_json::to_writer(line, &response)?)
}

/// A response with a result that is JSON already.
#[derive(Serialize)]
struct Listed<'a> {
    jsonrpc: &'static str,
    id: &'a RequestId,
    result: Option<&'a RawValue>,
}

#[cfg(test)]
mod tests {
    use rmcp::model::ServerJsonRpcMessage;

    use super::*;

    #[test]
    fn a_list_of_tools_reads_as_if_it_were_written_anew() {
        let all = ListToolsResult::with_all_items(crate::tools().to_vec());
        let some = ListToolsResult::with_all_items(crate::tools()[..2].to_vec());
        for (id, list) in [(7, &all), (8, &all), (9, &some), (10, &all)] {
            let id = RequestId::Number(id);
            let result = ServerResult::ListToolsResult(list.clone());
            let message = ServerJsonRpcMessage::response(result, id);
            let mut line = Vec::new();
            write_message(&mut line, &message).unwrap();
            assert_eq!(String::from_utf8(line).unwrap(), serde_json::to_string(&message).unwrap());
        }
    }
}
