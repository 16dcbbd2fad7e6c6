/// Selectors: which messages does a subscription want? A library of its own that knows no broker.
///
/// ```
/// text -> parse + check -> expression ----> compile (Selector.bind) -> Matcher
///                                              |                          ^
/// the selectors of one topic ------------> Slots -> SlotValues, one message's values
/// ```
///
/// Programs without a broker begin with [Selectors]. Reading order: [Selector], [Slots],
/// [SlotValues], [Matcher]. A topic has one [Slots], changed by its owner thread alone and read by
/// all; every event loop has one [SlotValues]; everything else is immutable. All other packages
/// here may use this one.
@NullMarked
package winnow.selector;

import org.jspecify.annotations.NullMarked;
