package winnow.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static winnow.broker.ClusterRig.awaitPage;
import static winnow.broker.ClusterRig.freePorts;
import static winnow.broker.ClusterRig.leading;
import static winnow.broker.ClusterRig.members;
import static winnow.broker.ClusterRig.node;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;
import winnow.wire.DestinationKind;

/// Lines of the log about nodes that are stopped as planned.
class ClusterStopTest {
    private static final int SENDERS = 8;

    /// The engine met what the leader sends at about every third stop under such a load.
    private static final int STOPS = 8;

    private static final long PAUSE_NANOS = 20_000_000;

    private final Logger logger =
            (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private final AtomicBoolean ended = new AtomicBoolean();
    private final LongAdder sent = new LongAdder();

    @TempDir private Path directory;
    private ClusterRig rig;
    private volatile @Nullable ClusterBroker leader;

    @BeforeEach
    void make() {
        rig = new ClusterRig(directory);
        log.start();
        logger.addAppender(log);
    }

    @AfterEach
    void stop() throws InterruptedException {
        logger.detachAppender(log);
        rig.stop();
    }

    private void send() {
        while (!ended.get()) {
            try (TestClient client = new TestClient(Objects.requireNonNull(leader).address())) {
                client.greet();
                while (!ended.get()) {
                    client.send(DestinationKind.QUEUE, "q", 1, "m");
                    sent.increment();
                }
            } catch (IOException | AssertionError e) {
                // The lead has moved, as it may on a slow machine.
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
    }

    /// The node that leads, which from now on gets messages.
    private String lead(Map<String, ClusterBroker> all) throws InterruptedException {
        String leads = leading(all);
        leader = node(all, leads);
        return leads;
    }

    @Test
    void shouldStopFollowersWithoutAnErrorWhileMessagesAreSent() throws Exception {
        // given
        String members = members(freePorts(3));
        Map<String, ClusterBroker> all = rig.startAll(members);
        lead(all);
        List<CompletableFuture<Void>> senders =
                IntStream.range(0, SENDERS)
                        .mapToObj(_ ->
                                CompletableFuture.runAsync(this::send, Thread::startVirtualThread))
                        .toList();

        // when
        for (int time = 0; time < STOPS; time++) {
            for (ClusterBroker one : all.values()) {
                awaitPage(one, "/health/ready", page -> page.startsWith("ready"));
            }
            String leads = lead(all);
            List<String> followers =
                    all.keySet().stream().filter(one -> !one.equals(leads)).toList();
            String follower = followers.get(time % followers.size());
            node(all, follower).close();
            all.put(follower, rig.start(members, follower, Map.of()));
        }

        // then
        ended.set(true);
        senders.forEach(CompletableFuture::join);
        assertThat(sent.sum()).isGreaterThan(STOPS * SENDERS);
        assertThat(log.list)
                .filteredOn(line -> line.getLevel().isGreaterOrEqual(Level.ERROR))
                .isEmpty();
    }
}
