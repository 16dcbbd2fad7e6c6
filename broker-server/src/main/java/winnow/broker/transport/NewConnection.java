package winnow.broker.transport;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import winnow.broker.fault.FaultOwner;
import winnow.broker.security.AddressBlock;
import winnow.broker.session.ClientConnection;
import winnow.wire.ErrorCode;
import winnow.wire.WireException;

/// A connection from the moment when its socket is there: its place among all, and the client once
/// its protocol is known. Until then nothing is made for it. Owned by its event loop, but for
/// [#isLoggedIn].
final class NewConnection implements ConnectionPlaces.Place, FaultOwner {
    /// Name of the handler that finds the protocol out.
    static final String PREAMBLE = "preamble";

    private final Channel channel;
    private final NettyLoop loop;
    private final ClientProtocol common;
    private final ReadSize readSize;
    private final Consumer<NewConnection> begun;
    private final String addressBlock;
    private final String network;

    /// Written by the loop.
    private volatile @Nullable ClientConnection client;

    /// @param common protocol in which a client is told why it cannot stay before its own is known
    /// @param begun called once the client is there
    NewConnection(
            Channel channel, NettyLoop loop, ClientProtocol common, Consumer<NewConnection> begun) {
        this.begun = begun;
        this.channel = channel;
        this.loop = loop;
        this.common = common;
        this.readSize = new ReadSize(loop.iterations());
        channel.config().setRecvByteBufAllocator(readSize);
        String address = HttpServer.host(channel);
        this.addressBlock = AddressBlock.of(address);
        this.network = AddressBlock.network(address);
    }

    /// Makes what the protocol needs, once; its handler is in place of the one that found it out.
    ///
    /// @param first the bytes that were recognized
    void begin(ClientProtocol protocol, ByteBuf first) {
        make(protocol, first);
        channel.pipeline().remove(PREAMBLE);
    }

    private ClientConnection make(ClientProtocol protocol, ByteBuf first) {
        ClientConnection made = protocol.begin(channel, loop, readSize, first);
        client = made;
        begun.accept(this);
        return made;
    }

    /// Tells the client something after which its connection ends. Where its protocol is not known,
    /// what it has sent is no part of the common one and is dropped: so the preamble's handler,
    /// which has it, goes afterwards.
    private void end(Consumer<ClientConnection> last) {
        ClientConnection known = client;
        if (known != null) {
            last.accept(known);
        } else if (channel.isOpen()) {
            last.accept(make(common, Unpooled.EMPTY_BUFFER));
            channel.pipeline().remove(PREAMBLE);
        }
    }

    /// Says why, then closes.
    void goodbye(ErrorCode code, String reason) {
        end(known -> known.goodbye(code, reason));
    }

    /// The client broke the protocol, or speaks none that is known.
    void onProtocolError(WireException error) {
        end(known -> known.onProtocolError(error));
    }

    void onHandshakeTimeout() {
        end(ClientConnection::onHandshakeTimeout);
    }

    @Override
    public void onFault(Throwable fault) {
        boolean told = false;
        try {
            end(known -> known.onFault(fault));
            told = true;
        } finally {
            if (!told) {
                channel.close();
            }
        }
    }

    /// Sets how many bytes the socket may hold; the protocol is known.
    void limitOutput(int bytes) {
        Objects.requireNonNull(client).limitOutput(bytes);
    }

    /// Runs something on the connection's loop. Any thread.
    void execute(Runnable task) {
        loop.execute(this, task);
    }

    @Override
    public String addressBlock() {
        return addressBlock;
    }

    @Override
    public String network() {
        return network;
    }

    @Override
    public boolean isLoggedIn() {
        ClientConnection known = client;
        return known != null && known.id() != 0;
    }

    @Override
    public void onDisplaced() {
        execute(() ->
                goodbye(
                        ErrorCode.LIMIT_EXCEEDED,
                        "all connections are in use, and this one had not logged in"
                                + " (transport.max-connections,"
                                + " transport.max-connections-per-address)"));
    }

    @Override
    public String toString() {
        return String.valueOf(channel.remoteAddress());
    }
}
