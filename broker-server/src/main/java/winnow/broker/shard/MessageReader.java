package winnow.broker.shard;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import winnow.store.LogException;
import winnow.store.ShardLog;
import winnow.store.Table;

/// Reads messages that are not in memory any more from the log. Called by the shard; works on the
/// readers' threads.
final class MessageReader {
    private static final Logger LOG = LoggerFactory.getLogger(MessageReader.class);

    private final ShardLog log;
    private final RowReader rows;
    private final Executor shard;
    private final Executor readers;

    MessageReader(ShardLog log, Executor shard, Executor readers) {
        this.log = log;
        this.rows = new RowReader(log);
        this.shard = shard;
        this.readers = readers;
    }

    /// What was read, and what the log has and cannot tell, or has not as it was written. Those
    /// that are not there are in neither list.
    record Found(List<StoredMessage> messages, List<Damage> damaged) {
        Found() {
            this(new ArrayList<>(), new ArrayList<>());
        }
    }

    /// Reads messages.
    ///
    /// @param sequences of them, in any order
    /// @param found called on the shard's thread
    /// @param failed called there instead if reading fails for another reason than damage
    void read(
            StoredDestination destination,
            long[] sequences,
            Consumer<Found> found,
            Consumer<LogException> failed) {
        long[] wanted = sequences.clone();
        Arrays.sort(wanted);
        readers.execute(() -> {
            try {
                Found read = read(destination, wanted);
                shard.execute(() -> found.accept(read));
            } catch (LogException e) {
                shard.execute(() -> failed.accept(e));
            }
        });
    }

    /// Takes the head of a message. Called by the shard's thread.
    interface HeadConsumer {
        void onHead(long sequence, MessageRows.Head head);
    }

    /// Reads messages without their bodies.
    ///
    /// @param sequences of them, ascending; those that are not there are left out
    /// @param heads called on the shard's thread for each, then `done` with those that are damaged
    /// @param failed called there instead if reading fails for another reason than damage
    void readHeads(
            StoredDestination destination,
            long[] sequences,
            HeadConsumer heads,
            Consumer<List<Damage>> done,
            Consumer<LogException> failed) {
        readers.execute(() -> {
            try {
                List<Damage> damaged = new ArrayList<>();
                Map<Long, MessageRows.Head> found = heads(destination, sequences, damaged);
                shard.execute(() -> {
                    found.forEach(heads::onHead);
                    done.accept(damaged);
                });
            } catch (LogException e) {
                shard.execute(() -> failed.accept(e));
            }
        });
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
        readers.execute(() -> {
            try {
                byte[] bytes = PartRows.read(log, body, part);
                shard.execute(() -> found.onPart(bytes));
            } catch (LogException e) {
                if (e.reason() == LogException.Reason.CORRUPT) {
                    byte[] header = headerOf(destination, sequence);
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

    private Map<Long, MessageRows.Head> heads(
            StoredDestination destination, long[] sequences, List<Damage> damaged) {
        Map<Long, MessageRows.Head> found = new LinkedHashMap<>();
        rows.read(
                Table.HEADERS,
                destination.id(),
                sequences,
                new RowReader.Visitor() {
                    @Override
                    public void onRow(byte[] key, byte[] row) {
                        try {
                            found.put(Keys.number(key), MessageRows.head(key, row));
                        } catch (LogException e) {
                            damaged.add(Damage.of(Keys.number(key), e, row, null));
                        }
                    }

                    @Override
                    public void onDamage(long sequence, LogException cause) {
                        damaged.add(Damage.of(sequence, cause, null, null));
                    }
                });
        return found;
    }

    /// The bodies of messages, and which of them cannot be read.
    private static final class Bodies implements RowReader.Visitor {
        final Map<Long, byte[]> rows = new HashMap<>();
        final Map<Long, LogException> damaged = new HashMap<>();

        @Override
        public void onRow(byte[] key, byte[] row) {
            rows.put(Keys.number(key), row);
        }

        @Override
        public void onDamage(long sequence, LogException cause) {
            damaged.put(sequence, cause);
        }
    }

    private Found read(StoredDestination destination, long[] wanted) {
        Found found = new Found();
        Bodies bodies = new Bodies();
        rows.read(Table.BODIES, destination.id(), wanted, bodies);
        rows.read(
                Table.HEADERS,
                destination.id(),
                wanted,
                new RowReader.Visitor() {
                    @Override
                    public void onRow(byte[] key, byte[] row) {
                        decode(destination, key, row, bodies, found);
                    }

                    @Override
                    public void onDamage(long sequence, LogException cause) {
                        byte[] body = bodies.rows.get(sequence);
                        found.damaged.add(Damage.of(sequence, cause, null, body));
                    }
                });
        return found;
    }

    private static void decode(
            StoredDestination destination, byte[] key, byte[] row, Bodies bodies, Found found) {
        long sequence = Keys.number(key);
        byte[] body = bodies.rows.get(sequence);
        try {
            MessageRows.Head head = MessageRows.head(key, row);
            LogException unreadable = bodies.damaged.get(sequence);
            if (unreadable != null && head.hasOtherRow()) {
                throw unreadable;
            }
            byte[] block = MessageRows.block(key, head, body);
            StoredMessage message =
                    new StoredMessage(destination, sequence, block, head.headers(), head.body());
            message.stored = true;
            message.readable = true;
            found.messages.add(message);
        } catch (LogException e) {
            found.damaged.add(Damage.of(sequence, e, row, body));
        }
    }
}
