package winnow.broker.transport;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.ssl.SslHandler;
import java.util.List;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import winnow.broker.security.AddressBlock;
import winnow.broker.transport.tls.HandshakeSlots;
import winnow.broker.transport.tls.TlsCertificates;

/// Stands at the begin of a TLS connection: waits for its turn to shake hands, then makes way for
/// the TLS handler. A client that does not speak TLS is told so. Owned by the connection's event
/// loop.
final class TlsGate extends ByteToMessageDecoder {
    /// The record type of a ClientHello.
    private static final int HANDSHAKE_RECORD = 22;

    private static final int TLS_MAJOR_VERSION = 3;

    private final TlsCertificates certificates;
    private final TlsFailures failures;
    private final Runnable onClearText;
    private HandshakeSlots.@Nullable Slot slot;
    private boolean refused;

    /// @param onClearText tells a client that this port speaks TLS, and closes the connection
    TlsGate(TlsCertificates certificates, TlsFailures failures, Runnable onClearText) {
        this.certificates = certificates;
        this.failures = failures;
        this.onClearText = onClearText;
    }

    /// True if these bytes begin a TLS connection. Two are enough to know.
    static boolean isTls(ByteBuf in) {
        return in.readableBytes() >= 2
                && in.getUnsignedByte(in.readerIndex()) == HANDSHAKE_RECORD
                && in.getUnsignedByte(in.readerIndex() + 1) == TLS_MAJOR_VERSION;
    }

    @Override
    protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
        if (refused) {
            in.skipBytes(in.readableBytes());
        } else if (slot == null && in.readableBytes() >= 2) {
            if (isTls(in)) {
                takeSlot(context);
            } else {
                refused = true;
                in.skipBytes(in.readableBytes());
                failures.onClearText(context.channel());
                onClearText.run();
            }
        }
    }

    private void takeSlot(ChannelHandlerContext context) {
        context.channel().config().setAutoRead(false);
        HandshakeSlots.Slot taken =
                certificates
                        .slots()
                        .take(
                                AddressBlock.of(HttpServer.host(context.channel())),
                                () -> context.executor().execute(() -> shakeHands(context)));
        slot = taken;
        context.channel().closeFuture().addListener(_ -> certificates.slots().end(taken));
    }

    private void shakeHands(ChannelHandlerContext context) {
        HandshakeSlots.Slot taken = slot;
        if (taken == null || context.isRemoved() || !context.channel().isActive()) {
            return;
        }
        try {
            SslHandler tls = certificates.newHandler(context.alloc());
            tls.handshakeFuture().addListener(_ -> certificates.slots().end(taken));
            context.channel().config().setAutoRead(true);
            context.pipeline().replace(this, "tls", tls);
        } catch (SSLException e) {
            context.fireExceptionCaught(e);
        }
    }
}
