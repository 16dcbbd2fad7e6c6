package winnow.broker.session;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import winnow.broker.destination.Topic;
import winnow.broker.matching.SubscriptionFilter;
import winnow.broker.subscription.BacklogMemory;
import winnow.broker.subscription.Loop;
import winnow.broker.subscription.Recipient;
import winnow.broker.subscription.RecordingStreams;
import winnow.broker.subscription.RecordingTarget;
import winnow.broker.subscription.Subscription;
import winnow.broker.transport.FrameDecoder;
import winnow.selector.check.SelectorLimits;
import winnow.wire.DestinationKind;
import winnow.wire.FrameMemory;
import winnow.wire.FrameSplitter;
import winnow.wire.FrameType;
import winnow.wire.MessageBlock;
import winnow.wire.PropertyType;
import winnow.wire.Protocol;
import winnow.wire.WireWriter;
import winnow.wire.frame.ControlFrame;
import winnow.wire.frame.Publish;
import winnow.wire.frame.PublishInParts;
import winnow.wire.frame.PublishPart;

/// Producers, subscribers and a loop whose turns are over when the clock is looked at for the
/// second time: from bytes of producers to deliveries, on a loop that the test drives.
abstract class RoutingTurns {
    static final int MUCH = 1 << 30;
    private static final int MAX_FRAME = 2 << 20;
    private static final long MOST_NANOS = 20_000_000_000L;
    static final int SUBSCRIBERS = 1000;
    static final String LONG = "long";
    static final String SHORT = "short";

    final BacklogMemory memory = new BacklogMemory(64 << 20);
    final FakeSessionLoop loop = new FakeSessionLoop(memory);
    final SessionContext context = loop.context(MAX_FRAME);
    final byte[] scratch = new byte[FrameSplitter.SCRATCH_BYTES];
    final FrameMemory frameMemory = new FrameMemory(64 << 20);
    final RecordingStreams streams = new RecordingStreams();
    final RecordingTarget near = new RecordingTarget(loop);
    final RecordingTarget far = new RecordingTarget(loop.other);
    final Client a = new Client();
    final Client b = new Client();

    @BeforeEach
    void letEachTurnBeShort() {
        loop.nanosPerLook = 1_000_000_000;
    }

    @AfterEach
    void shouldHaveHadNoFault() {
        assertThat(loop.faultCount() + loop.other.faultCount()).isZero();
    }

    /// A producer of both topics: handle 1 is the one with many subscribers.
    final class Client {
        final FakeOutput output = new FakeOutput(loop);
        final ClientConnection connection = new ClientConnection(context, output);
        final FrameDecoder decoder = new FrameDecoder(connection);
        final FrameSplitter splitter = new FrameSplitter(scratch, MAX_FRAME, frameMemory);
        private final WireWriter unsent = new WireWriter(1024);

        Client() {
            output.onReading = () -> splitter.feed(Unpooled.EMPTY_BUFFER, decoder);
            long capabilities = Protocol.STORED | Protocol.PARTS;
            new ControlFrame.Hello(capabilities, "", "ANONYMOUS", "", 60_000, "test").write(unsent);
            send();
            loop.runAllCommands();
            new ControlFrame.Open(1, 1, DestinationKind.TOPIC, LONG).write(unsent);
            new ControlFrame.Open(2, 2, DestinationKind.TOPIC, SHORT).write(unsent);
            send();
            output.frames.clear();
        }

        void publish(int handle, String property, String body) {
            int mark = unsent.beginFrame(FrameType.PUBLISH);
            unsent.writeVarint(handle);
            unsent.writeByte(Publish.CONFIRM);
            endPublish(mark, property, body, 0);
        }

        /// A message of the transaction of session 1.
        void publishTransacted(int handle, String body) {
            int mark = unsent.beginFrame(FrameType.PUBLISH);
            unsent.writeVarint(handle);
            unsent.writeByte(Publish.TRANSACTED);
            unsent.writeVarint(1);
            endPublish(mark, "", body, 0);
        }

        /// @param deliveryTime in ms since 1970
        void publishDelayed(int handle, String body, long deliveryTime) {
            int mark = unsent.beginFrame(FrameType.PUBLISH);
            unsent.writeVarint(handle);
            unsent.writeByte(Publish.CONFIRM);
            endPublish(mark, "", body, deliveryTime);
        }

        /// The head of a message whose body follows in parts.
        void beginInParts(int handle, String property, int bodyBytes) {
            int mark = PublishInParts.begin(unsent, handle, Publish.CONFIRM, 0, 0, bodyBytes);
            endPublish(mark, property, "", 0);
        }

        void part(int handle, int bytes) {
            PublishPart.write(unsent, handle, new byte[bytes], bytes);
        }

        void write(ControlFrame frame) {
            frame.write(unsent);
        }

        private void endPublish(int mark, String property, String body, long deliveryTime) {
            unsent.writeByte(MessageBlock.HAS_PROPERTIES);
            unsent.writeByte(deliveryTime == 0 ? 0 : MessageBlock.HAS_DELIVERY_TIME);
            if (deliveryTime != 0) {
                unsent.writeLong(deliveryTime);
            }
            WireWriter properties = new WireWriter(64);
            properties.writeVarint(0);
            properties.writeString("s");
            properties.writeByte(PropertyType.STRING);
            properties.writeString(property);
            unsent.writeVarint(properties.size());
            unsent.writeRaw(properties.array(), 0, properties.size());
            byte[] bytes = body.getBytes(US_ASCII);
            unsent.writeRaw(bytes, 0, bytes.length);
            unsent.endFrame(mark);
        }

        void publish(int handle, String body) {
            publish(handle, "", body);
        }

        /// All that was published is one read, and the end of an iteration.
        void send() {
            byte[] bytes = unsent.toByteArray();
            unsent.clear();
            splitter.feed(Unpooled.wrappedBuffer(bytes), decoder);
            endIteration();
        }

        void endIteration() {
            loop.router().endBatch();
            connection.onBatchEnd();
        }

        long confirmed() {
            endIteration();
            return output.frames.stream()
                    .filter(ControlFrame.Published.class::isInstance)
                    .mapToLong(frame -> ((ControlFrame.Published) frame).count())
                    .max()
                    .orElse(0);
        }
    }

    /// Runs one round of commands after the other, with the storage's.
    void runUntil(BooleanSupplier done) {
        long end = System.nanoTime() + MOST_NANOS;
        while (!done.getAsBoolean()) {
            assertThat(System.nanoTime()).as("it takes too long").isLessThan(end);
            loop.runCommands();
            Thread.onSpinWait();
        }
    }

    void add(String topicName, Recipient recipient, String selector) {
        Topic topic = context.destinations().acquireTopic(topicName);
        SubscriptionFilter filter = new SubscriptionFilter(selector, "");
        var parsed = filter.parse(SelectorLimits.DEFAULT);
        topic.add(
                recipient,
                filter,
                parsed == null ? null : topic.prepared(parsed),
                () -> {},
                Assertions::fail);
        loop.runAllCommands();
    }

    void subscribe(String topicName, int id, RecordingTarget target, String selector) {
        Loop owner = target.loop();
        Topic topic = context.destinations().acquireTopic(topicName);
        Subscription subscription = new Subscription(id, target, false, topic, MUCH, streams);
        add(topicName, subscription, selector);
        assertThat(owner.inLoop()).isTrue();
        subscription.onCredit(MUCH, MUCH);
    }

    /// @param selector with the number of the subscriber
    void subscribeMany(RecordingTarget target, String selector) {
        for (int id = 1; id <= SUBSCRIBERS; id++) {
            subscribe(LONG, id, target, selector.formatted(id));
        }
        subscribe(SHORT, 1, target, "");
    }

    /// The bodies that a subscriber got, in their order.
    static List<String> bodies(RecordingTarget target, int id) {
        String prefix = id + ":";
        return target.copies.stream()
                .filter(copy -> copy.startsWith(prefix))
                .map(copy -> copy.substring(copy.lastIndexOf('/') + 1))
                .toList();
    }

    static void assertAllGot(RecordingTarget target, String... bodies) {
        for (int id = 2; id <= SUBSCRIBERS; id++) {
            assertThat(bodies(target, id)).as("subscriber %d", id).containsExactly(bodies);
        }
    }

    long sliced() {
        return loop.router().counters().totals().slicedMatches.sum();
    }
}
