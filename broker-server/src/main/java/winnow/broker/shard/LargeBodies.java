package winnow.broker.shard;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import winnow.broker.memory.HeapPart;
import winnow.store.LogException;
import winnow.store.ShardLog;
import winnow.store.Table;
import winnow.wire.DestinationKind;

/// The bodies that are in parts, and which messages need them: a body is deleted together with the
/// last of them. Each takes some heap, of which a destination has a share. Owned by the shard.
public final class LargeBodies {
    private static final Logger LOG = LoggerFactory.getLogger(LargeBodies.class);

    static final byte[] KEY = "bodies".getBytes(StandardCharsets.UTF_8);

    /// Numbers that are reserved by one row of [Table#META].
    private static final int RESERVED = 1024;

    /// The space of deleted bodies with so many bytes is given back at once.
    private static final long RECLAIMED_BYTES = 64L << 20;

    private final Shard shard;

    /// By destination, then by the sequence of the message.
    private final Map<StoredDestination, Map<Long, LargeBody>> messages = new HashMap<>();

    /// By their numbers, those that are needed.
    private final TreeMap<Long, Use> used = new TreeMap<>();

    /// Bytes that uploads have announced, by destination.
    private final Map<StoredDestination, Long> announced = new HashMap<>();

    private final HeapShares<StoredDestination> heap;
    private final HeapShares<String> heapOfUsers;
    private long last;
    private long reserved;
    private long deletedBytes;

    /// Need of a body.
    ///
    /// @param count of messages and uploads
    /// @param owner whose share it takes
    private record Use(int count, String owner) {}

    /// Bodies that may be given back.
    ///
    /// @param below those with lower numbers
    record Range(long below) {}

    /// @param heap that they may take
    LargeBodies(Shard shard, HeapPart heap) {
        this.shard = shard;
        this.heap = HeapShares.ofPlaces(heap);
        this.heapOfUsers = HeapShares.ofUsers(HeapPart.alone(heap.limitBytes()));
    }

    /// Reason why a destination can have no other message in parts of a user; null if it can.
    @Nullable String full(StoredDestination destination, String owner) {
        // Live subscriptions of a topic may want it, too.
        int bytes =
                destination.kind() == DestinationKind.TOPIC
                        ? HeapCost.LARGE_BODY + HeapCost.LIVE_BODY
                        : HeapCost.LARGE_BODY;
        return heap.hasRoom(destination, bytes) && heapOfUsers.hasRoom(owner, bytes)
                ? null
                : destination
                        + " has no room for another message in parts: those that wait there take "
                        + heap.bytes(destination)
                        + " bytes of heap, those of the same user "
                        + heapOfUsers.bytes(owner)
                        + ", all together "
                        + heap.bytes()
                        + "; the limits are "
                        + heap.share(destination)
                        + ", "
                        + heapOfUsers.share(owner)
                        + " and "
                        + heap.limitBytes()
                        + " (half of storage.window)"
                        + heap.shortage();
    }

    /// Heap that they take.
    long heapBytes() {
        return heap.bytes();
    }

    /// Begins to take a message in parts.
    ///
    /// @param head its block up to the body, which belongs to the shard from now on
    /// @param given read from it, with the length of the whole message
    /// @param outcome told only if the message is refused, or the log takes no more
    /// @return null if it is refused
    public @Nullable Upload begin(
            StoredDestination destination, byte[] head, MessageHeaders given, Outcome outcome) {
        MessageHeaders headers = given.in(shard.time());
        if (shard.journal().refuses(outcome)
                || shard.admission().refusesUpload(destination, headers, outcome)
                || shard.sentAgain().finder().refuses(destination, head, headers, outcome)) {
            return null;
        }
        StoredDestination living = shard.registry().living(destination);
        long id = nextId();
        use(id, outcome.owner());
        announced.merge(living, (long) headers.blockBytes(), Long::sum);
        heap.add(living, HeapCost.LARGE_BODY);
        return new Upload(shard, living, head, headers, id, outcome.owner());
    }

    private long nextId() {
        if (last == reserved) {
            reserved += RESERVED;
            byte[] row = ByteBuffer.allocate(Long.BYTES).putLong(reserved).array();
            shard.journal().batch().put(Table.META, KEY, row);
        }
        return ++last;
    }

    /// Bytes of messages that are being sent to a destination.
    long announced(StoredDestination destination) {
        return announced.getOrDefault(destination, 0L);
    }

    /// An upload of a user is kept for live subscriptions.
    void onKept(StoredDestination destination, String owner) {
        addKept(destination, owner, HeapCost.LIVE_BODY);
    }

    /// Nobody needs an upload of a user any more that was kept for live subscriptions.
    void onUnkept(StoredDestination destination, String owner) {
        addKept(destination, owner, -HeapCost.LIVE_BODY);
    }

    private void addKept(StoredDestination destination, String owner, int bytes) {
        heap.add(destination, bytes);
        heapOfUsers.add(owner, bytes);
    }

    /// A message is not being sent any more.
    ///
    /// @param bytes that it had announced
    void onArrived(StoredDestination destination, int bytes) {
        announced.computeIfPresent(
                destination, (_, sum) -> sum > bytes ? Long.valueOf(sum - bytes) : null);
    }

    /// Nobody needs an upload any more.
    ///
    /// @param bytes of its message
    void onUploaded(StoredDestination destination, long id, int bytes) {
        heap.add(destination, -HeapCost.LARGE_BODY);
        release(id, bytes);
    }

    private void use(long id, String owner) {
        Use before = used.get(id);
        if (before == null) {
            heapOfUsers.add(owner, HeapCost.LARGE_BODY);
            used.put(id, new Use(1, owner));
        } else {
            used.put(id, new Use(before.count + 1, before.owner));
        }
    }

    /// Somebody less needs a body.
    private void release(long id, int bytes) {
        Use before = used.get(id);
        if (before != null && before.count > 1) {
            used.put(id, new Use(before.count - 1, before.owner));
        } else if (before != null) {
            used.remove(id);
            heapOfUsers.add(before.owner, -HeapCost.LARGE_BODY);
            PartRows.delete(shard.journal().batch(), id, id + 1);
            deletedBytes += bytes;
            reclaim();
        }
    }

    private void reclaim() {
        if (deletedBytes >= RECLAIMED_BYTES) {
            deletedBytes = 0;
            shard.journal().reclaim(new Range(used.isEmpty() ? last + 1 : used.firstKey()));
        }
    }

    /// A message has its body in parts.
    void add(StoredDestination destination, long sequence, LargeBody body) {
        messages.computeIfAbsent(destination, _ -> new HashMap<>()).put(sequence, body);
        heap.add(destination, HeapCost.LARGE_BODY);
        use(body.id(), "");
    }

    /// Bytes of the body of a message, 0 if it is not in parts.
    int bytes(StoredDestination destination, long sequence) {
        LargeBody body = messages.getOrDefault(destination, Map.of()).get(sequence);
        return body == null ? 0 : body.bytes();
    }

    /// A subscription does not need a message any more.
    void onEnded(StoredDestination destination, long sequence) {
        if (messages.isEmpty()) {
            return;
        }
        Map<Long, LargeBody> known = messages.get(destination);
        if (known == null || destination.referencesTo(sequence) > 0) {
            return;
        }
        LargeBody body = known.remove(sequence);
        if (body != null) {
            heap.add(destination, -HeapCost.LARGE_BODY);
            release(body.id(), body.bytes());
        }
        if (known.isEmpty()) {
            messages.remove(destination);
        }
    }

    /// A subscription of a destination has ended.
    void onEnded(StoredDestination destination) {
        Map<Long, LargeBody> known = messages.get(destination);
        if (known != null) {
            List.copyOf(known.keySet()).forEach(sequence -> onEnded(destination, sequence));
        }
    }

    /// Takes a part, or learns that there is none. Called by the shard's thread.
    public interface PartReceiver {
        void onPart(byte[] bytes);

        /// The message is not to be had any more: it is put aside, or has ended. The consumer has
        /// its credit back.
        void onGone();
    }

    /// Reads a part of a message that was delivered to a consumer. What cannot be read is put
    /// aside.
    ///
    /// @param part its number, from 0
    public void read(
            StoredConsumer consumer,
            long sequence,
            LargeBody body,
            int part,
            PartReceiver receiver) {
        StoredSubscription subscription = consumer.subscription();
        StoredDestination destination = subscription.destination();
        shard.reader()
                .readPart(
                        destination,
                        sequence,
                        body,
                        part,
                        new MessageReader.PartConsumer() {
                            @Override
                            public void onPart(byte[] bytes) {
                                receiver.onPart(bytes);
                            }

                            @Override
                            public void onDamage(LogException cause, byte @Nullable [] header) {
                                if (destination.referencesTo(sequence) > 0) {
                                    Damage damage = Damage.of(sequence, cause, header, null);
                                    shard.intake().quarantine(destination, damage);
                                }
                                shard.settlement().giveUp(consumer, sequence);
                                receiver.onGone();
                            }
                        },
                        shard::onReadFailure);
    }

    /// Reads a part of a message that live subscriptions get.
    ///
    /// @param part its number, from 0
    public void read(Upload upload, int part, PartReceiver receiver) {
        if (upload.ended()) {
            receiver.onGone();
            return;
        }
        shard.reader()
                .readPart(
                        upload.body(),
                        part,
                        new MessageReader.PartConsumer() {
                            @Override
                            public void onPart(byte[] bytes) {
                                receiver.onPart(bytes);
                            }

                            @Override
                            public void onDamage(LogException cause, byte @Nullable [] header) {
                                if (!upload.ended()) {
                                    LOG.warn(
                                            "A message to a topic is lost: {}", cause.getMessage());
                                }
                                receiver.onGone();
                            }
                        },
                        failure -> {
                            shard.onReadFailure(failure);
                            receiver.onGone();
                        });
    }

    /// Recovers what the log says.
    ///
    /// @param row null if there is none
    /// @throws LogException if it is none
    void recover(byte @Nullable [] row) {
        if (row == null) {
            return;
        }
        if (row.length != Long.BYTES) {
            throw new LogException(
                    LogException.Reason.CORRUPT,
                    "reserved numbers of bodies: expected 8 bytes, found " + row.length);
        }
        reserved = ByteBuffer.wrap(row).getLong();
        last = reserved;
    }

    /// All messages have been recovered: deletes the parts of the others, which were not complete
    /// when the broker stopped, or whose deletion has been forgotten. Reads one part for each body.
    void deleteOthers(ShardLog log) {
        long from = 0;
        while (true) {
            Long found = firstFrom(log, from);
            if (found == null) {
                return;
            }
            if (used.containsKey(found)) {
                from = found + 1;
            } else {
                Long next = used.higherKey(found);
                from = next == null ? Long.MAX_VALUE : next;
                PartRows.delete(shard.journal().batch(), found, from);
            }
        }
    }

    /// The number of the first body that has rows, from a number on; null if there is none.
    private static @Nullable Long firstFrom(ShardLog log, long from) {
        AtomicReference<@Nullable Long> found = new AtomicReference<>();
        try {
            log.scan(
                    Table.PARTS,
                    PartRows.key(from, 0),
                    Keys.END,
                    (key, _) -> {
                        found.set(PartRows.body(key));
                        return false;
                    });
        } catch (LogException e) {
            if (e.reason() != LogException.Reason.CORRUPT) {
                throw e;
            }
            LOG.warn("What is left of bodies that nobody needs stays: {}", e.getMessage());
        }
        return found.get();
    }
}
