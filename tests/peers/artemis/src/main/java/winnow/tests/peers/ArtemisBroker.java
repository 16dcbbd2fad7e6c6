package winnow.tests.peers;

import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.apache.activemq.artemis.core.config.ClusterConnectionConfiguration;
import org.apache.activemq.artemis.core.config.ha.ReplicaPolicyConfiguration;
import org.apache.activemq.artemis.core.config.ha.ReplicatedPolicyConfiguration;
import org.apache.activemq.artemis.core.config.impl.ConfigurationImpl;
import org.apache.activemq.artemis.core.io.aio.AIOSequentialFileFactory;
import org.apache.activemq.artemis.core.server.JournalType;
import org.apache.activemq.artemis.core.server.embedded.EmbeddedActiveMQ;
import org.apache.activemq.artemis.core.settings.impl.AddressSettings;

/// Artemis with its core protocol and its default file journal, or, with a directory, with a
/// journal there that is synced as its own documentation recommends; alone, or as one of a pair
/// that replicates.
public final class ArtemisBroker {

    private ArtemisBroker() {}

    /// How long the journal waits for more before it syncs: about one write of a good SSD. The
    /// default for NIO, 3.3 ms, is for disks.
    private static final int BUFFER_NANOS = 200_000;

    /// @param arguments the port, the directory if messages are to be synced to it, and of a pair
    ///   `primary` or `backup` and the port of the other one
    static void main(String... arguments) throws Exception {
        var port = Integer.parseInt(arguments[0]);
        if (port == 0) {
            try (var free = new ServerSocket(0)) {
                port = free.getLocalPort();
            }
        }
        var data =
                arguments.length > 1
                        ? Path.of(arguments[1])
                        : Files.createTempDirectory("artemis-");
        var configuration =
                new ConfigurationImpl()
                        .setPersistenceEnabled(true)
                        .setSecurityEnabled(false)
                        .setJournalDirectory(data.resolve("journal").toString())
                        .setBindingsDirectory(data.resolve("bindings").toString())
                        .setLargeMessagesDirectory(data.resolve("large-messages").toString())
                        .setPagingDirectory(data.resolve("paging").toString())
                        .addAcceptorConfiguration("core", "tcp://127.0.0.1:" + port);
        if (arguments.length > 1) {
            sync(configuration);
        }
        if (arguments.length > 2) {
            pair(configuration, arguments[2].equals("backup"), port, arguments[3]);
        }
        configuration.addAddressSetting("#", new AddressSettings());
        var broker = new EmbeddedActiveMQ().setConfiguration(configuration);
        broker.start();
        var stopped = new CountDownLatch(1);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(broker, stopped)));
        System.out.println("peer ready: 127.0.0.1:" + port);
        stopped.await();
    }

    private static void sync(ConfigurationImpl configuration) {
        configuration
                .setJournalType(
                        AIOSequentialFileFactory.isSupported()
                                ? JournalType.ASYNCIO
                                : JournalType.NIO)
                .setJournalDatasync(true)
                .setJournalSyncTransactional(true)
                .setJournalSyncNonTransactional(true)
                .setJournalBufferTimeout_NIO(BUFFER_NANOS)
                .setJournalBufferTimeout_AIO(BUFFER_NANOS)
                .setJournalPoolFiles(10);
    }

    private static void pair(
            ConfigurationImpl configuration, boolean backup, int port, String other)
            throws Exception {
        configuration
                .addConnectorConfiguration("self", "tcp://127.0.0.1:" + port)
                .addConnectorConfiguration("other", "tcp://127.0.0.1:" + other)
                .setClusterUser("pair")
                .setClusterPassword("pair")
                .addClusterConfiguration(
                        new ClusterConnectionConfiguration()
                                .setName("pair")
                                .setConnectorName("self")
                                .setStaticConnectors(List.of("other")))
                .setHAPolicyConfiguration(
                        backup
                                ? new ReplicaPolicyConfiguration()
                                : new ReplicatedPolicyConfiguration());
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
