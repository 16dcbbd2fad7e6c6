package winnow.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A broker that cannot start leaves nothing behind.
class BrokerStartTest {
    private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();

    private final Set<Thread> before = threads();

    private static Set<Thread> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("winnow-"))
                .collect(Collectors.toSet());
    }

    private void awaitNoNewThreads() {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        Set<Thread> more = new HashSet<>(threads());
        more.removeAll(before);
        while (!more.isEmpty() && System.nanoTime() < deadline) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
            more.retainAll(threads());
        }
        assertThat(more).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldStopItsThreadsIfAPortIsInUse(boolean http) throws IOException {
        // given
        try (ServerSocket other = new ServerSocket(0, 1, LOOPBACK)) {
            int port = other.getLocalPort();

            // when
            assertThatThrownBy(() ->
                            new Broker(
                                    BrokerConfig.DEFAULTS,
                                    LOOPBACK,
                                    http ? 0 : port,
                                    http ? port : 0))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("the port is in use");
        }

        // then
        awaitNoNewThreads();
    }

    @Test
    void shouldStopItsThreadsIfSettingsCannotBeReadAgain() {
        // when
        assertThatThrownBy(() ->
                        new Broker(
                                BrokerConfig.DEFAULTS,
                                LOOPBACK,
                                0,
                                0,
                                () -> {
                                    throw new IOException("gone");
                                },
                                null))
                .hasMessage("gone");

        // then
        awaitNoNewThreads();
    }
}
