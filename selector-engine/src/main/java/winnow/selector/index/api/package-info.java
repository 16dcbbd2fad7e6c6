/// Types that an index and those who use it exchange: [SubscriberHandle] for a subscriber,
/// [MatchSink] for its matches, [MatchPause] for a match that stops now and then, [SelectorReport]
/// and [KeyKind] for people. The bottom of the index: its parts know no other package above them.
@NullMarked
package winnow.selector.index.api;

import org.jspecify.annotations.NullMarked;
