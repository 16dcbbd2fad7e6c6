package winnow.tests;

import java.io.IOException;
import java.net.InetAddress;
import java.util.Map;
import winnow.broker.Broker;
import winnow.broker.BrokerConfig;

/// A real broker on any free port of loopback, in the test's process.
public final class RunningBroker implements AutoCloseable {
    private final Map<String, String> settings;
    private final Broker broker;

    public RunningBroker(Map<String, String> settings) throws IOException {
        this(settings, 0);
    }

    private RunningBroker(Map<String, String> settings, int port) throws IOException {
        this.settings = settings;
        broker = new Broker(BrokerConfig.of(settings), InetAddress.getLoopbackAddress(), port, 0);
    }

    /// Stops it and starts another one on its port.
    public RunningBroker restarted() throws IOException {
        int port = port();
        close();
        return new RunningBroker(settings, port);
    }

    /// The URL that clients use.
    public String url() {
        return "winnow://127.0.0.1:" + port();
    }

    public int port() {
        return broker.address().getPort();
    }

    public int httpPort() {
        return broker.httpAddress().getPort();
    }

    @Override
    public void close() {
        broker.close();
    }
}
