package winnow.broker.shard;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import winnow.store.LogException;
import winnow.store.ShardLog;
import winnow.store.Table;

/// Reads the rows of all messages: some headers, then the bodies that belong to them, and so on.
/// Owned by the thread that reads the log.
final class MessageCheck {
    private final ShardLog log;
    private final StoreFindings findings;

    /// By the number of their destination.
    private final Map<Integer, List<Reader>> readers = new HashMap<>();

    /// By the number of a destination or subscription.
    private final Map<Integer, Sum> sums = new HashMap<>();

    /// Messages that are needed, and their bytes.
    static final class Sum {
        long messages;
        long bytes;

        void add(long more) {
            messages++;
            bytes += more;
        }
    }

    private record Reader(StoredSubscription subscription, SubscriptionPast past) {}

    /// A message that somebody waits for.
    private static final class Waiting {
        final byte[] key;
        final MessageRows.Head head;

        Waiting(byte[] key, MessageRows.Head head) {
            this.key = key;
            this.head = head;
        }
    }

    /// Messages whose bodies are read together.
    private static final class Group {
        static final int MAX_MESSAGES = 256;

        /// One more message may exceed it.
        static final long MAX_BYTES = 4 << 20;

        final byte[] from;
        final Map<ByteBuffer, Waiting> messages = new LinkedHashMap<>();
        long bytes;

        /// The first key behind the group, null if there is none.
        byte @Nullable [] next;

        Group(byte[] from) {
            this.from = from;
        }

        boolean full() {
            return messages.size() >= MAX_MESSAGES || bytes >= MAX_BYTES;
        }
    }

    MessageCheck(ShardLog log, StoreFindings findings) {
        this.log = log;
        this.findings = findings;
    }

    /// A subscription that was found in the log.
    void add(StoredSubscription subscription, SubscriptionPast past) {
        readers.computeIfAbsent(subscription.destination().id(), _ -> new ArrayList<>())
                .add(new Reader(subscription, past));
    }

    /// Sum of the messages of a destination or subscription that are needed.
    Sum sum(int id) {
        return sums.computeIfAbsent(id, _ -> new Sum());
    }

    /// @param bodies whether to read bodies, too, and to compare checksums
    void run(boolean bodies) {
        findings.onTable(Table.HEADERS);
        if (bodies) {
            findings.onTable(Table.BODIES);
            findings.onTable(Table.PARTS);
        }
        try {
            byte[] from = Keys.FIRST;
            while (from != null) {
                Group group = readHeads(from);
                if (bodies) {
                    readBodies(group);
                }
                from = group.next;
            }
        } catch (LogException e) {
            findings.onDamage("messages cannot be read further: " + e.getMessage());
        }
    }

    private Group readHeads(byte[] from) {
        Group group = new Group(from);
        log.scan(
                Table.HEADERS,
                from,
                Keys.END,
                (key, row) -> {
                    if (group.full()) {
                        group.next = key;
                        return false;
                    }
                    findings.onRow(Table.HEADERS, key, row);
                    readHead(group, key, row);
                    return true;
                });
        return group;
    }

    private void readHead(Group group, byte[] key, byte[] row) {
        if (key.length != Integer.BYTES + Long.BYTES) {
            findings.onDamage(
                    "table HEADERS: expected a key of 12 bytes, found one of " + key.length);
            return;
        }
        List<Reader> behind = new ArrayList<>();
        for (Reader reader : readers.getOrDefault(Keys.id(key), List.of())) {
            if (!reader.past.acknowledged(Keys.number(key))) {
                behind.add(reader);
            }
        }
        if (behind.isEmpty()) {
            return;
        }
        try {
            count(group, key, MessageRows.head(key, row), behind);
        } catch (LogException e) {
            onDamage(key, e);
        }
    }

    private void count(Group group, byte[] key, MessageRows.Head head, List<Reader> behind) {
        int bytes = head.headers().blockBytes();
        boolean needed = false;
        for (Reader reader : behind) {
            if (reader.subscription.wants(head.headers())) {
                sum(reader.subscription.id()).add(bytes);
                needed = true;
            }
        }
        if (needed) {
            sum(Keys.id(key)).add(bytes);
            group.messages.put(ByteBuffer.wrap(key), new Waiting(key, head));
            group.bytes += bytes;
        }
    }

    private void readBodies(Group group) {
        log.scan(
                Table.BODIES,
                group.from,
                group.next == null ? Keys.END : group.next,
                (key, row) -> {
                    findings.onRow(Table.BODIES, key, row);
                    Waiting message = group.messages.remove(ByteBuffer.wrap(key));
                    if (message != null) {
                        compare(message, row);
                    }
                    return true;
                });
        group.messages.values().forEach(message -> compare(message, null));
    }

    private void compare(Waiting message, byte @Nullable [] body) {
        try {
            MessageRows.block(message.key, message.head, body);
            LargeBody parts = message.head.body();
            if (parts != null) {
                readParts(parts);
            }
        } catch (LogException e) {
            onDamage(message.key, e);
        }
    }

    /// @throws LogException if they are not what was written
    private void readParts(LargeBody body) {
        int[] found = new int[2];
        log.scan(
                Table.PARTS,
                PartRows.key(body.id(), 0),
                PartRows.key(body.id() + 1, 0),
                (key, row) -> {
                    findings.onRow(Table.PARTS, key, row);
                    PartRows.check(row, body.id(), found[0]++);
                    found[1] += row.length - Integer.BYTES;
                    return true;
                });
        if (found[0] != body.parts() || found[1] != body.bytes()) {
            throw new LogException(
                    LogException.Reason.CORRUPT,
                    "expected "
                            + body.parts()
                            + " parts of "
                            + body.bytes()
                            + " bytes, found "
                            + found[0]
                            + " of "
                            + found[1]);
        }
    }

    private void onDamage(byte[] key, LogException e) {
        Reader any = readers.getOrDefault(Keys.id(key), List.of()).getFirst();
        findings.onDamage(
                StoreCheck.display(any.subscription.destination()) + ": " + e.getMessage());
    }
}
