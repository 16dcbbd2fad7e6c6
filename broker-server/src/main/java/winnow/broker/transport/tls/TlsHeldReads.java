package winnow.broker.transport.tls;

import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.util.ReferenceCountUtil;
import java.util.ArrayDeque;

/// Behind the TLS handler of a connection: keeps what it decrypts while the connection is not read,
/// because one read of the socket may bring several records. They are passed on by a task of their
/// own when reading goes on. No more than one read and a record wait. Owned by the connection's
/// event loop.
public final class TlsHeldReads extends ChannelDuplexHandler {
    private final ArrayDeque<Object> held = new ArrayDeque<>();
    private boolean scheduled;

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (held.isEmpty() && context.channel().config().isAutoRead()) {
            context.fireChannelRead(message);
        } else {
            held.add(message);
        }
    }

    @Override
    public void read(ChannelHandlerContext context) {
        if (!held.isEmpty() && !scheduled) {
            scheduled = true;
            context.executor()
                    .execute(() -> {
                        scheduled = false;
                        passOn(context, false);
                    });
        }
        context.read();
    }

    private void passOn(ChannelHandlerContext context, boolean all) {
        while (!held.isEmpty() && (all || context.channel().config().isAutoRead())) {
            context.fireChannelRead(held.remove());
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        passOn(context, true);
        context.fireChannelInactive();
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext context) {
        held.forEach(ReferenceCountUtil::release);
        held.clear();
    }
}
