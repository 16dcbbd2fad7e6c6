package winnow.broker.storage;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import winnow.broker.fault.FaultBarrier;
import winnow.broker.fault.FaultOwner;
import winnow.broker.metrics.StorageFigures;
import winnow.broker.shard.MessageHeaders;
import winnow.broker.shard.Outcome;
import winnow.broker.shard.Policies;
import winnow.broker.shard.Shard;
import winnow.broker.shard.ShardConfig;
import winnow.broker.shard.ShardTime;
import winnow.broker.subscription.Loop;
import winnow.store.LogException;
import winnow.store.ShardLog;

/// The queues and durable subscriptions of a broker, with the messages that wait in them: a shard
/// on a thread of its own. Thread-safe.
public final class Storage implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Storage.class);

    private static final long STOP_MILLIS = 10_000;

    /// Time between two looks at a failed store.
    private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(5);

    /// Time between two searches for what nobody uses.
    private static final long COLLECT_NANOS = TimeUnit.SECONDS.toNanos(10);

    /// Threads that read backlogs: one waits for the disk while another decodes.
    private static final int READERS = 2;

    /// Null if there is no disk.
    private final @Nullable DiskWatch watch;

    private final Unused unused = new Unused();
    private final Backups backups;
    private final StorageConfig config;
    private final ShardThread thread;
    private final ExecutorService readers;
    private final ShardFiles files;
    private final FigureSnapshots figures;
    private final Set<StoredSession> sessions = new HashSet<>();
    private final List<Consumer<Shard>> reopened = new ArrayList<>();

    /// These change when the files are opened again. Owned by the shard's thread.
    private ShardFiles.Opened opened;

    private final UUID identity;

    /// Policies that have been changed since the start, null if they have not.
    private @Nullable Policies policies;

    private boolean failed;
    private long nextLookNanos = System.nanoTime();

    private Storage(
            StorageConfig config,
            ShardConfig rules,
            ShardThread thread,
            ExecutorService readers,
            ShardFiles files) {
        this.config = config;
        this.thread = thread;
        this.readers = readers;
        this.files = files;
        this.opened = files.open(new ShardTime(System.currentTimeMillis()));
        this.identity = opened.shard().sentAgain().identify(opened.shard());
        this.figures = new FigureSnapshots(rules, files.meter(), this::disk);
        this.watch = config.durable() ? watch() : null;
        this.backups = new Backups(config, this::log);
    }

    private DiskWatch watch() {
        return new DiskWatch(
                config.directory(),
                config.diskReserve().bytes(),
                () -> figures().content().bytes(),
                this::log,
                spares -> execute(shard -> shard.operations().sparing(spares)));
    }

    private StorageFigures.Disk disk() {
        return watch == null ? StorageFigures.Disk.NONE : watch.figures();
    }

    /// The log as it is after all that was asked for before.
    private CompletableFuture<ShardLog> log() {
        CompletableFuture<ShardLog> log = new CompletableFuture<>();
        execute(shard ->
                shard.failure()
                        .ifPresentOrElse(
                                log::completeExceptionally, () -> log.complete(opened.log())));
        return log;
    }

    /// Copies of it that are made while it works.
    public Backups backups() {
        return backups;
    }

    /// Opens the storage and reads what is there. Blocks. Nothing is delivered before [#start].
    ///
    /// @param propertyNames names of properties by their numbers, from 1; called when messages come
    /// @throws winnow.store.LogException if the files cannot be used
    public static Storage open(
            StorageConfig config,
            ShardConfig rules,
            IntFunction<String> propertyNames,
            FaultBarrier faults) {
        return open(config, rules, propertyNames, faults, null);
    }

    /// The same with a log that is not of its own files.
    ///
    /// @param source of the log; null if it is
    public static Storage open(
            StorageConfig config,
            ShardConfig rules,
            IntFunction<String> propertyNames,
            FaultBarrier faults,
            @Nullable LogSource source) {
        ShardThread thread = new ShardThread(faults, System::currentTimeMillis, System::nanoTime);
        ExecutorService readers =
                Executors.newFixedThreadPool(
                        READERS, Thread.ofPlatform().daemon().name("winnow-reader-", 0).factory());
        boolean opened = false;
        try {
            ShardFiles files =
                    new ShardFiles(
                            config, rules, propertyNames, thread, thread::enqueue, readers, source);
            Storage made = new Storage(config, rules, thread, readers, files);
            opened = true;
            return made;
        } finally {
            if (!opened) {
                readers.shutdownNow();
            }
        }
    }

    /// Tells this store from others: clients that come back to another one know by it.
    public UUID identity() {
        return identity;
    }

    /// Names of properties that stored messages use by number: the first is number 1.
    public List<String> propertyNames() {
        return opened.shard().propertyNames();
    }

    /// The shard before [#start], for who reads what was found.
    public Shard recovered() {
        return opened.shard();
    }

    /// Tells when the files have been opened again after a failure: there is another shard. To be
    /// called before [#start].
    ///
    /// @param listener called on the shard's thread
    public void onReopened(Consumer<Shard> listener) {
        reopened.add(listener);
    }

    /// Begins to work.
    public void start() {
        thread.start(opened.shard(), this::onTurn, this::look, () -> figures.refresh(opened));
        if (watch != null) {
            watch.start();
        }
    }

    /// Remembers a failure before anything leaves that is known to the shard only.
    private void onTurn() {
        Optional<LogException> failure = failed ? Optional.empty() : opened.shard().failure();
        if (failure.isPresent()) {
            failed = true;
            nextLookNanos = System.nanoTime() + RETRY_NANOS;
            figures.renew(opened);
            files.onFailed();
            if (failure.get().reason() == LogException.Reason.FENCED) {
                LOG.warn("The store takes nothing any more: {}", failure.get().getMessage());
            } else {
                LOG.error(
                        "The store takes nothing any more. Consumers get what can be read;"
                                + " producers are refused. It is opened again when its disk takes"
                                + " bytes",
                        failure.get());
            }
        }
    }

    /// Looks after the shard, about each second: removes what nobody uses, and opens the files
    /// again where they have failed and could be used.
    private void look() {
        long now = System.nanoTime();
        boolean due = now - nextLookNanos >= 0;
        if (!failed && due) {
            nextLookNanos = now + COLLECT_NANOS;
            unused.collect(opened.shard());
        } else if (failed && due) {
            nextLookNanos = now + RETRY_NANOS;
            if (files.writable()) {
                reopen();
            }
        }
    }

    /// Opens the files again. Clients with sessions lose their connections, because what they have
    /// been delivered belongs to the shard that was.
    private void reopen() {
        Shard before = opened.shard();
        for (StoredSession session : List.copyOf(sessions)) {
            session.abandon("the broker's store was opened again after a failure");
        }
        sessions.clear();
        try {
            opened.log().close();
        } catch (LogException e) {
            LOG.debug("The failed log could not be closed in order", e);
        }
        try {
            opened = files.open(before.time());
        } catch (LogException e) {
            LOG.error("The store could not be opened again", e);
            return;
        }
        failed = false;
        if (policies != null) {
            opened.shard().policies(policies);
        }
        figures.onReplaced(before);
        before.abandon();
        thread.use(opened.shard());
        // What its start deletes is not in one batch with what comes now.
        opened.shard().flush();
        if (watch != null) {
            watch.onReopened();
        }
        figures.renew(opened);
        reopened.forEach(listener -> listener.accept(opened.shard()));
        LOG.info("The store was opened again and takes messages");
    }

    /// Puts the settings into force that may change while the broker runs.
    public void config(QueueConfig config) {
        Policies changed = config.policyByName();
        execute(shard -> {
            policies = changed;
            shard.policies(changed);
        });
    }

    /// Contents and events of the storage, as of at most about a second ago. Any thread.
    public StorageFigures figures() {
        return figures.last();
    }

    /// Reason why it takes no messages, or takes longer than it should, empty if all is well. As of
    /// at most about a second ago. Any thread.
    ///
    /// @param patience time for which the disk may complete nothing
    public String problem(Duration patience) {
        StorageFigures now = figures();
        if (!now.failure().isEmpty()) {
            return "the store takes no more messages: " + now.failure();
        }
        long nanos = now.log().stalledNanos();
        return nanos <= patience.toNanos()
                ? ""
                : "the store's disk has completed nothing for "
                        + TimeUnit.NANOSECONDS.toSeconds(nanos)
                        + " s; what is sent waits for it";
    }

    /// Reason why it stores no messages though all is well, empty if it does. Any thread.
    public String refusal() {
        String refusal = watch == null ? null : watch.refusal(DiskUse.MESSAGE);
        return refusal == null ? "" : refusal;
    }

    /// Description of the storage and its contents, for people. Any thread.
    public StorageState state() {
        StorageFigures now = figures();
        return new StorageState(
                config.durable(), config.directory().toString(), now.log().epoch(), now);
    }

    /// Runs a command on the shard's thread, after all that this thread has given it before.
    public void execute(Consumer<Shard> command) {
        thread.enqueue(() -> command.accept(opened.shard()));
    }

    /// The same for a command of a connection, which is closed if the command fails.
    ///
    /// @param loop of the connection
    public void execute(Loop loop, FaultOwner owner, Consumer<Shard> command) {
        thread.enqueue(() -> {
            try {
                command.accept(opened.shard());
            } catch (Throwable fault) {
                tell(loop, owner, () -> loop.faults().onFault(owner, fault));
            }
        });
    }

    /// Runs a command on an event loop, together with others. Shard's thread only.
    ///
    /// @param owner closed if the command fails
    public void tell(Loop loop, FaultOwner owner, Runnable command) {
        assert thread.inThread();
        thread.outbox().add(loop, owner, command);
    }

    /// The same for a command that copies bytes.
    ///
    /// @param bytes how many about
    public void tell(Loop loop, FaultOwner owner, int bytes, Runnable command) {
        assert thread.inThread();
        thread.outbox().add(loop, owner, bytes, command);
    }

    /// Reason for taking nothing more of a user, or of the address of a client without one, of
    /// memory or disk; null if there is none. Shard's thread only.
    public @Nullable String overfull(DiskUse use, String owner) {
        DiskWatch watched = watch;
        if (watched == null) {
            return opened.shard().memory().full(owner);
        }
        watched.onWritten(files.meter().entryBytes());
        boolean fits = use == DiskUse.PERHAPS && !opened.shard().memory().windowIsFull();
        return fits ? null : watched.refusal(use);
    }

    /// The same for one message.
    public @Nullable String overfull(MessageHeaders message, String owner) {
        return overfull(message.persistent() ? DiskUse.MESSAGE : DiskUse.PERHAPS, owner);
    }

    /// Waits until what has been asked for is done and on the disk, or the log has failed, and all
    /// that was to be told to these loops has been. Blocks.
    ///
    /// @param timeoutMillis longest wait
    public void awaitIdle(Collection<? extends Loop> loops, long timeoutMillis) {
        CountDownLatch idle = new CountDownLatch(1 + loops.size());
        Runnable tellLast =
                () -> {
                    idle.countDown();
                    loops.forEach(loop -> tell(loop, fault -> {}, idle::countDown));
                };
        execute(shard ->
                shard.sync(
                        new Outcome() {
                            @Override
                            public void onDone() {
                                tellLast.run();
                            }

                            @Override
                            public void onFailed(LogException failure) {
                                tellLast.run();
                            }
                        }));
        try {
            if (!idle.await(timeoutMillis, TimeUnit.MILLISECONDS)) {
                LOG.warn("The store has not written everything within {} ms", timeoutMillis);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// A session of a connection. Shard's thread only.
    ///
    /// @param number that the client uses for it
    public StoredSession begin(SessionTarget target, int number) {
        StoredSession made =
                new StoredSession(
                        opened.shard(), thread.outbox(), target, number, sessions::remove);
        sessions.add(made);
        return made;
    }

    /// The socket has taken much of what was on its way. Any thread.
    public void resume(Flight flight) {
        execute(flight::resume);
    }

    /// Completes what has begun, and closes the files. Blocks.
    @Override
    public void close() {
        if (watch != null) {
            watch.close();
        }
        thread.enqueue(() -> opened.shard().settle());
        thread.stop(STOP_MILLIS);
        readers.shutdown();
        try {
            if (!failed) {
                opened.log().flush();
            }
        } catch (LogException e) {
            LOG.warn("The next start takes longer: {}", e.getMessage());
        }
        opened.log().close();
    }
}
