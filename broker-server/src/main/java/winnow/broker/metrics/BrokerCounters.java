package winnow.broker.metrics;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.ToLongFunction;
import winnow.broker.permission.Permission;
import winnow.wire.ErrorCode;

/// Totals of the whole broker. Thread-safe.
public final class BrokerCounters {
    /// Counters of each event loop, in the order of the loops.
    final List<LoopCounters> loops = new CopyOnWriteArrayList<>();

    /// Effort of finding subscriptions, over all topics.
    public final MatchCounters matching = new MatchCounters();

    /// Matches that took so long that the loop did something else in between.
    public final LongAdder slicedMatches = new LongAdder();

    /// Connections accepted since the start.
    public final LongAdder accepted = new LongAdder();

    /// Connections that are open.
    public final AtomicInteger connections = new AtomicInteger();

    /// Clients whose connections were lost and that may come back.
    public final AtomicInteger away = new AtomicInteger();

    /// Clients that have come back to what was kept.
    public final LongAdder returned = new LongAdder();

    /// Connections that the broker closed.
    public final ReasonCounters<ErrorCode> closed = new ReasonCounters<>(ErrorCode.class);

    /// Subscriptions that exist.
    public final AtomicInteger subscriptions = new AtomicInteger();

    /// Requests that were refused.
    public final ReasonCounters<ErrorCode> refusals = new ReasonCounters<>(ErrorCode.class);

    /// Requests that permissions do not allow, of both ports.
    public final ReasonCounters<Permission> authorizationRefusals =
            new ReasonCounters<>(Permission.class);

    /// Connections that were closed because the peer broke the protocol.
    public final LongAdder protocolErrors = new LongAdder();

    /// HTTP connections beyond the limit.
    public final LongAdder httpConnectionsRefused = new LongAdder();

    /// Logins and requests by HTTP that had to prove a user.
    public final AuthenticationCounters authentication = new AuthenticationCounters();

    /// TLS connections that did not come about, of both ports.
    public final ReasonCounters<TlsFailure> tlsFailures = new ReasonCounters<>(TlsFailure.class);

    /// Copies that no consumer got.
    public final ReasonCounters<DropReason> dropped = new ReasonCounters<>(DropReason.class);

    /// Connections closed because their consumers were slow.
    public final LongAdder slowDisconnected = new LongAdder();

    /// Callbacks of event loops that failed by a fault of the broker.
    public final LongAdder internalErrors = new LongAdder();

    /// Messages that producers published.
    public long received() {
        return sum(loop -> loop.sizes.count());
    }

    /// Copies handed to subscriptions.
    public long dispatched() {
        return sum(loop -> loop.grades.sum());
    }

    /// Mean time that a copy costs the broker in nanoseconds, the paper's t_tx: its share of
    /// delivering and of writing to sockets. Of recent copies: about the last second of a busy
    /// event loop, and roughly the last 10,000 copies of a slow one. 0 as long as nothing was
    /// delivered.
    public double transmitNanos() {
        double copies = 0;
        double nanos = 0;
        for (LoopCounters loop : loops) {
            LoopCounters.Recent recent = loop.recent();
            copies += recent.copies();
            nanos += recent.nanos();
        }
        return copies == 0 ? 0 : nanos / copies;
    }

    /// The sum of what each event loop counts.
    long sum(ToLongFunction<LoopCounters> value) {
        return loops.stream().mapToLong(value).sum();
    }
}
