package winnow.broker.transport;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import java.nio.channels.ClosedChannelException;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import winnow.broker.fault.LogQuota;

/// Behind the TLS handler of a connection: says in the log why a client could not connect, at a
/// limited rate, and closes what TLS has broken. Shared by the connections of a port. Thread-safe.
@ChannelHandler.Sharable
final class TlsFailures extends ChannelInboundHandlerAdapter {
    private static final Logger LOG = LoggerFactory.getLogger(TlsFailures.class);
    private static final int ENTRIES_PER_MINUTE = 20;
    private static final String ALERT = "Received fatal alert: ";

    private final LogQuota quota =
            new LogQuota(System::nanoTime, ENTRIES_PER_MINUTE, TimeUnit.MINUTES.toNanos(1));

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (event instanceof SslHandshakeCompletionEvent handshake && !handshake.isSuccess()) {
            Throwable cause = handshake.cause();
            if (cause instanceof ClosedChannelException) {
                LOG.debug("{} left during the TLS handshake", HttpServer.host(context.channel()));
            } else {
                warn(context.channel(), "The TLS handshake with", reason(cause));
            }
            context.close();
        }
        context.fireUserEventTriggered(event);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        Throwable inner =
                cause instanceof DecoderException && cause.getCause() != null
                        ? cause.getCause()
                        : cause;
        if (inner instanceof SSLException) {
            // A failed handshake was told already.
            LOG.debug("TLS with {}: {}", HttpServer.host(context.channel()), inner.toString());
            context.close();
        } else {
            context.fireExceptionCaught(cause);
        }
    }

    /// A client spoke something else to a port that speaks TLS.
    void onClearText(Channel channel) {
        warn(channel, "A connection from", "it did not speak TLS, which this port demands");
    }

    /// A client spoke TLS to a port that does not.
    void onTls(Channel channel) {
        warn(
                channel,
                "A connection from",
                "it spoke TLS, which this port does not; set tls.certificate to offer it");
    }

    private void warn(Channel channel, String what, String why) {
        quota.log(leftOut ->
                LOG.warn("{} {} failed: {}{}", what, HttpServer.host(channel), why, leftOut));
    }

    /// What a failed handshake means, for an operator.
    static String reason(Throwable cause) {
        String text = cause.getMessage() == null ? cause.toString() : cause.getMessage();
        int begin = text.indexOf(ALERT);
        if (begin >= 0) {
            String alert = text.substring(begin + ALERT.length());
            return switch (alert) {
                case "certificate_unknown",
                        "unknown_ca",
                        "bad_certificate",
                        "certificate_expired" ->
                        "the client does not accept the broker's certificate (alert %s): it"
                                        .formatted(alert)
                                + " does not trust the issuer, connects to a name that is not in"
                                + " it, or the certificate has expired";
                default -> "the client ended it (alert " + alert + ")";
            };
        }
        if (text.contains("client certificate chain") || text.contains("cert chain")) {
            return "the client showed no certificate, which tls.client-auth=need demands";
        }
        return text;
    }
}
