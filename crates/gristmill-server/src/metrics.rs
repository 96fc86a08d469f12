//! Figures in the form of Prometheus.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Upper bounds of the buckets, in seconds.
const BOUNDS: [f64; 8] = [0.005, 0.02, 0.1, 0.5, 1.0, 5.0, 30.0, 60.0];

/// What was answered: by method, path of the table and status.
#[derive(Default)]
pub struct Metrics {
    answers: Mutex<BTreeMap<(String, &'static str, u16), u64>>,
    times: Mutex<BTreeMap<&'static str, Times>>,
}

#[derive(Clone, Default)]
struct Times {
    buckets: [u64; BOUNDS.len()],
    sum: f64,
    count: u64,
}

impl Metrics {
    pub fn note(&self, method: &str, path: &'static str, status: u16, took: Duration) {
        let mut answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        *answers.entry((method.to_owned(), path, status)).or_default() += 1;
        drop(answers);
        let mut times = self.times.lock().unwrap_or_else(PoisonError::into_inner);
        let times = times.entry(path).or_default();
        let seconds = took.as_secs_f64();
        BOUNDS
            .iter()
            .zip(&mut times.buckets)
            .filter(|(bound, _)| seconds <= **bound)
            .for_each(|(_, count)| *count += 1);
        times.sum += seconds;
        times.count += 1;
    }

    /// The text that Prometheus reads.
    pub fn text(&self, jobs: &[(String, u64)]) -> String {
        let mut out = String::new();
        head(&mut out, "gristmill_requests_total", "counter", "Requests that were answered");
        for ((method, path, status), count) in self.answers.lock().unwrap_or_else(PoisonError::into_inner).iter() {
            let _ = writeln!(
                out,
                "gristmill_requests_total{{method=\"{method}\",path=\"{path}\",status=\"{status}\"}} {count}"
            );
        }
        head(&mut out, "gristmill_request_seconds", "histogram", "How long answers took");
        for (path, times) in self.times.lock().unwrap_or_else(PoisonError::into_inner).iter() {
            for (bound, count) in BOUNDS.iter().zip(&times.buckets) {
                let _ = writeln!(out, "gristmill_request_seconds_bucket{{path=\"{path}\",le=\"{bound}\"}} {count}");
            }
            let Times { sum, count, .. } = times;
            let _ = writeln!(out, "gristmill_request_seconds_bucket{{path=\"{path}\",le=\"+Inf\"}} {count}");
            let _ = writeln!(out, "gristmill_request_seconds_sum{{path=\"{path}\"}} {sum}");
            let _ = writeln!(out, "gristmill_request_seconds_count{{path=\"{path}\"}} {count}");
        }
        head(&mut out, "gristmill_jobs", "gauge", "Jobs by status");
        for (status, count) in jobs {
            let _ = writeln!(out, "gristmill_jobs{{status=\"{status}\"}} {count}");
        }
        out
    }
}

fn head(out: &mut String, name: &str, kind: &str, about: &str) {
    let _ = writeln!(out, "# HELP {name} {about}\n# TYPE {name} {kind}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_took_long_is_in_the_larger_buckets_only() {
        let metrics = Metrics::default();
        metrics.note("GET", "/v1/jobs", 200, Duration::from_millis(50));
        metrics.note("GET", "/v1/jobs", 200, Duration::from_secs(100));
        let text = metrics.text(&[("queued".into(), 3)]);
        for line in [
            "gristmill_requests_total{method=\"GET\",path=\"/v1/jobs\",status=\"200\"} 2",
            "gristmill_request_seconds_bucket{path=\"/v1/jobs\",le=\"0.02\"} 0",
            "gristmill_request_seconds_bucket{path=\"/v1/jobs\",le=\"0.1\"} 1",
            "gristmill_request_seconds_bucket{path=\"/v1/jobs\",le=\"60\"} 1",
            "gristmill_request_seconds_bucket{path=\"/v1/jobs\",le=\"+Inf\"} 2",
            "gristmill_jobs{status=\"queued\"} 3",
        ] {
            assert!(text.lines().any(|found| found == line), "{line}\n{text}");
        }
    }
}
