package winnow.client.transport.endpoint;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.ChannelOption;

/// Options of a socket. Immutable.
///
/// @param bufferBytes SO_SNDBUF and SO_RCVBUF; 0 leaves them to the kernel
/// @param noDelay true if small writes leave at once (TCP_NODELAY)
public record SocketTerms(int bufferBytes, boolean noDelay) {

    /// Buffers of the kernel's choice, and writes that leave at once.
    public static final SocketTerms USUAL = new SocketTerms(0, true);

    public void apply(Bootstrap bootstrap) {
        bootstrap.option(ChannelOption.TCP_NODELAY, noDelay);
        if (bufferBytes > 0) {
            bootstrap.option(ChannelOption.SO_SNDBUF, bufferBytes);
            bootstrap.option(ChannelOption.SO_RCVBUF, bufferBytes);
        }
    }
}
