package winnow.broker.session;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import winnow.broker.subscription.BacklogMemory;
import winnow.wire.ConsumerRole;
import winnow.wire.DeliveryRanges;
import winnow.wire.DestinationKind;
import winnow.wire.ErrorCode;
import winnow.wire.MessageBlock;
import winnow.wire.Protocol;
import winnow.wire.Source;
import winnow.wire.frame.Acknowledge;
import winnow.wire.frame.BeginSession;
import winnow.wire.frame.Commit;
import winnow.wire.frame.Consume;
import winnow.wire.frame.ControlFrame;

/// A client of a protocol without bytes: it publishes, consumes, acknowledges and commits by calls,
/// and gets answers and deliveries as values. This is all that another protocol needs.
class ClientMessagesTest {
    private static final long MOST_NANOS = 20_000_000_000L;
    private static final int CREDIT_BYTES = 100;

    private final FakeSessionLoop loop = new FakeSessionLoop(new BacklogMemory(1 << 20));
    private final SessionContext context = loop.context(1 << 20);
    private final FakeOutput output = new FakeOutput(loop);
    private final ClientConnection connection = new ClientConnection(context, output);
    private final ClientMessages messages = connection.messages();

    @BeforeEach
    void login() {
        context.storage().start();
        long capabilities = Protocol.STORED | Protocol.PARTS;
        connection.request(
                new ControlFrame.Hello(capabilities, "", "ANONYMOUS", "", 60_000, "other"));
        runUntil(connection::isOpen);
    }

    @AfterEach
    void close() {
        connection.onDisconnected();
        context.storage().close();
        assertThat(output.faults).isEmpty();
        assertThat(loop.faultCount() + loop.other.faultCount()).isZero();
    }

    /// Runs iterations of the loop until something is there.
    private void runUntil(BooleanSupplier done) {
        long end = System.nanoTime() + MOST_NANOS;
        while (!done.getAsBoolean()) {
            assertThat(System.nanoTime()).as(output.frames.toString()).isLessThan(end);
            loop.runCommands();
            endIteration();
            Thread.onSpinWait();
        }
    }

    private void endIteration() {
        connection.onReadEnd();
        loop.router().endBatch();
        connection.onBatchEnd();
    }

    /// Makes a request and waits until it is accepted.
    private void ask(int id, ControlFrame request) {
        connection.request(request);
        runUntil(() -> output.frames.contains(new ControlFrame.Accepted(id)));
    }

    private static MessageBlock block(String body) {
        byte[] bytes = ("\0\0" + body).getBytes(US_ASCII);
        MessageBlock block = new MessageBlock();
        block.parseFields(bytes, 0, bytes.length);
        return block;
    }

    private void publish(int handle, int session, String body) {
        messages.publish(handle, session == 0, 0, session, block(body), CREDIT_BYTES);
    }

    private List<String> bodies() {
        return output.deliveries.stream()
                .map(one -> one.block().substring(one.block().length() - 1))
                .toList();
    }

    @Test
    void shouldPublishToASubscription() {
        // given
        Source source = new Source(DestinationKind.TOPIC, "t", "", "");
        ask(1, new ControlFrame.Subscribe(1, 5, source, false, 10, 1 << 20));
        ask(2, new ControlFrame.Open(2, 1, DestinationKind.TOPIC, "t"));
        assertThat(output.granted).isPositive();

        // when
        publish(1, 0, "a");
        endIteration();

        // then
        assertThat(output.copies).singleElement().asString().startsWith("5:").endsWith("a");
        assertThat(output.frames).endsWith(new ControlFrame.Published(1));
    }

    @Test
    void shouldConsumeAQueueInATransaction() {
        // given
        ask(1, new ControlFrame.Open(1, 1, DestinationKind.QUEUE, "q"));
        ask(2, new BeginSession(2, 3, true));
        publish(1, 3, "a");
        publish(1, 3, "b");
        ask(3, new Commit(3, 3, "", DeliveryRanges.NONE));

        // when
        ask(4, new BeginSession(4, 4, false));
        Source queue = new Source(DestinationKind.QUEUE, "q", "", "");
        ask(5, new Consume(5, 7, 4, ConsumerRole.QUEUE, queue, "", false, 1, 1000));
        runUntil(() -> output.deliveries.size() == 1);
        messages.credit(7, 1, 1000);
        runUntil(() -> output.deliveries.size() == 2);

        // then
        assertThat(bodies()).containsExactly("a", "b");
        long[] ids = output.deliveries.stream().mapToLong(FakeOutput.Stored::delivery).toArray();
        ask(6, new Acknowledge(6, 4, DeliveryRanges.of(ids)));
    }

    @Test
    void shouldBringABodyInParts() {
        // given
        ask(1, new ControlFrame.Open(1, 1, DestinationKind.QUEUE, "q"));
        ask(2, new BeginSession(2, 4, false));
        Source queue = new Source(DestinationKind.QUEUE, "q", "", "");
        ask(3, new Consume(3, 7, 4, ConsumerRole.QUEUE, queue, "", false, 1, 1000));

        // when
        messages.publishInParts(1, true, 0, 0, 4, block(""), CREDIT_BYTES);
        messages.publishPart(1, new byte[] {'-', 'x', 'x', 'x', '-'}, 1, 4, false, CREDIT_BYTES);
        messages.publishPart(1, new byte[] {'y'}, 0, 1, true, CREDIT_BYTES);

        // then
        runUntil(() -> output.deliveries.size() == 3);
        assertThat(output.deliveries.get(1).block()).isEqualTo("xxx");
        assertThat(output.deliveries.get(2).block()).isEqualTo("y");
        runUntil(() -> output.frames.contains(new ControlFrame.Published(1)));
    }

    @Test
    void shouldRefuseWithAValue() {
        // when
        connection.request(new BeginSession(9, 0, false));
        publish(8, 0, "a");

        // then
        assertThat(output.frames)
                .filteredOn(ControlFrame.PublishRefused.class::isInstance)
                .singleElement()
                .isInstanceOfSatisfying(
                        ControlFrame.PublishRefused.class,
                        refused ->
                                assertThat(refused.code())
                                        .isEqualTo(ErrorCode.UNKNOWN_HANDLE.number()));
    }
}
