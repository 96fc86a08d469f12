use serde_json::json;

use super::*;

const COURSE: &str = "module-{module_number:int}-{module}/chapter-{chapter:int}-{chapter_slug}/{lesson:int}-{slug}.md";

fn rule(template: &str) -> PathRule {
    let values = BTreeMap::from([("module".to_owned(), BTreeMap::from([("ros2".to_owned(), "ROS 2".into())]))]);
    let defaults = BTreeMap::from([("hardware_tier".to_owned(), 1.into())]);
    PathRule::new(Some(template), values, defaults, BTreeMap::new()).unwrap()
}

fn read(rule: &PathRule, path: &str) -> (Value, Vec<&'static str>) {
    let outcome = rule.fields(path);
    (json!(outcome.value), outcome.diagnostics.iter().map(|d| d.code).collect())
}

#[test]
fn a_course_path_gives_typed_fields() {
    let (attrs, codes) = read(&rule(COURSE), "module-1-ros2/chapter-02-first-nodes/03-hello-world.md");
    assert_eq!(
        attrs,
        json!({
            "module_number": 1, "module": "ROS 2", "chapter": 2, "chapter_slug": "first-nodes",
            "lesson": 3, "slug": "hello-world", "hardware_tier": 1
        })
    );
    assert!(codes.is_empty());
}

#[test]
fn a_readme_may_miss_parts() {
    let rule = rule(COURSE);
    let module = json!({ "module_number": 2, "module": "gazebo", "hardware_tier": 1 });
    assert_eq!(read(&rule, "module-2-gazebo/README.md"), (module.clone(), vec![]));
    assert_eq!(read(&rule, "module-2-gazebo/intro.md"), (module, vec!["path-not-matched"]));
    assert_eq!(read(&rule, "README.md"), (json!({ "hardware_tier": 1 }), vec![]));
    let chapter = read(&rule, "module-2-gazebo/chapter-1-a/_index.md");
    assert_eq!((chapter.0["chapter"].clone(), chapter.1), (json!(1), vec![]));
}

#[test]
fn folders_that_do_not_match_end_the_reading() {
    let (attrs, codes) = read(&rule(COURSE), "module-2-gazebo/extra/03-x.md");
    assert_eq!(attrs, json!({ "module_number": 2, "module": "gazebo", "hardware_tier": 1 }));
    assert_eq!(codes, ["path-not-matched"]);
    let (attrs, _) = read(&rule(COURSE), "module-2-gazebo/chapter-1-a/deep/03-x.md");
    assert_eq!(attrs["chapter"], 1);
    assert_eq!(attrs.get("lesson"), None);
}

#[test]
fn values_are_written_as_asked() {
    let normalisers = BTreeMap::from([
        ("code".to_owned(), Normaliser::Upper),
        ("level".to_owned(), Normaliser::OneOf(vec!["Beginner".into(), "Expert".into()])),
    ]);
    let rule = PathRule::new(Some("{code}-{level}.md"), BTreeMap::new(), BTreeMap::new(), normalisers).unwrap();
    assert_eq!(read(&rule, "ab-BEGINNER.md"), (json!({ "code": "AB", "level": "Beginner" }), vec![]));
    let outcome = rule.fields("ab-novice.md");
    assert_eq!(json!(outcome.value), json!({ "code": "AB" }));
    assert_eq!(outcome.diagnostics[0].message, "`level` is none of Beginner, Expert: novice");
}

#[test]
fn numbers_are_mapped_by_text_or_value() {
    let values = BTreeMap::from([("n".to_owned(), BTreeMap::from([("1".to_owned(), "one".into())]))]);
    let rule = PathRule::new(Some("{n:int}.md"), values, BTreeMap::new(), BTreeMap::new()).unwrap();
    assert_eq!(read(&rule, "1.md").0, json!({ "n": "one" }));
    assert_eq!(read(&rule, "01.md").0, json!({ "n": "one" }));
    assert_eq!(read(&rule, "2.md").0, json!({ "n": 2 }));
}

#[test]
fn braces_can_be_doubled() {
    let rule = rule("{{x}}-{module}.md");
    assert_eq!(read(&rule, "{x}-ros2.md").0["module"], "ROS 2");
}

#[test]
fn malformed_templates_are_shown_with_their_place() {
    for (template, place) in [
        ("a-{b", "`{` is not closed (character 3): a-{b"),
        ("a}b", "`}` without `{` (character 2): a}b"),
        ("{}", "a field needs a name of letters, digits and `_` (character 2): {}"),
        ("é{a:date}", "a field is `int`, `float`, `bool` or `str` (character 5): é{a:date}"),
        ("{a}{b}", "two fields need some text between them (character 4): {a}{b}"),
        ("{a}/{a}", "a field has the name of an earlier one (character 6): {a}/{a}"),
        ("a//b", "a name between two `/` is empty (character 5): a//b"),
        ("", "a name between two `/` is empty (character 1): "),
    ] {
        let error = PathRule::new(Some(template), BTreeMap::new(), BTreeMap::new(), BTreeMap::new()).unwrap_err();
        assert_eq!(error.to_string(), format!("malformed `path_metadata`, {place}"));
    }
}

#[test]
fn values_of_unknown_fields_are_an_error() {
    let values = BTreeMap::from([("modul".to_owned(), BTreeMap::new())]);
    let error = PathRule::new(Some("{module}.md"), values, BTreeMap::new(), BTreeMap::new()).unwrap_err();
    assert_eq!(error.to_string(), "`values` names a field that `path_metadata` has not, nearest is `module`: modul");
}
