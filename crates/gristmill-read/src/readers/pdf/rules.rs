//! What a page draws besides text: straight lines along its axes, which are rules of tables, and pictures.

use unpdf::parser::backend::{
    ContentOp, FormXObject, ObjectId, PageId, PaintedXObject, PdfBackend, PdfValue, ResourceScope,
};

use super::guard::Guard;
use super::page::{Matrix, Placed, Rule};

/// How thick a filled shape or a pen may be and still draw a rule, in points.
const THICK: f32 = 3.0;
/// How far a rule may lean, in points.
const LEAN: f32 = 0.75;
/// Shorter lines are no rules, in points.
const SHORT: f32 = 4.0;
/// A page with more lines than this is a drawing.
const MOST: usize = 20_000;
/// Forms inside forms.
const DEPTH: usize = 16;
/// States of the graphics that may be open.
const STATES: usize = 512;

/// Pictures of one page.
const MOST_PICTURES: usize = 256;
/// The longer side of the smallest picture that is kept, in points.
const SMALL: f32 = 24.0;

/// All rules and pictures of a page, in the order of drawing. No rules at all when the page is a drawing of very many lines.
pub(super) fn drawn(guard: &Guard, page: PageId) -> (Vec<Rule>, Vec<Placed>) {
    let nothing = (Vec::new(), Vec::new());
    let Ok(content) = guard.page_content(page) else { return nothing };
    let Ok(operations) = guard.decode_content(&content) else { return nothing };
    let mut walk = Walk {
        guard,
        page,
        state: State::default(),
        stack: Vec::new(),
        path: Path::default(),
        rules: Vec::new(),
        pictures: Vec::new(),
    };
    walk.paint(&operations, None, 0);
    if walk.rules.len() > MOST {
        walk.rules.clear();
    }
    (walk.rules, walk.pictures)
}

#[derive(Clone, Copy)]
struct State {
    matrix: Matrix,
    pen: f32,
}

impl Default for State {
    fn default() -> Self {
        Self { matrix: [1.0, 0.0, 0.0, 1.0, 0.0, 0.0], pen: 1.0 }
    }
}

#[derive(Default)]
struct Path {
    lines: Vec<[f32; 4]>,
    boxes: Vec<[f32; 4]>,
    at: (f32, f32),
    start: (f32, f32),
}

struct Walk<'a> {
    guard: &'a Guard,
    page: PageId,
    state: State,
    stack: Vec<State>,
    path: Path,
    rules: Vec<Rule>,
    pictures: Vec<Placed>,
}

impl Walk<'_> {
    fn paint(&mut self, operations: &[ContentOp], form: Option<ObjectId>, depth: usize) {
        for operation in operations {
            if self.rules.len() > MOST {
                return;
            }
            if operation.operator == "Do" {
                self.paint_form(operation, form, depth);
            } else {
                self.operate(operation);
            }
        }
    }

    fn paint_form(&mut self, operation: &ContentOp, form: Option<ObjectId>, depth: usize) {
        let Some(PdfValue::Name(name)) = operation.operands.first() else { return };
        if depth >= DEPTH {
            return;
        }
        let scope = ResourceScope { page: self.page, form };
        match self.guard.xobject(scope, name) {
            Some(PaintedXObject::Form(inner)) => self.paint_inside(&inner, depth),
            Some(PaintedXObject::Image) => self.add_picture(name, form),
            _ => {}
        }
    }

    fn add_picture(&mut self, name: &[u8], form: Option<ObjectId>) {
        let matrix = self.state.matrix;
        let sides = [matrix[0].hypot(matrix[1]), matrix[2].hypot(matrix[3])];
        let fits = matrix.iter().all(|n| n.is_finite()) && sides.iter().any(|side| *side >= SMALL);
        if fits && self.pictures.len() < MOST_PICTURES {
            self.pictures.push(Placed { name: name.to_owned(), form, matrix });
        }
    }

    fn paint_inside(&mut self, form: &FormXObject, depth: usize) {
        let content = form.content.as_deref();
        let Some(operations) = content.and_then(|data| self.guard.decode_content(data).ok()) else { return };
        let (state, height) = (self.state, self.stack.len());
        self.state.matrix = times(&form.matrix, &state.matrix);
        self.paint(&operations, Some(form.id), depth + 1);
        self.stack.truncate(height);
        self.state = state;
    }

    fn operate(&mut self, operation: &ContentOp) {
        let n = numbers(operation);
        match operation.operator.as_str() {
            "q" if self.stack.len() < STATES => self.stack.push(self.state),
            "Q" => self.state = self.stack.pop().unwrap_or(self.state),
            "cm" => self.state.matrix = times(&n, &self.state.matrix),
            "w" => self.state.pen = n[0].abs(),
            "m" => {
                self.path.at = self.place(n[0], n[1]);
                self.path.start = self.path.at;
            }
            "l" => self.line_to(self.place(n[0], n[1])),
            "c" => self.path.at = self.place(n[4], n[5]),
            "v" | "y" => self.path.at = self.place(n[2], n[3]),
            "h" => self.line_to(self.path.start),
            "re" => self.rectangle(&n),
            "S" | "s" | "B" | "B*" | "b" | "b*" => self.stroke(),
            "f" | "F" | "f*" => self.fill(),
            "n" => self.path = Path::default(),
            _ => {}
        }
    }

    fn place(&self, x: f32, y: f32) -> (f32, f32) {
        let m = &self.state.matrix;
        (m[0] * x + m[2] * y + m[4], m[1] * x + m[3] * y + m[5])
    }

    fn line_to(&mut self, to: (f32, f32)) {
        let from = self.path.at;
        self.path.lines.push([from.0, from.1, to.0, to.1]);
        self.path.at = to;
    }

    fn rectangle(&mut self, n: &Matrix) {
        let (a, b) = (self.place(n[0], n[1]), self.place(n[0] + n[2], n[1] + n[3]));
        self.path.boxes.push([a.0.min(b.0), a.1.min(b.1), a.0.max(b.0), a.1.max(b.1)]);
        (self.path.at, self.path.start) = (a, a);
    }

    fn stroke(&mut self) {
        let path = std::mem::take(&mut self.path);
        let m = &self.state.matrix;
        if self.state.pen * (m[0] * m[3] - m[1] * m[2]).abs().sqrt() > THICK {
            return;
        }
        for [x0, y0, x1, y1] in path.boxes {
            if !self.add_thin([x0, y0, x1, y1]) {
                for line in [[x0, y0, x1, y0], [x0, y1, x1, y1], [x0, y0, x0, y1], [x1, y0, x1, y1]] {
                    self.add(line);
                }
            }
        }
        path.lines.into_iter().for_each(|line| self.add(line));
    }

    /// Filled shapes are rules when they are thin. Three or four sides in a row are taken as their box.
    fn fill(&mut self) {
        let path = std::mem::take(&mut self.path);
        for shape in path.boxes {
            self.add_thin(shape);
        }
        for sides in path.lines.chunks(4).filter(|sides| sides.len() >= 3) {
            let around = sides.iter().fold([f32::MAX, f32::MAX, f32::MIN, f32::MIN], |b, [x0, y0, x1, y1]| {
                [b[0].min(x0.min(*x1)), b[1].min(y0.min(*y1)), b[2].max(x0.max(*x1)), b[3].max(y0.max(*y1))]
            });
            self.add_thin(around);
        }
    }

    /// Adds the middle line of a thin box.
    fn add_thin(&mut self, [x0, y0, x1, y1]: [f32; 4]) -> bool {
        let (wide, high) = (x1 - x0, y1 - y0);
        if high <= THICK && wide > high {
            self.add([x0, (y0 + y1) / 2.0, x1, (y0 + y1) / 2.0]);
        } else if wide <= THICK {
            self.add([(x0 + x1) / 2.0, y0, (x0 + x1) / 2.0, y1]);
        } else {
            return false;
        }
        true
    }

    fn add(&mut self, [x0, y0, x1, y1]: [f32; 4]) {
        let (wide, high) = ((x1 - x0).abs(), (y1 - y0).abs());
        if ![x0, y0, x1, y1].iter().all(|n| n.is_finite() && n.abs() < 1e5) {
            return;
        }
        if high <= LEAN && wide >= SHORT {
            self.rules.push(Rule { at: (y0 + y1) / 2.0, from: x0.min(x1), to: x0.max(x1), horizontal: true });
        } else if wide <= LEAN && high >= SHORT {
            self.rules.push(Rule { at: (x0 + x1) / 2.0, from: y0.min(y1), to: y0.max(y1), horizontal: false });
        }
    }
}

/// The first six operands; missing ones are 0.
fn numbers(operation: &ContentOp) -> Matrix {
    let mut out = [0.0; 6];
    for (slot, value) in out.iter_mut().zip(&operation.operands) {
        *slot = match value {
            PdfValue::Integer(n) => *n as f32,
            PdfValue::Real(n) => *n,
            _ => 0.0,
        };
    }
    out
}

fn times(a: &Matrix, b: &Matrix) -> Matrix {
    [
        a[0] * b[0] + a[1] * b[2],
        a[0] * b[1] + a[1] * b[3],
        a[2] * b[0] + a[3] * b[2],
        a[2] * b[1] + a[3] * b[3],
        a[4] * b[0] + a[5] * b[2] + b[4],
        a[4] * b[1] + a[5] * b[3] + b[5],
    ]
}
