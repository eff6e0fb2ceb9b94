//! What ties a number to the word "code": words that hand it over, and words that join the two.

use super::phrases::Phrase;
use super::shapes::Candidate;

/// How far before the word its cue may stand, in bytes and in words.
const CUE_BYTES: usize = 64;
const CUE_WORDS: usize = 6;
/// How much may stand between the word and the number, in bytes.
const JOINT_BYTES: usize = 72;

/// Words before "code" that hand it over: it is the reader's, or to be entered.
const CUES: &[&str] = &[
    "your",
    "ur",
    "this",
    "following",
    "enter",
    "entering",
    "use",
    "using",
    "type",
    "input",
    "submit",
    "provide",
    "here",
    "paste",
    "ihr",
    "ihren",
    "dein",
    "deinen",
    "diesen",
    "folgenden",
    "gib",
    "gebe",
    "geben",
    "nutze",
    "nutzen",
    "verwende",
    "verwenden",
    "benutze",
    "eingabe",
    "votre",
    "ton",
    "ce",
    "voici",
    "saisissez",
    "saisir",
    "saisis",
    "entrez",
    "utilisez",
    "utilise",
    "tu",
    "su",
    "este",
    "introduce",
    "introduzca",
    "ingresa",
    "ingrese",
    "usa",
    "teclea",
    "siguiente",
    "seu",
    "sua",
    "teu",
    "insira",
    "introduza",
    "digite",
    "utilize",
    "seguinte",
    "tuo",
    "suo",
    "inserisci",
    "inserire",
    "inserisca",
    "digita",
    "utilizza",
    "questo",
    "ecco",
    "seguente",
    "je",
    "jouw",
    "uw",
    "deze",
    "voer",
    "gebruik",
    "vul",
    "volgende",
    "din",
    "denna",
    "ange",
    "skriv",
    "mata",
    "använd",
    "följande",
    "här",
    "twój",
    "twoj",
    "wpisz",
    "użyj",
    "uzyj",
    "podaj",
    "oto",
    "wprowadź",
    "twoim",
    "brug",
    "bruk",
    "indtast",
    "skriv",
    "tast",
    "denne",
    "ваш",
    "введите",
    "используйте",
    "твой",
    "此",
    "您的",
    "sinun",
    "syötä",
    "käytä",
    "váš",
    "zadejte",
    "použijte",
    "vaše",
    "girin",
    "kullanın",
    "введіть",
    "используй",
    "introduceți",
];

/// Words right before a number that ask the reader to enter it.
const ENTER: &[&str] = &[
    "enter",
    "use",
    "type",
    "input",
    "eingeben",
    "verwende",
    "nutze",
    "saisissez",
    "entrez",
    "utilisez",
    "introduce",
    "ingresa",
    "usa",
    "digite",
    "insira",
    "inserisci",
    "digita",
    "gebruik",
    "ange",
    "använd",
    "wpisz",
    "użyj",
    "podaj",
    "indtast",
    "brug",
    "bruk",
    "введите",
    "gib",
    "geben",
    "with",
    "mit",
    "med",
    "voer",
    "vul",
    "syötä",
    "syöttämällä",
    "käytä",
    "zadejte",
    "zadej",
    "použijte",
    "введіть",
    "используйте",
];
/// The same in languages that write no spaces, as the end of what stands before.
const ENTER_BEFORE: &[&str] = &["输入", "輸入", "填写", "填寫", "使用"];
/// The same, where it follows the number.
const ENTER_AFTER: &[&str] = &[
    "を入力",
    "と入力",
    "をご入力",
    "입력",
    "을 입력",
    "를 입력",
    "girin",
    "giriniz",
    "kullanın",
    "eingeben",
    "invoeren",
];
/// Words between the request and the number.
const BETWEEN: &[&str] = &["sie", "bitte", "the", "this", "de", "den", "folgende"];

/// Words that say "this is that", in any of the languages.
const JOINTS: &[&str] = &[
    "is", "that", "was", "as", "ist", "lautet", "als", "est", "comme", "es", "como", "é", "è",
    "come", "är", "er", "som", "to", "jest", "jako",
];

/// Whether the words before a name hand the code over to the reader.
pub(super) fn is_handed_over(text: &str, name: &Phrase) -> bool {
    let start = text.floor_char_boundary(name.start.saturating_sub(CUE_BYTES));
    let before = text.get(start..name.start).unwrap_or_default();
    let sentence = before.rsplit(['!', '?']).next().unwrap_or_default();
    let sentence = sentence.rsplit(". ").next().unwrap_or_default();
    words(sentence).rev().take(CUE_WORDS).any(|word| CUES.contains(&word.to_lowercase().as_str()))
}

/// Whether the name and the number belong together: touching, or joined by a colon or by "is".
pub(super) fn is_joined(text: &str, name: &Phrase, candidate: &Candidate) -> bool {
    let (from, to) = if name.start < candidate.start {
        (name.end, candidate.start)
    } else {
        (candidate.end, name.start)
    };
    let between = text.get(from..to).unwrap_or_default();
    if between.len() > JOINT_BYTES {
        return false;
    }
    candidate.stands_alone
        || between.trim().len() <= 1
        || between.contains([':', '\n', '=', '>'])
        || between.contains("- ")
        || words(between).any(|word| JOINTS.contains(&word.to_lowercase().as_str()))
}

/// Whether the word before a number asks the reader to enter it, "use 482-913 to …", or the one after it.
pub(super) fn is_to_be_entered(text: &str, candidate: &Candidate) -> bool {
    let start = text.floor_char_boundary(candidate.start.saturating_sub(32));
    let before = text.get(start..candidate.start).unwrap_or_default();
    let end = text.floor_char_boundary(candidate.end + 24);
    let after = text.get(candidate.end..end).unwrap_or_default().trim_start().to_lowercase();
    let asked = words(before)
        .rev()
        .map(str::to_lowercase)
        .find(|word| !BETWEEN.contains(&word.as_str()))
        .is_some_and(|word| ENTER.contains(&word.as_str()));
    asked
        || ENTER_BEFORE.iter().any(|end| before.trim_end().ends_with(end))
        || ENTER_AFTER.iter().any(|start| after.starts_with(start))
}

/// Whether the name is the number's label: "Code: X".
pub(super) fn is_label_of(text: &str, name: &Phrase, candidate: &Candidate) -> bool {
    let between = text.get(name.end..candidate.start).unwrap_or("too far");
    between.trim() == ":"
}

/// Whether the number follows the name at once: "code: X", "code is X", "code X".
pub(super) fn follows(text: &str, name: &Phrase, candidate: &Candidate) -> bool {
    let between = text.get(name.end..candidate.start).unwrap_or("too far");
    between.len() <= 12
        && (between.contains(':')
            || words(between).any(|word| JOINTS.contains(&word.to_lowercase().as_str())))
}

fn words(text: &str) -> impl DoubleEndedIterator<Item = &str> {
    text.split(|char: char| !char.is_alphanumeric()).filter(|word| !word.is_empty())
}
