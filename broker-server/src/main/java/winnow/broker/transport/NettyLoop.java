package winnow.broker.transport;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.EventLoop;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import winnow.broker.destination.NameDictionary;
import winnow.broker.destination.Router;
import winnow.broker.metrics.BrokerCounters;
import winnow.broker.metrics.LoopCounters;
import winnow.broker.session.ClientConnection;
import winnow.broker.session.SessionLoop;
import winnow.broker.subscription.ChunkPool;
import winnow.wire.FrameSplitter;

/// An event loop with what its connections share: router, scratch array, counters, and the work
/// that is left for the end of the iteration. In one iteration the loop reads all sockets that have
/// bytes; then, once, it hands over to other loops, confirms and gives credit, and flushes each
/// output that has something. That makes the copies per system call as many as possible without any
/// timer.
final class NettyLoop implements SessionLoop {
    private static final Logger LOG = LoggerFactory.getLogger(NettyLoop.class);

    private final EventLoop eventLoop;
    private final int index;
    private final LoopCounters counters;
    private final byte[] scratch = new byte[FrameSplitter.SCRATCH_BYTES];
    private final ChunkPool chunks = new ChunkPool();
    private final List<ClientConnection> touched = new ArrayList<>();
    private List<ConnectionOutput> dirty = new ArrayList<>();
    private List<ConnectionOutput> flushing = new ArrayList<>();
    private final Router router;
    private @Nullable ByteBuf shared;
    private long sharedMessage;
    private long messages;
    private boolean endScheduled;

    /// @param loops all loops by index, still being filled
    NettyLoop(
            EventLoop eventLoop,
            int index,
            List<NettyLoop> loops,
            int loopCount,
            NameDictionary names,
            BrokerCounters totals) {
        this.eventLoop = eventLoop;
        this.index = index;
        this.counters = new LoopCounters(totals);
        this.router = new Router(this, loops, loopCount, names, counters);
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
        try {
            eventLoop.execute(command);
        } catch (RejectedExecutionException e) {
            LOG.debug("Not run, the loop has stopped: {}", command);
        }
    }

    @Override
    public Router router() {
        return router;
    }

    EventLoop eventLoop() {
        return eventLoop;
    }

    @Override
    public ChunkPool chunks() {
        return chunks;
    }

    @Override
    public long numberMessages(int count) {
        long first = messages + 1;
        messages += count;
        return first;
    }

    @Override
    public void onDelivered(int copies, long nanos) {
        counters.delivered(copies, nanos);
    }

    /// The one direct copy of a message's block, made when it is first asked for. Valid until
    /// another message's is asked for: keep it by a retained duplicate.
    ByteBuf sharedBlock(long message, byte[] array, int start, int end) {
        ByteBuf block = shared;
        if (block == null || message != sharedMessage) {
            releaseShared();
            block = ByteBufAllocator.DEFAULT.directBuffer(end - start);
            block.writeBytes(array, start, end - start);
            shared = block;
            sharedMessage = message;
        }
        return block;
    }

    private void releaseShared() {
        if (shared != null) {
            shared.release();
            shared = null;
        }
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

    /// `output` has something to flush.
    void markDirty(ConnectionOutput output) {
        dirty.add(output);
        scheduleEnd();
    }

    private void scheduleEnd() {
        if (!endScheduled) {
            endScheduled = true;
            eventLoop.execute(this::endIteration);
        }
    }

    private void endIteration() {
        endScheduled = false;
        releaseShared();
        router.endBatch();
        for (int i = 0; i < touched.size(); i++) {
            touched.get(i).onBatchEnd();
        }
        touched.clear();
        counters.publish();
        List<ConnectionOutput> outputs = dirty;
        dirty = flushing;
        flushing = outputs;
        long start = System.nanoTime();
        // Last come first: confirmations were written after the deliveries, and a producer waits.
        for (int i = outputs.size() - 1; i >= 0; i--) {
            outputs.get(i).flush();
        }
        outputs.clear();
        counters.flushed(System.nanoTime() - start);
    }
}
