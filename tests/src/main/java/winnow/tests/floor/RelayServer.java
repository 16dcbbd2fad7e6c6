package winnow.tests.floor;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.function.Function;

/// Accepts connections of a relay on one event loop. Its ready line says where.
final class RelayServer {
    private RelayServer() {}

    /// Does not return.
    ///
    /// @param connection makes the handler of a connection
    static void run(Function<Channel, ChannelHandler> connection) throws InterruptedException {
        var group = new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());
        Channel server =
                new ServerBootstrap()
                        .group(group)
                        .channel(EpollServerSocketChannel.class)
                        .childOption(ChannelOption.TCP_NODELAY, true)
                        .childOption(
                                ChannelOption.RECVBUF_ALLOCATOR,
                                new FixedRecvByteBufAllocator(RelayOutput.BUFFER_BYTES))
                        .childHandler(
                                new ChannelInitializer<>() {
                                    @Override
                                    protected void initChannel(Channel child) {
                                        child.pipeline().addLast(connection.apply(child));
                                    }
                                })
                        .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                        .sync()
                        .channel();
        int port = ((InetSocketAddress) server.localAddress()).getPort();
        System.out.println("relay ready: jms=127.0.0.1:" + port);
        server.closeFuture().sync();
    }
}
