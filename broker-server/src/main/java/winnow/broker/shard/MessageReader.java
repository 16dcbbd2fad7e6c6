package winnow.broker.shard;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import winnow.store.LogException;
import winnow.store.ShardLog;
import winnow.store.Table;

/// Reads messages that are not in memory any more from the log. Called by the shard; works on the
/// readers' threads.
///
/// One reading takes so many bytes at most, or one message, and few go on at a time: how much heap
/// they take does not depend on how many ask, and how long the messages are.
final class MessageReader {
    private static final Logger LOG = LoggerFactory.getLogger(MessageReader.class);

    private static final long HEAP_PART = 64;

    /// Bytes of rows that are read together: with a heap of 256 MiB large enough for 1,024 messages
    /// of 4 KiB. What is read is counted for nobody.
    static final int MAX_BYTES =
            Math.clamp(Runtime.getRuntime().maxMemory() / HEAP_PART, 256 << 10, 4 << 20);

    /// Readings that go on at a time, until the shard has what was found: enough for the readers to
    /// have one while the shard takes another, and one where the heap is small.
    private static final int READINGS =
            Math.clamp(Runtime.getRuntime().maxMemory() / (HEAP_PART << 20), 1, 4);

    private final ShardLog log;
    private final RowReader rows;
    private final Executor shard;
    private final Executor readers;
    private final Deque<Runnable> waiting = new ArrayDeque<>();
    private int readings;

    MessageReader(ShardLog log, Executor shard, Executor readers) {
        this.log = log;
        this.rows = new RowReader(log);
        this.shard = shard;
        this.readers = readers;
    }

    /// Begins a reading, now or when others have ended.
    ///
    /// @param reading called on a reader's thread
    /// @param done called on the shard's thread
    /// @param failed called there instead if reading fails for another reason than damage
    private <T> void submit(Supplier<T> reading, Consumer<T> done, Consumer<LogException> failed) {
        waiting.add(() -> readers.execute(() -> read(reading, done, failed)));
        proceed();
    }

    private void proceed() {
        while (readings < READINGS && !waiting.isEmpty()) {
            readings++;
            waiting.removeFirst().run();
        }
    }

    private <T> void read(Supplier<T> reading, Consumer<T> done, Consumer<LogException> failed) {
        Runnable result = () -> {};
        try {
            T found = reading.get();
            result = () -> done.accept(found);
        } catch (LogException e) {
            result = () -> failed.accept(e);
        } finally {
            Runnable told = result;
            shard.execute(() -> end(told));
        }
    }

    private void end(Runnable result) {
        readings--;
        try {
            result.run();
        } finally {
            proceed();
        }
    }

    /// Messages that were read, and those that the log has and cannot tell, or has not as they were
    /// written. Those that are not there are in neither list.
    ///
    /// @param count so many of the sequences were looked at, the first ones
    record Found(int count, List<StoredMessage> messages, List<Damage> damaged) {
        Found(int count) {
            this(count, new ArrayList<>(), new ArrayList<>());
        }
    }

    /// Reads messages, as many as fit in a limit of bytes, and one at least.
    ///
    /// @param sequences of them, in any order
    /// @param maxBytes of their rows
    /// @param found called on the shard's thread
    /// @param failed called there instead if reading fails for another reason than damage
    void read(
            StoredDestination destination,
            long[] sequences,
            int maxBytes,
            Consumer<Found> found,
            Consumer<LogException> failed) {
        long[] wanted = sequences.clone();
        submit(() -> read(destination, wanted, maxBytes), found, failed);
    }

    /// Takes the heads of messages. Called by the shard's thread.
    interface HeadConsumer {
        void onHead(long sequence, MessageRows.Head head);

        /// These are damaged.
        void onDamage(List<Damage> damaged);

        /// All that can be read has been.
        void onEnd();
    }

    /// Reads messages without their bodies, in several readings if they are long.
    ///
    /// @param sequences of them, ascending; those that are not there are left out
    /// @param failed called instead if reading fails for another reason than damage
    void readHeads(
            StoredDestination destination,
            long[] sequences,
            HeadConsumer heads,
            Consumer<LogException> failed) {
        submit(
                () -> new Heads(destination, sequences),
                read -> {
                    read.tell(heads);
                    if (read.count < sequences.length) {
                        long[] left = Arrays.copyOfRange(sequences, read.count, sequences.length);
                        readHeads(destination, left, heads, failed);
                    } else {
                        heads.onEnd();
                    }
                },
                failed);
    }

    /// Sender whose memory a message of the log takes, null if nobody knows it. Called by the
    /// shard's thread.
    @Nullable MessageOwner ownerOf(StoredDestination destination, long sequence) {
        byte[] key = Keys.of(destination.id(), sequence);
        return log.owner(Table.HEADERS, key) instanceof MessageOwner owner ? owner : null;
    }

    /// Gives the space of deleted rows back.
    void reclaim(MessageSpace.Range range) {
        readers.execute(() -> {
            try {
                for (Table table : MessageSpace.tables()) {
                    log.reclaim(table, range.from(), range.to());
                }
            } catch (LogException e) {
                LOG.warn("The space of deleted messages stays in use for now: {}", e.getMessage());
            }
        });
    }

    /// Gives the space of deleted bodies back.
    void reclaim(LargeBodies.Range range) {
        readers.execute(() -> {
            try {
                log.reclaim(Table.PARTS, PartRows.key(0, 0), PartRows.key(range.below(), 0));
            } catch (LogException e) {
                LOG.warn("The space of deleted bodies stays in use for now: {}", e.getMessage());
            }
        });
    }

    /// Takes a part. Called by the shard's thread.
    interface PartConsumer {
        void onPart(byte[] bytes);

        /// The log cannot tell the part.
        ///
        /// @param header row of the message, null if it cannot be read either
        void onDamage(LogException cause, byte @Nullable [] header);
    }

    /// Reads a part of a body.
    ///
    /// @param sequence of the message that it belongs to
    /// @param failed called instead if reading fails for another reason than damage
    void readPart(
            StoredDestination destination,
            long sequence,
            LargeBody body,
            int part,
            PartConsumer found,
            Consumer<LogException> failed) {
        readPart(body, part, () -> headerOf(destination, sequence), found, failed);
    }

    /// The same for a body of no stored message.
    void readPart(LargeBody body, int part, PartConsumer found, Consumer<LogException> failed) {
        readPart(body, part, () -> null, found, failed);
    }

    private void readPart(
            LargeBody body,
            int part,
            Supplier<byte @Nullable []> headerRow,
            PartConsumer found,
            Consumer<LogException> failed) {
        readers.execute(() -> {
            try {
                byte[] bytes = PartRows.read(log, body, part);
                shard.execute(() -> found.onPart(bytes));
            } catch (LogException e) {
                if (e.reason() == LogException.Reason.CORRUPT) {
                    byte[] header = headerRow.get();
                    shard.execute(() -> found.onDamage(e, header));
                } else {
                    shard.execute(() -> failed.accept(e));
                }
            }
        });
    }

    private byte @Nullable [] headerOf(StoredDestination destination, long sequence) {
        try {
            return log.get(Table.HEADERS, Keys.of(destination.id(), sequence));
        } catch (LogException e) {
            LOG.debug("The headers cannot be read either", e);
            return null;
        }
    }

    /// Heads of messages that one reading has found.
    private final class Heads {
        final int count;
        private final HeaderRows found = new HeaderRows(MAX_BYTES, false);

        Heads(StoredDestination destination, long[] sequences) {
            count = rows.read(Table.HEADERS, destination.id(), sequences, found);
        }

        void tell(HeadConsumer heads) {
            List<Damage> damaged = new ArrayList<>();
            found.rows()
                    .forEach((sequence, row) -> {
                        MessageRows.Head head = row.head();
                        LogException damage = row.damage();
                        if (head != null) {
                            heads.onHead(sequence, head);
                        } else if (damage != null) {
                            damaged.add(Damage.of(sequence, damage, row.bytes(), null));
                        }
                    });
            heads.onDamage(damaged);
        }
    }

    /// Reads the headers first, which tell how long the bodies are.
    private Found read(StoredDestination destination, long[] inOrder, int maxBytes) {
        long[] wanted = inOrder.clone();
        Arrays.sort(wanted);
        HeaderRows headers = new HeaderRows(maxBytes, true);
        int count = rows.read(Table.HEADERS, destination.id(), wanted, headers);
        if (count < wanted.length && !Arrays.equals(wanted, inOrder)) {
            // Those that are not read have to be the last ones of what was asked for.
            wanted = ascending(inOrder);
            headers = new HeaderRows(maxBytes, true);
            count = rows.read(Table.HEADERS, destination.id(), wanted, headers);
        }
        Found found = new Found(count);
        readBodies(destination, headers.rows(), found);
        return found;
    }

    private void readBodies(
            StoredDestination destination, Map<Long, HeaderRows.Row> headers, Found found) {
        long[] apart = new long[headers.size()];
        int count = 0;
        for (Map.Entry<Long, HeaderRows.Row> one : headers.entrySet()) {
            if (one.getValue().mayHaveOtherRow()) {
                apart[count++] = one.getKey();
            }
        }
        Bodies bodies = new Bodies(destination, headers, found);
        rows.read(Table.BODIES, destination.id(), Arrays.copyOf(apart, count), bodies);
        bodies.end();
    }

    /// The first of them, up to where they do not ascend.
    private static long[] ascending(long[] sequences) {
        int end = 1;
        while (end < sequences.length && sequences[end] > sequences[end - 1]) {
            end++;
        }
        return Arrays.copyOf(sequences, end);
    }

    /// Puts messages together as their bodies come, so that no body is there twice.
    private static final class Bodies implements RowReader.Visitor {
        private final StoredDestination destination;
        private final Map<Long, HeaderRows.Row> headers;
        private final Found found;

        /// @param headers those without a body yet
        Bodies(StoredDestination destination, Map<Long, HeaderRows.Row> headers, Found found) {
            this.destination = destination;
            this.headers = headers;
            this.found = found;
        }

        @Override
        public boolean onRow(long sequence, byte[] key, byte[] row) {
            HeaderRows.Row header = headers.remove(sequence);
            if (header != null) {
                complete(sequence, header, row);
            }
            return true;
        }

        @Override
        public boolean onDamage(long sequence, LogException cause) {
            HeaderRows.Row header = headers.remove(sequence);
            if (header != null) {
                LogException first = header.damage();
                found.damaged.add(
                        Damage.of(sequence, first == null ? cause : first, header.bytes(), null));
            }
            return true;
        }

        /// There are no more bodies.
        void end() {
            headers.forEach((sequence, header) -> complete(sequence, header, null));
            headers.clear();
            found.messages.sort(Comparator.comparingLong(message -> message.sequence));
        }

        private void complete(long sequence, HeaderRows.Row header, byte @Nullable [] body) {
            MessageRows.Head head = header.head();
            LogException damage = header.damage();
            if (head == null) {
                if (damage != null) {
                    found.damaged.add(Damage.of(sequence, damage, header.bytes(), body));
                }
                return;
            }
            try {
                byte[] key = Keys.of(destination.id(), sequence);
                byte[] block = MessageRows.block(key, head, body);
                StoredMessage message =
                        new StoredMessage(
                                destination, sequence, block, head.headers(), head.body());
                message.stored = true;
                message.readable = true;
                found.messages.add(message);
            } catch (LogException e) {
                found.damaged.add(Damage.of(sequence, e, header.bytes(), body));
            }
        }
    }
}
