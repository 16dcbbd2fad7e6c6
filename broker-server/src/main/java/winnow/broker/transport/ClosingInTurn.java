package winnow.broker.transport;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import winnow.broker.destination.SlicedWork;

/// Closes a connection whose client has ended it, in a slice of the loop's work. Closing takes a
/// few system calls, so thousands of connections that end at once would else keep the loop from all
/// others for half a second. The connection must be allowed to be half closed.
final class ClosingInTurn extends ChannelInboundHandlerAdapter {
    private final SlicedWork work;

    /// @param work of the connection's loop
    ClosingInTurn(SlicedWork work) {
        this.work = work;
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (event instanceof ChannelInputShutdownEvent) {
            work.add(() -> {
                context.close();
                return false;
            });
        }
        context.fireUserEventTriggered(event);
    }
}
