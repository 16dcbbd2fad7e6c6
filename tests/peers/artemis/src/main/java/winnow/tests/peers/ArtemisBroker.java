package winnow.tests.peers;

import java.net.ServerSocket;
import java.nio.file.Files;
import java.util.concurrent.CountDownLatch;
import org.apache.activemq.artemis.core.config.impl.ConfigurationImpl;
import org.apache.activemq.artemis.core.server.embedded.EmbeddedActiveMQ;
import org.apache.activemq.artemis.core.settings.impl.AddressSettings;

/// Artemis with its core protocol and its default file journal.
public final class ArtemisBroker {

    private ArtemisBroker() {}

    /// @param arguments the port
    static void main(String... arguments) throws Exception {
        var port = Integer.parseInt(arguments[0]);
        if (port == 0) {
            try (var free = new ServerSocket(0)) {
                port = free.getLocalPort();
            }
        }
        var data = Files.createTempDirectory("artemis-");
        var configuration =
                new ConfigurationImpl()
                        .setPersistenceEnabled(true)
                        .setSecurityEnabled(false)
                        .setJournalDirectory(data.resolve("journal").toString())
                        .setBindingsDirectory(data.resolve("bindings").toString())
                        .setLargeMessagesDirectory(data.resolve("large-messages").toString())
                        .setPagingDirectory(data.resolve("paging").toString())
                        .addAcceptorConfiguration("core", "tcp://127.0.0.1:" + port);
        configuration.addAddressSetting("#", new AddressSettings());
        var broker = new EmbeddedActiveMQ().setConfiguration(configuration);
        broker.start();
        var stopped = new CountDownLatch(1);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(broker, stopped)));
        System.out.println("peer ready: 127.0.0.1:" + port);
        stopped.await();
    }

    private static void stop(EmbeddedActiveMQ broker, CountDownLatch stopped) {
        try {
            broker.stop();
        } catch (Exception failed) {
            System.err.println("stopping: " + failed);
        }
        stopped.countDown();
    }
}
