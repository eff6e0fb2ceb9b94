//! A statement as a tree of elements. OFX 1 leaves the ends of values out; both kinds become the same.

/// Deepest element.
const MAX_DEPTH: usize = 64;

/// An element: its name, its text, and what stands in it.
#[derive(Debug, Default)]
pub struct Element {
    /// Its name, without a prefix.
    pub name: String,
    /// Its own text.
    pub text: String,
    /// What stands in it.
    pub children: Vec<Element>,
    /// The value of its first attribute, such as a currency.
    pub attribute: Option<String>,
}

impl Element {
    /// The first child of this name.
    pub fn child(&self, name: &str) -> Option<&Self> {
        self.children.iter().find(|child| child.name == name)
    }

    /// All children of this name.
    pub fn all<'e>(&'e self, name: &'e str) -> impl Iterator<Item = &'e Self> {
        self.children.iter().filter(move |child| child.name == name)
    }

    /// The element at the end of a path.
    pub fn at(&self, path: &str) -> Option<&Self> {
        path.split('/').try_fold(self, |element, name| element.child(name))
    }

    /// The text at the end of a path, unless it is blank.
    pub fn text_at(&self, path: &str) -> Option<&str> {
        self.at(path).map(|element| element.text.trim()).filter(|text| !text.is_empty())
    }

    /// Every element of this name, at any depth, without looking into those that were found.
    pub fn find_all<'e>(&'e self, name: &str, found: &mut Vec<&'e Self>) {
        for child in &self.children {
            if child.name == name {
                found.push(child);
            } else {
                child.find_all(name, found);
            }
        }
    }
}

/// Reads SGML as OFX 1 has it, and XML: an element that has text and is followed by a beginning or by
/// the end of another one has ended. `None` when the nesting is too deep.
pub fn read(text: &str) -> Option<Element> {
    let mut open = vec![Element::default()];
    let mut rest = text;
    while let Some(at) = rest.find('<') {
        let (before, tag) = rest.split_at(at);
        put_text(&mut open, before);
        if let Some(data) = tag.strip_prefix("<![CDATA[") {
            let (data, after) = data.split_once("]]>").unwrap_or((data, ""));
            if let Some(element) = open.last_mut() {
                element.text.push_str(data);
            }
            rest = after;
            continue;
        }
        if let Some(comment) = tag.strip_prefix("<!--") {
            rest = comment.split_once("-->").map_or("", |(_, after)| after);
            continue;
        }
        let (inside, after) = tag.get(1..)?.split_once('>').unwrap_or((tag.get(1..)?, ""));
        rest = after;
        match inside.chars().next() {
            Some('?' | '!') | None => {}
            Some('/') => end(&mut open, local(inside.get(1..)?)),
            Some(_) => {
                begin(&mut open, inside);
                if open.len() > MAX_DEPTH {
                    return None;
                }
            }
        }
    }
    while open.len() > 1 {
        close(&mut open);
    }
    open.pop()
}

fn local(name: &str) -> &str {
    let name = name.split_whitespace().next().unwrap_or_default();
    name.rsplit(':').next().unwrap_or_default()
}

fn begin(open: &mut Vec<Element>, inside: &str) {
    // A value whose end was left out ends where the next element begins.
    if open.len() > 1 && open.last().is_some_and(|element| !element.text.trim().is_empty()) {
        close(open);
    }
    let is_empty = inside.ends_with('/');
    let inside = inside.trim_end_matches('/');
    let attribute = inside.split_once('=').and_then(|(_, value)| {
        let value = value.trim_start();
        let quote = value.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
        value.get(1..)?.split(quote).next().map(str::to_owned)
    });
    let name = local(inside).to_owned();
    open.push(Element { name, attribute, ..Element::default() });
    if is_empty {
        close(open);
    }
}

fn end(open: &mut Vec<Element>, name: &str) {
    let known = open.iter().skip(1).any(|element| element.name == name);
    while known && open.len() > 1 {
        let is_it = open.last().is_some_and(|element| element.name == name);
        close(open);
        if is_it {
            break;
        }
    }
}

fn close(open: &mut Vec<Element>) {
    if let Some(element) = open.pop()
        && let Some(parent) = open.last_mut()
    {
        parent.children.push(element);
    }
}

fn put_text(open: &mut [Element], text: &str) {
    let Some(element) = open.last_mut() else { return };
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('&') {
        element.text.push_str(before);
        let (entity, after) = match after.split_once(';') {
            Some((entity, after)) if entity.len() <= 8 => (entity, after),
            _ => ("", after),
        };
        let number = entity.strip_prefix("#x").map(|digits| u32::from_str_radix(digits, 16));
        let number = number.or_else(|| entity.strip_prefix('#').map(str::parse));
        match (entity, number) {
            ("amp", _) => element.text.push('&'),
            ("lt", _) => element.text.push('<'),
            ("gt", _) => element.text.push('>'),
            ("quot", _) => element.text.push('"'),
            ("apos", _) => element.text.push('\''),
            ("nbsp", _) => element.text.push(' '),
            (_, Some(Ok(code))) => element.text.extend(char::from_u32(code)),
            ("", _) => element.text.push('&'),
            (other, _) => element.text.push_str(&format!("&{other};")),
        }
        rest = after;
    }
    element.text.push_str(rest);
}

#[cfg(test)]
mod tests {
    use super::read;

    #[test]
    fn values_without_an_end_and_xml_become_the_same() {
        let sgml = "OFXHEADER:100\n<OFX><A><B>1\n<C>two &amp; <D><E>x</D></A></OFX>";
        let xml =
            "<?xml version=\"1.0\"?><OFX><A><B>1</B><x:C>two &amp; </x:C><D><E>x</E></D></A></OFX>";
        for text in [sgml, xml] {
            let tree = read(text).unwrap();
            let inner = tree.at("OFX/A").unwrap();
            let values = ["B", "C", "D/E"].map(|path| inner.text_at(path).unwrap());
            assert_eq!(values, ["1", "two &", "x"], "{text}");
        }
        assert!(read(&"<a>".repeat(100)).is_none());
        assert_eq!(
            read("<a b='EUR'/>").unwrap().child("a").unwrap().attribute.as_deref(),
            Some("EUR")
        );
    }
}
