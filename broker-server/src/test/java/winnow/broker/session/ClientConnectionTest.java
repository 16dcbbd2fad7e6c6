package winnow.broker.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import winnow.broker.BrokerConfig;
import winnow.broker.destination.NameDictionary;
import winnow.broker.destination.Router;
import winnow.broker.destination.TopicRegistry;
import winnow.broker.metrics.BrokerCounters;
import winnow.broker.subscription.BacklogMemory;
import winnow.broker.subscription.ChunkPool;
import winnow.wire.ControlFrame;
import winnow.wire.ErrorCode;
import winnow.wire.WireException;
import winnow.wire.WireReader;
import winnow.wire.WireWriter;

class ClientConnectionTest {
    private static final int HEARTBEAT_MILLIS = 1000;

    /// More than the ticks of two heartbeats.
    private static final int LONG_SILENCE = 3 * HEARTBEAT_MILLIS / ClientConnection.TICK_MILLIS;

    private final RecordingOutput output = new RecordingOutput();
    private final ClientConnection connection = new ClientConnection(context(), output);

    private static SessionContext context() {
        return new SessionContext(
                SessionConfig.DEFAULTS,
                1024,
                1024,
                new TopicRegistry(BrokerConfig.DEFAULTS.destination(), List.of(new TestLoop())),
                new NameDictionary(1),
                new BacklogMemory(1024),
                new Connections(0),
                new Authenticator(null, new LongAdder()),
                new SelectorParsing(1),
                new BrokerCounters());
    }

    private void hello() {
        WireWriter out = new WireWriter(64);
        ControlFrame.Hello hello =
                new ControlFrame.Hello(0, "", "ANONYMOUS", "", HEARTBEAT_MILLIS, "test");
        hello.writeFields(out);
        connection.onFrame(hello.type(), new WireReader().wrap(out.array(), 0, out.size()));
    }

    @Test
    void shouldExpectNoFrameWhileItAuthenticates() {
        // given
        output.loop.held = new ArrayDeque<>();
        hello();

        // when, then
        assertThatThrownBy(this::hello)
                .isInstanceOf(WireException.class)
                .hasMessage("expected no frame before Welcome, found Hello");
    }

    private void greet() {
        hello();
        assertThat(output.frames.removeFirst()).isInstanceOf(ControlFrame.Welcome.class);
    }

    @Test
    void shouldGiveUpASilentClient() {
        // given
        greet();

        // when
        tick(LONG_SILENCE);

        // then
        assertThat(output.frames.getLast()).isInstanceOf(ControlFrame.Goodbye.class);
        ControlFrame.Goodbye goodbye = (ControlFrame.Goodbye) output.frames.getLast();
        assertThat(goodbye.code()).isEqualTo(ErrorCode.HEARTBEAT_TIMEOUT.number());
    }

    @Test
    void shouldNotTakeAClientForSilentThatIsNotRead() {
        // given a client that does not read, and therefore is not read either
        greet();
        output.writable = false;

        // when
        tick(10 * LONG_SILENCE);

        // then
        assertThat(output.frames).isEmpty();

        // and it has all the time of two heartbeats when it is read again
        output.writable = true;
        tick(2 * HEARTBEAT_MILLIS / ClientConnection.TICK_MILLIS);
        assertThat(output.frames).isNotEmpty().allMatch(ControlFrame.Heartbeat.class::isInstance);
    }

    private void tick(int times) {
        for (int i = 0; i < times; i++) {
            connection.onTick();
        }
    }

    /// Keeps the frames; nothing is read from its client.
    private static final class RecordingOutput implements Output {
        final List<ControlFrame> frames = new ArrayList<>();
        private final TestLoop loop = new TestLoop();
        boolean writable = true;
        private boolean wrote;

        @Override
        public SessionLoop loop() {
            return loop;
        }

        @Override
        public void write(ControlFrame frame) {
            frames.add(frame);
            wrote = true;
        }

        @Override
        public void flushFirst() {}

        @Override
        public void closeAfterFlush() {}

        @Override
        public void maxFrameBytes(int maxFrameBytes) {}

        @Override
        public boolean wroteSinceLastAsked() {
            boolean result = wrote;
            wrote = false;
            return result;
        }

        @Override
        public boolean readSinceLastAsked() {
            return false;
        }

        @Override
        public boolean writable() {
            return writable;
        }

        @Override
        public String address() {
            return "";
        }

        @Override
        public void pauseReading(boolean pause) {}

        @Override
        public boolean isReading() {
            return writable;
        }

        @Override
        public void deliver(long message, int subscriptionId, byte[] array, int start, int end) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void appendFrames(byte[] array, int start, int end) {
            throw new UnsupportedOperationException();
        }

        @Override
        public int place() {
            throw new UnsupportedOperationException();
        }

        @Override
        public void place(int newPlace) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void announceNames(int maxNameId) {
            throw new UnsupportedOperationException();
        }
    }

    /// Runs commands at once, or holds them.
    private static final class TestLoop implements SessionLoop {
        @Nullable ArrayDeque<Runnable> held;

        @Override
        public int index() {
            return 0;
        }

        @Override
        public boolean inLoop() {
            return true;
        }

        @Override
        public void execute(Runnable command) {
            if (held != null) {
                held.add(command);
            } else {
                command.run();
            }
        }

        @Override
        public Router router() {
            throw new UnsupportedOperationException();
        }

        @Override
        public void touch(ClientConnection connection) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void onAnswered() {
            throw new UnsupportedOperationException();
        }

        @Override
        public ChunkPool chunks() {
            throw new UnsupportedOperationException();
        }

        @Override
        public long numberMessages(int count) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void onDelivered(int copies, long nanos) {
            throw new UnsupportedOperationException();
        }
    }
}
