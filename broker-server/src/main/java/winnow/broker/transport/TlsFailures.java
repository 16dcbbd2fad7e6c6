package winnow.broker.transport;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import java.nio.channels.ClosedChannelException;
import java.security.cert.CertificateException;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import winnow.broker.fault.LogQuota;
import winnow.broker.metrics.ReasonCounters;
import winnow.broker.metrics.TlsFailure;

/// Behind the TLS handler of a connection: counts clients that could not connect, says why in the
/// log at a limited rate, and closes what TLS has broken. Shared by the connections of a port.
/// Thread-safe.
@ChannelHandler.Sharable
final class TlsFailures extends ChannelInboundHandlerAdapter {
    private static final Logger LOG = LoggerFactory.getLogger(TlsFailures.class);
    private static final int ENTRIES_PER_MINUTE = 20;
    private static final String ALERT = "Received fatal alert: ";

    /// Alerts of a client that does not accept the broker's certificate.
    private static final Set<String> REFUSALS =
            Set.of("certificate_unknown", "unknown_ca", "bad_certificate", "certificate_expired");

    private final LogQuota quota =
            new LogQuota(System::nanoTime, ENTRIES_PER_MINUTE, TimeUnit.MINUTES.toNanos(1));
    private final ReasonCounters<TlsFailure> counts;

    TlsFailures(ReasonCounters<TlsFailure> counts) {
        this.counts = counts;
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (event instanceof SslHandshakeCompletionEvent handshake && !handshake.isSuccess()) {
            Throwable cause = handshake.cause();
            TlsFailure failure = kind(cause);
            counts.increment(failure);
            if (failure == TlsFailure.CLIENT_LEFT) {
                LOG.debug("{} left during the TLS handshake", HttpServer.host(context.channel()));
            } else {
                warn(context.channel(), "The TLS handshake with", reason(failure, cause));
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
        counts.increment(TlsFailure.CLEAR_TEXT);
        warn(channel, "A connection from", "it did not speak TLS, which this port demands");
    }

    /// A client spoke TLS to a port that does not.
    void onTls(Channel channel) {
        counts.increment(TlsFailure.UNEXPECTED_TLS);
        warn(
                channel,
                "A connection from",
                "it spoke TLS, which this port does not; set tls.certificate to offer it");
    }

    private void warn(Channel channel, String what, String why) {
        quota.log(leftOut ->
                LOG.warn("{} {} failed: {}{}", what, HttpServer.host(channel), why, leftOut));
    }

    /// Kind of failure that a failed handshake is counted as.
    static TlsFailure kind(Throwable cause) {
        if (cause instanceof ClosedChannelException) {
            return TlsFailure.CLIENT_LEFT;
        }
        String text = text(cause);
        String alert = alert(text);
        if (!alert.isEmpty()) {
            return REFUSALS.contains(alert)
                    ? TlsFailure.CERTIFICATE_REFUSED
                    : TlsFailure.CLIENT_ALERT;
        }
        return cause.getCause() instanceof CertificateException
                        || text.contains("client certificate chain")
                        || text.contains("cert chain")
                ? TlsFailure.CLIENT_CERTIFICATE
                : TlsFailure.OTHER;
    }

    /// Meaning of a failed handshake, for an operator.
    static String reason(TlsFailure failure, Throwable cause) {
        String text = text(cause);
        String alert = alert(text);
        return switch (failure) {
            case CERTIFICATE_REFUSED ->
                    "the client does not accept the broker's certificate (alert %s): it"
                                    .formatted(alert)
                            + " does not trust the issuer, connects to a name that is not in"
                            + " it, or the certificate has expired";
            case CLIENT_ALERT -> "the client ended it (alert " + alert + ")";
            case CLIENT_CERTIFICATE ->
                    cause.getCause() instanceof CertificateException
                            ? "the client's certificate is not accepted: " + text
                            : "the client showed no certificate, which tls.client-auth=need"
                                    + " demands";
            case CLIENT_LEFT, CLEAR_TEXT, UNEXPECTED_TLS, OTHER -> text;
        };
    }

    /// The alert that the client sent, empty if it sent none.
    private static String alert(String text) {
        int begin = text.indexOf(ALERT);
        return begin < 0 ? "" : text.substring(begin + ALERT.length());
    }

    private static String text(Throwable cause) {
        return cause.getMessage() == null ? cause.toString() : cause.getMessage();
    }
}
