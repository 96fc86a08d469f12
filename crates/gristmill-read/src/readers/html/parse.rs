//! From HTML to a tree, as browsers do it, in time and memory that grow with the page only.

use std::borrow::Cow;
use std::cell::{Cell, Ref, RefCell};
use std::fmt;

use html5ever::interface::{ElementFlags, NodeOrText, QuirksMode, TreeSink};
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{BufferQueue, Tag, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer};
use html5ever::tree_builder::{ElemName, TreeBuilder, TreeBuilderOpts};
use html5ever::{Attribute, LocalName, Namespace, QualName, local_name, ns};

use super::tags;
use super::tree::{Element, Id, Kind, ROOT, Tree};

/// A page, and what had to be left out of account to read it.
pub(super) struct Parsed {
    pub(super) tree: Tree,
    /// Tags that were passed over because elements were nested too deep or marks overlapped too often.
    pub(super) passed_over: usize,
}

/// Parses a page or a part of one.
pub(super) fn parse(html: &str) -> Parsed {
    let mut tree = Tree::default();
    tree.add(Kind::Document);
    let sink = Sink { tree: RefCell::new(tree), depth: Cell::new(0) };
    let options = TreeBuilderOpts { drop_doctype: true, ..TreeBuilderOpts::default() };
    let guard = Guard { builder: TreeBuilder::new(sink, options), started: Cell::new(0), passed_over: Cell::new(0) };
    let input = BufferQueue::default();
    input.push_back(tags::prepared(html));
    let tokenizer = Tokenizer::new(guard, Default::default());
    // The tokenizer stops after each script, for browsers to run it.
    while !input.is_empty() {
        let _ = tokenizer.feed(&input);
    }
    tokenizer.end();
    let guard = tokenizer.sink;
    Parsed { passed_over: guard.passed_over.get(), tree: guard.builder.sink.tree.into_inner() }
}

/// Elements nested deeper than this are read as if their tags were not there, as browsers do too.
const DEPTH: u32 = 200;

/// Elements that end tags left open are opened again in every block: a page of which most is made so is hostile.
const REOPENED: usize = 16;

/// Stands before the tree builder and keeps from it what would cost more than linear time.
struct Guard {
    builder: TreeBuilder<Id, Sink>,
    started: Cell<usize>,
    passed_over: Cell<usize>,
}

impl Guard {
    /// True when a start tag is to be passed over.
    fn refuses(&self, tag: &Tag) -> bool {
        self.started.set(self.started.get() + 1);
        let sink = &self.builder.sink;
        let deep = sink.depth.get() > DEPTH;
        let tangled = sink.tree.borrow().nodes.len() > self.started.get() * REOPENED + 10_000;
        (deep || tangled) && !tags::is_raw(&tag.name)
    }
}

impl TokenSink for Guard {
    type Handle = Id;

    fn process_token(&self, token: Token, line: u64) -> TokenSinkResult<Id> {
        let token = match token {
            Token::TagToken(mut tag) => {
                if tag.kind == TagKind::StartTag && self.refuses(&tag) {
                    self.passed_over.set(self.passed_over.get() + 1);
                    return TokenSinkResult::Continue;
                }
                simplify(&mut tag);
                Token::TagToken(tag)
            }
            Token::CommentToken(_) => return TokenSinkResult::Continue,
            other => other,
        };
        self.builder.process_token(token, line)
    }

    fn end(&self) {
        self.builder.end();
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&self) -> bool {
        self.builder.adjusted_current_node_present_but_not_in_html_namespace()
    }
}

/// Marks that differ in their attributes pile up in the list of what is opened again in every block; none of the
/// attributes is of interest, and of those that only change the look not even the mark.
fn simplify(tag: &mut Tag) {
    match tag.name {
        local_name!("font") | local_name!("u") | local_name!("big") | local_name!("small") | local_name!("nobr") => {
            tag.name = local_name!("span");
        }
        local_name!("b")
        | local_name!("em")
        | local_name!("i")
        | local_name!("s")
        | local_name!("strike")
        | local_name!("strong")
        | local_name!("tt") => tag.attrs.clear(),
        local_name!("code") => tag.attrs.retain(|a| matches!(&*a.name.local, "class" | "data-lang")),
        _ => {}
    }
}

/// Receives the tree.
struct Sink {
    tree: RefCell<Tree>,
    /// Depth at which nodes are being added.
    depth: Cell<u32>,
}

/// The name of an element in the tree.
struct Name<'a>(Ref<'a, QualName>);

impl fmt::Debug for Name<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl ElemName for Name<'_> {
    fn ns(&self) -> &Namespace {
        &self.0.ns
    }

    fn local_name(&self) -> &LocalName {
        &self.0.local
    }
}

/// What is asked of a node that is no element.
static NO_NAME: QualName = QualName { prefix: None, ns: ns!(), local: local_name!("") };

impl Sink {
    /// Texts of scripts and styles are of no use, but for what describes the page or is a formula.
    fn wants_text(tree: &Tree, parent: Id) -> bool {
        match tree.tag(parent) {
            local_name!("style") => false,
            local_name!("script") => tree
                .attribute(parent, &local_name!("type"))
                .is_some_and(|kind| kind.starts_with("application/ld+json") || kind.starts_with("math/tex")),
            _ => true,
        }
    }

    /// Adds text to the text node `last`, or makes one.
    fn grow(tree: &mut Tree, last: Option<Id>, text: StrTendril) -> Option<Id> {
        if let Some(Kind::Text(before)) = last.map(|last| &mut tree.node_mut(last).kind) {
            before.push_tendril(&text);
            return None;
        }
        Some(tree.add(Kind::Text(text)))
    }
}

impl TreeSink for Sink {
    type Handle = Id;
    type Output = Self;
    type ElemName<'a> = Name<'a>;

    fn finish(self) -> Self {
        self
    }

    fn parse_error(&self, _: Cow<'static, str>) {}

    fn get_document(&self) -> Id {
        ROOT
    }

    fn elem_name(&self, target: &Id) -> Name<'_> {
        Name(Ref::map(self.tree.borrow(), |tree| tree.element(*target).map_or(&NO_NAME, |element| &element.name)))
    }

    fn create_element(&self, name: QualName, attributes: Vec<Attribute>, flags: ElementFlags) -> Id {
        let integration = flags.mathml_annotation_xml_integration_point;
        self.tree.borrow_mut().add(Kind::Element(Element { name, attributes, integration }))
    }

    fn create_comment(&self, _: StrTendril) -> Id {
        self.tree.borrow_mut().add(Kind::Nothing)
    }

    fn create_pi(&self, _: StrTendril, _: StrTendril) -> Id {
        self.tree.borrow_mut().add(Kind::Nothing)
    }

    fn append(&self, parent: &Id, child: NodeOrText<Id>) {
        let tree = &mut *self.tree.borrow_mut();
        self.depth.set(tree.node(*parent).depth);
        let child = match child {
            NodeOrText::AppendNode(node) => {
                self.depth.set(self.depth.get() + 1);
                Some(node)
            }
            NodeOrText::AppendText(text) if Self::wants_text(tree, *parent) => {
                Self::grow(tree, tree.last(*parent), text)
            }
            NodeOrText::AppendText(_) => None,
        };
        if let Some(child) = child {
            tree.append(*parent, child);
        }
    }

    fn append_based_on_parent_node(&self, element: &Id, before: &Id, child: NodeOrText<Id>) {
        let placed = self.tree.borrow().parent(*element).is_some();
        if placed {
            self.append_before_sibling(element, child);
        } else {
            self.append(before, child);
        }
    }

    fn append_before_sibling(&self, sibling: &Id, child: NodeOrText<Id>) {
        let tree = &mut *self.tree.borrow_mut();
        let child = match child {
            NodeOrText::AppendNode(node) => {
                tree.detach(node);
                Some(node)
            }
            NodeOrText::AppendText(text) => Self::grow(tree, tree.before(*sibling), text),
        };
        if let Some(child) = child {
            tree.insert_before(*sibling, child);
        }
    }

    fn append_doctype_to_document(&self, _: StrTendril, _: StrTendril, _: StrTendril) {}

    fn pop(&self, node: &Id) {
        self.depth.set(self.tree.borrow().node(*node).depth.saturating_sub(1));
    }

    /// The contents of a template stay in it.
    fn get_template_contents(&self, target: &Id) -> Id {
        *target
    }

    fn same_node(&self, x: &Id, y: &Id) -> bool {
        x == y
    }

    fn set_quirks_mode(&self, _: QuirksMode) {}

    fn add_attrs_if_missing(&self, target: &Id, attributes: Vec<Attribute>) {
        let tree = &mut *self.tree.borrow_mut();
        if let Kind::Element(element) = &mut tree.node_mut(*target).kind {
            let new = |a: &Attribute| !element.attributes.iter().any(|had| had.name == a.name);
            let missing: Vec<Attribute> = attributes.into_iter().filter(new).collect();
            element.attributes.extend(missing);
        }
    }

    fn remove_from_parent(&self, target: &Id) {
        self.tree.borrow_mut().detach(*target);
    }

    fn reparent_children(&self, node: &Id, parent: &Id) {
        let tree = &mut *self.tree.borrow_mut();
        while let Some(child) = tree.first(*node) {
            tree.detach(child);
            tree.append(*parent, child);
        }
    }

    fn is_mathml_annotation_xml_integration_point(&self, target: &Id) -> bool {
        self.tree.borrow().element(*target).is_some_and(|element| element.integration)
    }
}
