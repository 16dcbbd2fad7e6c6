package winnow.broker.shard;

import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

/// Lets the filters of a subscription look at the headers of messages that they have not seen:
/// first of those in memory, some at a time so that a long backlog does not keep the shard from
/// other commands, then of the others, which are read. Owned by its shard.
final class LaneScan {
    /// Messages that are looked at by one scan, and read together.
    private static final int SCANNED_TOGETHER = 1024;

    /// Messages that are looked at before the shard does something else. One takes 1 to 2 µs where
    /// the index has few selectors.
    private static final int LOOKED_AT = 128;

    private final Shard shard;
    private final MessageReader reader;
    private final StoredSubscription subscription;
    private final Lanes.Scan scan;
    private final Consumer<Lane> affected;

    /// Number of the scan's messages that have been looked at or found not to be in memory.
    private int next;

    private final long[] unread;
    private int unreadCount;

    /// Number of these that have been read.
    private int read;

    private LaneScan(
            Shard shard,
            MessageReader reader,
            StoredSubscription subscription,
            Lanes.Scan scan,
            Consumer<Lane> affected) {
        this.shard = shard;
        this.reader = reader;
        this.subscription = subscription;
        this.scan = scan;
        this.affected = affected;
        this.unread = new long[scan.sequences.length];
    }

    /// Begins with messages that the filter of a lane has not seen, unless a scan of its
    /// subscription is going on.
    ///
    /// @param affected gets the lanes that may have something to do then
    static void begin(Shard shard, MessageReader reader, Lane lane, Consumer<Lane> affected) {
        StoredSubscription subscription = lane.subscription;
        Lanes lanes = subscription.lanes();
        if (!lane.hasUnseen() || lanes.scanning()) {
            return;
        }
        LaneScan begun =
                new LaneScan(
                        shard, reader, subscription, lanes.scan(lane, SCANNED_TOGETHER), affected);
        begun.lookAtSome();
        if (begun.isDone()) {
            begun.scan.end(affected);
        } else {
            begun.goOn();
        }
    }

    private boolean isDone() {
        return next == scan.sequences.length && read == unreadCount;
    }

    private void lookAtSome() {
        StoredDestination destination = subscription.destination();
        int to = Math.min(next + LOOKED_AT, scan.sequences.length);
        while (next < to) {
            long sequence = scan.sequences[next++];
            StoredMessage message = destination.inWindow(sequence);
            if (message == null) {
                // One that was taken meanwhile is looked at again if it comes back.
                if (subscription.isAvailable(sequence)) {
                    unread[unreadCount++] = sequence;
                }
            } else {
                scan.onHead(sequence, message.headers.priority(), message.block);
            }
        }
    }

    private void goOn() {
        if (next < scan.sequences.length) {
            shard.executor().execute(this::continueLooking);
        } else {
            read();
        }
    }

    private void continueLooking() {
        lookAtSome();
        if (isDone()) {
            end();
        } else {
            goOn();
        }
    }

    private void read() {
        int from = read;
        read = Math.min(from + LOOKED_AT, unreadCount);
        reader.readHeads(
                subscription.destination(),
                Arrays.copyOfRange(unread, from, read),
                new MessageReader.HeadConsumer() {
                    @Override
                    public void onHead(long sequence, MessageRows.Head head) {
                        scan.onHead(sequence, head.headers().priority(), head.bytes());
                    }

                    @Override
                    public void onDamage(List<Damage> damaged) {
                        shard.intake().quarantine(subscription.destination(), damaged);
                    }

                    @Override
                    public void onEnd() {
                        if (isDone()) {
                            end();
                        } else {
                            read();
                        }
                    }
                },
                shard::onReadFailure);
    }

    /// Other lanes may have waited for the end of the scan.
    private void end() {
        scan.end(affected);
        subscription.lanes().list().forEach(affected);
        shard.flush();
    }
}
