package winnow.broker.transport;

import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import winnow.broker.fault.FaultBarrier;
import winnow.broker.matching.NameDictionary;
import winnow.broker.metrics.BrokerCounters;
import winnow.broker.metrics.Iterations;
import winnow.broker.metrics.LoopCounters;
import winnow.broker.routing.Router;
import winnow.broker.session.ClientConnection;
import winnow.broker.session.SessionLoop;
import winnow.broker.subscription.BacklogMemory;
import winnow.broker.subscription.DeliveryTarget;
import winnow.broker.subscription.WaitingMessages;
import winnow.selector.slot.Sampler;
import winnow.wire.FrameSplitter;

/// An event loop with what its connections share: router, scratch array, counters, and the work
/// that is left for the end of the iteration. In one iteration the loop reads all sockets that have
/// bytes; then, once, it hands over to other loops, confirms and gives credit, and flushes the
/// outputs with answers, for which a producer may wait, and some of those with deliveries only.
/// While more of them are queued it does not wait for sockets, but reads those that have bytes, so
/// that what comes meanwhile still leaves by the same writes (ADR 11): the copies per system call
/// are as many as possible without any timer.
final class NettyLoop implements SessionLoop {
    private static final Logger LOG = LoggerFactory.getLogger(NettyLoop.class);

    /// Messages that an iteration brings for each output it flushes beyond the first, so that none
    /// waits long where the loop is busy. Confirmed sends bring fewer. 160 subscribers with a
    /// filter each, r = 1: 0.118 µs per message with 16, 0.103 with 64, 0.097 if there is no
    /// second.
    private static final int MESSAGES_PER_FLUSH = 64;

    /// Longest time that deliveries may wait for their turn: where messages have a thousand
    /// subscribers, 100 outputs that take turns kept each other waiting for a second. With 160
    /// subscribers and one copy of each message a turn comes every millisecond.
    static final long MAX_TURN_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    /// Longest time for which outputs that have waited for too long are flushed in one iteration.
    /// If a thousand of them were flushed at once, at 20 µs each, the loop would be held for 20 ms.
    static final long MAX_FLUSH_NANOS = TimeUnit.MICROSECONDS.toNanos(300);

    /// One read of so many is timed in the mean, and one release of waiting copies: 25 ns each,
    /// where a read takes more than 1 µs.
    private static final int READS_PER_SAMPLE = 16;

    /// Part of the largest heap, which is as much as direct memory may take, for large messages
    /// that sockets have not taken.
    private static final int LARGE_PART = 4;

    /// Bytes of messages that are read before they are handed over, at the latest at the
    /// iteration's end.
    private static final int MAX_READ_BYTES = 2 << 20;

    private final IoLoop eventLoop;
    private final int index;
    private final LoopCounters counters;
    private final Iterations iterations;
    private final FaultBarrier faults;
    private final LongSupplier nanoClock;
    private final byte[] scratch = new byte[FrameSplitter.SCRATCH_BYTES];
    private final List<ClientConnection> touched = new ArrayList<>();
    private final List<ConnectionOutput> flushFirst = new ArrayList<>();
    private final ArrayDeque<ConnectionOutput> flushQueue = new ArrayDeque<>();
    private final Executor tasks;
    private final Executor tasksAfterReading;
    private final Runnable endIteration = this::endIteration;
    private final Runnable scheduleEnd = this::scheduleEnd;
    private final Runnable routed;
    private final Runnable releaseLarge = this::releaseLarge;
    private final Router router;
    private final WaitingMessages waiting;
    private final NextMessage nextMessage = new NextMessage();
    private final LargeBlocks largeBlocks;
    private final ControlWriter control = new ControlWriter();
    private long messages;
    private long flushedMessages;

    /// Bytes of messages since they were handed over last.
    private long readBytes;

    private final Sampler sampler = new Sampler(READS_PER_SAMPLE);
    private int untilSampledRead = sampler.distance();
    private int untilSampledRelease = sampler.distance();
    private long sampledReadNanos;
    private long deliveryNanosBefore;
    private boolean answered;
    private boolean endScheduled;

    /// Parts that all loops share; they are thread-safe.
    ///
    /// @param memory for what waits for consumers
    /// @param nanoClock tells how long outputs wait for their turn
    record Shared(
            NameDictionary names,
            BrokerCounters totals,
            BacklogMemory memory,
            FaultBarrier faults,
            LongSupplier nanoClock) {}

    /// @param loops all loops by index, still being filled
    NettyLoop(IoLoop eventLoop, int index, List<NettyLoop> loops, int loopCount, Shared shared) {
        this.eventLoop = eventLoop;
        this.tasks = eventLoop;
        this.tasksAfterReading = eventLoop::executeAfterEventLoopIteration;
        this.faults = shared.faults();
        this.nanoClock = shared.nanoClock();
        this.index = index;
        this.counters = new LoopCounters(shared.totals(), index);
        this.iterations = counters.iterations();
        eventLoop.measure(iterations);
        eventLoop.execute(counters::onStart);
        this.routed = () -> router().endBatch();
        this.router =
                new Router(this, loops, loopCount, shared.names(), counters, shared.nanoClock());
        this.waiting = new WaitingMessages(this, shared.memory());
        this.largeBlocks =
                new LargeBlocks(
                        this,
                        shared.memory(),
                        Runtime.getRuntime().maxMemory() / LARGE_PART / loopCount);
    }

    @Override
    public int index() {
        return index;
    }

    @Override
    public boolean inLoop() {
        return eventLoop.inEventLoop();
    }

    /// Runs the command on this loop, or not at all when the broker has stopped its loops: what a
    /// connection would free by then is gone with them.
    @Override
    public void execute(Runnable command) {
        submit(
                tasks,
                () -> {
                    iterations.onWork();
                    faults.run(command);
                });
    }

    private static void submit(Executor tasks, Runnable task) {
        try {
            tasks.execute(task);
        } catch (RejectedExecutionException e) {
            LOG.debug("Not run, the loop has stopped: {}", task);
        }
    }

    /// A task would still run in this iteration; what this one adds at its very end runs in the
    /// next.
    @Override
    public void executeAfterReading(Runnable command) {
        submit(tasksAfterReading, () -> execute(command));
    }

    @Override
    public FaultBarrier faults() {
        return faults;
    }

    @Override
    public Router router() {
        return router;
    }

    EventLoop eventLoop() {
        return eventLoop;
    }

    @Override
    public WaitingMessages waiting() {
        return waiting;
    }

    @Override
    public long numberMessages(int count) {
        long first = messages + 1;
        messages += count;
        return first;
    }

    @Override
    public long beginMessage() {
        long number = SessionLoop.super.beginMessage();
        largeBlocks.expect(number);
        return number;
    }

    @Override
    public void endMessage(long number) {
        SessionLoop.super.endMessage(number);
        largeBlocks.endExpected(number);
        largeBlocks.endMessages();
    }

    /// Bytes of a connection are about to be handled.
    void onRead() {
        sampledReadNanos = 0;
        if (--untilSampledRead == 0) {
            untilSampledRead = sampler.distance();
            sampledReadNanos = nanoClock.getAsLong();
            deliveryNanosBefore = counters.deliveryNanos();
        }
    }

    /// They have been handled.
    void onReadEnd() {
        if (sampledReadNanos != 0) {
            long all = nanoClock.getAsLong() - sampledReadNanos;
            long delivery = counters.deliveryNanos() - deliveryNanosBefore;
            counters.handled(READS_PER_SAMPLE * Math.max(0, all - delivery));
            sampledReadNanos = 0;
        }
        if (readBytes > MAX_READ_BYTES) {
            handOver();
        }
    }

    @Override
    public long sampledReadNanos() {
        return sampledReadNanos;
    }

    @Override
    public void onReleased(long message, int copies, DeliveryTarget target) {
        if (--untilSampledRelease == 0) {
            untilSampledRelease = sampler.distance();
            long now = nanoClock.getAsLong();
            target.sampleDwell(now - waiting.times().ageNanos(message, now), copies);
        }
    }

    @Override
    public void onDwelt(long nanos, int copies) {
        counters.dwelt(nanos, copies);
    }

    /// Publishes what waits for consumers and what copies cost; to be called now and then.
    void publish() {
        long age = waiting.copies() == 0 ? 0 : waiting.oldestAgeNanos(nanoClock.getAsLong());
        counters.onWaiting(new LoopCounters.Waiting(waiting.copies(), age));
        counters.updateRecent();
    }

    @Override
    public void onDelivered(int copies, long nanos) {
        counters.delivered(copies, nanos);
    }

    /// Writes control frames into the outputs of this loop.
    ControlWriter control() {
        return control;
    }

    /// Copies of large messages for this loop's sockets.
    LargeBlocks largeBlocks() {
        return largeBlocks;
    }

    /// Array for [FrameSplitter], shared by the connections of this loop.
    byte[] scratch() {
        return scratch;
    }

    @Override
    public void touch(ClientConnection connection) {
        if (touched.isEmpty() || touched.get(touched.size() - 1) != connection) {
            touched.add(connection);
            scheduleEnd();
        }
    }

    @Override
    public void onMessage(boolean routed, int frameBytes) {
        readBytes += frameBytes;
        if (!routed) {
            iterations.onStoredMessage();
        }
    }

    /// Counters of this loop's iterations.
    Iterations iterations() {
        return iterations;
    }

    @Override
    public void onAnswered() {
        answered = true;
    }

    /// `output` has something to flush: it takes its turn.
    void enqueue(ConnectionOutput output) {
        output.queuedNanos(nanoClock.getAsLong());
        flushQueue.add(output);
        scheduleEnd();
    }

    /// `output` is flushed at the end of this iteration.
    void enqueueFirst(ConnectionOutput output) {
        flushFirst.add(output);
        scheduleEnd();
    }

    /// Writes to the socket what the channel has.
    void write(Channel channel) {
        iterations.onWrite();
        channel.flush();
    }

    private void scheduleEnd() {
        if (!endScheduled) {
            endScheduled = true;
            submit(tasks, endIteration);
        }
    }

    /// Releases copies of large messages that sockets have taken. To be called now and then,
    /// because a socket may take them when the loop has nothing else to do.
    void releaseLarge() {
        largeBlocks.endMessages();
    }

    /// Whatever fails in it, the rest of it and the next iterations go on.
    private void endIteration() {
        endScheduled = false;
        if (!touched.isEmpty()) {
            nextMessage.onRead();
        }
        handOver();
        long now = flush();
        faults.run(releaseLarge);
        if (answered) {
            answered = false;
            nextMessage.onAnswer(now);
        }
        if (!flushQueue.isEmpty() || nextMessage.isPolling(now)) {
            // A task would still run in this iteration; one that this one adds at its very end
            // runs in the next, after the sockets were read.
            submit(tasksAfterReading, scheduleEnd);
        }
    }

    /// Hands over what was read: until then it waits in batches.
    private void handOver() {
        readBytes = 0;
        faults.run(routed);
        for (int i = 0; i < touched.size(); i++) {
            ClientConnection connection = touched.get(i);
            try {
                connection.onBatchEnd();
            } catch (Throwable fault) {
                faults.onFault(connection, fault);
            }
        }
        touched.clear();
    }

    /// @return the time afterwards
    private long flush() {
        long start = System.nanoTime();
        if (flushFirst.isEmpty() && flushQueue.isEmpty()) {
            return start;
        }
        iterations.onWork();
        for (int i = 0; i < flushFirst.size(); i++) {
            ConnectionOutput output = flushFirst.get(i);
            try {
                output.flushAsFirst();
            } catch (Throwable fault) {
                faults.onFault(output, fault);
            }
        }
        flushFirst.clear();
        long left = 1 + (messages - flushedMessages) / MESSAGES_PER_FLUSH;
        flushedMessages = messages;
        long begin = nanoClock.getAsLong();
        long overdue = begin - MAX_TURN_NANOS;
        boolean full = false;
        ConnectionOutput next = flushQueue.peek();
        while (next != null && (left > 0 || (!full && next.queuedNanos() - overdue < 0))) {
            if (flushQueued(flushQueue.remove())) {
                left--;
                full = nanoClock.getAsLong() - begin >= MAX_FLUSH_NANOS;
            }
            next = flushQueue.peek();
        }
        long now = System.nanoTime();
        counters.flushed(now - start);
        return now;
    }

    private boolean flushQueued(ConnectionOutput output) {
        try {
            return output.flushQueued();
        } catch (Throwable fault) {
            faults.onFault(output, fault);
            return false;
        }
    }
}
