use std::sync::Mutex;

use gristmill_core::{BlockKind, ChunkCx, Chunker, Document, Error, Result, Similarity, Unit};
use gristmill_text::count::sizer;

use super::Semantic;
use crate::fixture::{cx, document};

/// Takes texts for alike that share the animal they speak of, and remembers what it was asked.
#[derive(Default)]
struct Animals(Mutex<Vec<String>>);

impl Similarity for Animals {
    fn neighbours(&self, texts: &[&str]) -> Result<Vec<f32>> {
        self.0.lock().expect("one thread").extend(texts.iter().map(|text| (*text).to_owned()));
        let animal = |text: &str| ["cat", "dog", "fish"].into_iter().find(|animal| text.contains(animal));
        Ok(texts.windows(2).map(|two| if animal(two[0]) == animal(two[1]) { 0.9 } else { 0.1 }).collect())
    }
}

/// Answers with one number.
struct Once;

impl Similarity for Once {
    fn neighbours(&self, _: &[&str]) -> Result<Vec<f32>> {
        Ok(vec![0.5])
    }
}

/// A model that is away.
struct Away;

impl Similarity for Away {
    fn neighbours(&self, _: &[&str]) -> Result<Vec<f32>> {
        Err(Error::config("the model is away"))
    }
}

const TEXT: BlockKind = BlockKind::Paragraph;
const ROW: BlockKind = BlockKind::Statement;

fn cut(document: &Document, similarity: &dyn Similarity, max: usize) -> Result<Vec<String>> {
    let sizer = sizer(Unit::Chars, "").expect("characters can be counted");
    let cx = ChunkCx { similarity: Some(similarity), ..cx(sizer.as_ref(), max) };
    let made = Semantic.chunk(document, &cx)?.value;
    assert!(made.iter().all(|chunk| chunk.size as usize <= max));
    Ok(made.iter().map(|chunk| chunk.body_text(&document.text).to_owned()).collect())
}

#[test]
fn chunks_end_where_the_subject_changes() {
    let first = "A cat sleeps. The cat eats. A dog barks.";
    let document = document(&[(TEXT, 0, first), (TEXT, 0, "The dog runs."), (TEXT, 0, "A fish swims. No fish walks.")]);
    let animals = Animals::default();
    let found = cut(&document, &animals, 60).expect("it can be cut");
    assert_eq!(found, ["A cat sleeps. The cat eats.", "A dog barks.\n\nThe dog runs.", "A fish swims. No fish walks."]);
    let asked = animals.0.into_inner().expect("one thread");
    let sentences =
        ["A cat sleeps.", "The cat eats.", "A dog barks.", "The dog runs.", "A fish swims.", "No fish walks."];
    assert_eq!(asked, sentences);
}

#[test]
fn the_model_gets_no_more_of_a_text_than_a_chunk_holds() {
    let long = "cat".repeat(100);
    let document = document(&[(TEXT, 0, long.as_str()), (TEXT, 0, "A dog.")]);
    let animals = Animals::default();
    let found = cut(&document, &animals, 60).expect("it can be cut");
    assert_eq!(found.last().map(String::as_str), Some("A dog."));
    assert_eq!(found.concat().len(), long.len() + "A dog.".len());
    assert!(animals.0.into_inner().expect("one thread").iter().all(|text| text.len() <= 60));
}

#[test]
fn a_heading_goes_with_its_text() {
    let heading = BlockKind::Heading { level: 1 };
    let document =
        document(&[(TEXT, 0, "A cat sleeps here."), (heading, 0, "# More"), (TEXT, 0, "A dog barks there.")]);
    let found = cut(&document, &Animals::default(), 60).expect("it can be cut");
    assert_eq!(found, ["A cat sleeps here.", "# More\n\nA dog barks there."]);
}

#[test]
fn one_text_needs_no_model() {
    let one = document(&[(TEXT, 0, "A cat.")]);
    assert_eq!(cut(&one, &Away, 60).expect("it can be cut"), ["A cat."]);
    assert!(cut(&document(&[]), &Away, 60).expect("it can be cut").is_empty());
    assert_eq!(cut(&document(&[(ROW, 0, "cat"), (ROW, 0, "dog")]), &Away, 60).expect("it can be cut").len(), 1);
}

#[test]
fn what_goes_wrong_with_the_model_is_told() {
    let document = document(&[(TEXT, 0, "A cat. A dog. A fish.")]);
    assert!(cut(&document, &Away, 60).is_err());
    let wrong = cut(&document, &Once, 60).expect_err("the answer has too few numbers");
    assert!(wrong.to_string().contains("1 similarities for 2 neighbours"), "{wrong}");
}
