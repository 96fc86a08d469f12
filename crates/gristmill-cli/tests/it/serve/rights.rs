//! Who may call, what is kept secret, and how much is taken.

use std::time::Duration;

use serde_json::json;

use super::http::send;
use super::server::{Server, configure, nothing, write_documents};
use crate::service::Service;

/// Two tokens and their hashes, as `sha256sum` gives them.
const READER: (&str, &str) = ("reader", "3d0941964aa3ebdcb00ccef58b1bb399f9f898465e9886d5aec7f31090a0fb30");
const WRITER: (&str, &str) = ("writer", "b93006774cbdd4b299389a03ac3d88c3a76b460d538795bc12718011a909fba5");

fn tokens() -> String {
    format!(
        "[[server.token]]\nhash = \"sha256:{}\"\n[[server.token]]\nhash = \"sha256:{}\"\nscope = \"write\"\n\
        projects = [\"default\", \"other\"]\n",
        READER.1, WRITER.1
    )
}

#[test]
fn tokens_reach_as_far_as_they_say() {
    let (service, folder) = (Service::start(Duration::ZERO), tempfile::tempdir().unwrap());
    configure(folder.path(), &service, &tokens());
    write_documents(folder.path(), 1, 0);
    let server = Server::start(folder.path());
    let call = |method: &str, path: &str, token: &str, body: &[u8]| {
        let bearer = format!("Bearer {token}");
        let headers = [("Authorization", &*bearer), ("Content-Type", "application/json")];
        send(&server.address, method, path, &headers, body).status
    };
    assert_eq!(server.get("/healthz").status, 200);
    let unknown = server.get("/v1/jobs");
    assert_eq!((unknown.status, unknown.header("www-authenticate")), (401, Some("Bearer")));
    assert_eq!(call("GET", "/v1/jobs", "guess", b""), 401);
    assert_eq!(call("GET", "/v1/jobs", READER.0, b""), 200);
    assert_eq!(call("POST", "/v1/jobs", READER.0, b"{}"), 403);
    let bearer = format!("Bearer {}", WRITER.0);
    let headers = [("Authorization", &*bearer), ("Content-Type", "application/json")];
    let asked = send(&server.address, "POST", "/v1/jobs", &headers, b"{}");
    assert_eq!(asked.status, 202);
    let ended = format!("/v1/jobs/{}?wait=30s", asked.json()["id"].as_str().unwrap());
    assert_eq!(send(&server.address, "GET", &ended, &headers, b"").json()["status"], "succeeded");
    assert_eq!(call("POST", "/v1/jobs", WRITER.0, b"{\"project\":\"other\"}"), 202);
    assert_eq!(call("POST", "/v1/jobs", WRITER.0, b"{\"project\":\"third\"}"), 404);
    assert_eq!(call("GET", "/metrics", WRITER.0, b""), 403);
    // A page leads to where a token can be given.
    let page = server.get("/");
    assert_eq!((page.status, page.header("location")), (303, Some("/login")));
    // With `no-referrer` a browser calls the `Origin` of a form `null` (Fetch, 3.2): nobody could log in.
    assert_eq!(server.get("/login").header("referrer-policy"), Some("same-origin"));
    assert_eq!(send(&server.address, "POST", "/login", &[], b"token=guess").status, 401);
    let given = send(&server.address, "POST", "/login", &[], format!("token={}", READER.0).as_bytes());
    let cookie = given.header("set-cookie").unwrap();
    assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"), "{cookie}");
    let cookie = cookie.split(';').next().unwrap();
    assert_eq!(send(&server.address, "GET", "/", &[("Cookie", cookie)], b"").status, 200);
}

/// A browser sends the cookie to this name whatever the port, so a page of another program on the same machine could act with it.
#[test]
fn a_cookie_serves_pages_of_the_server_alone() {
    let (service, folder) = (Service::start(Duration::ZERO), tempfile::tempdir().unwrap());
    configure(folder.path(), &service, &tokens());
    let server = Server::start(folder.path());
    let cookie = format!("gristmill_token={}", WRITER.0);
    let own = format!("http://{}", server.address);
    let call = |path: &str, origin: Option<&str>, body: &[u8]| {
        let mut headers = vec![("Cookie", &*cookie), ("Content-Type", "application/json")];
        headers.extend(origin.map(|origin| ("Origin", origin)));
        send(&server.address, "POST", path, &headers, body)
    };
    for foreign in ["http://127.0.0.1:1", "http://localhost", "https://docs.example", "null"] {
        let refused = call("/v1/jobs", Some(foreign), b"{}");
        assert_eq!((refused.status, &refused.json()["code"]), (403, &json!("foreign-origin")), "{foreign}");
        assert_eq!(call("/logout", Some(foreign), b"").status, 403, "{foreign}");
        assert_eq!(call("/login", Some(foreign), b"token=reader").status, 403, "{foreign}");
    }
    assert_eq!(call("/v1/jobs", Some(&own), b"{}").status, 202);
    assert_eq!(call("/v1/jobs", None, b"{}").status, 202);
    // Who shows a token of its own is no browser that was led astray.
    let bearer = format!("Bearer {}", WRITER.0);
    let headers = [("Authorization", &*bearer), ("Origin", "http://127.0.0.1:1"), ("Content-Type", "application/json")];
    assert_eq!(send(&server.address, "POST", "/v1/jobs", &headers, b"{}").status, 202);
    // Behind a proxy that speaks TLS the cookie never goes out in the clear.
    let tls = format!("https://{}", server.address);
    let given = call("/login", Some(&tls), b"token=reader");
    assert!(given.header("set-cookie").unwrap().ends_with("; Secure"), "{:?}", given.header("set-cookie"));
    let plain = call("/login", Some(&own), b"token=reader");
    assert!(!plain.header("set-cookie").unwrap().contains("Secure"));
    let out = call("/logout", Some(&own), b"");
    assert_eq!((out.status, out.header("location")), (303, Some("/login")));
    assert!(
        out.header("set-cookie").unwrap().starts_with("gristmill_token=; ")
            && out.header("set-cookie").unwrap().contains("Max-Age=0")
    );
}

/// The folder of documents that are sent is one for all projects.
#[test]
fn nobody_sends_documents_to_another_project() {
    let (service, folder) = (Service::start(Duration::ZERO), tempfile::tempdir().unwrap());
    configure(folder.path(), &service, &format!("push = \"docs\"\n{}", tokens()));
    write_documents(folder.path(), 1, 0);
    let server = Server::start(folder.path());
    let bearer = format!("Bearer {}", WRITER.0);
    let headers = [("Authorization", &*bearer)];
    for method in ["PUT", "DELETE"] {
        let refused = send(&server.address, method, "/v1/documents/0.md?project=other", &headers, b"# Mine\n");
        assert_eq!((refused.status, &refused.json()["code"]), (403, &json!("other-project")), "{method}");
    }
    assert!(!std::fs::read_to_string(folder.path().join("docs/0.md")).unwrap().contains("Mine"));
    assert_eq!(send(&server.address, "PUT", "/v1/documents/1.md", &headers, b"# Mine\n").status, 202);
}

#[test]
fn a_secret_that_is_named_must_be_there() {
    let (service, folder) = (Service::start(Duration::ZERO), tempfile::tempdir().unwrap());
    configure(folder.path(), &service, "");
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_gristmill"));
    let out = command.current_dir(folder.path()).arg("serve").env("KEY", "x").env_remove("HOOK").output().unwrap();
    let told = String::from_utf8_lossy(&out.stderr);
    assert_eq!(out.status.code(), Some(2), "{told}");
    assert!(told.contains("webhook") && told.contains("HOOK"), "{told}");
}

#[test]
fn without_tokens_only_this_machine_is_let_in() {
    let (service, folder) = (Service::start(Duration::ZERO), tempfile::tempdir().unwrap());
    configure(folder.path(), &service, "");
    let server = Server::start(folder.path());
    let with = |headers: &[(&str, &str)]| send(&server.address, "GET", "/v1/jobs", headers, b"").status;
    assert_eq!(with(&[("Host", "rebound.example")]), 403);
    assert_eq!(with(&[("Origin", "http://evil.example")]), 403);
    assert_eq!(with(&[("Host", "localhost")]), 200);
    // A page of another site can send plain text without asking first: it is not taken for JSON.
    assert_eq!(send(&server.address, "POST", "/v1/jobs", &[("Content-Type", "text/plain")], b"{}").status, 415);
    drop(server);
    configure(folder.path(), &service, "bind = \"0.0.0.0:0\"\n");
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_gristmill"));
    let out = command.current_dir(folder.path()).arg("serve").env("HOOK", "x").env("KEY", "x").output().unwrap();
    assert_eq!(out.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&out.stderr).contains("open to other machines"));
}

#[test]
fn secrets_are_shown_nowhere() {
    let (service, folder) = (Service::start(Duration::ZERO), tempfile::tempdir().unwrap());
    configure(folder.path(), &service, "");
    write_documents(folder.path(), 1, 0);
    let server = Server::start(folder.path());
    let asked = json!({ "callback_url": "http://nowhere.invalid/hook?key=callback-secret" });
    let id = server.ingest(&asked);
    server.ended(&id);
    for path in ["/", "/jobs", "/findings", "/docs", "/metrics", "/openapi.json", "/v1/jobs", &format!("/jobs/{id}")] {
        let answer = server.get(path);
        assert_eq!(answer.status, 200, "{path}: {}", answer.text());
        for secret in ["k-secret", "case-secret", "callback-secret"] {
            assert!(!answer.text().contains(secret), "{path} shows {secret}");
        }
    }
}

#[test]
fn pages_show_markup_of_documents_as_text() {
    let (service, folder) = (Service::start(Duration::ZERO), tempfile::tempdir().unwrap());
    configure(folder.path(), &service, "");
    let evil = "# <img src=x onerror=alert(1)>\n\n<script>alert(1)</script> [a](javascript:alert(1))\n";
    std::fs::write(folder.path().join("docs/evil \"><script>.md"), evil).unwrap();
    let server = Server::start(folder.path());
    server.ended(&server.ingest(&nothing()));
    let name = "evil%20%22%3E%3Cscript%3E.md";
    for path in [
        "/",
        &format!("/document?source={name}"),
        &format!("/try?source={name}"),
        "/search?q=alert&by=bm25",
        "/findings",
    ] {
        let answer = server.get(path);
        assert_eq!(answer.status, 200, "{path}: {}", answer.text());
        let text = answer.text();
        assert!(!text.contains("<script>") && !text.contains("<img"), "{path}");
        let policy = answer.header("content-security-policy").unwrap();
        assert!(policy.contains("default-src 'none'") && policy.contains("script-src 'self';"), "{policy}");
    }
}

#[test]
fn too_much_is_refused() {
    let (service, folder) = (Service::start(Duration::ZERO), tempfile::tempdir().unwrap());
    configure(folder.path(), &service, "max_body_mb = 1\n");
    let server = Server::start(folder.path());
    let large = vec![b'x'; (1 << 20) + 1];
    let answer = send(&server.address, "POST", "/v1/scan", &[("Content-Type", "application/json")], &large);
    assert_eq!((answer.status, answer.json()["code"].as_str()), (413, Some("too-large")));
    assert_eq!(answer.header("content-type"), Some("application/problem+json"));
    let deep = format!("{}{}", "[".repeat(200_000), "]".repeat(200_000));
    let answer = send(&server.address, "POST", "/v1/scan", &[("Content-Type", "application/json")], deep.as_bytes());
    assert_eq!(answer.status, 400);
    assert_eq!(server.get("/healthz").status, 200);
}

#[test]
fn half_sent_bodies_of_strangers_keep_nobody_out() {
    use std::io::Write as _;
    let (service, folder) = (Service::start(Duration::ZERO), tempfile::tempdir().unwrap());
    configure(folder.path(), &service, &format!("max_requests = 4\n{}", tokens()));
    let server = Server::start(folder.path());
    let half = |_| {
        let mut stream = std::net::TcpStream::connect(&server.address).unwrap();
        let head =
            format!("POST /v1/webhooks/github HTTP/1.1\r\nHost: {}\r\nContent-Length: 100\r\n\r\n{{", server.address);
        stream.write_all(head.as_bytes()).unwrap();
        stream
    };
    let held: Vec<_> = (0..8).map(half).collect();
    // Strangers are told to come later once the bodies above are waited for.
    let told = (0..200).any(|_| {
        std::thread::sleep(Duration::from_millis(20));
        send(&server.address, "POST", "/v1/webhooks/github", &[], b"{}").status == 503
    });
    assert!(told);
    assert_eq!(server.get("/healthz").status, 200);
    let bearer = format!("Bearer {}", READER.0);
    assert_eq!(send(&server.address, "GET", "/v1/jobs", &[("Authorization", &bearer)], b"").status, 200);
    drop(held);
}

#[test]
fn a_callback_to_a_private_address_is_not_made() {
    use std::net::TcpListener;
    let (service, folder) = (Service::start(Duration::ZERO), tempfile::tempdir().unwrap());
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/done", listener.local_addr().unwrap());
    configure(folder.path(), &service, "");
    write_documents(folder.path(), 1, 0);
    let server = Server::start(folder.path());
    for private in [url.as_str(), "http://localhost:1/", "http://[::1]/", "https://10.1.2.3/"] {
        let refused = server.post("/v1/jobs", &json!({ "callback_url": private }));
        assert_eq!(refused.status, 422, "{private}: {}", refused.text());
        assert!(refused.text().contains("allow_private_callbacks"), "{}", refused.text());
    }
    drop(server);
    configure(folder.path(), &service, "allow_private_callbacks = true\n");
    let server = Server::start(folder.path());
    server.ended(&server.ingest(&json!({ "callback_url": url })));
    let (mut stream, _) = listener.accept().unwrap();
    let mut said = [0; 64];
    std::io::Read::read_exact(&mut stream, &mut said[..15]).unwrap();
    assert_eq!(&said[..15], b"POST /done HTTP");
}
