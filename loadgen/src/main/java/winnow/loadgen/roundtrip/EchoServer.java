package winnow.loadgen.roundtrip;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;

/// A Netty server with one event loop that sends back what it reads.
final class EchoServer implements AutoCloseable {

    private final EventLoopGroup loop =
            new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private final InetSocketAddress address;

    EchoServer(SocketSettings settings) throws InterruptedException {
        var server =
                new ServerBootstrap()
                        .group(loop)
                        .channel(NioServerSocketChannel.class)
                        .childOption(ChannelOption.TCP_NODELAY, settings.noDelay())
                        .childHandler(
                                new ChannelInitializer<SocketChannel>() {
                                    @Override
                                    protected void initChannel(SocketChannel channel) {
                                        channel.pipeline().addLast(new Echo());
                                    }
                                });
        if (settings.bufferBytes() > 0) {
            server.childOption(ChannelOption.SO_SNDBUF, settings.bufferBytes());
            server.option(ChannelOption.SO_RCVBUF, settings.bufferBytes());
        }
        try {
            var channel = server.bind(InetAddress.getLoopbackAddress(), 0).sync().channel();
            address = (InetSocketAddress) channel.localAddress();
        } catch (InterruptedException | RuntimeException failed) {
            close();
            throw failed;
        }
    }

    InetSocketAddress address() {
        return address;
    }

    @Override
    public void close() {
        var _ = loop.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    }

    private static final class Echo extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext context, Object read) {
            var _ = context.write(read);
        }

        @Override
        public void channelReadComplete(ChannelHandlerContext context) {
            context.flush();
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable failure) {
            // The producer sees the end of the connection.
            var _ = context.close();
        }
    }
}
