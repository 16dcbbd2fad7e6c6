/// The process that publishes and subscribes: any Jakarta Messaging provider, driven by commands.
///
/// ```
/// coordinator --- Command as JSON line ---> stdin   WorkerMain -> PointLoad -> LoadPublisher
///             <--- Reply as JSON line ---- stdout                          -> Subscriber listeners
///             <=== SharedCounters: a mapped file, written per message, read at any time ===
/// ```
///
/// Read in this order: [Command] and [Reply], [WorkerMain] (the loop), [PointLoad] (everybody who
/// takes part in one point), [LoadPublisher] with [FlightWindow], [AsyncSends] and [SentTally],
/// [Subscriber], [Tally] (what makes every message accountable). [LatencyProbe] measures latency
/// instead of throughput, with [PacedPublisher] and [Arrivals]. Only `jakarta.jms` types are used;
/// [Provider] finds the factory.
///
/// Each publisher has its own platform thread, as in the FioranoMQ paper, section 3.1; subscribers
/// are called on the provider's threads.
@NullMarked
package winnow.loadgen.worker;

import org.jspecify.annotations.NullMarked;
