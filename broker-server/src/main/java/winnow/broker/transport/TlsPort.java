package winnow.broker.transport;

import io.netty.channel.Channel;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.ssl.SslHandler;
import org.jspecify.annotations.Nullable;
import winnow.broker.metrics.ReasonCounters;
import winnow.broker.metrics.TlsFailure;
import winnow.broker.transport.tls.TlsCertificates;
import winnow.broker.transport.tls.TlsHeldReads;
import winnow.broker.transport.tls.TlsPacing;

/// Adds TLS to the connections of one port, or nothing. Thread-safe.
final class TlsPort {
    private final @Nullable TlsCertificates certificates;
    private final TlsFailures failures;

    /// @param certificates null for a port without TLS
    /// @param counts of connections that did not come about
    TlsPort(@Nullable TlsCertificates certificates, ReasonCounters<TlsFailure> counts) {
        this.certificates = certificates;
        this.failures = new TlsFailures(counts);
    }

    /// Makes a new connection speak TLS if the port does. To be called before other handlers are
    /// added.
    ///
    /// @param onClearText tells a client that does not, and closes the connection
    void begin(ChannelPipeline pipeline, Runnable onClearText) {
        if (certificates != null) {
            pipeline.addLast("tls", new TlsGate(certificates, failures, onClearText))
                    .addLast("tls-pacing", new TlsPacing())
                    .addLast("tls-held-reads", new TlsHeldReads())
                    .addLast("tls-failures", failures);
        }
    }

    /// Tells the operator that a client spoke TLS to this port, which does not.
    void onTls(Channel channel) {
        failures.onTls(channel);
    }

    /// Tells the client that nothing more comes, when the socket has taken what was flushed.
    static void shutdownOutputWhenWritten(Channel channel) {
        channel.writeAndFlush(channel.alloc().buffer(0))
                .addListener(written -> {
                    if (written.isSuccess()) {
                        shutdownOutput(channel);
                    }
                });
    }

    /// Tells the client that nothing more comes. To be called when all is written.
    static void shutdownOutput(Channel channel) {
        if (!(channel instanceof DuplexChannel socket)) {
            channel.close();
            return;
        }
        SslHandler tls = channel.pipeline().get(SslHandler.class);
        if (tls == null) {
            socket.shutdownOutput();
        } else {
            tls.closeOutbound().addListener(_ -> socket.shutdownOutput());
        }
    }
}
