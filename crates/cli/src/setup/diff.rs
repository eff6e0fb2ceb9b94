//! A change as people read it: the lines that go and the lines that come, and no others. The lines
//! around them belong to other programs and may hold their secrets.

/// Longer lines are cut: a settings file may be one line.
const MAX_CHARS: usize = 600;

/// One line per line that goes (`-`) or comes (`+`), after the number of the first of them.
pub fn diff(before: &str, after: &str) -> String {
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
            text.push_str(&shortened(line));
            text.push('\n');
        }
    }
    text
}

fn shortened(line: &str) -> String {
    if line.chars().count() <= MAX_CHARS {
        return line.to_owned();
    }
    "(a long line)".to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn a_line_too_long_to_be_read_is_not_shown() {
        let long = "k".repeat(601);
        assert_eq!(diff(&long, "{}"), "@@ line 1 @@\n- (a long line)\n+ {}\n");
    }
}
