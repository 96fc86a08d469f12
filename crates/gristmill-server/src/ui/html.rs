//! The frame of every page.

pub use gristmill::format::html::Html;

/// Subjects of the pages, in the order of the keys 1 to 7.
const SUBJECTS: [(&str, &str); 7] = [
    ("/", "Documents"),
    ("/try", "Try settings"),
    ("/findings", "Findings"),
    ("/search", "Search"),
    ("/evaluation", "Evaluation"),
    ("/jobs", "Jobs"),
    ("/docs", "API"),
];

/// A whole page. `here` is the address of its subject; `with_token` where browsers keep a token, and may forget it.
pub fn page(here: &str, title: &str, with_token: bool, main: &Html) -> Html {
    let mut page = Html::new();
    page.push(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
        <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"><meta name=\"color-scheme\" content=\"light dark\">\
        <link rel=\"icon\" href=\"/favicon.svg\"><link rel=\"stylesheet\" href=\"/assets/overlay.css\">\
        <link rel=\"stylesheet\" href=\"/assets/style.css\"><script src=\"/assets/overlay.js\" defer></script>\
        <script src=\"/assets/app.js\" defer></script><title>",
    );
    page.text(title).push(" · gristmill</title></head><body><a class=\"skip\" href=\"#main\">Skip to content</a>");
    page.push("<header><a class=\"brand\" href=\"/\">gristmill</a><nav aria-label=\"Pages\"><ul>");
    for (address, name) in SUBJECTS {
        page.push("<li><a").attribute("href", address);
        if address == here {
            page.push(" aria-current=\"page\"");
        }
        page.push(">").text(name).push("</a></li>");
    }
    page.push("</ul></nav>");
    if with_token && here != "/login" {
        page.push("<form method=\"post\" action=\"/logout\"><button>Log out</button></form>");
    }
    page.push("</header><main id=\"main\" tabindex=\"-1\">").html(main).push("</main></body></html>\n");
    page
}
