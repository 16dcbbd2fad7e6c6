package winnow.client.session;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import winnow.client.Awaiting;
import winnow.client.ScriptedBroker;
import winnow.client.option.InterruptionListener;

class ConnectionReportsTest {
    private static final InterruptionListener LISTENER =
            new InterruptionListener() {
                @Override
                public void onInterrupted(Connection of, String peer, JMSException cause) {}

                @Override
                public void onResumed(Connection of, String peer, Duration gap) {}
            };

    private final List<Integer> called = Collections.synchronizedList(new ArrayList<>());
    private final CountDownLatch returning = new CountDownLatch(1);
    private ScriptedBroker broker;
    private Connection connection;

    @BeforeEach
    void connect() throws Exception {
        broker = new ScriptedBroker();
        connection = broker.factory().createConnection();
    }

    @AfterEach
    void disconnect() throws Exception {
        connection.close();
        broker.close();
    }

    private void hang() {
        try {
            assertThat(returning.await(10, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void shouldKeepTheNewestCallsForAListenerThatHangs() {
        // given
        ConnectionReports reports =
                new ConnectionReports(
                        connection,
                        CallbackThreads.own(again -> {}, Thread::new),
                        LISTENER,
                        () -> false);
        reports.call(listener -> {
            called.add(0);
            hang();
        });
        Awaiting.until(() -> called.contains(0));

        // when
        for (int i = 1; i <= 301; i++) {
            int call = i;
            reports.call(listener -> called.add(call));
        }
        returning.countDown();

        // then
        Awaiting.until(() -> called.contains(301));
        List<Integer> newest = IntStream.rangeClosed(203, 301).boxed().toList();
        assertThat(called.get(0)).isZero();
        assertThat(called.subList(1, called.size())).isEqualTo(newest);
    }
}
