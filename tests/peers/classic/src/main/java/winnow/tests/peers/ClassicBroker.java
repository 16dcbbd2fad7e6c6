package winnow.tests.peers;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import org.apache.activemq.broker.BrokerService;

/// ActiveMQ Classic with OpenWire and its default file store, KahaDB, which syncs what is
/// persistent.
public final class ClassicBroker {

    private ClassicBroker() {}

    /// @param arguments the port, and the directory of the store if it is to be a certain one
    static void main(String... arguments) throws Exception {
        var broker = new BrokerService();
        var data =
                arguments.length > 1
                        ? Path.of(arguments[1])
                        : Files.createTempDirectory("classic-");
        broker.setDataDirectoryFile(data.toFile());
        broker.setUseJmx(false);
        broker.setUseShutdownHook(false);
        var connector = broker.addConnector("tcp://127.0.0.1:" + arguments[0]);
        broker.start();
        broker.waitUntilStarted();
        var stopped = new CountDownLatch(1);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(broker, stopped)));
        System.out.println("peer ready: 127.0.0.1:" + connector.getConnectUri().getPort());
        stopped.await();
    }

    private static void stop(BrokerService broker, CountDownLatch stopped) {
        try {
            broker.stop();
        } catch (Exception failed) {
            System.err.println("stopping: " + failed);
        }
        stopped.countDown();
    }
}
