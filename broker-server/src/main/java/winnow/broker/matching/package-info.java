/// Part of a message that selectors see, and the sets of subscriptions that are tested for it: by
/// the index in [IndexedSubscriptions], one by one in [LinearSubscriptions].
@NullMarked
package winnow.broker.matching;

import org.jspecify.annotations.NullMarked;
