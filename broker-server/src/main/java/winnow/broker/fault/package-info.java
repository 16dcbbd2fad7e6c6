/// Failures of the broker's own: which end the process, and how all others stay where they belong.
///
/// [FaultBarrier] is what callbacks of event loops run behind: it closes what a failed callback
/// belongs to, its [FaultOwner], counts and logs. [FatalErrors] are those that no process survives.
/// [LogQuota] keeps a log from being filled. Any thread.
@NullMarked
package winnow.broker.fault;

import org.jspecify.annotations.NullMarked;
