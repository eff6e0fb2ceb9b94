//! Reading a spec: `CONNECTION[/STREAM[:FIELD,…]][@SINCE..UNTIL]`.

use pdpp_contract::rolling::RollingDay;
use pdpp_contract::{ConnectionId, ConnectionName, FieldName, Instant, InvalidName, StreamName};
use pdpp_store::connections::ConnectionRef;

use super::{AllowSpec, RangeEnd, SpecFault, StreamAllow, TimeRange};

const NO_RANGE: &str = "what follows the last '@' must be SINCE..UNTIL; \
    when a name contains '@' and no time is meant, end with '@'";
const NO_TIME: &str = "write a year (2026), a month (2026-01), a date (2026-01-31), an RFC 3339 time \
    (2026-01-31T09:00:00Z), or a number of days or months from today (30d, 12mo, +30d)";
const NO_SIGN: &str = "say whether the end lies before or after today: -30d or +30d";

/// A part of a spec, and where in the spec it begins.
#[derive(Clone, Copy)]
struct Part<'a> {
    spec: &'a str,
    from: usize,
    text: &'a str,
}

impl<'a> Part<'a> {
    /// The rest of this part from byte `at` on, which a separator of one byte precedes.
    fn after(self, at: usize) -> Self {
        let text = self.text.get(at + 1..).unwrap_or_default();
        Self { from: self.from + at + 1, text, ..self }
    }

    /// This part up to byte `at`.
    fn before(self, at: usize) -> Self {
        Self { text: self.text.get(..at).unwrap_or_default(), ..self }
    }

    fn fault(self, reason: impl Into<String>) -> SpecFault {
        let before = self.spec.get(..self.from).unwrap_or_default();
        SpecFault {
            spec: self.spec.to_owned(),
            position: Some(before.chars().count() + 1),
            reason: reason.into(),
        }
    }

    fn checked<T>(self, check: impl Fn(&'a str) -> Result<T, InvalidName>) -> Result<T, SpecFault> {
        check(self.text).map_err(|fault| self.fault(fault.to_string()))
    }
}

pub(super) fn spec(text: &str) -> Result<AllowSpec, SpecFault> {
    let whole = Part { spec: text, from: 0, text };
    let (names, time) = split_time(whole)?;
    let (connection, stream) = match names.text.find('/') {
        None => (names, None),
        Some(at) => (names.before(at), Some(stream(names.after(at))?)),
    };
    Ok(AllowSpec { connection: connection_ref(connection)?, stream, time })
}

fn split_time(whole: Part<'_>) -> Result<(Part<'_>, Option<TimeRange>), SpecFault> {
    let Some(at) = whole.text.rfind('@') else {
        return Ok((whole, None));
    };
    let (names, time) = (whole.before(at), whole.after(at));
    if time.text.is_empty() && names.text.contains('@') {
        return Ok((names, None));
    }
    Ok((names, Some(range(time)?)))
}

fn range(part: Part<'_>) -> Result<TimeRange, SpecFault> {
    let Some(at) = part.text.find("..") else {
        return Err(part.fault(NO_RANGE));
    };
    let since = bound(part.before(at))?;
    let end = part.after(at + 1);
    let until = bound(end)?;
    let is_signed = end.text.starts_with(['+', '-']);
    if matches!(until, Some(RangeEnd::Rolling(_))) && !is_signed {
        return Err(end.fault(NO_SIGN));
    }
    TimeRange::between(since, until).ok_or_else(|| match (since, until) {
        (None, None) => part.fault("a time range needs a beginning or an end"),
        _ => part.fault("the time range ends before anything is in it"),
    })
}

fn bound(part: Part<'_>) -> Result<Option<RangeEnd>, SpecFault> {
    let text = part.text;
    if text.is_empty() {
        return Ok(None);
    }
    // A year or a month stands for its first day.
    let written = match text.len() {
        4 => format!("{text}-01-01"),
        7 => format!("{text}-01"),
        _ => text.to_owned(),
    };
    let instant = Instant::parse(&written).map(RangeEnd::At);
    let rolling = || RollingDay::parse(text).map(RangeEnd::Rolling);
    instant.or_else(rolling).map(Some).ok_or_else(|| part.fault(NO_TIME))
}

/// A short name has no '_', so the two forms cannot be confused.
fn connection_ref(part: Part<'_>) -> Result<ConnectionRef, SpecFault> {
    if part.text.starts_with("cin_") {
        return part.checked(ConnectionId::new).map(ConnectionRef::Id);
    }
    let named = part.checked(ConnectionName::new).map(ConnectionRef::Name);
    named.map_err(|fault| match part.text.split_once(':') {
        Some((name, fields)) => part.fault(format!(
            "fields belong to a stream, and none is named; write {name}/STREAM:{fields}"
        )),
        None if part.text.contains(char::is_whitespace) => part.fault(
            "a connection goes by its short name, which has no spaces; \
             see: pdpp connection list",
        ),
        None => fault,
    })
}

fn stream(part: Part<'_>) -> Result<StreamAllow, SpecFault> {
    let Some(at) = part.text.find(':') else {
        let name = part.checked(StreamName::new);
        let name = name.map_err(|fault| match part.text.split_once('/') {
            Some((stream, fields)) if !stream.is_empty() => {
                let fields = fields.replace('/', ",");
                part.fault(format!(
                    "fields follow their stream after a ':', with ',' between them; \
                     write {stream}:{fields}"
                ))
            }
            _ => fault,
        })?;
        return Ok(StreamAllow { name, fields: None });
    };
    let name = part.before(at).checked(StreamName::new)?;
    Ok(StreamAllow { name, fields: Some(fields(part.after(at))?) })
}

fn fields(part: Part<'_>) -> Result<Vec<FieldName>, SpecFault> {
    let mut fields = Vec::new();
    let mut rest = part;
    loop {
        let (field, next) = match rest.text.find(',') {
            None => (rest, None),
            Some(at) => (rest.before(at), Some(rest.after(at))),
        };
        fields.push(field.checked(FieldName::new)?);
        match next {
            None => return Ok(fields),
            Some(next) => rest = next,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(text: &str) -> AllowSpec {
        text.parse().unwrap()
    }

    fn position(text: &str) -> usize {
        let fault = text.parse::<AllowSpec>().unwrap_err();
        assert!(fault.to_string().contains("an example"), "{fault}");
        fault.position.unwrap()
    }

    #[test]
    fn each_form_is_understood() {
        assert_eq!(read("work-mail").stream, None);
        assert!(matches!(read("cin_1").connection, ConnectionRef::Id(_)));
        let stream = read("work-mail/Order items").stream.unwrap();
        assert_eq!((stream.name.as_str(), stream.fields), ("Order items", None));
        let fields = read("a/s:from,x/y:z").stream.unwrap().fields.unwrap();
        assert_eq!(fields.iter().map(FieldName::as_str).collect::<Vec<_>>(), ["from", "x/y:z"]);
    }

    #[test]
    fn the_last_at_sign_begins_the_time() {
        let spec = read("a/s:me@home@2026-01-01..2026-02-01T09:00:00+01:00");
        let time = spec.time.unwrap();
        assert_eq!(time.since(), RangeEnd::parse("2026-01-01"));
        assert_eq!(time.until(), RangeEnd::parse("2026-02-01T08:00:00Z"));
        assert_eq!(read("a@..2026-01-01").time.unwrap().since(), None);
        assert_eq!(read("a@2026-01-01..").time.unwrap().until(), None);
        let unbounded = read("a/s:me@home@");
        assert_eq!((unbounded.time, unbounded.to_string().as_str()), (None, "a/s:me@home@"));
    }

    #[test]
    fn years_months_and_days_from_today_are_bounds() {
        for (text, since, until) in [
            ("a@2026..", Some("2026-01-01"), None),
            ("a@2026-03..2026-05", Some("2026-03-01"), Some("2026-05-01")),
            ("a@30d..", Some("-30d"), None),
            ("a@12mo..", Some("-12mo"), None),
            ("a@..+30d", None, Some("+30d")),
            ("a@-1y..-2w", Some("-1y"), Some("-2w")),
            ("a@2026-03-04..+1d", Some("2026-03-04"), Some("+1d")),
        ] {
            let time = read(text).time.unwrap();
            let end = |text: Option<&str>| text.map(|text| RangeEnd::parse(text).unwrap());
            assert_eq!((time.since(), time.until()), (end(since), end(until)), "{text}");
        }
        assert_eq!(read("a@-30d..+30d").to_string(), "a@30d..+30d");
        let unsigned = "a@..30d".parse::<AllowSpec>().unwrap_err();
        assert_eq!(unsigned.position, Some(5));
        assert!(unsigned.reason.contains("+30d"), "{unsigned}");
    }

    #[test]
    fn a_fault_is_pointed_at() {
        for (bad, at) in [
            ("", 1),
            ("Work", 1),
            ("a/", 3),
            ("a/*", 3),
            ("a/s:", 5),
            ("a/s:x,", 7),
            ("a/s:é,,y", 7),
            ("a@", 3),
            ("a@..", 3),
            ("a@2026-01-01", 3),
            ("a@soon..", 3),
            ("a@2026-01-01..soon", 15),
            ("a@2026-13..", 3),
            ("a@30h..", 3),
            ("a@30d..-60d", 3),
            ("a@2026-02-01..2026-01-01", 3),
            ("a@2026-01-01..2026-01-01", 3),
            ("a/s:me@home", 8),
        ] {
            assert_eq!(position(bad), at, "{bad:?}");
        }
    }

    #[test]
    fn a_usual_slip_is_told_the_right_form() {
        for (slip, right) in [
            ("mylife:title", "write mylife/STREAM:title;"),
            ("mylife/notes/title", "write notes:title;"),
            ("mylife/notes/title/body", "write notes:title,body;"),
            ("My life", "has no spaces; see: pdpp connection list;"),
            ("my life/notes", "has no spaces; see: pdpp connection list;"),
            ("Work", "lower-case letters"),
        ] {
            let fault = slip.parse::<AllowSpec>().unwrap_err().to_string();
            assert!(fault.contains(right), "{slip:?}: {fault}");
        }
    }

    fn names() -> impl Strategy<Value = AllowSpec> {
        let connection = prop_oneof![
            "[a-z0-9][a-z0-9-]{0,20}".prop_map(|name| ConnectionRef::Name(name.parse().unwrap())),
            "cin_[a-z0-9]{1,20}".prop_map(|id| ConnectionRef::Id(id.parse().unwrap())),
        ];
        let field = "[^,\\pC]{1,12}".prop_map(|name| FieldName::new(name).unwrap());
        let fields = proptest::option::of(proptest::collection::vec(field, 1..4));
        let stream = "[a-zé@ _-][a-zé@ _.-]{0,3}[a-z@]";
        let stream = (stream, fields).prop_filter_map("no stream name", |(name, fields)| {
            StreamName::new(name).ok().map(|name| StreamAllow { name, fields })
        });
        let second = -60_000_000_000_i64..200_000_000_000;
        let instant = second.prop_map(|second| jiff::Timestamp::from_second(second).unwrap());
        let rolling = "[+-][0-9]{1,3}(d|w|mo)".prop_map(|text| RollingDay::parse(&text).unwrap());
        let end = prop_oneof![
            instant.prop_map(|at| RangeEnd::At(at.into())),
            rolling.prop_map(RangeEnd::Rolling),
        ];
        let bound = proptest::option::of(end);
        let time = (bound.clone(), bound);
        (connection, proptest::option::of(stream), time).prop_map(|(connection, stream, time)| {
            let time = TimeRange::between(time.0, time.1);
            AllowSpec { connection, stream, time }
        })
    }

    proptest! {
        #[test]
        fn what_is_printed_is_read_back_the_same(spec in names()) {
            prop_assert_eq!(read(&spec.to_string()), spec);
        }

        #[test]
        fn no_text_makes_the_parser_stumble(text in "\\PC{0,40}") {
            if let Ok(spec) = text.parse::<AllowSpec>() {
                prop_assert_eq!(read(&spec.to_string()), spec);
            }
        }
    }
}
