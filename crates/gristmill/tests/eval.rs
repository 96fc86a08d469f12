//! Settings compared over small documents whose figures can be counted by hand.

use std::path::Path;

use gristmill::config::{Layer, Options, Settings, Task, resolve};
use gristmill::eval::{Asked, Contender, EvalCx, EvalReport, candidates, evaluate, make_questions, with_candidate};
use gristmill::{Inputs, Retriever};

fn settings(options: Options) -> Settings {
    resolve(Task::Ingest, ".".as_ref(), &[Layer::flags(options)]).unwrap().value
}

fn contenders(grid: &str) -> Vec<Contender> {
    let all = candidates(&[], Some(grid)).unwrap();
    let one = |candidate: &gristmill::eval::Candidate| Contender {
        name: candidate.name.clone(),
        settings: settings(with_candidate(&Options::default(), candidate)),
    };
    all.iter().map(one).collect()
}

fn inputs(folder: &Path) -> Inputs {
    Inputs { folder: folder.to_owned(), paths: vec!["docs".into()], ..Inputs::default() }
}

fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("docs")).unwrap();
    files.iter().for_each(|(name, text)| std::fs::write(folder.path().join("docs").join(name), text).unwrap());
    folder
}

fn quote(id: &str, question: &str, quote: &str) -> Asked {
    Asked { id: id.into(), question: question.into(), quotes: vec![quote.into()], ..Asked::default() }
}

fn run(files: &[(&str, &str)], grid: &str, questions: Vec<Asked>) -> EvalReport {
    let folder = folder(files);
    let cx = EvalCx { questions, retrievers: vec![Retriever::Hybrid], workers: 2, ..EvalCx::default() };
    evaluate(&contenders(grid), &inputs(folder.path()), &cx).unwrap()
}

const OIL: &str = "# Oil\n\nThe oil is changed every year.\n";
const SEA: &str = "# Sea\n\nThe harbour freezes in January.\n";

#[test]
fn a_question_that_one_chunk_answers_has_full_recall() {
    let asked = vec![quote("oil", "how often is the oil changed", "The oil is changed every year.")];
    let report = run(&[("oil.md", OIL), ("sea.md", SEA)], "", asked);
    let comparison = report.questions.unwrap();
    let figure = |name: &str| comparison.ranking[0].figures[name].mean;
    assert_eq!(
        (figure("recall@512"), figure("mrr"), figure("ndcg@10"), figure("evidence-recall@5")),
        (1.0, 1.0, 1.0, 1.0)
    );
    // One of five hits that are asked for; one relevant chunk in all.
    assert_eq!((figure("precision@5"), figure("best-precision@5"), figure("recall@10")), (0.2, 0.2, 1.0));
    // Each document is one chunk, all of its text: 30 characters of evidence among 37 and 38.
    assert!((figure("token-precision@5") - 30.0 / 75.0).abs() < 1e-12);
    assert!((figure("precision-omega") - 30.0 / 37.0).abs() < 1e-12);
    assert_eq!((report.settings[0].cost.chunks, report.settings[0].intrinsic.coverage), (2, 1.0));
    assert!(report.synthetic.is_none() && report.left_out.is_empty() && comparison.worst.is_empty());
}

#[test]
fn questions_of_both_kinds_are_never_mixed() {
    let made = Asked { synthetic: Some("heading".into()), ..quote("m", "sea", "The harbour freezes in January.") };
    let asked = quote("a", "how often is the oil changed", "The oil is changed every year.");
    let report = run(&[("oil.md", OIL), ("sea.md", SEA)], "", vec![made, asked]);
    let (questions, synthetic) = (report.questions.unwrap(), report.synthetic.unwrap());
    assert_eq!((questions.asked, synthetic.asked), (1, 1));
    assert!(questions.rules.is_empty());
    assert_eq!(synthetic.rules["heading"], 1);
}

#[test]
fn what_cannot_be_located_is_listed_and_left_out() {
    let spans = |doc: &str, end| Asked {
        doc: Some(doc.into()),
        quotes: Vec::new(),
        spans: vec![(0, end)],
        ..quote(&format!("{doc}-{end}"), "what", "")
    };
    let asked = vec![
        quote("gone", "who", "a sentence that stands nowhere"),
        spans("other.md", 3),
        spans("oil.md", 4_000),
        quote("folded", "how often", "the OIL is  changed every year."),
        spans("oil.md", 5),
    ];
    let report = run(&[("oil.md", OIL), ("sea.md", SEA)], "", asked);
    let left: Vec<&str> = report.left_out.iter().map(|left| left.id.as_str()).collect();
    assert_eq!(left, ["gone", "other.md-3", "oil.md-4000"]);
    assert_eq!(report.questions.unwrap().asked, 2);
    assert_eq!((report.inexact.len(), report.inexact[0].how, report.inexact[0].line), (1, "folded", 3));
}

#[test]
fn a_quote_is_taken_from_the_document_that_has_it_as_it_is() {
    let worn = "# Worn\n\nTHE OIL is changed every year.\n";
    let asked = vec![
        quote("exact", "how often", "The oil is changed every year."),
        quote("worn", "how often", "THE OIL  is changed"),
        quote("alike", "what of the harbour", "The harbour freezes in Januari."),
    ];
    let report = run(&[("a-worn.md", worn), ("oil.md", OIL), ("sea.md", SEA)], "", asked);
    assert_eq!(report.questions.unwrap().asked, 3);
    let told: Vec<(&str, &str, &str)> =
        report.inexact.iter().map(|inexact| (inexact.id.as_str(), inexact.how, inexact.source.as_str())).collect();
    assert_eq!(told, [("worn", "folded", "a-worn.md"), ("alike", "fuzzy", "sea.md")]);
    assert!(report.inexact[1].score < 1.0 && report.inexact[1].found.starts_with("The harbour freezes"));
}

#[test]
fn settings_that_make_the_same_chunks_are_told() {
    let asked = vec![quote("oil", "how often is the oil changed", "The oil is changed every year.")];
    let report = run(&[("oil.md", OIL), ("sea.md", SEA)], "target=200,400", asked);
    assert_eq!(report.notes, ["`target=400` makes the same chunks as `target=200`"]);
    let met = |name: &str| report.targets.iter().find(|target| target.figure == name).map(|target| target.met);
    // One hit of five is all that can be relevant.
    assert_eq!((met("precision@5"), met("recall@10"), met("coverage")), (Some(false), Some(true), Some(true)));
    assert_eq!(report.targets[0].best, Some(0.2));
}

/// Documents in which only chunks without overlap and with their heading answer.
fn many() -> Vec<(String, String)> {
    let body = |n: usize| {
        let other = format!("Sentence {n} speaks of nothing that anybody asks about, at some length. ").repeat(30);
        format!("# Station {n}\n\n{other}\n\n## Depth\n\nThe gauge of mark {n} stands at {n}7 metres.\n\n{other}\n")
    };
    (1..=24).map(|n| (format!("s{n}.md"), body(n))).collect()
}

#[test]
fn settings_are_chosen_on_one_half_and_measured_on_the_other() {
    let files = many();
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let asked =
        (1..=24).map(|n| quote(&format!("q{n}"), &format!("gauge mark {n}"), &format!("The gauge of mark {n} stands")));
    let asked: Vec<Asked> = asked.collect();
    let report = run(&files, "target=60,400;overlap=0,50", asked.clone());
    let comparison = report.questions.as_ref().unwrap();
    assert_eq!((comparison.groups, comparison.chosen_by, comparison.measured_by), (24, 12, 12));
    assert_eq!(comparison.ranking.len(), 4);
    assert_eq!(comparison.ranking.iter().filter(|measured| measured.chosen).count(), 1);
    let means: Vec<f64> = comparison.ranking.iter().map(|measured| measured.figures["recall@2048"].mean).collect();
    assert!(means.is_sorted_by(|a, b| a >= b));
    assert!(comparison.ranking[0].rank == 1 && comparison.notes.is_empty());
    // The same in every run.
    assert_eq!(run(&files, "target=60,400;overlap=0,50", asked), report);
}

#[test]
fn made_questions_are_answered_by_their_evidence() {
    let folder =
        folder(&[("a.md", "# Pump manual\n\n## Changing the oil\n\nDrain it first.\n\n## Other things\n\nNone.\n")]);
    let made = make_questions(&settings(Options::default()), &inputs(folder.path())).unwrap();
    let told: Vec<(&str, &str)> = made.iter().map(|m| (m.id.as_str(), m.question.as_str())).collect();
    assert_eq!(told, [("heading-1", "Changing the oil"), ("heading-2", "Other things")]);
    assert!(made.iter().all(|asked| asked.synthetic.as_deref() == Some("heading")));
}
