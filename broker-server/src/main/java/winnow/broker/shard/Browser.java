package winnow.broker.shard;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import winnow.store.LogException;

/// Shows the messages that wait for a consumer, in the order of their delivery, as its receiver has
/// credit. Those that came after its beginning are not shown, and those that have gone to a
/// consumer meanwhile are passed over as a rule; nothing changes for those who consume. Owned by
/// its shard, whose thread calls it.
///
/// It keeps no messages while it waits for credit, and the sequences of few: what it costs does not
/// depend on how much waits.
public final class Browser {
    /// Messages that are looked at before other work has its turn.
    private static final int STEP = 64;

    /// Bytes read at a time: a connection takes about as much before it has to wait.
    private static final int READ_BYTES = 256 * 1024;

    /// Highest credit kept, so that additions cannot overflow.
    private static final long MAX_CREDIT = 1L << 40;

    private final Shard shard;
    private final StoredSubscription subscription;
    private final @Nullable MessageFilter filter;
    private final Receiver receiver;
    private final Availability.Walk walk;

    /// Sequences that come next, which the filter lets through.
    private final Deque<Long> ahead = new ArrayDeque<>();

    private long wanted;
    private long creditMessages;
    private long creditBytes;
    private boolean busy;
    private boolean ended;

    /// Receiver of the messages. Called by the shard's thread.
    public interface Receiver {
        /// True if it takes messages now. If not, it calls [Browser#resume] when it does.
        default boolean ready(Browser browser) {
            return true;
        }

        /// True if it takes a message of this length, which is shown then. If not, it is not
        /// [#ready] for the moment.
        default boolean takes(int blockBytes) {
            return true;
        }

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
        this.walk = subscription.waiting().walk(subscription.destination().next());
    }

    /// The receiver takes so much more.
    public void onCredit(int messages, int bytes) {
        creditMessages = Math.min(MAX_CREDIT, creditMessages + messages);
        creditBytes = Math.min(MAX_CREDIT, creditBytes + bytes);
        proceed();
    }

    /// The receiver may take messages again.
    public void resume() {
        proceed();
    }

    /// Nothing is shown any more.
    public void close() {
        ended = true;
        ahead.clear();
    }

    private boolean mayShow() {
        return !ended
                && wanted > 0
                && creditMessages > 0
                && creditBytes > 0
                && receiver.ready(this);
    }

    private void proceed() {
        if (busy || ended) {
            return;
        }
        if (wanted == 0 || (ahead.isEmpty() && !walk.hasNext())) {
            close();
            receiver.onEnd();
        } else if (mayShow()) {
            busy = true;
            shard.executor().execute(this::look);
        }
    }

    /// Finds what comes next, then shows it.
    private void look() {
        if (!ahead.isEmpty()) {
            read();
            return;
        }
        long[] sequences = walk.next(STEP);
        MessageFilter wants = filter;
        if (wants == null) {
            Arrays.stream(sequences).forEach(ahead::addLast);
            read();
            return;
        }
        Set<Long> matching = new HashSet<>();
        long[] unread = new long[sequences.length];
        int count = 0;
        for (long sequence : sequences) {
            StoredMessage message = subscription.destination().inWindow(sequence);
            if (message == null) {
                unread[count++] = sequence;
            } else if (wants.matches(message.block)) {
                matching.add(sequence);
            }
        }
        if (count == 0) {
            onMatched(sequences, matching);
        } else {
            readHeads(wants, sequences, Arrays.copyOf(unread, count), matching);
        }
    }

    private void onMatched(long[] sequences, Set<Long> matching) {
        if (!ended) {
            Arrays.stream(sequences).filter(matching::contains).forEach(ahead::addLast);
        }
        read();
    }

    private void readHeads(
            MessageFilter wants, long[] sequences, long[] unread, Set<Long> matching) {
        Arrays.sort(unread);
        shard.reader()
                .readHeads(
                        subscription.destination(),
                        unread,
                        new MessageReader.HeadConsumer() {
                            @Override
                            public void onHead(long sequence, MessageRows.Head head) {
                                if (wants.matches(head.bytes())) {
                                    matching.add(sequence);
                                }
                            }

                            // Who would deliver them puts them aside.
                            @Override
                            public void onDamage(List<Damage> damaged) {}

                            @Override
                            public void onEnd() {
                                onMatched(sequences, matching);
                            }
                        },
                        this::onFailed);
    }

    /// Reads what can be shown now of what comes next, unless it is in memory.
    private void read() {
        ahead.removeIf(sequence -> !subscription.expects(sequence));
        long most = Math.min(creditMessages, wanted);
        long[] unread =
                ahead.stream()
                        .limit(most)
                        .filter(one -> subscription.destination().inWindow(one) == null)
                        .mapToLong(Long::longValue)
                        .toArray();
        if (unread.length == 0) {
            show(Map.of(), Set.of());
            return;
        }
        shard.reader()
                .read(
                        subscription.destination(),
                        unread,
                        Math.clamp(creditBytes, 1, READ_BYTES),
                        read -> onRead(unread, read),
                        this::onFailed);
    }

    private void onRead(long[] unread, MessageReader.Found read) {
        Map<Long, StoredMessage> found = new HashMap<>();
        for (StoredMessage message : read.messages()) {
            message.maxNameId = shard.names().count();
            found.put(message.sequence, message);
        }
        Set<Long> looked = new HashSet<>();
        Arrays.stream(unread, 0, read.count()).forEach(looked::add);
        show(found, looked);
    }

    /// Shows what comes next, up to what is neither in memory nor has been read.
    ///
    /// @param found what has been read
    /// @param looked what there was an attempt to read
    private void show(Map<Long, StoredMessage> found, Set<Long> looked) {
        busy = false;
        while (!ahead.isEmpty() && mayShow()) {
            long sequence = ahead.getFirst();
            StoredMessage read = found.get(sequence);
            StoredMessage message =
                    read == null ? subscription.destination().inWindow(sequence) : read;
            if (message == null && !looked.contains(sequence)) {
                break;
            }
            StoredMessage showing = message != null && isShown(message) ? message : null;
            if (showing != null && !receiver.takes(showing.block.length)) {
                break;
            }
            ahead.removeFirst();
            if (showing != null) {
                show(showing);
            }
        }
        proceed();
    }

    private boolean isShown(StoredMessage message) {
        return subscription.expects(message.sequence)
                && !message.headers.expired(shard.nowMillis());
    }

    private void show(StoredMessage message) {
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

    private void onFailed(LogException cause) {
        busy = false;
        if (!ended) {
            close();
            receiver.onFailed(cause);
        }
        shard.onReadFailure(cause);
    }
}
