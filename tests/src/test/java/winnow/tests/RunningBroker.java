package winnow.tests;

import java.io.IOException;
import java.net.InetAddress;
import java.util.Map;
import winnow.broker.Broker;
import winnow.broker.BrokerConfig;

/// A real broker on any free port of loopback, in the test's process.
final class RunningBroker implements AutoCloseable {
    private final Broker broker;

    RunningBroker(Map<String, String> settings) throws IOException {
        broker = new Broker(BrokerConfig.of(settings), InetAddress.getLoopbackAddress(), 0, 0);
    }

    /// The URL that clients use.
    String url() {
        return "winnow://127.0.0.1:" + port();
    }

    int port() {
        return broker.address().getPort();
    }

    @Override
    public void close() {
        broker.close();
    }
}
