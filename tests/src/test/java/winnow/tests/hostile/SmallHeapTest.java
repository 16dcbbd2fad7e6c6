package winnow.tests.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Each [Filling] of a broker with a small heap, with and without a directory: the broker refuses,
/// or lets wait, but goes on, and starts again with what it has stored.
class SmallHeapTest {
    private static final int AT_ONCE_SECONDS = 90;

    @TempDir private Path directory = Path.of("");

    static Stream<Arguments> fillings() {
        return each(Filling.values());
    }

    static Stream<Arguments> peerFillings() {
        return each(PeerFilling.values());
    }

    private static Stream<Arguments> each(Enum<?>... fillings) {
        return Arrays.stream(fillings)
                .flatMap(filling ->
                        Stream.of(Arguments.of(filling, false), Arguments.of(filling, true)));
    }

    /// An attack on the broker.
    private interface Attack {
        void fill(SmallBroker broker) throws Exception;
    }

    @ParameterizedTest
    @MethodSource("fillings")
    void shouldSurvive(Filling filling, boolean stored) throws Exception {
        survive(filling.name(), filling.settings(), stored, filling::fill);
    }

    @ParameterizedTest
    @MethodSource("peerFillings")
    void shouldSurvivePeers(PeerFilling filling, boolean stored) throws Exception {
        survive(filling.name(), Map.of(), stored, filling::fill);
    }

    /// What is refused or waits, because others have taken the heap, ends a filling early.
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldSurviveAllFillingsAtOnce(boolean stored) throws Exception {
        List<Attack> attacks = new ArrayList<>();
        // Thousands of connections or bodies would leave this process no files.
        EnumSet.complementOf(EnumSet.of(Filling.PARTS))
                .forEach(filling -> attacks.add(filling::fill));
        EnumSet.complementOf(EnumSet.of(PeerFilling.CONNECTIONS))
                .forEach(filling -> attacks.add(filling::fill));
        survive("ALL", Map.of(), stored, broker -> fillAtOnce(broker, attacks));
    }

    private static void fillAtOnce(SmallBroker broker, List<Attack> attacks)
            throws InterruptedException {
        AtomicInteger complete = new AtomicInteger();
        CountDownLatch ended = new CountDownLatch(attacks.size());
        List<Thread> threads = new ArrayList<>();
        for (Attack attack : attacks) {
            threads.add(
                    Thread.ofPlatform()
                            .daemon()
                            .start(() -> {
                                try {
                                    attack.fill(broker);
                                    complete.incrementAndGet();
                                } catch (Exception | AssertionError e) {
                                    System.out.println("ended early: " + e);
                                } finally {
                                    ended.countDown();
                                }
                            }));
        }
        boolean all = ended.await(AT_ONCE_SECONDS, TimeUnit.SECONDS);
        threads.forEach(Thread::interrupt);
        System.out.printf(
                "%d of %d complete, all ended: %s%n", complete.get(), threads.size(), all);
        assertThat(complete.get()).as("fillings that went through").isPositive();
    }

    private void survive(String name, Map<String, String> its, boolean stored, Attack attack)
            throws Exception {
        // given
        Map<String, String> settings = new HashMap<>(its);
        if (stored) {
            settings.put("storage.directory", directory.resolve("store").toString());
        }
        try (SmallBroker broker = new SmallBroker(directory.resolve("log"), settings)) {
            try {
                // when
                attack.fill(broker);

                // then
                assertThat(broker.isAlive()).as("the broker is alive").isTrue();
                assertThat(broker.status("/health/live")).isEqualTo(200);
                assertThat(broker.stop()).as("exit code after SIGTERM").isZero();
            } finally {
                System.out.println(name + ": " + broker.errors());
            }
            assertThat(broker.errors()).doesNotContain("OutOfMemoryError");
        }
        if (stored) {
            startAgain(settings);
        }
    }

    private void startAgain(Map<String, String> settings) throws Exception {
        try (SmallBroker broker = new SmallBroker(directory.resolve("log again"), settings)) {
            for (int i = 0; i < 20; i++) {
                Thread.sleep(200);
                assertThat(broker.isAlive()).as("the broker is alive after a restart").isTrue();
            }
            assertThat(broker.status("/health/live")).isEqualTo(200);
            assertThat(broker.stop()).as("exit code after SIGTERM").isZero();
            assertThat(broker.errors()).doesNotContain("OutOfMemoryError");
        }
    }
}
