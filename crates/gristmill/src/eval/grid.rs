//! Which settings are compared.

use gristmill_core::{Error, Result};

use crate::config::{ChunkOptions, Options, nearest};

/// Values of one key of `[chunk]`.
type Axis = (String, Vec<String>);

/// The keys that a grid may vary.
const KEYS: [&str; 10] = [
    "strategy",
    "target",
    "max",
    "min",
    "overlap",
    "context",
    "unit",
    "tokenizer",
    "sentences_per_chunk",
    "topic_threshold",
];

/// Settings of one line of the comparison: what it says beyond the others, and how it is called.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Candidate {
    /// `key=value` for each key that varies, such as `strategy=markdown target=400`.
    pub name: String,
    /// The same as options.
    pub options: ChunkOptions,
}

/// The most settings of one comparison.
const MOST: usize = 200;

/// Every combination of `strategies` and the values of a `grid` such as `target=200,400;overlap=0,60`. Without both, one
/// candidate that says nothing.
///
/// # Errors
/// Usage: a key or value that does not exist, a key that stands twice, or too many combinations.
pub fn candidates(strategies: &[String], grid: Option<&str>) -> Result<Vec<Candidate>> {
    let mut axes: Vec<Axis> = Vec::new();
    if !strategies.is_empty() {
        axes.push(("strategy".to_owned(), strategies.to_vec()));
    }
    for text in grid.unwrap_or_default().split(';').map(str::trim).filter(|text| !text.is_empty()) {
        let axis = axis(text)?;
        if axes.iter().any(|(key, _)| *key == axis.0) {
            return Err(Error::usage(format!("`{}` stands twice among what is compared", axis.0)));
        }
        axes.push(axis);
    }
    let count = axes.iter().try_fold(1usize, |count, (_, values)| count.checked_mul(values.len()));
    if count.is_none_or(|count| count > MOST) {
        return Err(Error::usage(format!("more than {MOST} settings to compare")).hint("name fewer values"));
    }
    let all = axes.iter().fold(vec![Vec::new()], |all, axis| crossed(&all, axis));
    all.iter().map(candidate).collect()
}

/// One `key=value,value`.
fn axis(text: &str) -> Result<Axis> {
    let wrong = |why: String| Error::usage(why).hint("a grid is written `target=200,400;overlap=0,60`");
    let Some((key, values)) = text.split_once('=') else {
        return Err(wrong(format!("no values in the grid: `{text}`")));
    };
    let key = key.trim().replace('-', "_");
    if !KEYS.contains(&key.as_str()) {
        let near = nearest(&key, KEYS).map_or_else(String::new, |near| format!(", did you mean `{near}`?"));
        return Err(wrong(format!("the grid cannot vary `{key}`{near}")));
    }
    let mut values: Vec<String> =
        values.split(',').map(|value| value.trim().to_owned()).filter(|value| !value.is_empty()).collect();
    values.dedup();
    if values.is_empty() { Err(wrong(format!("no values in the grid: `{text}`"))) } else { Ok((key, values)) }
}

/// What one combination says.
type Said = Vec<(String, String)>;

fn crossed(all: &[Said], (key, values): &Axis) -> Vec<Said> {
    let with = |said: &Said, value: &String| {
        let mut said = said.clone();
        said.push((key.clone(), value.clone()));
        said
    };
    all.iter().flat_map(|said| values.iter().map(move |value| with(said, value))).collect()
}

fn candidate(said: &Said) -> Result<Candidate> {
    let mut object = serde_json::Map::new();
    for (key, value) in said {
        let number = value.parse::<u32>().ok().map(serde_json::Value::from);
        object.insert(key.clone(), number.unwrap_or_else(|| value.as_str().into()));
    }
    let name = said.iter().map(|(key, value)| format!("{key}={value}")).collect::<Vec<_>>().join(" ");
    let options = serde_json::from_value(object.into())
        .map_err(|error| Error::usage(format!("the grid holds a value that cannot be: {name}")).because(error))?;
    Ok(Candidate { name, options })
}

/// `below` with what a candidate says on top.
pub fn with_candidate(below: &Options, candidate: &Candidate) -> Options {
    let mut options = below.clone();
    let (chunk, said) = (&mut options.chunk, candidate.options.clone());
    chunk.target = said.target.or(chunk.target);
    chunk.max = said.max.or(chunk.max);
    chunk.min = said.min.or(chunk.min);
    chunk.overlap = said.overlap.or(chunk.overlap);
    chunk.unit = said.unit.or(chunk.unit);
    chunk.context = said.context.or(chunk.context);
    chunk.sentences_per_chunk = said.sentences_per_chunk.or(chunk.sentences_per_chunk);
    chunk.topic_threshold = said.topic_threshold.or(chunk.topic_threshold);
    chunk.strategy = said.strategy.or(chunk.strategy.take());
    chunk.tokenizer = said.tokenizer.or(chunk.tokenizer.take());
    options
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(strategies: &[&str], grid: &str) -> Vec<String> {
        let strategies: Vec<String> = strategies.iter().map(ToString::to_string).collect();
        candidates(&strategies, Some(grid)).unwrap().into_iter().map(|candidate| candidate.name).collect()
    }

    #[test]
    fn every_combination_is_a_candidate() {
        assert_eq!(
            names(&["markdown", "fixed"], "target=200, 400"),
            [
                "strategy=markdown target=200",
                "strategy=markdown target=400",
                "strategy=fixed target=200",
                "strategy=fixed target=400"
            ]
        );
        assert_eq!(names(&[], ""), [""]);
    }

    #[test]
    fn values_become_options() {
        let all =
            candidates(&[], Some("overlap=15%;context=none;sentences-per-chunk=3;topic-threshold=1,0.5,10%")).unwrap();
        let thresholds = all.iter().filter_map(|one| with_candidate(&Options::default(), one).chunk.topic_threshold);
        assert_eq!(thresholds.map(|limit| limit.to_string()).collect::<Vec<_>>(), ["1", "0.5", "10%"]);
        let options = &all[0].options;
        assert_eq!(options.overlap.map(|overlap| overlap.to_string()).as_deref(), Some("15%"));
        assert_eq!(options.sentences_per_chunk, Some(3));
    }

    #[test]
    fn mistakes_are_told() {
        for (grid, why) in [
            ("target", "no values"),
            ("target=", "no values"),
            ("taget=3", "did you mean `target`?"),
            ("target=x", "cannot be"),
            ("target=1;target=2", "twice"),
            ("context=some", "cannot be"),
        ] {
            let error = candidates(&[], Some(grid)).unwrap_err();
            assert!(error.chain().contains(why), "{grid}: {}", error.chain());
        }
    }
}
