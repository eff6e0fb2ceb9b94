//! Words that carry no question of their own.

/// Folded words that are left out of a question when it has others. They stay in the index, so that
/// phrases with them can be found.
const STOP_WORDS: &[&str] = &[
    "a", "about", "all", "also", "am", "an", "and", "any", "are", "as", "at", "be", "been",
    "being", "but", "by", "can", "could", "did", "do", "does", "doing", "done", "for", "from",
    "get", "got", "had", "has", "have", "having", "he", "her", "hers", "him", "his", "how", "i",
    "if", "in", "into", "is", "it", "its", "just", "may", "me", "might", "mine", "must", "my",
    "no", "not", "of", "on", "or", "our", "ours", "out", "shall", "she", "should", "so", "some",
    "such", "than", "that", "the", "their", "them", "then", "there", "these", "they", "this",
    "those", "to", "up", "us", "was", "we", "were", "what", "when", "where", "which", "while",
    "who", "whom", "whose", "why", "will", "with", "would", "you", "your", "yours",
    // What agents put around a question.
    "anything", "find", "give", "list", "please", "show", "tell",
];

/// Whether a folded, unstemmed word carries no question of its own.
pub fn is_stop_word(folded: &str) -> bool {
    STOP_WORDS.contains(&folded)
}
