//! Ranges of blobs, asked for as byte ranges.

use http::StatusCode;
use pdpp_contract::blob::{BlobPiece, BlobRequest};

use super::get::Answer;
use super::wire::records::named;

/// The range to ask for. Whoever wants no byte still needs one to learn the size.
pub(super) fn range(request: &BlobRequest) -> String {
    let length = u64::try_from(request.max_bytes.max(1)).unwrap_or(u64::MAX);
    let last = request.offset_bytes.saturating_add(length - 1);
    format!("bytes={}-{last}", request.offset_bytes)
}

/// The range in an answer, whether the server sent the range or everything.
pub(super) fn piece(request: &BlobRequest, answer: &Answer) -> Option<BlobPiece> {
    let (size_bytes, skipped) = match answer.status {
        StatusCode::PARTIAL_CONTENT | StatusCode::RANGE_NOT_SATISFIABLE => (total(answer)?, 0),
        _ => (u64::try_from(answer.body.len()).ok()?, usize::try_from(request.offset_bytes).ok()?),
    };
    let sent =
        if answer.status == StatusCode::RANGE_NOT_SATISFIABLE { &[] } else { &answer.body[..] };
    let bytes = sent.iter().skip(skipped).take(request.max_bytes).copied().collect();
    Some(BlobPiece {
        blob_id: request.blob_id,
        connection_id: named(None, request.connection_id.as_ref())?,
        size_bytes,
        mime_type: answer.content_type.clone(),
        filename: None,
        bytes,
    })
}

/// The size behind the slash of `bytes 0-9/100`.
fn total(answer: &Answer) -> Option<u64> {
    answer.content_range.as_deref()?.rsplit('/').next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use pdpp_contract::blob::BlobId;

    use super::*;

    fn read(status: u16, content_range: Option<&str>, body: &'static [u8]) -> Option<BlobPiece> {
        let request = BlobRequest {
            blob_id: BlobId([1; 32]),
            connection_id: None,
            offset_bytes: 2,
            max_bytes: 3,
        };
        assert_eq!(range(&request), "bytes=2-4");
        let answer = Answer {
            status: StatusCode::from_u16(status).unwrap(),
            body: body.into(),
            request_id: None,
            etag: None,
            content_type: Some("image/png".to_owned()),
            content_range: content_range.map(str::to_owned),
            retry_after: None,
            provider: String::new(),
        };
        piece(&request, &answer)
    }

    #[test]
    fn a_range_and_a_whole_answer_give_the_same_bytes() {
        let ranged = read(206, Some("bytes 2-4/9"), b"cde").unwrap();
        let whole = read(200, None, b"abcdefghi").unwrap();
        assert_eq!(ranged, whole);
        assert_eq!((ranged.size_bytes, ranged.bytes.as_slice()), (9, b"cde".as_slice()));
        let behind = read(416, Some("bytes */2"), b"refused").unwrap();
        assert_eq!((behind.size_bytes, behind.bytes.len()), (2, 0));
        assert!(read(206, None, b"cde").is_none());
    }
}
