package winnow.broker.shard;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import winnow.store.LogException;

/// Shows the messages that waited for a consumer at one moment, in the order of their delivery, as
/// its receiver has credit. Those that have gone meanwhile are passed over; nothing changes for
/// those who consume. Owned by its shard, whose thread calls it.
public final class Browser {
    /// Messages that are looked at before other work has its turn.
    private static final int STEP = 64;

    private final Shard shard;
    private final StoredSubscription subscription;
    private final @Nullable MessageFilter filter;
    private final Receiver receiver;
    private final Availability left;
    private final Deque<StoredMessage> found = new ArrayDeque<>();
    private long wanted;
    private long creditMessages;
    private long creditBytes;
    private boolean busy;
    private boolean ended;

    /// Where the messages go. Called by the shard's thread.
    public interface Receiver {
        /// @param sequence of the message in its destination
        /// @param earlierDeliveries how often it was delivered before, at least
        /// @param block the message block; not to be changed
        /// @param maxNameId largest number that the block may use for the name of a property
        void onMessage(long sequence, int earlierDeliveries, byte[] block, int maxNameId);

        /// A message whose body is in parts, which a browser does not get.
        ///
        /// @param head the message block up to the body; not to be changed
        /// @param bodyBytes length of the body
        void onMessageInParts(
                long sequence, int earlierDeliveries, byte[] head, int maxNameId, int bodyBytes);

        /// There are no more; the browser has ended.
        void onEnd();

        /// The log cannot be read; the browser has ended.
        void onFailed(LogException cause);
    }

    /// @param wanted so many messages at most
    Browser(
            Shard shard,
            StoredSubscription subscription,
            @Nullable MessageFilter filter,
            long wanted,
            Receiver receiver) {
        this.shard = shard;
        this.subscription = subscription;
        this.filter = filter;
        this.wanted = wanted;
        this.receiver = receiver;
        this.left = subscription.available().copy();
    }

    /// The receiver takes so much more.
    public void onCredit(int messages, int bytes) {
        creditMessages += messages;
        creditBytes += bytes;
        proceed();
    }

    /// Nothing is shown any more.
    public void close() {
        ended = true;
        left.clear();
        found.clear();
    }

    private boolean mayShow() {
        return !ended && creditMessages > 0 && creditBytes > 0;
    }

    /// Shows what has been found, then looks for more.
    private void proceed() {
        while (wanted > 0 && mayShow() && !found.isEmpty()) {
            show(found.removeFirst());
        }
        if (busy || ended || !(found.isEmpty() || wanted == 0)) {
            return;
        }
        if (wanted == 0 || left.count() == 0) {
            close();
            receiver.onEnd();
        } else if (mayShow()) {
            busy = true;
            shard.executor().execute(this::look);
        }
    }

    private void show(StoredMessage message) {
        if (subscription.expects(message.sequence) && !message.headers.expired(shard.nowMillis())) {
            wanted--;
            creditMessages--;
            creditBytes -= message.block.length;
            int earlier = subscription.earlierDeliveries(message.sequence);
            if (message.body == null) {
                receiver.onMessage(message.sequence, earlier, message.block, message.maxNameId);
            } else {
                receiver.onMessageInParts(
                        message.sequence,
                        earlier,
                        message.block,
                        message.maxNameId,
                        message.body.bytes());
            }
        }
    }

    private void look() {
        long[] sequences = left.upcoming(STEP);
        Map<Long, StoredMessage> there = new HashMap<>();
        List<Long> missing = new ArrayList<>();
        for (long sequence : sequences) {
            left.remove(sequence);
            StoredMessage message = subscription.destination().inWindow(sequence);
            if (message == null) {
                if (subscription.expects(sequence)) {
                    missing.add(sequence);
                }
            } else if (filter == null || filter.matches(message.block)) {
                there.put(sequence, message);
            }
        }
        long[] unread = missing.stream().mapToLong(Long::longValue).sorted().toArray();
        if (filter == null || unread.length == 0) {
            read(sequences, unread, there);
        } else {
            readHeads(filter, sequences, unread, there);
        }
    }

    private void readHeads(
            MessageFilter wants, long[] sequences, long[] unread, Map<Long, StoredMessage> there) {
        Set<Long> matching = new HashSet<>();
        shard.reader()
                .readHeads(
                        subscription.destination(),
                        unread,
                        (sequence, head) -> {
                            if (wants.matches(head.bytes())) {
                                matching.add(sequence);
                            }
                        },
                        damaged ->
                                read(
                                        sequences,
                                        Arrays.stream(unread).filter(matching::contains).toArray(),
                                        there),
                        this::onFailed);
    }

    private void read(long[] sequences, long[] unread, Map<Long, StoredMessage> there) {
        if (unread.length == 0) {
            onFound(sequences, there);
            return;
        }
        shard.reader()
                .read(
                        subscription.destination(),
                        unread,
                        read -> {
                            for (StoredMessage message : read.messages()) {
                                message.maxNameId = shard.names().count();
                                there.put(message.sequence, message);
                            }
                            onFound(sequences, there);
                        },
                        this::onFailed);
    }

    private void onFound(long[] sequences, Map<Long, StoredMessage> there) {
        busy = false;
        if (ended) {
            return;
        }
        for (long sequence : sequences) {
            StoredMessage message = there.get(sequence);
            if (message != null) {
                found.addLast(message);
            }
        }
        proceed();
    }

    private void onFailed(LogException cause) {
        busy = false;
        if (!ended) {
            close();
            receiver.onFailed(cause);
        }
        shard.onReadFailure(cause);
    }
}
