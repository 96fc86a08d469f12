//! What all providers say in the end: a push.

use serde_json::Value;

/// What a call says.
#[derive(Debug, PartialEq, Eq)]
pub enum Event {
    /// That it can call.
    Ping,
    /// Something that concerns no source, and why.
    Other(String),
    /// That commits were pushed.
    Push(Push),
}

/// A push to a repository.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Push {
    /// By what a repeated call is known.
    pub delivery: String,
    /// Owner and name.
    pub repository: String,
    /// What was pushed to, such as `refs/tags/v1`.
    pub reference: String,
    /// The branch; `None` for a tag and for a branch that was deleted.
    pub branch: Option<String>,
    pub before: String,
    pub after: String,
    /// True when history was rewritten, or may have been.
    pub forced: bool,
    /// Paths that differ, when all are known.
    pub changed: Option<Vec<String>>,
}

impl Push {
    /// Why it concerns no source.
    pub fn reason(&self) -> String {
        if is_nothing(&self.after) {
            return format!("`{}` was deleted", self.reference);
        }
        format!("`{}` is no branch", self.reference)
    }
}

/// The branch of a reference.
pub fn branch(reference: &str, after: &str) -> Option<String> {
    reference.strip_prefix("refs/heads/").filter(|_| !is_nothing(after)).map(str::to_owned)
}

/// True for the name of no commit, which stands before the first push and after the last.
pub fn is_nothing(commit: &str) -> bool {
    commit.bytes().all(|byte| byte == b'0')
}

/// Paths that commits name, without those that are named twice. `None` when they may not be all: some are missing, the
/// branch is new, or there are `most` of them or more.
pub fn changed(commits: Option<&Value>, before: &str, whole: bool, most: usize) -> Option<Vec<String>> {
    let commits = commits.and_then(Value::as_array)?;
    if !whole || commits.is_empty() || is_nothing(before) {
        return None;
    }
    let mut paths = Vec::new();
    for commit in commits {
        let of_commit = paths.len();
        for list in ["added", "modified", "removed"] {
            for path in commit.get(list)?.as_array()? {
                paths.push(path.as_str()?.to_owned());
            }
        }
        if paths.len() - of_commit >= most {
            return None;
        }
    }
    paths.sort();
    paths.dedup();
    (paths.len() < most).then_some(paths)
}

/// A string at a pointer; empty when there is none.
pub fn string(value: &Value, pointer: &str) -> String {
    value.pointer(pointer).and_then(Value::as_str).unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const ZEROS: &str = "0000000000000000000000000000000000000000";

    #[test]
    fn paths_are_known_or_all_is_meant() {
        let commits = json!([
            { "added": ["b.md"], "modified": ["a.md"], "removed": [] },
            { "added": [], "modified": ["b.md"], "removed": ["c.md"] },
        ]);
        let paths = vec!["a.md".to_owned(), "b.md".into(), "c.md".into()];
        assert_eq!(changed(Some(&commits), "1", true, 300), Some(paths));
        assert_eq!(changed(Some(&commits), "1", false, 300), None, "cut short");
        assert_eq!(changed(Some(&commits), ZEROS, true, 300), None, "a new branch");
        assert_eq!(changed(Some(&commits), "1", true, 2), None, "too many to be all");
        assert_eq!(changed(Some(&json!([])), "1", true, 300), None);
        assert_eq!(changed(Some(&json!([{ "added": [1] }])), "1", true, 300), None);
        assert_eq!(changed(None, "1", true, 300), None);
    }

    #[test]
    fn only_branches_that_are_there_are_branches() {
        assert_eq!(branch("refs/heads/feature/x", "1"), Some("feature/x".into()));
        assert_eq!(branch("refs/heads/main", ZEROS), None);
        assert_eq!(branch("refs/tags/v1", "1"), None);
    }
}
