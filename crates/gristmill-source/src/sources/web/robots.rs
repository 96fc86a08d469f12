//! `robots.txt`: what a site asks of programs that read it (RFC 9309), with `Crawl-delay`.

use std::time::Duration;

/// The name we go by.
const AGENT: &str = "gristmill";

/// What a site asks of us.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Robots {
    rules: Vec<Rule>,
    /// The pause between two requests.
    pub(super) delay: Option<Duration>,
}

#[derive(Clone, Debug, PartialEq)]
struct Rule {
    allow: bool,
    pattern: String,
}

/// The lines for one or more agents.
#[derive(Default)]
struct Group {
    ours: bool,
    everyone: bool,
    robots: Robots,
}

impl Robots {
    /// All groups that name us, else all for everyone (2.2.1). Lines that are no rule are passed over.
    pub(super) fn parse(bytes: &[u8]) -> Self {
        let text = String::from_utf8_lossy(bytes);
        let mut groups: Vec<Group> = Vec::new();
        // Agents that follow one another share the rules after them.
        let mut naming = false;
        for (key, value) in text.trim_start_matches('\u{feff}').split(['\n', '\r']).filter_map(line) {
            if key == "user-agent" {
                if !std::mem::replace(&mut naming, true) {
                    groups.push(Group::default());
                }
                groups.last_mut().into_iter().for_each(|group| group.name(value));
            } else if let Some(group) = groups.last_mut() {
                naming &= !group.robots.add(&key, value);
            }
        }
        let named = groups.iter().any(|group| group.ours);
        let mut all = Self::default();
        for group in groups.into_iter().filter(|group| if named { group.ours } else { group.everyone }) {
            all.rules.extend(group.robots.rules);
            all.delay = all.delay.max(group.robots.delay);
        }
        all
    }

    /// The longest pattern decides; of two of one length, the one that allows (2.2.2). `path` is that of an address, with
    /// its query.
    pub(super) fn allow(&self, path: &str) -> bool {
        let fitting = self.rules.iter().filter(|rule| fits(&rule.pattern, path));
        fitting.max_by_key(|rule| (rule.pattern.len(), rule.allow)).is_none_or(|rule| rule.allow)
            || path == "/robots.txt"
    }

    /// True when the line was a rule.
    fn add(&mut self, key: &str, value: &str) -> bool {
        match key {
            "allow" | "disallow" => {
                // Nothing disallowed is everything allowed.
                if !value.is_empty() {
                    let pattern = if value.starts_with(['/', '*']) { value.to_owned() } else { format!("/{value}") };
                    self.rules.push(Rule { allow: key == "allow", pattern: plain(&pattern) });
                }
                true
            }
            "crawl-delay" => {
                let seconds = value.parse::<f64>().ok().filter(|seconds| *seconds >= 0.0);
                self.delay = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok()).or(self.delay);
                true
            }
            _ => false,
        }
    }
}

impl Group {
    fn name(&mut self, agent: &str) {
        let word = agent.split(['/', ' ', '\t']).next().unwrap_or_default();
        self.ours |= word.eq_ignore_ascii_case(AGENT);
        self.everyone |= word == "*";
    }
}

/// Key in lower case and value of a line.
fn line(line: &str) -> Option<(String, &str)> {
    let line = line.split('#').next().unwrap_or_default();
    let (key, value) = line.split_once(':')?;
    Some((key.trim().to_ascii_lowercase(), value.trim()))
}

/// Characters beyond ASCII as addresses have them, so that both are compared in one form.
fn plain(pattern: &str) -> String {
    let mut out = String::with_capacity(pattern.len());
    for byte in pattern.bytes() {
        if byte.is_ascii_graphic() { out.push(char::from(byte)) } else { out.push_str(&format!("%{byte:02X}")) }
    }
    out
}

/// `*` stands for anything and a `$` at the end for the end. Takes the leftmost place for each piece, so that the time is
/// linear.
fn fits(pattern: &str, path: &str) -> bool {
    let (pattern, anchored) = pattern.strip_suffix('$').map_or((pattern, false), |pattern| (pattern, true));
    let mut pieces = pattern.split('*');
    let Some(mut rest) = path.strip_prefix(pieces.next().unwrap_or_default()) else { return false };
    let mut pieces: Vec<&str> = pieces.collect();
    if pieces.is_empty() {
        return !anchored || rest.is_empty();
    }
    let last = if anchored { pieces.pop() } else { None };
    for piece in pieces {
        let Some(at) = rest.find(piece) else { return false };
        rest = &rest[at + piece.len()..];
    }
    last.is_none_or(|last| rest.ends_with(last))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_of_the_standard() {
        // RFC 9309, 2.2.3 and 5.1, and Google's published examples of path matching.
        for (pattern, path, expected) in [
            ("/", "/any", true),
            ("/fish", "/fish.html", true),
            ("/fish", "/Fish.asp", false),
            ("/fish/", "/fish", false),
            ("/*.php", "/folder/any.php.file.html", true),
            ("/*.php", "/windows.PHP", false),
            ("/*.php$", "/folder/filename.php", true),
            ("/*.php$", "/filename.php?parameters", false),
            ("/fish*.php", "/fishheads/catfish.php?parameters", true),
            ("/a*b*c$", "/abcbc", true),
            ("/a*$", "/a", true),
            ("/ab*b$", "/ab", false),
            ("/$", "/", true),
            ("/$", "/page", false),
        ] {
            assert_eq!(fits(pattern, path), expected, "{pattern} {path}");
        }
    }

    #[test]
    fn the_longest_rule_decides() {
        let robots = Robots::parse(b"User-agent: *\nDisallow: /a\nAllow: /a/b\nDisallow: /c\nAllow: /c\n");
        let allowed = ["/a", "/a/b/x", "/c", "/d"].map(|path| robots.allow(path));
        assert_eq!(allowed, [false, true, true, true]);
        assert!(!Robots::parse(b"User-agent: *\nDisallow: /").allow("/x"));
        assert!(Robots::parse(b"User-agent: *\nDisallow: /").allow("/robots.txt"));
        assert!(Robots::parse(b"User-agent: *\nDisallow:").allow("/x"));
        assert!(Robots::default().allow("/x"));
    }

    #[test]
    fn the_group_that_names_us_counts_alone() {
        let text = b"\xef\xbb\xbfuser-agent: other\ndisallow: /a\n\nUser-Agent: GristMill/1.0 # us\nUser-agent: second\r\nDisallow: /b\rCrawl-Delay: 1.5\nSitemap: https://x/s.xml\n\nUser-agent: *\nDisallow: /\nuser-agent: gristmill\nDisallow: /c\n";
        let robots = Robots::parse(text);
        assert_eq!(["/a", "/b", "/c"].map(|path| robots.allow(path)), [true, false, false]);
        assert_eq!(robots.delay, Some(Duration::from_millis(1500)));
    }

    #[test]
    fn lines_that_are_no_rule_do_not_end_a_list_of_agents() {
        let robots = Robots::parse(b"User-agent: a\nSitemap: https://x/\nnonsense\nUser-agent: *\nDisallow: /x");
        assert!(!robots.allow("/x"));
        assert!(Robots::parse(b"Disallow: /x").allow("/x"));
    }

    #[test]
    fn characters_beyond_ascii_are_compared_as_addresses_have_them() {
        assert!(!Robots::parse("User-agent: *\nDisallow: /中".as_bytes()).allow("/%E4%B8%AD/x"));
    }

    #[test]
    fn bad_files_do_no_harm() {
        let delays = ["-1", "1e400", "nan", "soon", "1e30"];
        for delay in delays {
            assert_eq!(Robots::parse(format!("user-agent: *\ncrawl-delay: {delay}").as_bytes()).delay, None, "{delay}");
        }
        let stars = format!("user-agent: *\ndisallow: /{}x$", "a*".repeat(100_000));
        assert!(Robots::parse(stars.as_bytes()).allow(&format!("/{}", "a".repeat(200_000))));
        Robots::parse(&[0xff; 1000]);
    }
}
