//! Slack's markup as plain text: mentions by name, links with their address.

use super::people::People;

/// `<@U1>`, `<#C1|general>`, `<!here>` and `<https://…|label>` as a reader would see them.
pub fn plain(text: &str, people: &People) -> String {
    let mut shown = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, tail)) = rest.split_once('<') {
        shown.push_str(before);
        let tag = tail.split_once('>');
        match tag.filter(|(tag, _)| !tag.starts_with(' ') && !tag.contains('<')) {
            Some((tag, after)) => {
                push_tag(tag, people, &mut shown);
                rest = after;
            }
            None => {
                shown.push('<');
                rest = tail;
            }
        }
    }
    shown.push_str(rest);
    shown.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
}

fn push_tag(tag: &str, people: &People, shown: &mut String) {
    let (target, label) = tag.split_once('|').map_or((tag, None), |(to, label)| (to, Some(label)));
    let label = label.filter(|label| !label.is_empty());
    if let Some(id) = target.strip_prefix('@') {
        shown.push('@');
        shown.push_str(people.name(id).or(label).unwrap_or(id));
    } else if let Some(id) = target.strip_prefix('#') {
        shown.push('#');
        shown.push_str(people.channel_name(id).or(label).unwrap_or(id));
    } else if let Some(command) = target.strip_prefix('!') {
        let command = command.split('^').next().unwrap_or_default();
        shown.push_str(label.unwrap_or(command));
    } else {
        match label.filter(|label| *label != target) {
            Some(label) => shown.push_str(&format!("{label} ({target})")),
            None => shown.push_str(target),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_shown_as_words() {
        let people = People::default();
        let text =
            "Hi <@U1|ann>, see <https://x.org|the page> in <#C1|general> &amp; a < b <!here>";
        let wanted = "Hi @ann, see the page (https://x.org) in #general & a < b here";
        assert_eq!(plain(text, &people), wanted);
        assert_eq!(plain("<https://x.org>", &people), "https://x.org");
        assert_eq!(plain("<", &people), "<");
    }
}
