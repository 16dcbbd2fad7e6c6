package winnow.tests.floor;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import org.jspecify.annotations.Nullable;
import winnow.wire.WireWriter;
import winnow.wire.frame.ControlFrame;

/// What a relay writes to one connection: frames gather in a buffer, which leaves when it is full,
/// and in the next turn of the event loop. Owned by the event loop.
final class RelayOutput {
    static final int BUFFER_BYTES = 64 * 1024;

    private final Channel channel;
    private final WireWriter control = new WireWriter(64);
    private @Nullable ByteBuf out;

    RelayOutput(Channel channel) {
        this.channel = channel;
    }

    void welcome() {
        answer(new ControlFrame.Welcome(1, 0, 0, 1, 0, 1 << 24, 1 << 30, "relay", null));
    }

    void answer(ControlFrame frame) {
        control.clear();
        frame.write(control);
        room(control.size()).writeBytes(control.array(), 0, control.size());
    }

    /// A buffer that takes so many bytes.
    ByteBuf room(int bytes) {
        ByteBuf buffer = out;
        if (buffer != null && buffer.readableBytes() + bytes > BUFFER_BYTES) {
            flush();
            buffer = null;
        }
        if (buffer == null) {
            buffer = channel.alloc().directBuffer(Math.max(bytes, BUFFER_BYTES));
            out = buffer;
            channel.eventLoop().execute(this::flush);
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
}
