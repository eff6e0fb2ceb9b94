//! How good a ranking is: nDCG, recall and reciprocal rank, as `trec_eval` defines them.

use super::set::Grades;

/// Where nDCG stops looking.
const NDCG_DEPTH: usize = 10;
/// Where recall is taken.
pub const RECALL_DEPTHS: [usize; 3] = [5, 10, 20];

/// What one ranking, or the mean of many, is worth.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Measures {
    /// Linear gain, discounted by log2(rank + 1), divided by that of the best possible ranking.
    pub ndcg: f64,
    /// The share of the relevant documents (grade above 0) among the first 5, 10 and 20.
    pub recall: [f64; 3],
    /// 1 / rank of the first relevant document; 0 when none is shown.
    pub reciprocal_rank: f64,
}

impl Measures {
    /// Of one ranking. `None` when no document answers the question: it says nothing.
    pub fn of(ranking: &[String], grades: &Grades) -> Option<Self> {
        let mut best: Vec<f64> = grades.values().copied().filter(|grade| *grade > 0.0).collect();
        if best.is_empty() {
            return None;
        }
        best.sort_by(|a, b| b.total_cmp(a));
        let gains: Vec<f64> = ranking
            .iter()
            .map(|doc| grades.get(doc).copied().filter(|grade| *grade > 0.0).unwrap_or(0.0))
            .collect();
        let relevant = count(best.len());
        let found =
            |depth: usize| count(gains.iter().take(depth).filter(|gain| **gain > 0.0).count());
        let first = gains.iter().position(|gain| *gain > 0.0);
        Some(Self {
            ndcg: discounted(&gains) / discounted(&best),
            recall: RECALL_DEPTHS.map(|depth| found(depth) / relevant),
            reciprocal_rank: first.map_or(0.0, |at| 1.0 / count(at + 1)),
        })
    }

    /// The mean over questions.
    pub fn mean(all: &[Self]) -> Self {
        let share = 1.0 / count(all.len().max(1));
        let mut mean = Self::default();
        for one in all {
            mean.ndcg += one.ndcg * share;
            mean.reciprocal_rank += one.reciprocal_rank * share;
            for (sum, own) in mean.recall.iter_mut().zip(one.recall) {
                *sum += own * share;
            }
        }
        mean
    }
}

fn discounted(gains: &[f64]) -> f64 {
    let first = gains.iter().take(NDCG_DEPTH).enumerate();
    first.map(|(at, gain)| gain / count(at + 2).log2()).sum()
}

/// A count as a number that can be divided.
fn count(count: usize) -> f64 {
    u32::try_from(count).map_or(f64::MAX, f64::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measured(ranking: &[&str], grades: &[(&str, f64)]) -> Option<Measures> {
        let ranking: Vec<String> = ranking.iter().map(|&doc| doc.to_owned()).collect();
        Measures::of(
            &ranking,
            &grades.iter().map(|&(doc, grade)| (doc.to_owned(), grade)).collect(),
        )
    }

    #[test]
    fn the_best_ranking_is_worth_one_and_order_counts() {
        let grades = [("a", 3.0), ("b", 1.0)];
        assert_eq!(measured(&["a", "b"], &grades).unwrap().ndcg.to_bits(), 1.0_f64.to_bits());
        let swapped = measured(&["b", "a"], &grades).unwrap();
        // (1 + 3 / log2 3) / (3 + 1 / log2 3), by hand.
        assert!((swapped.ndcg - 0.796_7).abs() < 1e-4, "{}", swapped.ndcg);
        assert!(swapped.reciprocal_rank > 0.999);
    }

    #[test]
    fn recall_counts_relevant_documents_and_grade_zero_is_not_relevant() {
        let grades = [("a", 1.0), ("b", 2.0), ("c", 0.0), ("d", 1.0)];
        let found = measured(&["x", "c", "a", "y", "z", "b"], &grades).unwrap();
        assert!((found.recall[0] - 1.0 / 3.0).abs() < 1e-9);
        assert!((found.recall[1] - 2.0 / 3.0).abs() < 1e-9);
        assert!((found.reciprocal_rank - 1.0 / 3.0).abs() < 1e-9);
        assert_eq!(measured(&["a"], &[("a", 0.0)]), None);
    }

    #[test]
    fn a_mean_is_of_all() {
        let one = Measures { ndcg: 1.0, recall: [1.0; 3], reciprocal_rank: 1.0 };
        let mean = Measures::mean(&[one, Measures::default()]);
        assert!((mean.ndcg - 0.5).abs() < 1e-9 && (mean.recall[2] - 0.5).abs() < 1e-9);
    }
}
