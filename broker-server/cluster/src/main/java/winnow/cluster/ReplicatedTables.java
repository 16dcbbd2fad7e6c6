package winnow.cluster;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.raftlog.RaftLog;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.statemachine.StateMachineStorage;
import org.apache.ratis.statemachine.TransactionContext;
import org.apache.ratis.statemachine.impl.BaseStateMachine;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.util.LifeCycle;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import winnow.store.Batch;
import winnow.store.Completion;
import winnow.store.Durability;
import winnow.store.LogException;
import winnow.store.Table;
import winnow.store.rocksdb.RocksShardLog;

/// Tables that a node makes of the log: the entries change them, each together with its index in
/// one write. These writes are not synced, because the log is: after a power failure the node goes
/// on from what is there.
///
/// One thread of the engine applies; the tables' own thread writes.
final class ReplicatedTables extends BaseStateMachine {
    private static final Logger LOG = LoggerFactory.getLogger(ReplicatedTables.class);

    /// Answer to an entry that changed nothing.
    static final Message REFUSED = Message.valueOf("refused");

    /// Entries that wait for being written.
    private static final int WAITING_BYTES = 32 << 20;

    /// Log behind the last snapshot after which the next one is made. Reading it again takes a
    /// restarted node some seconds at most.
    private static final long SNAPSHOT_BYTES = 256L << 20;

    private static final long SNAPSHOT_ENTRIES = 200_000;

    /// Above all keys.
    private static final byte[] END_OF_KEYS = new byte[256];

    static {
        Arrays.fill(END_OF_KEYS, (byte) 0xFF);
    }

    private final ClusterNodeOptions options;
    private final Events events;
    private final TableSnapshots snapshots = new TableSnapshots();
    private final Semaphore room = new Semaphore(WAITING_BYTES);

    /// The last entry that was looked at, also if it changed nothing.
    private final AtomicReference<TermIndex> seen = new AtomicReference<>(TermIndex.INITIAL_VALUE);

    private volatile @Nullable RocksShardLog tables;

    /// As of the last entry that was given to the tables. Changed by the engine's thread.
    private volatile Applied applied = Applied.NOTHING;

    /// As of the last entry that can be read in the tables.
    private volatile Applied written = Applied.NOTHING;

    /// When the tables last had nothing to write, or had written something, by [System#nanoTime].
    private volatile long progressNanos;

    /// Number that the next entry must have: above [Applied#next] while there are parts.
    private long expected;

    private final List<ByteString> parts = new ArrayList<>();

    /// Since a snapshot was last found to be due.
    private long bytesSinceDue;

    private long entriesSinceDue;

    /// Since the last snapshot, or the start.
    private long bytesSinceSnapshot;

    /// News of the node's role. Called by threads of the engine, which must not wait.
    interface Events {
        /// This node leads, and its tables have all that was confirmed.
        void onLeading();

        /// This node leads no more.
        void onNotLeading();

        /// The log behind the last snapshot is long, or has become longer by as much again.
        ///
        /// @param logBytes that it has
        void onSnapshotDue(long logBytes);

        /// Room on the disk, for the node that leads.
        Message room();

        /// Tables or log cannot be written: the node is of no use until it is started again.
        void onFailed(Throwable cause);
    }

    ReplicatedTables(ClusterNodeOptions options, Events events) {
        this.options = options;
        this.events = events;
    }

    /// The tables. They change only by what the log brings.
    RocksShardLog tables() {
        RocksShardLog open = tables;
        if (open == null) {
            throw new LogException(LogException.Reason.CLOSED, "the node has been stopped");
        }
        return open;
    }

    /// Position of the tables that can be read.
    Applied written() {
        return written;
    }

    /// Time since the tables have written anything of what they were given, in ns; 0 if they have
    /// written it all. Any thread.
    long stalledNanos() {
        return applied.index() > written.index() ? System.nanoTime() - progressNanos : 0;
    }

    TableSnapshots snapshots() {
        return snapshots;
    }

    @Override
    public void initialize(RaftServer server, RaftGroupId group, RaftStorage storage)
            throws IOException {
        super.initialize(server, group, storage);
        getLifeCycle().startAndTransition(() -> start(storage), IOException.class);
    }

    private void start(RaftStorage storage) throws IOException {
        snapshots.init(storage);
        boolean hadTables = Files.exists(options.tables());
        if (!hadTables && snapshots.newestIndex() >= 0) {
            snapshots.restore(options.tables());
        }
        open();
        if (hadTables && snapshots.newestIndex() < 0 && !hasLog(storage)) {
            demandNoRows();
        }
        if (snapshots.newestIndex() > applied.index()) {
            replace();
        }
    }

    private static boolean hasLog(RaftStorage storage) throws IOException {
        Path directory = storage.getStorageDir().getCurrentDir().toPath();
        try (DirectoryStream<Path> segments = Files.newDirectoryStream(directory, "log_*")) {
            return segments.iterator().hasNext();
        }
    }

    /// Refuses tables that no log of this node has made: the other nodes do not have their rows.
    private void demandNoRows() throws IOException {
        boolean[] found = {applied.index() >= 0};
        for (Table table : Table.values()) {
            tables().scan(
                            table,
                            new byte[0],
                            END_OF_KEYS,
                            (_, _) -> {
                                found[0] = true;
                                return false;
                            });
        }
        if (found[0]) {
            closeTables();
            throw new IOException(
                    "expected no messages in "
                            + options.tables()
                            + ", because "
                            + options.log()
                            + " has no log that has brought them, found some: the messages of a"
                            + " single broker do not become those of a cluster. Remove "
                            + options.tables()
                            + " if its messages are not needed; the node gets those of the"
                            + " cluster");
        }
    }

    private void open() {
        RocksShardLog opened =
                RocksShardLog.open(options.tables(), Runnable::run, options.settings());
        tables = opened;
        applied = Applied.of(opened.get(Table.META, Applied.key()));
        written = applied;
        expected = applied.next();
        parts.clear();
        bytesSinceSnapshot = 0;
        if (applied.index() >= 0) {
            see(TermIndex.valueOf(applied.term(), applied.index()));
        }
    }

    private void replace() throws IOException {
        closeTables();
        snapshots.restore(options.tables());
        open();
    }

    private void closeTables() {
        RocksShardLog open = tables;
        tables = null;
        if (open != null) {
            open.close();
        }
    }

    @Override
    public void pause() {
        getLifeCycle().transition(LifeCycle.State.PAUSING);
        getLifeCycle().transition(LifeCycle.State.PAUSED);
    }

    /// A snapshot of another node has come.
    @Override
    public void reinitialize() throws IOException {
        try {
            replace();
        } catch (IOException | RuntimeException | Error e) {
            // The engine would close itself and say nothing.
            events.onFailed(e);
            throw e;
        }
        LOG.info("Took over a snapshot of another node, up to entry {}", applied.index());
        getLifeCycle().transition(LifeCycle.State.STARTING);
        getLifeCycle().transition(LifeCycle.State.RUNNING);
    }

    @Override
    public CompletableFuture<Message> applyTransaction(TransactionContext transaction) {
        LogEntryProto entry = Objects.requireNonNull(transaction.getLogEntry());
        TermIndex at = TermIndex.valueOf(entry);
        see(at);
        if (at.getIndex() <= applied.index()) {
            // The engine reads again from the last snapshot.
            return CompletableFuture.completedFuture(REFUSED);
        }
        try {
            return apply(ClusterEntry.decode(entry.getStateMachineLogEntry().getLogData()), at);
        } catch (RuntimeException | Error e) {
            // Going on without the entry would make these tables differ from those of others.
            events.onFailed(e);
            throw e;
        }
    }

    private CompletableFuture<Message> apply(ClusterEntry entry, TermIndex at) {
        if (entry.kind() == ClusterEntry.Kind.BEGIN) {
            LeaderAddress owner = entry.owner();
            parts.clear();
            expected = 0;
            return write(new Applied(at.getIndex(), at.getTerm(), at.getIndex(), 0, owner));
        }
        if (entry.epoch() != applied.epoch() || entry.number() != expected) {
            return CompletableFuture.completedFuture(REFUSED);
        }
        expected++;
        parts.add(entry.content());
        if (entry.kind() == ClusterEntry.Kind.PART) {
            return CompletableFuture.completedFuture(Message.EMPTY);
        }
        return write(
                new Applied(
                        at.getIndex(), at.getTerm(), applied.epoch(), expected, applied.owner()));
    }

    /// Gives the parts to the tables.
    private CompletableFuture<Message> write(Applied next) {
        Batch batch = Batch.decoded(joined(next));
        parts.clear();
        if (applied.index() == written.index()) {
            progressNanos = System.nanoTime();
        }
        applied = next;
        int bytes = Math.min(batch.bytes(), WAITING_BYTES);
        room.acquireUninterruptibly(bytes);
        CompletableFuture<Message> result = new CompletableFuture<>();
        tables().append(
                        batch,
                        Durability.WRITTEN,
                        new Completion() {
                            @Override
                            public void onWritten() {
                                room.release(bytes);
                                progressNanos = System.nanoTime();
                                written = next;
                                result.complete(Message.EMPTY);
                            }

                            @Override
                            public void onFailed(LogException failure) {
                                room.release(bytes);
                                events.onFailed(failure);
                                result.completeExceptionally(failure);
                            }
                        });
        count(bytes);
        return result;
    }

    private byte[] joined(Applied next) {
        Batch position = new Batch();
        next.writeTo(position);
        byte[] first = position.encoded();
        int bytes = first.length;
        for (ByteString part : parts) {
            bytes = Math.addExact(bytes, part.size());
        }
        byte[] all = Arrays.copyOf(first, bytes);
        int at = first.length;
        for (ByteString part : parts) {
            part.copyTo(all, at);
            at += part.size();
        }
        return all;
    }

    private void count(int bytes) {
        bytesSinceSnapshot += bytes;
        bytesSinceDue += bytes;
        entriesSinceDue++;
        if (bytesSinceDue >= SNAPSHOT_BYTES || entriesSinceDue >= SNAPSHOT_ENTRIES) {
            bytesSinceDue = 0;
            entriesSinceDue = 0;
            events.onSnapshotDue(bytesSinceSnapshot);
        }
    }

    private void see(TermIndex at) {
        seen.accumulateAndGet(at, (a, b) -> a.compareTo(b) >= 0 ? a : b);
    }

    @Override
    public TermIndex getLastAppliedTermIndex() {
        return seen.get();
    }

    /// An entry of the engine itself.
    @Override
    public void notifyTermIndexUpdated(long term, long index) {
        see(TermIndex.valueOf(term, index));
    }

    /// Called when everything that was applied is written.
    @Override
    public long takeSnapshot() throws IOException {
        Applied now = applied;
        if (now.index() < 0) {
            return RaftLog.INVALID_LOG_INDEX;
        }
        if (snapshots.newestIndex() < now.index()) {
            try {
                snapshots.make(tables(), TermIndex.valueOf(now.term(), now.index()));
            } catch (LogException e) {
                throw new IOException(e);
            }
        }
        bytesSinceSnapshot = 0;
        return now.index();
    }

    /// The one question that nodes ask each other: how much room the disk has.
    @Override
    public CompletableFuture<Message> queryStale(Message request, long minIndex) {
        return CompletableFuture.completedFuture(events.room());
    }

    @Override
    public StateMachineStorage getStateMachineStorage() {
        return snapshots;
    }

    @Override
    public void notifyLeaderReady() {
        events.onLeading();
    }

    @Override
    public void notifyNotLeader(Collection<TransactionContext> pending) {
        events.onNotLeading();
    }

    @Override
    public void notifyLogFailed(Throwable cause, @Nullable LogEntryProto entry) {
        events.onFailed(cause);
    }

    @Override
    public void close() {
        getLifeCycle().checkStateAndClose(this::closeTables);
    }
}
