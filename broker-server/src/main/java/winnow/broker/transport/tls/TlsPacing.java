package winnow.broker.transport.tls;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.channel.CoalescingBufferQueue;
import java.nio.channels.ClosedChannelException;
import org.jspecify.annotations.Nullable;

/// Gives the TLS handler in front of it no more than the socket is about to take. The handler
/// encrypts all that it is given at once, so that a large message, of which plain connections share
/// one copy, would be in memory once for each connection. What waits here counts for the channel's
/// writability. Owned by the connection's event loop.
public final class TlsPacing extends ChannelDuplexHandler {
    /// Most bytes that may be encrypted and not taken by the socket: four records, or less where
    /// there are many connections.
    static final int MAX_ENCRYPTED_BYTES = 64 * 1024;

    private @Nullable CoalescingBufferQueue queue;
    private int encryptedBytes;
    private boolean writing;

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        queue = new CoalescingBufferQueue(context.channel(), 4, true);
    }

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
        if (message instanceof ByteBuf bytes && queue != null) {
            if (promise.isVoid()) {
                queue.add(bytes);
            } else {
                queue.add(bytes, promise);
            }
        } else {
            context.write(message, promise);
        }
    }

    @Override
    public void flush(ChannelHandlerContext context) {
        writeSome(context);
    }

    private void writeSome(ChannelHandlerContext context) {
        CoalescingBufferQueue bytes = queue;
        if (writing || bytes == null) {
            return;
        }
        writing = true;
        int limit =
                Math.min(
                        MAX_ENCRYPTED_BYTES,
                        context.channel().config().getWriteBufferHighWaterMark());
        try {
            boolean more = true;
            while (more && context.channel().isActive()) {
                while (!bytes.isEmpty() && encryptedBytes < limit) {
                    writeSlice(context, bytes, limit);
                }
                context.flush();
                more = !bytes.isEmpty() && encryptedBytes < limit;
            }
        } finally {
            writing = false;
        }
    }

    private void writeSlice(ChannelHandlerContext context, CoalescingBufferQueue bytes, int limit) {
        ChannelPromise taken = context.newPromise();
        ByteBuf slice = bytes.remove(limit, taken);
        int size = slice.readableBytes();
        encryptedBytes += size;
        taken.addListener(_ -> {
            encryptedBytes -= size;
            if (!writing && !bytes.isEmpty()) {
                writeSome(context);
            }
        });
        context.write(slice, taken);
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        drop();
        context.fireChannelInactive();
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext context) {
        drop();
    }

    private void drop() {
        CoalescingBufferQueue bytes = queue;
        if (bytes != null && !bytes.isEmpty()) {
            bytes.releaseAndFailAll(new ClosedChannelException());
        }
    }
}
