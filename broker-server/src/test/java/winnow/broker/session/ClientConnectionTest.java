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
import winnow.broker.fault.FaultBarrier;
import winnow.broker.metrics.BrokerCounters;
import winnow.broker.subscription.BacklogMemory;
import winnow.broker.subscription.WaitingMessages;
import winnow.selector.SelectorLimits;
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
                new MetadataBudget(MetadataConfig.DEFAULTS),
                new Connections(0),
                new Authenticator(null, new LongAdder()),
                new SelectorParsing(1, SelectorLimits.DEFAULT),
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

    @Test
    void shouldCloseAClientWhoseSocketTakesNothing() {
        // given
        greet();
        output.writable = false;
        int limit =
                (int)
                        (SessionConfig.DEFAULTS.unreadTimeout().toMillis()
                                / ClientConnection.TICK_MILLIS);

        // when it takes a little in between
        tick(limit - 1);
        output.progress++;
        tick(limit);

        // then
        assertThat(output.frames).isEmpty();

        // and it is closed when it takes nothing any more
        tick(1);
        ControlFrame.Goodbye goodbye = (ControlFrame.Goodbye) output.frames.getLast();
        assertThat(goodbye.code()).isEqualTo(ErrorCode.HEARTBEAT_TIMEOUT.number());
        assertThat(goodbye.message()).contains("session.unread-timeout");
    }

    @Test
    void shouldCloseAClientThatHoldsTheRoomOfOthers() {
        // given a client that says something now and then
        greet();
        output.reads = true;
        output.contendedFrame = 7;
        int limit = 30_000 / ClientConnection.TICK_MILLIS;

        // when its frames become whole
        tick(limit);
        output.contendedFrame++;
        tick(limit);

        // then
        assertThat(output.frames).noneMatch(ControlFrame.Goodbye.class::isInstance);

        // and when one does not
        tick(1);
        ControlFrame.Goodbye goodbye = (ControlFrame.Goodbye) output.frames.getLast();
        assertThat(goodbye.code()).isEqualTo(ErrorCode.LIMIT_EXCEEDED.number());
        assertThat(goodbye.message()).contains("others wait for its room");
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
        long progress;
        long contendedFrame;
        boolean reads;
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
        public void closeNow() {}

        @Override
        public boolean keepsWantedRoom() {
            return false;
        }

        @Override
        public void limitBytes(int bytes) {}

        @Override
        public long contendedFrame() {
            return contendedFrame;
        }

        @Override
        public void identify(long connectionId, String clientId) {}

        @Override
        public long socketProgress() {
            return progress;
        }

        @Override
        public void onFault(Throwable fault) {
            throw new AssertionError("a callback failed", fault);
        }

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
            return reads;
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
        public boolean announceNames(int maxNameId) {
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
        public FaultBarrier faults() {
            return new FaultBarrier(new LongAdder());
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
        public WaitingMessages waiting() {
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
