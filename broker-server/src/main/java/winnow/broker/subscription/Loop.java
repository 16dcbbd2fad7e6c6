package winnow.broker.subscription;

import java.util.concurrent.Executor;

/// One event loop as the layers without Netty see it: the owner thread of connections,
/// subscriptions and topics. `execute` may be called from any thread; commands from one thread run
/// in order.
public interface Loop extends Executor {
    /// Number of this loop among the broker's loops, from 0.
    int index();

    /// Whether the caller runs on this loop.
    boolean inLoop();

    /// Arrays for the backlogs of this loop's subscriptions. Owner only.
    ChunkPool chunks();

    /// Says that the deliveries which follow are of another message than those before: outputs of
    /// this loop share one copy of a large message.
    void beginMessage();
}
