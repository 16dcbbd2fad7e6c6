package winnow.tests.floor;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoop;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import winnow.wire.FrameSplitter;
import winnow.wire.FrameType;
import winnow.wire.Protocol;
import winnow.wire.WireReader;
import winnow.wire.frame.ControlFrame;
import winnow.wire.frame.Publish;

/// The least that a broker must do: read frames, copy each message into the output of every
/// subscriber, confirm if asked, write once per loop iteration. No topics, filters, checks or
/// credit. Speaks just enough of the handshake that the same client drives it. One event loop.
///
/// With a [RelayLog] it stores each message that is to be confirmed before it does anything else
/// with the message.
public final class Relay {
    private final List<Connection> subscribers = new ArrayList<>();
    private final byte[] scratch = new byte[FrameSplitter.SCRATCH_BYTES];
    private final @Nullable RelayLog log;

    private Relay(@Nullable RelayLog log) {
        this.log = log;
    }

    /// @param args nothing, or where to store messages and the [RelayLog.Kind] of that
    public static void main(String[] args) throws IOException, InterruptedException {
        RelayLog log =
                args.length == 0 ? null : RelayLog.Kind.valueOf(args[1]).open(Path.of(args[0]));
        Relay relay = new Relay(log);
        RelayServer.run(channel -> relay.new Connection(channel));
    }

    private final class Connection extends ChannelInboundHandlerAdapter {
        private final RelayOutput output;
        private final EventLoop loop;
        private final FrameSplitter splitter = new FrameSplitter(scratch, 1 << 24);
        private int preambleLeft = Protocol.PREAMBLE_BYTES;
        private int subscriptionId;
        private long published;

        Connection(Channel channel) {
            this.output = new RelayOutput(channel);
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
                output.answer(new ControlFrame.Published(published));
            }
            for (int i = 0; i < subscribers.size(); i++) {
                subscribers.get(i).forward(array, start, end);
            }
        }

        private void onControl(ControlFrame frame) {
            switch (frame) {
                case ControlFrame.Hello _ -> output.welcome();
                case ControlFrame.Open open ->
                        output.answer(new ControlFrame.Accepted(open.requestId()));
                case ControlFrame.Subscribe subscribe -> {
                    subscriptionId = subscribe.subscriptionId();
                    subscribers.add(this);
                    output.answer(new ControlFrame.Accepted(subscribe.requestId()));
                }
                default -> {}
            }
        }

        private void forward(byte[] array, int start, int end) {
            int length = end - start + 3;
            ByteBuf buffer = output.room(length + Protocol.LENGTH_BYTES);
            buffer.writeInt(length);
            buffer.writeByte(FrameType.DELIVERY);
            buffer.writeByte(subscriptionId);
            buffer.writeByte(0);
            buffer.writeBytes(array, start, end - start);
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
