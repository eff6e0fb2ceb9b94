//! A change as people read it: the lines that go and the lines that come, and no others. The lines
//! around them belong to other programs and may hold their secrets.

use crate::data_dir::database_address::is_database_url;

/// Longer lines are not shown, unless they are ours: a settings file may be one line.
const MAX_CHARS: usize = 160;

/// One line per line that goes (`-`) or comes (`+`), after the number of the first of them. `own`
/// holds the lines of our entry, which are shown whole.
pub fn diff(before: &str, after: &str, own: &[String]) -> String {
    let (old, new): (Vec<&str>, Vec<&str>) = (before.lines().collect(), after.lines().collect());
    let same = |(a, b): &(&&str, &&str)| a == b;
    let head = old.iter().zip(&new).take_while(same).count();
    let most = old.len().min(new.len()) - head;
    let tail = old.iter().rev().zip(new.iter().rev()).take(most).take_while(same).count();
    let gone = old.get(head..old.len() - tail).unwrap_or_default();
    let come = new.get(head..new.len() - tail).unwrap_or_default();
    if gone.is_empty() && come.is_empty() {
        return String::new();
    }
    let mut text = format!("@@ line {} @@\n", head + 1);
    for (sign, lines) in [('-', gone), ('+', come)] {
        for line in lines {
            text.push(sign);
            text.push(' ');
            text.push_str(&shown(line, own));
            text.push('\n');
        }
    }
    text
}

fn shown(line: &str, own: &[String]) -> String {
    if line.split(['"', '\'', '=']).any(is_database_url) {
        return "(a line with a database URL)".to_owned();
    }
    if line.chars().count() <= MAX_CHARS || own.iter().any(|ours| ours == bare(line)) {
        return line.to_owned();
    }
    "(a long line)".to_owned()
}

/// A line without what depends on the lines around it.
pub fn bare(line: &str) -> &str {
    line.trim().trim_end_matches(',')
}

#[cfg(test)]
mod tests {
    fn diff(before: &str, after: &str) -> String {
        super::diff(before, after, &[])
    }

    #[test]
    fn only_what_changed_is_shown() {
        let before = "a\nsecret = 1\nb\n";
        assert_eq!(diff(before, "a\nsecret = 1\nnew\nb\n"), "@@ line 3 @@\n+ new\n");
        assert_eq!(diff(before, "a\nb\n"), "@@ line 2 @@\n- secret = 1\n");
        assert_eq!(diff("x", "y"), "@@ line 1 @@\n- x\n+ y\n");
        assert_eq!(diff("", "y\n"), "@@ line 1 @@\n+ y\n");
        assert_eq!(diff("a\na\n", "a\na\na\n"), "@@ line 3 @@\n+ a\n");
        assert_eq!(diff(before, before), "");
    }

    #[test]
    fn a_long_line_is_shown_when_it_is_ours_and_to_its_last_word() {
        let long = "k".repeat(161);
        assert_eq!(diff(&long, "{}"), "@@ line 1 @@\n- (a long line)\n+ {}\n");
        let own = [long.clone()];
        let after = format!("  {long},\n{long} # mine\n");
        let said = super::diff("", &after, &own);
        assert_eq!(said, format!("@@ line 1 @@\n+   {long},\n+ (a long line)\n"));
    }

    #[test]
    fn a_line_with_an_address_is_not_shown() {
        let said = diff("args = [\"postgres://ada:sesame@h/x\"]\n", "");
        assert_eq!(said, "@@ line 1 @@\n- (a line with a database URL)\n");
        assert!(!diff("--database-url='postgresql://h/x'", "").contains("//"));
    }
}
