//! Measures the a-tree crate with the selectors and messages of one workload of `tests/rows`.
//!
//! Usage: a-tree-anchor FILE COMPARED BUILD_SECONDS SECONDS
//!
//! FILE has three parts with an empty line between them: attributes (`s NAME`, `i NAME` or
//! `b NAME` for string, integer and boolean), selectors in the crate's language, and messages
//! (`NAME=VALUE`, separated by tabs). Prints the numbers of the selectors that are true for each of
//! the first COMPARED messages, a line each, and then the nanoseconds that a message takes; or
//! `late` if adding the selectors takes more than BUILD_SECONDS.

use a_tree::{ATree, AttributeDefinition, Event};
use std::collections::HashMap;
use std::hint::black_box;
use std::time::{Duration, Instant};
use std::{env, fs};

fn main() {
    let arguments: Vec<String> = env::args().collect();
    let text = fs::read_to_string(&arguments[1]).expect("the file can be read");
    let compared: usize = arguments[2].parse().expect("a number of messages");
    let build_limit = seconds(&arguments[3]);
    let measured = seconds(&arguments[4]);
    let mut parts = text.split("\n\n");
    let mut part = || parts.next().expect("a part of the file").lines();

    let types: HashMap<&str, u8> = part().map(|line| (&line[2..], line.as_bytes()[0])).collect();
    let Some(tree) = tree(&types, part(), build_limit) else {
        println!("late");
        return;
    };
    let events: Vec<Event> = part().map(|line| event(&tree, &types, line)).collect();
    for event in events.iter().take(compared) {
        println!("{}", answer(&tree, event));
    }
    measure(&tree, &events, measured / 2);
    println!("{}", measure(&tree, &events, measured));
}

fn seconds(text: &str) -> Duration {
    Duration::from_secs(text.parse().expect("a number of seconds"))
}

fn tree<'a>(
    types: &HashMap<&str, u8>,
    selectors: impl Iterator<Item = &'a str>,
    limit: Duration,
) -> Option<ATree<u64>> {
    let definitions: Vec<AttributeDefinition> = types
        .iter()
        .map(|(name, kind)| match kind {
            b's' => AttributeDefinition::string(name),
            b'i' => AttributeDefinition::integer(name),
            _ => AttributeDefinition::boolean(name),
        })
        .collect();
    let mut tree = ATree::new(&definitions).expect("attributes of different names");
    let start = Instant::now();
    for (number, selector) in (0u64..).zip(selectors) {
        tree.insert(&number, selector).expect("a selector of the crate's language");
        if start.elapsed() > limit {
            return None;
        }
    }
    Some(tree)
}

fn event(tree: &ATree<u64>, types: &HashMap<&str, u8>, line: &str) -> Event {
    let mut builder = tree.make_event();
    for field in line.split('\t').filter(|field| !field.is_empty()) {
        let (name, value) = field.split_once('=').expect("NAME=VALUE");
        match types[name] {
            b's' => builder.with_string(name, value),
            b'i' => builder.with_integer(name, value.parse().expect("an integer")),
            _ => builder.with_boolean(name, value == "true"),
        }
        .expect("a value of the attribute's type");
    }
    builder.build().expect("a message")
}

fn answer(tree: &ATree<u64>, event: &Event) -> String {
    let report = tree.search(event).expect("an answer");
    let mut numbers: Vec<u64> = report.matches().iter().map(|number| **number).collect();
    numbers.sort_unstable();
    numbers.iter().map(u64::to_string).collect::<Vec<_>>().join(" ")
}

/// Nanoseconds per message.
fn measure(tree: &ATree<u64>, events: &[Event], duration: Duration) -> u64 {
    let start = Instant::now();
    let mut messages = 0;
    for event in events.iter().cycle() {
        black_box(tree.search(event).expect("an answer").matches().len());
        messages += 1;
        if start.elapsed() > duration {
            break;
        }
    }
    (start.elapsed().as_nanos() / messages) as u64
}
