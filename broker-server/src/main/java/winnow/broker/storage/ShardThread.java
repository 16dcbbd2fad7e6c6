package winnow.broker.storage;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.jctools.queues.atomic.MpscUnboundedAtomicArrayQueue;
import org.jspecify.annotations.Nullable;
import winnow.broker.fault.FaultBarrier;
import winnow.broker.shard.Shard;

/// The thread that owns a shard: runs commands in the order in which they came, lets the shard
/// deliver and write what they changed, and tells the event loops. It waits only when there is
/// nothing to do. `execute` may be called by any thread.
final class ShardThread implements Executor {
    /// Commands between two flushes: enough for a write to be worth it, few enough that the first
    /// of them does not wait long; about a microsecond each.
    private static final int TURN = 1024;

    /// Time after which a turn ends earlier, and commands between two looks at the clock: some
    /// commands take much longer.
    private static final long TURN_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private static final int LOOK_COMMANDS = 8;

    private static final long LOOK_MILLIS = 1000;
    private static final long MAX_WAIT_MILLIS = LOOK_MILLIS;

    /// Slices of long work go on in a turn until this time has passed, so that others wait no
    /// longer than for one slice more.
    private static final long SLICES_NANOS = TimeUnit.MICROSECONDS.toNanos(200);

    /// A clock that took longer to be read may have been read before a long pause.
    private static final long READ_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    private static final int READ_ATTEMPTS = 3;

    private final Queue<Runnable> commands = new MpscUnboundedAtomicArrayQueue<>(TURN);

    /// Slices of long work that the thread has given itself, in turn.
    private final Deque<Runnable> slices = new ArrayDeque<>();

    private final FaultBarrier faults;
    private final LongSupplier wallMillis;
    private final LongSupplier nanoClock;
    private final Outbox outbox = new Outbox(System::nanoTime);
    private final Thread thread = new Thread(this::run, "winnow-shard");
    private volatile boolean waiting;
    private volatile boolean stopping;
    private @Nullable Shard shard;
    private Runnable watch = () -> {};
    private Runnable look = () -> {};
    private Runnable afterTurn = () -> {};
    private long lookNanos;

    /// @param wallMillis tells the time in milliseconds since 1970, and may be set
    /// @param nanoClock see [System#nanoTime]
    ShardThread(FaultBarrier faults, LongSupplier wallMillis, LongSupplier nanoClock) {
        this.faults = faults;
        this.wallMillis = wallMillis;
        this.nanoClock = nanoClock;
        this.lookNanos = nanoClock.getAsLong();
        thread.setDaemon(true);
    }

    /// Begins to run commands, those that have come before first.
    ///
    /// @param newWatch called whenever the thread has done something, before others are told of it
    /// @param newLook called about each second
    /// @param newAfterTurn called whenever the thread has done something, when others were told
    void start(Shard newShard, Runnable newWatch, Runnable newLook, Runnable newAfterTurn) {
        shard = newShard;
        watch = newWatch;
        look = newLook;
        afterTurn = newAfterTurn;
        thread.start();
    }

    /// Another shard takes over. Shard's thread only.
    void use(Shard newShard) {
        shard = newShard;
    }

    /// Commands that go to the event loops. Shard's thread only.
    Outbox outbox() {
        return outbox;
    }

    boolean inThread() {
        return Thread.currentThread().equals(thread);
    }

    /// Runs a command. One of the thread's own is a slice of long work: it runs in a later turn.
    @Override
    public void execute(Runnable command) {
        if (inThread()) {
            slices.addLast(command);
        } else {
            enqueue(command);
        }
    }

    /// Runs a command behind all that have come, whoever gives it.
    void enqueue(Runnable command) {
        commands.add(command);
        if (waiting) {
            LockSupport.unpark(thread);
        }
    }

    /// Runs what has come before, then ends. Blocks.
    ///
    /// @param timeoutMillis longest wait
    void stop(long timeoutMillis) {
        enqueue(() -> stopping = true);
        try {
            thread.join(timeoutMillis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        while (!stopping) {
            long now = tellTime(owned());
            boolean sliced = runSlices();
            boolean worked = runSome() || sliced;
            faults.run(owned()::flush);
            faults.run(watch);
            if (now - lookNanos >= 0) {
                lookNanos = now + TimeUnit.MILLISECONDS.toNanos(LOOK_MILLIS);
                faults.run(look);
            }
            outbox.flush();
            faults.run(afterTurn);
            if (!worked && slices.isEmpty()) {
                long passed = TimeUnit.NANOSECONDS.toMillis(nanoClock.getAsLong() - now);
                await(owned().nextMillis() - passed);
            }
        }
    }

    /// Reads both clocks, at the same time.
    ///
    /// @return that of [System#nanoTime]
    private long tellTime(Shard told) {
        long nanos = nanoClock.getAsLong();
        long wall = wallMillis.getAsLong();
        long after = nanoClock.getAsLong();
        for (int i = 1; i < READ_ATTEMPTS && after - nanos > READ_NANOS; i++) {
            nanos = after;
            wall = wallMillis.getAsLong();
            after = nanoClock.getAsLong();
        }
        long wallRead = wall;
        long steady = TimeUnit.NANOSECONDS.toMillis(after);
        faults.run(() -> told.onTime(wallRead, steady));
        return after;
    }

    /// Runs slices that were there before the turn, one at least.
    private boolean runSlices() {
        long begin = nanoClock.getAsLong();
        int left = slices.size();
        if (left == 0) {
            return false;
        }
        do {
            faults.run(slices.removeFirst());
            left--;
        } while (left > 0 && nanoClock.getAsLong() - begin < SLICES_NANOS);
        return true;
    }

    private Shard owned() {
        Shard owned = shard;
        if (owned == null) {
            throw new IllegalStateException("no shard");
        }
        return owned;
    }

    private boolean runSome() {
        int done = 0;
        long begin = nanoClock.getAsLong();
        while (done < TURN
                && (done % LOOK_COMMANDS != LOOK_COMMANDS - 1
                        || nanoClock.getAsLong() - begin < TURN_NANOS)) {
            Runnable command = commands.poll();
            if (command == null) {
                break;
            }
            faults.run(command);
            done++;
        }
        return done > 0;
    }

    private void await(long wantedMillis) {
        waiting = true;
        if (commands.isEmpty()) {
            long millis = Math.clamp(wantedMillis, 0, MAX_WAIT_MILLIS);
            if (millis > 0) {
                LockSupport.parkNanos(this, TimeUnit.MILLISECONDS.toNanos(millis));
            }
        }
        waiting = false;
    }
}
