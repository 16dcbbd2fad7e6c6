package winnow.tests.floor;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import winnow.wire.FrameSplitter;
import winnow.wire.FrameType;
import winnow.wire.Protocol;
import winnow.wire.WireReader;
import winnow.wire.WireWriter;
import winnow.wire.frame.ControlFrame;
import winnow.wire.frame.Publish;

/// The least that a server must do for one confirmed message at a time: no event loop, a thread per
/// connection that reads, writes the confirmation and then the copies, one system call each.
/// Understands as much as [Relay].
public final class BlockingRelay {
    private static final int READ_BYTES = 64 * 1024;

    private final List<Connection> subscribers = new CopyOnWriteArrayList<>();

    private BlockingRelay() {}

    public static void main(String[] args) throws IOException {
        new BlockingRelay().run();
    }

    private void run() throws IOException {
        try (ServerSocketChannel server = ServerSocketChannel.open()) {
            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            int port = ((InetSocketAddress) server.getLocalAddress()).getPort();
            System.out.println("blocking relay ready: jms=127.0.0.1:" + port);
            while (true) {
                Connection connection = new Connection(server.accept());
                Thread.ofPlatform().daemon().start(connection);
            }
        }
    }

    /// Owned by its thread, except [#write].
    private final class Connection implements Runnable {
        private final SocketChannel socket;
        private final ByteBuffer in = ByteBuffer.allocateDirect(READ_BYTES);
        private final ByteBuffer copy = ByteBuffer.allocateDirect(READ_BYTES);
        private final WireWriter out = new WireWriter(256);
        private int subscriptionId;
        private long published;

        Connection(SocketChannel socket) throws IOException {
            this.socket = socket;
            socket.setOption(StandardSocketOptions.TCP_NODELAY, true);
        }

        @Override
        public void run() {
            FrameSplitter splitter =
                    new FrameSplitter(new byte[FrameSplitter.SCRATCH_BYTES], 1 << 24);
            ByteBuf view = Unpooled.wrappedBuffer(in);
            try (socket) {
                in.limit(Protocol.PREAMBLE_BYTES);
                while (in.hasRemaining() && socket.read(in) > 0) {}
                in.clear();
                for (int size = socket.read(in); size > 0; size = socket.read(in.clear())) {
                    view.setIndex(0, size);
                    splitter.feed(view, this::onFrame);
                }
            } catch (IOException e) {
                System.err.println("connection lost: " + e.getMessage());
            } finally {
                subscribers.remove(this);
            }
        }

        private void onFrame(int type, WireReader payload) {
            if (type == FrameType.PUBLISH) {
                onPublish(payload);
            } else if (type != FrameType.CONSUMER_CREDIT) {
                onControl(ControlFrame.decode(type, payload));
            }
        }

        private void onPublish(WireReader payload) {
            int flagsAt = payload.position() + 1;
            int start = flagsAt + 1;
            int length = payload.limit() - start;
            if (payload.array()[flagsAt] == Publish.CONFIRM) {
                published++;
                answer(new ControlFrame.Published(published));
            }
            for (Connection subscriber : subscribers) {
                out.clear();
                out.writeInt(length + 3);
                out.writeByte(FrameType.DELIVERY);
                out.writeByte(subscriber.subscriptionId);
                out.writeByte(0);
                out.writeRaw(payload.array(), start, length);
                subscriber.write(out);
            }
        }

        private void onControl(ControlFrame frame) {
            switch (frame) {
                case ControlFrame.Hello _ ->
                        answer(
                                new ControlFrame.Welcome(
                                        1, 0, 0, 1, 0, 1 << 24, 1 << 30, "relay", null));
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
            out.clear();
            frame.write(out);
            write(out);
        }

        /// Any thread.
        private synchronized void write(WireWriter frame) {
            copy.clear().put(frame.array(), 0, frame.size()).flip();
            try {
                while (copy.hasRemaining()) {
                    socket.write(copy);
                }
            } catch (IOException e) {
                subscribers.remove(this);
            }
        }
    }
}
