package winnow.tests.crash;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import winnow.client.WinnowConnectionFactory;

/// Nothing that was acknowledged is lost when the power fails: what was not synced may be lost
/// then, in any part. `-Dwinnow.cuts=N` cuts it N times, `-Dwinnow.seed=N` repeats the random
/// choices.
@EnabledIfSystemProperty(named = "winnow.faulty-disk", matches = ".+")
class PowerCutTest {
    private static final int CUTS = Integer.getInteger("winnow.cuts", 10);
    private static final long SEED = Long.getLong("winnow.seed", System.nanoTime());
    private static final int MESSAGES = 200;

    private final FaultyDisk disk = new FaultyDisk();

    @BeforeEach
    @AfterEach
    void clear() throws IOException {
        disk.clear();
    }

    @Test
    void shouldKeepItsPromisesWhenThePowerFails() throws Exception {
        // given
        System.out.println("-Dwinnow.seed=" + SEED);
        try (CrashRun run = new CrashRun(disk.directory(), SEED, ClientLife.SHORT)) {
            // when
            for (int round = 1; round <= CUTS; round++) {
                run.cutPower(disk);
                System.out.println("power cut " + round + ": " + run.oracle().summary());
                assertThat(run.oracle().violations()).isEmpty();
            }

            // then
            assertThat(run.finish()).isEmpty();
            System.out.println(run.oracle().summary());
        }
    }

    @Test
    void shouldHaveEverythingThatWasConfirmed() throws Exception {
        assertThat(survivors(FaultyDisk.Sync.HONEST))
                .isEqualTo(LongStream.rangeClosed(1, MESSAGES).boxed().toList());
    }

    /// Shows that these tests would find a broker that confirms what is not on the disk.
    @Test
    void shouldLoseMessagesOnADiskThatIgnoresSyncs() throws Exception {
        assertThat(survivors(FaultyDisk.Sync.IGNORED)).hasSizeLessThan(MESSAGES);
    }

    /// What is there of the messages that were confirmed, after a power cut that has taken all that
    /// was not synced.
    private List<Long> survivors(FaultyDisk.Sync sync) throws Exception {
        try (BrokerProcess broker = start()) {
            broker.stop();
        }
        try (BrokerProcess broker = start()) {
            disk.sync(sync);
            try (Connection connection = connect(broker)) {
                Session session = connection.createSession();
                MessageProducer producer = session.createProducer(session.createQueue("q"));
                for (int i = 1; i <= MESSAGES; i++) {
                    producer.send(Arrival.write(session, new MessageKey(1, i), 0, 0));
                }
                broker.kill();
            }
        }
        disk.cut();
        disk.sync(FaultyDisk.Sync.HONEST);
        List<Long> found = new ArrayList<>();
        try (BrokerProcess broker = start();
                Connection connection = connect(broker)) {
            Session session = connection.createSession();
            Enumeration<?> all = session.createBrowser(session.createQueue("q")).getEnumeration();
            while (all.hasMoreElements()) {
                found.add(Arrival.of((Message) all.nextElement()).key().number());
            }
        }
        return found;
    }

    private BrokerProcess start() throws IOException {
        return BrokerProcess.start(disk.directory(), List.of("-Xmx128m"), List.of());
    }

    private static Connection connect(BrokerProcess broker) throws JMSException {
        Connection connection = new WinnowConnectionFactory(broker.url()).createConnection();
        connection.setExceptionListener(failure -> {});
        connection.start();
        return connection;
    }
}
