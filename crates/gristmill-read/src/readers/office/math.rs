//! Formulas of Office as LaTeX.

use crate::xml::Element;

/// The formula in an element.
pub(super) fn latex(element: Element<'_>) -> String {
    let mut out = String::new();
    inner(element, &mut out);
    out.trim().to_owned()
}

fn inner(element: Element<'_>, out: &mut String) {
    element.children().for_each(|child| part(child, out));
}

fn part(element: Element<'_>, out: &mut String) {
    let e = || of(element, "e");
    match element.name() {
        "r" => element.children().filter(|child| child.name() == "t").for_each(|text| literal(&text.text(), out)),
        "f" => wrap(out, "\\frac", &[of(element, "num"), of(element, "den")]),
        "sSup" | "sSub" | "sSubSup" => {
            let base = e();
            let single = base.chars().count() == 1;
            out.push_str(&if single { base } else { format!("{{{base}}}") });
            scripts(element, out);
        }
        "sPre" => {
            out.push_str("{}");
            scripts(element, out);
            wrap(out, "", &[e()]);
        }
        "rad" => radical(element, out),
        "nary" => {
            out.push_str(operator(property(element, "naryPr", "chr").unwrap_or("∫")));
            scripts(element, out);
            wrap(out, "", &[e()]);
        }
        "d" => delimited(element, out),
        "func" => wrap(out, &function(&of(element, "fName")), &[e()]),
        "limLow" => wrap(out, &format!("{}_", e()), &[of(element, "lim")]),
        "limUpp" => wrap(out, &format!("{}^", e()), &[of(element, "lim")]),
        "acc" => wrap(out, accent(property(element, "accPr", "chr")), &[e()]),
        "bar" => wrap(out, "\\overline", &[e()]),
        "m" => {
            let all: Vec<String> = element.children().filter(|row| row.name() == "mr").map(cells).collect();
            rows(&all, out);
        }
        "eqArr" => rows(&parts(element), out),
        name if name.ends_with("Pr") => {}
        _ => inner(element, out),
    }
}

/// The formula in the child of this name.
fn of(element: Element<'_>, name: &str) -> String {
    element.child(name).map(latex).unwrap_or_default()
}

/// The formulas in all children named `e`.
fn parts(element: Element<'_>) -> Vec<String> {
    element.children().filter(|child| child.name() == "e").map(latex).collect()
}

fn cells(row: Element<'_>) -> String {
    parts(row).join(" & ")
}

fn rows(rows: &[String], out: &mut String) {
    out.push_str(&format!("\\begin{{matrix}}{}\\end{{matrix}}", rows.join(" \\\\ ")));
}

fn wrap(out: &mut String, command: &str, parts: &[String]) {
    out.push_str(command);
    parts.iter().for_each(|part| out.push_str(&format!("{{{part}}}")));
}

fn scripts(element: Element<'_>, out: &mut String) {
    for (mark, name) in [('_', "sub"), ('^', "sup")] {
        let script = of(element, name);
        if !script.is_empty() {
            out.push_str(&format!("{mark}{{{script}}}"));
        }
    }
}

fn radical(element: Element<'_>, out: &mut String) {
    let degree = of(element, "deg");
    let command = if degree.is_empty() { "\\sqrt".to_owned() } else { format!("\\sqrt[{degree}]") };
    wrap(out, &command, &[of(element, "e")]);
}

fn operator(sign: &str) -> &str {
    match sign {
        "∑" => "\\sum",
        "∏" => "\\prod",
        "∫" => "\\int",
        "∬" => "\\iint",
        "∮" => "\\oint",
        "⋃" => "\\bigcup",
        "⋂" => "\\bigcap",
        other => other,
    }
}

fn delimited(element: Element<'_>, out: &mut String) {
    let side = |name: &str, usual: &'static str| match property(element, "dPr", name) {
        Some("{") => "\\{".to_owned(),
        Some("}") => "\\}".to_owned(),
        Some("") => ".".to_owned(),
        Some(sign) => sign.to_owned(),
        None => usual.to_owned(),
    };
    let between = property(element, "dPr", "sepChr").unwrap_or("|");
    let inside = parts(element).join(between);
    out.push_str(&format!("\\left{}{inside}\\right{}", side("begChr", "("), side("endChr", ")")));
}

fn function(name: &str) -> String {
    const KNOWN: [&str; 13] =
        ["arccos", "arcsin", "arctan", "cos", "det", "exp", "lim", "ln", "log", "max", "min", "sin", "tan"];
    let word = name.split('_').next().unwrap_or(name);
    if KNOWN.contains(&word) { format!("\\{name}") } else { name.to_owned() }
}

fn accent(sign: Option<&str>) -> &'static str {
    match sign {
        Some("\u{303}") => "\\tilde",
        Some("\u{304}" | "\u{305}" | "¯") => "\\bar",
        Some("\u{20d7}") => "\\vec",
        Some("\u{307}") => "\\dot",
        Some("\u{308}") => "\\ddot",
        _ => "\\hat",
    }
}

fn property<'x>(element: Element<'x>, properties: &str, name: &str) -> Option<&'x str> {
    element.path(&[properties, name])?.attr("val")
}

/// Characters that LaTeX takes for orders are escaped.
fn literal(text: &str, out: &mut String) {
    for c in text.chars() {
        if matches!(c, '%' | '#' | '&' | '$' | '_' | '{' | '}') {
            out.push('\\');
        }
        out.push(c);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::xml::Xml;

    #[test]
    fn formulas_become_latex() {
        let written = |inner: &str| latex(Xml::parse(format!("<oMath>{inner}</oMath>").as_bytes()).root());
        let in_e = |text: &str| format!("<e><r><t>{text}</t></r></e>");
        let fraction = "<f><fPr/><num><r><t>a</t></r></num><den><r><t>100%</t></r></den></f>";
        assert_eq!(written(fraction), "\\frac{a}{100\\%}");
        assert_eq!(written(&format!("<sSup>{}<sup><r><t>2</t></r></sup></sSup>", in_e("x"))), "x^{2}");
        let sum = "<nary><naryPr><chr val='∑'/></naryPr><sub><r><t>i=1</t></r></sub><sup><r><t>n</t></r></sup>";
        assert_eq!(written(&format!("{sum}{}</nary>", in_e("i"))), "\\sum_{i=1}^{n}{i}");
        assert_eq!(written(&format!("<rad><deg/>{}</rad>", in_e("2"))), "\\sqrt{2}");
        let braces = "<d><dPr><begChr val='{'/><endChr val=''/></dPr>";
        assert_eq!(written(&format!("{braces}{}</d>", in_e("x"))), "\\left\\{x\\right.");
        assert_eq!(written(&format!("<func><fName><r><t>sin</t></r></fName>{}</func>", in_e("x"))), "\\sin{x}");
        let matrix = format!("<m><mr>{}{}</mr><mr>{}</mr></m>", in_e("1"), in_e("2"), in_e("3"));
        assert_eq!(written(&matrix), "\\begin{matrix}1 & 2 \\\\ 3\\end{matrix}");
    }
}
