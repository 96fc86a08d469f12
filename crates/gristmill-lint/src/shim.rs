pub struct Overlap {
    pub left: usize,
    pub right: usize,
}
pub fn overlap(_: &str, _: &str) -> Option<Overlap> {
    None
}
#[derive(Clone, Debug)]
pub struct Sketch;
impl Sketch {
    pub fn of(_: &str) -> Self {
        Self
    }
}
