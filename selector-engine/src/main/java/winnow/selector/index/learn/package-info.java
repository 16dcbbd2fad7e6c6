/// Learning of the index from sampled messages. One message in 256 is sampled: [IndexStatistics], a
/// [Watch] and [winnow.selector.index.node.NodeStatistics] count what it meets. [HitRates] makes
/// rates of terms of that, and [Tuner] orders operands and finds better access keys. A [Move] is a
/// node that got other keys, for messages that are being matched meanwhile.
///
/// Reading order: [IndexStatistics], [Watch], [HitRates], [Tuner], [Move].
///
/// The writer is an event loop, so what it does has no streams, and the lambdas that it needs are
/// made with the index: the first use of one in a process may take some milliseconds.
///
/// Threads: any thread counts, without locks; the writer does the rest.
@NullMarked
package winnow.selector.index.learn;

import org.jspecify.annotations.NullMarked;
