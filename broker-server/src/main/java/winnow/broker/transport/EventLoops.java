package winnow.broker.transport;

import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoEventLoop;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerDomainSocketChannel;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerDomainSocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.unix.DomainSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import winnow.broker.fault.FaultBarrier;
import winnow.broker.matching.NameDictionary;
import winnow.broker.metrics.BrokerCounters;
import winnow.broker.subscription.BacklogMemory;
import winnow.broker.subscription.Loop;

/// The threads of the broker's data path: epoll where there is one, else nio. Immutable.
public final class EventLoops {
    private static final Logger LOG = LoggerFactory.getLogger(EventLoops.class);
    private static final int STOP_SECONDS = 5;

    private final FaultBarrier faults;
    private final LoopThreads threads = new LoopThreads("winnow-loop");
    private final EventLoopGroup group;
    private final LoopTicks ticks;
    private final List<NettyLoop> loops = new ArrayList<>();

    /// @param memory for what waits for consumers
    public EventLoops(
            int count, NameDictionary names, BrokerCounters totals, BacklogMemory memory) {
        faults = new FaultBarrier(totals.internalErrors);
        NettyLoop.Shared shared =
                new NettyLoop.Shared(names, totals, memory, faults, System::nanoTime);
        group = newGroup(count, threads);
        for (int i = 0; i < count; i++) {
            IoLoop eventLoop = (IoLoop) group.next();
            loops.add(new NettyLoop(eventLoop, i, loops, count, shared));
        }
        ticks = new LoopTicks(count, System::nanoTime);
        every(
                LoopTicks.INTERVAL_MILLIS,
                loop -> {
                    ticks.onTick(loop.index());
                    loops.get(loop.index()).publish();
                });
    }

    /// Threads over the best kind of polling there is.
    static EventLoopGroup newGroup(int count, LoopThreads threads) {
        IoHandlerFactory handlers =
                Epoll.isAvailable() ? EpollIoHandler.newFactory() : NioIoHandler.newFactory();
        return newGroup(count, threads, handlers);
    }

    static EventLoopGroup newGroup(int count, LoopThreads threads, IoHandlerFactory handlers) {
        return new MultiThreadIoEventLoopGroup(count, threads, handlers) {
            @Override
            protected IoEventLoop newChild(
                    Executor executor, IoHandlerFactory factory, Object... none) {
                return new IoLoop(this, executor, factory);
            }
        };
    }

    static Class<? extends ServerChannel> serverChannel() {
        return Epoll.isAvailable() ? EpollServerSocketChannel.class : NioServerSocketChannel.class;
    }

    /// The same for Unix domain sockets.
    static Class<? extends ServerChannel> domainServerChannel() {
        return Epoll.isAvailable()
                ? EpollServerDomainSocketChannel.class
                : NioServerDomainSocketChannel.class;
    }

    /// Address that such a channel is bound to.
    static SocketAddress domainAddress(Path path) {
        return Epoll.isAvailable()
                ? new DomainSocketAddress(path.toString())
                : UnixDomainSocketAddress.of(path);
    }

    /// Barrier that callbacks on these loops run behind.
    public FaultBarrier faults() {
        return faults;
    }

    EventLoopGroup group() {
        return group;
    }

    /// Runs something again and again on each loop, which it is given.
    public void every(int millis, Consumer<? super Loop> task) {
        for (NettyLoop loop : loops) {
            loop.eventLoop()
                    .scheduleAtFixedRate(
                            () -> loop.faults().run(() -> task.accept(loop)),
                            millis,
                            millis,
                            TimeUnit.MILLISECONDS);
        }
    }

    /// All loops by index.
    public List<? extends Loop> all() {
        return loops;
    }

    NettyLoop of(EventLoop eventLoop) {
        for (NettyLoop loop : loops) {
            if (loop.eventLoop().equals(eventLoop)) {
                return loop;
            }
        }
        throw new IllegalStateException("not a loop of this broker: " + eventLoop);
    }

    /// Which loop hangs, because it has not run for longer than this; empty if none does.
    public String stalled(Duration limit) {
        return ticks.stalled(limit);
    }

    /// Stops the threads and waits for them, but not for one that hangs.
    public void stop() {
        threads.onStop();
        boolean stopped =
                group.shutdownGracefully(0, STOP_SECONDS, TimeUnit.SECONDS)
                        .awaitUninterruptibly(2 * STOP_SECONDS, TimeUnit.SECONDS);
        if (!stopped) {
            LOG.warn("Event loops did not stop within {} s", 2 * STOP_SECONDS);
        }
    }
}
