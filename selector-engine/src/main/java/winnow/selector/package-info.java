/// Selectors for programs of any kind: which messages does somebody want? Knows no broker.
///
/// [Selectors] is the entrance: a [CompiledSelector] for one message, a [SubscriberIndex] for many
/// selectors, a [PropertySource] for messages of the caller's own type. Any thread. The module
/// exports this package and [winnow.selector.error] to all; the others are the engine.
///
/// ```
/// text -> parse, check (diagnose) -> expression -> simplify -> compile ----> engine: Matcher
///                                                     |           |             ^
///                                                     |         slot: Slots -> SlotValues
///                                                     v                         v
///                                                   index: all selectors of a topic -> matches
/// ```
@NullMarked
package winnow.selector;

import org.jspecify.annotations.NullMarked;
