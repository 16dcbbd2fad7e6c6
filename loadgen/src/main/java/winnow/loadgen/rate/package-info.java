/// Open loop: messages are due at their times, whatever became of those before, and are timed from
/// these times on, so that a message that had to wait for another counts the wait (no coordinated
/// omission).
///
/// [RateRun] connects the publishers and subscribers of a [RateLoad], sends at a rate or, to find
/// out the capacity, as fast as the broker takes it, and makes a [RateResult]. [KneeSearch] finds
/// the highest rate with a latency that is low enough.
///
/// ```
/// SendTimes -> Turns -> RatePublisher --- due time in the body ---> broker ---> RateSubscriber
/// ```
@NullMarked
package winnow.loadgen.rate;

import org.jspecify.annotations.NullMarked;
