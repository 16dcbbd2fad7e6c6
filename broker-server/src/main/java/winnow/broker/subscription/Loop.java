package winnow.broker.subscription;

import java.util.concurrent.Executor;
import winnow.broker.fault.FaultBarrier;
import winnow.broker.fault.FaultOwner;

/// One event loop as the layers without Netty see it: the owner thread of connections,
/// subscriptions and topics. `execute` may be called from any thread; commands from one thread run
/// in order.
public interface Loop extends Executor {
    /// Number of this loop among the broker's loops, from 0.
    int index();

    /// True if the caller runs on this loop.
    boolean inLoop();

    /// Barrier that callbacks on this loop run behind. Any thread.
    FaultBarrier faults();

    /// Runs a command that belongs to `owner`, which is closed if the command fails. Any thread.
    default void execute(FaultOwner owner, Runnable command) {
        execute(() -> faults().run(owner, command));
    }

    /// Messages that wait for this loop's subscriptions. Owner only.
    WaitingMessages waiting();

    /// Runs the command after the loop has read its sockets once more, for work that would keep it
    /// from them. Owner only.
    default void executeAfterReading(Runnable command) {
        execute(command);
    }

    /// Numbers for messages that are about to be delivered on this loop, none given before: by them
    /// its outputs know deliveries of the same message. Owner only.
    ///
    /// @return the first of `count` numbers
    long numberMessages(int count);

    /// A number for a message that is delivered several times, each time to other subscriptions:
    /// what is copied of it is kept until [#endMessage]. Owner only.
    default long beginMessage() {
        long number = numberMessages(1);
        waiting().expect(number);
        return number;
    }

    /// The message is not delivered any more. Owner only.
    default void endMessage(long number) {
        waiting().endExpected(number);
    }

    /// When the bytes were read that are being handled now; 0 unless this read is one of those by
    /// which the stay of messages is measured. Owner only.
    default long sampledReadNanos() {
        return 0;
    }

    /// So many copies that waited have been delivered to the target, the first of them of this
    /// message. Owner only.
    default void onReleased(long message, int copies, DeliveryTarget target) {}

    /// So many sampled copies left the broker so long after their messages had been read. Owner
    /// only.
    default void onDwelt(long nanos, int copies) {}

    /// Delivering so many copies took so long. Owner only.
    void onDelivered(int copies, long nanos);
}
