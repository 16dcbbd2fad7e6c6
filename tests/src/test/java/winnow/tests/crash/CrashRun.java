package winnow.tests.crash;

import jakarta.jms.JMSException;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/// Clients of all sorts on a broker that can be killed and started again, with an [Oracle] that
/// watches them. One thread.
final class CrashRun implements AutoCloseable {
    /// Small memory, so that messages are written to data files and read from there.
    private static final List<String> SMALL =
            List.of(
                    "storage.window=1MiB",
                    "storage.write-buffer=2MiB",
                    "storage.write-ahead-log=4MiB");

    private static final int FIRST_PORT = 20_000;
    private static final int LAST_PORT = 32_000;

    private final Path directory;

    /// Ports of the brokers in turn, 0 for any.
    private final List<Integer> ports;

    private final Random random;
    private final Gate gate;
    private final Oracle oracle;
    private final Clients clients;
    private BrokerProcess broker;
    private int starts;

    /// Starts the first broker and the clients.
    ///
    /// @param directory of the broker's messages
    /// @param life of the connections of clients
    CrashRun(Path directory, long seed, ClientLife life) throws IOException, JMSException {
        this.directory = directory;
        oracle = new Oracle(life != ClientLife.SHORT);
        ports = life.lasts() ? List.of(freePort(), freePort()) : List.of(0);
        gate =
                new Gate(
                        life,
                        "winnow://127.0.0.1:%d,127.0.0.1:%d"
                                .formatted(ports.getFirst(), ports.getLast()));
        random = new Random(seed);
        broker = start();
        clients = new Clients(gate, oracle, broker.url(), seed);
        gate.open(broker.url());
    }

    private BrokerProcess start() throws IOException {
        List<String> settings =
                new ArrayList<>(List.of("queue.max-deliveries=0", "queue.redelivery-delay=0s"));
        if (random.nextBoolean()) {
            settings.addAll(SMALL);
        }
        settings.add("transport.port=" + ports.get(starts++ % ports.size()));
        return BrokerProcess.start(directory, List.of("-Xmx128m"), settings);
    }

    /// A port that the system gives to no connection by itself: one that is tried again and again
    /// while no broker listens there would be connected with itself some day.
    static int freePort() throws IOException {
        while (true) {
            int port = ThreadLocalRandom.current().nextInt(FIRST_PORT, LAST_PORT);
            try (ServerSocket socket =
                    new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                return socket.getLocalPort();
            } catch (BindException e) {
                // Somebody uses it; another one may be free.
            }
        }
    }

    Oracle oracle() {
        return oracle;
    }

    BrokerProcess broker() {
        return broker;
    }

    /// Waits until clients have sent and received so many messages more.
    void await(long events) {
        clients.await(events);
    }

    /// Lets clients work for a random while, kills the broker and starts another one.
    ///
    /// @param tears whether the write-ahead log gets an end that is torn
    void round(boolean tears) throws IOException, InterruptedException {
        kill();
        if (tears) {
            tear();
        }
        restart();
    }

    /// Lets clients work for a random while, cuts the power and starts another broker.
    ///
    /// @param disk that has the broker's directory
    void cutPower(FaultyDisk disk) throws IOException, InterruptedException {
        kill();
        disk.cut(random);
        restart();
    }

    private void kill() throws IOException, InterruptedException {
        await(random.nextInt(2000));
        gate.onKill();
        broker.kill();
        gate.close();
        if (!gate.life().lasts()) {
            clients.awaitBack();
        }
        oracle.onKilled();
    }

    private void restart() throws IOException, InterruptedException {
        if (random.nextInt(5) == 0) {
            killAtStart();
        }
        broker = start();
        gate.open(broker.url());
    }

    /// Stops the broker's process under load, and lets it go on.
    void pause(long millis) throws IOException, InterruptedException {
        await(random.nextInt(1000));
        broker.signal("STOP");
        try {
            TimeUnit.MILLISECONDS.sleep(millis);
        } finally {
            broker.signal("CONT");
        }
    }

    /// Appends garbage to the newest write-ahead log.
    private void tear() throws IOException {
        byte[] torn = new byte[1 + random.nextInt(100_000)];
        random.nextBytes(torn);
        try (Stream<Path> files = Files.list(directory.resolve("store").resolve("rocksdb"))) {
            Path newest =
                    files.filter(file -> file.toString().endsWith(".log"))
                            .max(Comparator.naturalOrder())
                            .orElseThrow();
            Files.write(newest, torn, StandardOpenOption.APPEND);
        }
    }

    /// Kills a broker that may have begun to read what is there.
    private void killAtStart() throws IOException, InterruptedException {
        try (BrokerProcess starting = BrokerProcess.launch(directory, List.of(), SMALL)) {
            TimeUnit.MILLISECONDS.sleep(random.nextInt(1500));
            starting.kill();
        }
    }

    /// Lets clients receive all that is there, stops the broker in order, starts it again, and
    /// receives what is left.
    ///
    /// @return what is wrong
    List<String> finish() throws IOException, InterruptedException, JMSException {
        clients.end();
        clients.sweep(broker.url());
        int code = broker.stop();
        if (code != 0) {
            oracle.onViolation("expected exit code 0 of the broker, found " + code);
        }
        broker = start();
        clients.sweep(broker.url());
        return oracle.judge();
    }

    @Override
    public void close() {
        gate.end();
        broker.close();
    }
}
