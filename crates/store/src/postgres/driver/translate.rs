//! The shared statements in Postgres' words.
//!
//! They are written so that both databases read them, except for three things: the places of values,
//! the name of an index to walk (Postgres chooses by itself) and the order of a join.

/// A statement for Postgres: `?1` and `?` become `$1`, hints go.
pub(super) fn translate(sql: &str) -> String {
    let mut out = String::with_capacity(sql.len() + 8);
    let mut rest = without_hints(sql);
    let mut place = 0_u32;
    while let Some(at) = rest.find('?') {
        let (before, from) = rest.split_at(at);
        out.push_str(before);
        let after = from.get(1..).unwrap_or_default();
        let digits = after.len() - after.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let (number, tail) = after.split_at(digits);
        place += 1;
        out.push('$');
        if number.is_empty() {
            out.push_str(&place.to_string());
        } else {
            out.push_str(number);
        }
        rest = tail.to_owned();
    }
    out.push_str(&rest);
    out
}

fn without_hints(sql: &str) -> String {
    let mut out = sql.replace("CROSS JOIN", "JOIN");
    while let Some(at) = out.find(" INDEXED BY ") {
        let name = at + " INDEXED BY ".len();
        let tail = out.get(name..).unwrap_or_default();
        let end = tail.find(char::is_whitespace).map_or(out.len(), |length| name + length);
        out.replace_range(at..end, "");
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_numbered_and_hints_go() {
        assert_eq!(
            translate("SELECT a FROM t WHERE b = ?1 AND c > ?2"),
            "SELECT a FROM t WHERE b = $1 AND c > $2"
        );
        assert_eq!(translate("VALUES (?, ?, ?)"), "VALUES ($1, $2, $3)");
        assert_eq!(
            translate("FROM t p INDEXED BY t_by_1\n WHERE p.a = ?12"),
            "FROM t p\n WHERE p.a = $12"
        );
        assert_eq!(translate("FROM k CROSS JOIN t p ON p.a = k.a"), "FROM k JOIN t p ON p.a = k.a");
    }
}
