//! The vectors of an answer, checked and put beside their texts.

use std::sync::OnceLock;

use serde::de::DeserializeOwned;

/// A vector of an answer.
pub(crate) struct Row {
    /// Which text it belongs to; `None` where the service keeps their order.
    pub index: Option<usize>,
    /// Its numbers.
    pub numbers: Vec<f32>,
}

/// What is wrong with an answer.
#[derive(Debug, PartialEq)]
pub(crate) enum Fault {
    /// It is none: another may come.
    Unreadable(String),
    /// A vector is missing or is none: a text may be the cause. With the vectors that are right, one entry a text; none where
    /// it cannot be told whose they are.
    Wrong(String, Vec<Option<Vec<f32>>>),
}

/// Reads an answer of JSON.
pub(crate) fn read<T: DeserializeOwned>(body: &[u8]) -> Result<T, Fault> {
    serde_json::from_slice(body).map_err(|error| Fault::Unreadable(error.to_string()))
}

/// One vector of unit length for each of `texts` texts, in their order. `length` is that of all vectors; where it is not
/// known, most vectors of the answer settle it.
pub(crate) fn place(rows: Vec<Row>, texts: usize, length: &OnceLock<usize>) -> Result<Vec<Vec<f32>>, Fault> {
    let count = rows.len();
    let mut placed = put(rows, texts)?;
    let expected = match length.get().copied().or_else(|| most(&placed)) {
        Some(expected) => *length.get_or_init(|| expected),
        None => return Err(Fault::Wrong("vectors of several lengths".into(), Vec::new())),
    };
    let mut fault = (count != texts).then(|| miscounted(count, texts));
    for place in &mut placed {
        let Some(vector) = place else { continue };
        if let Err(why) = checked(vector, expected) {
            *place = None;
            fault.get_or_insert(why);
        }
    }
    match fault {
        Some(why) => Err(Fault::Wrong(why, placed)),
        None => Ok(placed.into_iter().flatten().collect()),
    }
}

fn miscounted(count: usize, texts: usize) -> String {
    format!("{count} vectors for {texts} texts")
}

/// Puts rows in the order of their texts. Texts may be left without one where the rows say whose they are.
fn put(rows: Vec<Row>, texts: usize) -> Result<Vec<Option<Vec<f32>>>, Fault> {
    let wrong = |why: String| Err(Fault::Wrong(why, Vec::new()));
    let unnamed = rows.iter().all(|row| row.index.is_none());
    if rows.len() > texts || unnamed && rows.len() < texts {
        return wrong(miscounted(rows.len(), texts));
    }
    if unnamed {
        return Ok(rows.into_iter().map(|row| Some(row.numbers)).collect());
    }
    let mut placed: Vec<Option<Vec<f32>>> = vec![None; texts];
    for row in rows {
        let Some(index) = row.index else { return wrong("a vector without an index".into()) };
        match placed.get_mut(index) {
            None => return wrong(format!("a vector of no text: index {index}")),
            Some(Some(_)) => return wrong(format!("two vectors of one text: index {index}")),
            Some(place) => *place = Some(row.numbers),
        }
    }
    Ok(placed)
}

/// The length of more than half of the vectors (Boyer and Moore's vote, then counted).
fn most(placed: &[Option<Vec<f32>>]) -> Option<usize> {
    let (mut leader, mut lead) = (0, 0usize);
    let vectors: Vec<&Vec<f32>> = placed.iter().flatten().collect();
    for vector in &vectors {
        match lead {
            0 => (leader, lead) = (vector.len(), 1),
            _ if vector.len() == leader => lead += 1,
            _ => lead -= 1,
        }
    }
    let count = vectors.iter().filter(|vector| vector.len() == leader).count();
    (leader > 0 && 2 * count > vectors.len()).then_some(leader)
}

/// Gives a vector the length one; says what is wrong with it.
fn checked(vector: &mut [f32], expected: usize) -> Result<(), String> {
    if vector.len() != expected {
        return Err(format!("a vector of {} numbers where {expected} are expected", vector.len()));
    }
    if vector.iter().any(|number| !number.is_finite()) {
        return Err("a vector with a number that is not finite".into());
    }
    let length = vector.iter().map(|&number| f64::from(number).powi(2)).sum::<f64>().sqrt();
    if length == 0.0 {
        return Err("a vector of zeros".into());
    }
    vector.iter_mut().for_each(|number| *number = (f64::from(*number) / length) as f32);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(index: impl Into<Option<usize>>, numbers: &[f32]) -> Row {
        Row { index: index.into(), numbers: numbers.to_vec() }
    }

    fn wrong(rows: Vec<Row>, texts: usize) -> String {
        match place(rows, texts, &OnceLock::new()) {
            Err(Fault::Wrong(why, _)) => why,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn vectors_come_to_their_texts_with_unit_length() {
        let rows = vec![row(1, &[0.0, 2.0]), row(0, &[3.0, 4.0])];
        let length = OnceLock::new();
        assert_eq!(place(rows, 2, &length).unwrap(), [vec![0.6, 0.8], vec![0.0, 1.0]]);
        assert_eq!(length.get(), Some(&2));
    }

    #[test]
    fn without_indices_the_order_counts() {
        let rows = vec![row(None, &[0.0, 2.0]), row(None, &[2.0, 0.0])];
        assert_eq!(place(rows, 2, &OnceLock::new()).unwrap(), [vec![0.0, 1.0], vec![1.0, 0.0]]);
    }

    #[test]
    fn vectors_and_texts_are_matched_one_to_one() {
        let one = &[1.0];
        assert_eq!(wrong(vec![row(0, one)], 2), "1 vectors for 2 texts");
        assert_eq!(wrong(vec![row(0, one), row(0, one)], 2), "two vectors of one text: index 0");
        assert_eq!(wrong(vec![row(0, one), row(9, one)], 2), "a vector of no text: index 9");
        assert_eq!(wrong(vec![row(0, one), row(None, one)], 2), "a vector without an index");
    }

    #[test]
    fn numbers_are_checked() {
        assert_eq!(wrong(vec![row(0, &[0.0, 0.0])], 1), "a vector of zeros");
        for number in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            assert_eq!(wrong(vec![row(0, &[1.0, number])], 1), "a vector with a number that is not finite");
        }
        assert_eq!(wrong(vec![row(0, &[])], 1), "vectors of several lengths");
    }

    #[test]
    fn what_is_right_in_a_wrong_answer_is_kept_where_it_is_named() {
        let right = |rows: Vec<Row>| match place(rows, 3, &OnceLock::new()) {
            Err(Fault::Wrong(_, right)) => right,
            other => panic!("{other:?}"),
        };
        let (a, b, nan) = (&[0.0f32, 2.0][..], &[3.0f32, 0.0][..], &[1.0f32, f32::NAN][..]);
        let unit = |vector: [f32; 2]| Some(vector.to_vec());
        assert_eq!(right(vec![row(2, a), row(0, b)]), [unit([1.0, 0.0]), None, unit([0.0, 1.0])]);
        assert_eq!(right(vec![row(0, a), row(1, nan), row(2, b)]), [unit([0.0, 1.0]), None, unit([1.0, 0.0])]);
        assert_eq!(right(vec![row(None, a), row(None, nan), row(None, b)]), [unit([0.0, 1.0]), None, unit([1.0, 0.0])]);
        // Whose these are nobody knows.
        assert_eq!(right(vec![row(None, a), row(None, b)]), []);
        assert_eq!(right(vec![row(0, a), row(0, b), row(2, b)]), []);
    }

    #[test]
    fn large_and_small_numbers_keep_their_direction() {
        let rows = vec![row(0, &[f32::MAX, f32::MAX]), row(1, &[1e-45, 0.0])];
        let placed = place(rows, 2, &OnceLock::new()).unwrap();
        assert!((placed[0][0] - 0.5f32.sqrt()).abs() < 1e-6 && placed[1] == [1.0, 0.0], "{placed:?}");
    }

    #[test]
    fn a_length_that_differs_is_found_and_the_right_one_learnt() {
        let length = OnceLock::new();
        let rows = vec![row(0, &[1.0]), row(1, &[1.0, 1.0]), row(2, &[1.0, 1.0])];
        let fault = place(rows, 3, &length).unwrap_err();
        let unit = Some(vec![0.5f32.sqrt(), 0.5f32.sqrt()]);
        let right = vec![None, unit.clone(), unit];
        assert_eq!(fault, Fault::Wrong("a vector of 1 numbers where 2 are expected".into(), right));
        assert!(place(vec![row(0, &[1.0])], 1, &length).is_err());
        assert!(place(vec![row(0, &[1.0, 1.0])], 1, &length).is_ok());
    }

    #[test]
    fn without_a_majority_nothing_is_learnt() {
        let length = OnceLock::new();
        assert!(place(vec![row(0, &[1.0]), row(1, &[1.0, 1.0])], 2, &length).is_err());
        assert_eq!(length.get(), None);
    }
}
