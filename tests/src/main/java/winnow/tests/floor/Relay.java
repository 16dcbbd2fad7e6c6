package winnow.tests.floor;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import winnow.wire.ControlFrame;
import winnow.wire.FrameSplitter;
import winnow.wire.FrameType;
import winnow.wire.Protocol;
import winnow.wire.Publish;
import winnow.wire.WireReader;
import winnow.wire.WireWriter;

/// The least that a broker must do: read frames, copy each message into the output of every
/// subscriber, confirm if asked, write once per loop iteration. No topics, filters, checks or
/// credit. Speaks just enough of the handshake that the same client drives it. One event loop.
///
/// With a file it stores each message that is to be confirmed in it before it does anything else
/// with the message.
public final class Relay {
    private static final int BUFFER_BYTES = 64 * 1024;

    private final List<Connection> subscribers = new ArrayList<>();
    private final byte[] scratch = new byte[FrameSplitter.SCRATCH_BYTES];
    private final @Nullable RelayLog log;

    private Relay(@Nullable RelayLog log) {
        this.log = log;
    }

    /// @param args nothing, or a file to store messages in and whether a thread apart does that
    public static void main(String[] args) throws IOException, InterruptedException {
        RelayLog log =
                args.length == 0
                        ? null
                        : new RelayLog(Path.of(args[0]), Boolean.parseBoolean(args[1]));
        new Relay(log).run();
    }

    private void run() throws InterruptedException {
        var group = new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());
        Channel server =
                new ServerBootstrap()
                        .group(group)
                        .channel(EpollServerSocketChannel.class)
                        .childOption(ChannelOption.TCP_NODELAY, true)
                        .childOption(
                                ChannelOption.RECVBUF_ALLOCATOR,
                                new FixedRecvByteBufAllocator(BUFFER_BYTES))
                        .childHandler(
                                new ChannelInitializer<>() {
                                    @Override
                                    protected void initChannel(Channel child) {
                                        child.pipeline().addLast(new Connection(child));
                                    }
                                })
                        .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                        .sync()
                        .channel();
        int port = ((InetSocketAddress) server.localAddress()).getPort();
        System.out.println("relay ready: jms=127.0.0.1:" + port);
        server.closeFuture().sync();
    }

    private final class Connection extends ChannelInboundHandlerAdapter {
        private final Channel channel;
        private final EventLoop loop;
        private final FrameSplitter splitter = new FrameSplitter(scratch, 1 << 24);
        private final WireWriter control = new WireWriter(64);
        private @Nullable ByteBuf out;
        private int preambleLeft = Protocol.PREAMBLE_BYTES;
        private int subscriptionId;
        private long published;

        Connection(Channel channel) {
            this.channel = channel;
            this.loop = channel.eventLoop();
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            ByteBuf in = (ByteBuf) message;
            int skip = Math.min(preambleLeft, in.readableBytes());
            in.skipBytes(skip);
            preambleLeft -= skip;
            splitter.feed(in, this::onFrame);
            in.release();
        }

        private void onFrame(int type, WireReader payload) {
            if (type == FrameType.PUBLISH) {
                int flagsAt = payload.position() + 1;
                int start = flagsAt + 1;
                int end = payload.limit();
                boolean confirm = payload.array()[flagsAt] == Publish.CONFIRM;
                if (confirm && log != null) {
                    byte[] block = Arrays.copyOfRange(payload.array(), start, end);
                    log.append(block, loop, () -> publish(block, 0, block.length, true));
                } else {
                    publish(payload.array(), start, end, confirm);
                }
            } else if (type != FrameType.CONSUMER_CREDIT) {
                onControl(ControlFrame.decode(type, payload));
            }
        }

        private void publish(byte[] array, int start, int end, boolean confirm) {
            if (confirm) {
                published++;
                answer(new ControlFrame.Published(published));
            }
            for (int i = 0; i < subscribers.size(); i++) {
                subscribers.get(i).forward(array, start, end);
            }
        }

        private void onControl(ControlFrame frame) {
            switch (frame) {
                case ControlFrame.Hello _ ->
                        answer(new ControlFrame.Welcome(1, 0, 0, 1, 0, 1 << 24, 1 << 30, "relay"));
                case ControlFrame.Open open -> answer(new ControlFrame.Accepted(open.requestId()));
                case ControlFrame.Subscribe subscribe -> {
                    subscriptionId = subscribe.subscriptionId();
                    subscribers.add(this);
                    answer(new ControlFrame.Accepted(subscribe.requestId()));
                }
                default -> {}
            }
        }

        private void answer(ControlFrame frame) {
            control.clear();
            frame.write(control);
            room(control.size()).writeBytes(control.array(), 0, control.size());
        }

        private void forward(byte[] array, int start, int end) {
            int length = end - start + 3;
            ByteBuf buffer = room(length + Protocol.LENGTH_BYTES);
            buffer.writeInt(length);
            buffer.writeByte(FrameType.DELIVERY);
            buffer.writeByte(subscriptionId);
            buffer.writeByte(0);
            buffer.writeBytes(array, start, end - start);
        }

        private ByteBuf room(int bytes) {
            ByteBuf buffer = out;
            if (buffer != null && buffer.readableBytes() + bytes > BUFFER_BYTES) {
                flush();
                buffer = null;
            }
            if (buffer == null) {
                buffer = channel.alloc().directBuffer(Math.max(bytes, BUFFER_BYTES));
                out = buffer;
                loop.execute(this::flush);
            }
            return buffer;
        }

        private void flush() {
            ByteBuf buffer = out;
            out = null;
            if (buffer != null) {
                channel.writeAndFlush(buffer, channel.voidPromise());
            }
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            subscribers.removeIf(one -> one.equals(this));
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            context.close();
        }
    }
}
