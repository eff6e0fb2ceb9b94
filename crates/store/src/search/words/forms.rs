//! Forms of words that no rule of endings brings together: bought and buy, children and child,
//! colour and color.

/// Forms and the word they belong to, sorted by form. Forms that are also words of their own (saw,
/// left, found, felt, lay, wound) stay what they are.
#[rustfmt::skip]
const FORMS: &[(&str, &str)] = &[
    ("analyse", "analyze"), ("ate", "eat"), ("began", "begin"), ("begun", "begin"),
    ("behaviour", "behavior"), ("bitten", "bite"), ("blew", "blow"), ("blown", "blow"),
    ("bought", "buy"), ("broke", "break"), ("broken", "break"), ("brought", "bring"),
    ("built", "build"), ("calibre", "caliber"), ("came", "come"), ("cancelled", "cancel"),
    ("cancelling", "cancel"), ("catalogue", "catalog"), ("caught", "catch"), ("centre", "center"),
    ("centres", "center"), ("cheque", "check"), ("cheques", "check"), ("children", "child"),
    ("chose", "choose"), ("chosen", "choose"), ("colour", "color"), ("coloured", "color"),
    ("colours", "color"), ("defence", "defense"), ("dialogue", "dialog"), ("drank", "drink"),
    ("drawn", "draw"), ("drew", "draw"), ("driven", "drive"), ("drove", "drive"),
    ("drunk", "drink"), ("eaten", "eat"), ("enrolment", "enrollment"), ("fallen", "fall"),
    ("favour", "favor"), ("favourite", "favorite"), ("favourites", "favorite"), ("feet", "foot"),
    ("fell", "fall"), ("flavour", "flavor"), ("flew", "fly"), ("flown", "fly"),
    ("forgot", "forget"), ("forgotten", "forget"), ("fought", "fight"), ("frozen", "freeze"),
    ("gave", "give"), ("given", "give"), ("gone", "go"), ("grew", "grow"), ("grey", "gray"),
    ("grown", "grow"), ("harbour", "harbor"), ("heard", "hear"), ("held", "hold"),
    ("hid", "hide"), ("hidden", "hide"), ("honour", "honor"), ("humour", "humor"),
    ("jewellery", "jewelry"), ("kept", "keep"), ("knew", "know"), ("known", "know"),
    ("labour", "labor"), ("learnt", "learn"), ("lent", "lend"), ("licence", "license"),
    ("litre", "liter"), ("litres", "liter"), ("lost", "lose"), ("made", "make"),
    ("meant", "mean"), ("men", "man"), ("met", "meet"), ("metre", "meter"), ("metres", "meter"),
    ("mice", "mouse"), ("neighbour", "neighbor"), ("neighbourhood", "neighborhood"),
    ("neighbours", "neighbor"), ("organisation", "organization"),
    ("organisations", "organization"), ("organise", "organize"), ("organised", "organize"),
    ("organising", "organize"), ("paid", "pay"), ("people", "person"), ("practise", "practice"),
    ("programme", "program"), ("programmes", "program"), ("rang", "ring"), ("realise", "realize"),
    ("realised", "realize"), ("recognise", "recognize"), ("recognised", "recognize"),
    ("ridden", "ride"), ("risen", "rise"), ("rode", "ride"), ("rung", "ring"), ("said", "say"),
    ("sang", "sing"), ("sat", "sit"), ("sent", "send"), ("shaken", "shake"), ("shook", "shake"),
    ("shot", "shoot"), ("shown", "show"), ("slept", "sleep"), ("sold", "sell"),
    ("sought", "seek"), ("spelt", "spell"), ("spent", "spend"), ("spoke", "speak"),
    ("spoken", "speak"), ("stole", "steal"), ("stolen", "steal"), ("stood", "stand"),
    ("sung", "sing"), ("swam", "swim"), ("swum", "swim"), ("taken", "take"), ("taught", "teach"),
    ("teeth", "tooth"), ("theatre", "theater"), ("theatres", "theater"), ("thought", "think"),
    ("threw", "throw"), ("thrown", "throw"), ("told", "tell"), ("took", "take"), ("tore", "tear"),
    ("torn", "tear"), ("travelled", "travel"), ("traveller", "traveler"),
    ("travelling", "travel"), ("tyre", "tire"), ("tyres", "tire"), ("understood", "understand"),
    ("went", "go"), ("withdrawn", "withdraw"), ("withdrew", "withdraw"), ("woke", "wake"),
    ("woken", "wake"), ("women", "woman"), ("won", "win"), ("wore", "wear"), ("worn", "wear"),
    ("written", "write"), ("wrote", "write"),
];

/// The word that a folded form belongs to; the form itself when it is one.
pub(super) fn base_form(folded: &str) -> &str {
    let found = FORMS.binary_search_by(|(form, _)| (*form).cmp(folded));
    found.ok().and_then(|at| FORMS.get(at)).map_or(folded, |(_, word)| word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_forms_are_sorted_and_lead_to_a_word_in_one_step() {
        assert!(FORMS.is_sorted_by(|a, b| a.0 < b.0), "a form out of order is never found");
        for (form, word) in FORMS {
            assert_eq!(base_form(form), *word);
            assert_eq!(base_form(word), *word, "{form}");
        }
    }
}
