package winnow.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import winnow.wire.BodyType;
import winnow.wire.DestinationKind;
import winnow.wire.ErrorCode;
import winnow.wire.FrameSplitter;
import winnow.wire.FrameType;
import winnow.wire.MessageBlock;
import winnow.wire.PropertyType;
import winnow.wire.Protocol;
import winnow.wire.Source;
import winnow.wire.WireReader;
import winnow.wire.WireWriter;
import winnow.wire.frame.ControlFrame;
import winnow.wire.frame.Delivery;
import winnow.wire.frame.Publish;

/// A client that speaks the protocol frame by frame over a blocking socket. Owned by one thread.
public final class TestClient implements AutoCloseable {
    static final int MUCH = 1 << 30;

    private static final int READ_TIMEOUT_MILLIS = 10_000;

    private final Socket socket = new Socket();
    private final FrameSplitter splitter =
            new FrameSplitter(new byte[FrameSplitter.SCRATCH_BYTES], 1 << 25);
    private final ArrayDeque<Object> received = new ArrayDeque<>();
    private final WireWriter out = new WireWriter(256);
    private final byte[] buffer = new byte[64 * 1024];
    private long producerCredit;
    private int requests;
    private final Set<Integer> openHandles = new HashSet<>();
    private boolean persistent;
    private long timestamp;
    private int transaction;
    private int confirmed;
    private boolean held;

    /// Property names that the broker has told.
    final List<String> propertyNames = new ArrayList<>();

    /// Frames that brought one message to several subscriptions.
    int sharedDeliveries;

    /// A delivery as it came.
    record Delivered(int subscriptionId, String correlationId, String body) {}

    TestClient(InetSocketAddress address) throws IOException {
        socket.connect(address, READ_TIMEOUT_MILLIS);
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(READ_TIMEOUT_MILLIS);
    }

    /// Connected, with the handshake done.
    public static TestClient connect(Broker broker) throws IOException {
        TestClient client = new TestClient(broker.address());
        client.greet();
        return client;
    }

    /// The handshake without credentials.
    void greet() throws IOException {
        greet("");
    }

    /// The handshake of a client that knows sessions.
    ///
    /// @return the connection id
    long greet(String clientId) throws IOException {
        hello(new ControlFrame.Hello(Protocol.STORED, clientId, "ANONYMOUS", "", 0, "test"));
        return expect(ControlFrame.Welcome.class).connectionId();
    }

    /// Asks for something and waits until it has been carried out; deliveries that come before stay
    /// to be read.
    void request(IntFunction<ControlFrame> request) throws IOException {
        int id = ++requests;
        send(request.apply(id));
        ControlFrame answer =
                (ControlFrame)
                        take(one ->
                                one instanceof ControlFrame.Refused
                                        || one.equals(new ControlFrame.Accepted(id)));
        assertThat(answer).isEqualTo(new ControlFrame.Accepted(id));
    }

    /// The next request is refused with this code. Returns the message.
    String refused(ErrorCode code, IntFunction<ControlFrame> request) throws IOException {
        send(request.apply(++requests));
        ControlFrame.Refused answer = await(ControlFrame.Refused.class);
        assertThat(ErrorCode.ofNumber(answer.code())).as(answer.message()).isEqualTo(code);
        return answer.message();
    }

    /// A persistent message, published as soon as there is credit; returns when it is confirmed.
    void send(DestinationKind kind, String name, int handle, String body) throws IOException {
        openOnce(kind, name, handle);
        awaitProducerCredit(1);
        persistent = true;
        publishConfirmed(handle, body);
        persistent = false;
        confirmed++;
        Object answer = take(ControlFrame.Published.class::isInstance);
        assertThat(answer).isEqualTo(new ControlFrame.Published(confirmed));
    }

    /// Sends persistent messages, a hundred at most, until one is refused.
    ControlFrame.PublishRefused sendUntilRefused(
            DestinationKind kind, String name, int handle, String body) throws IOException {
        openOnce(kind, name, handle);
        persistent = true;
        Object answer = null;
        for (int i = 0; i < 100 && !(answer instanceof ControlFrame.PublishRefused); i++) {
            awaitProducerCredit(1);
            publishConfirmed(handle, body);
            answer =
                    take(one ->
                            one instanceof ControlFrame.Published
                                    || one instanceof ControlFrame.PublishRefused);
        }
        if (answer instanceof ControlFrame.PublishRefused refused) {
            return refused;
        }
        throw new AssertionError("expected a refusal, found " + answer);
    }

    void openOnce(DestinationKind kind, String name, int handle) throws IOException {
        if (openHandles.add(handle)) {
            producerCredit = 0;
            request(id -> new ControlFrame.Open(id, handle, kind, name));
        }
    }

    /// A persistent message of a transaction.
    void sendTransacted(int session, DestinationKind kind, String name, int handle, String body)
            throws IOException {
        openOnce(kind, name, handle);
        awaitProducerCredit(1);
        persistent = true;
        transaction = session;
        publish(handle, Publish.TRANSACTED, "", Map.of(), body);
        transaction = 0;
        persistent = false;
    }

    void hello(ControlFrame.Hello hello) throws IOException {
        out.writeInt(Protocol.MAGIC);
        out.writeByte(Protocol.MAJOR_VERSION);
        out.writeByte(Protocol.MINOR_VERSION);
        send(hello);
    }

    void raw(byte... bytes) throws IOException {
        socket.getOutputStream().write(bytes);
    }

    void send(ControlFrame frame) throws IOException {
        frame.write(out);
        flush();
    }

    /// From now on frames are collected.
    void hold() {
        held = true;
    }

    /// Sends what was collected, in one write.
    void sendHeld() throws IOException {
        held = false;
        flush();
    }

    private void flush() throws IOException {
        if (held) {
            return;
        }
        socket.getOutputStream().write(out.array(), 0, out.size());
        out.clear();
    }

    void open(int handle, String topic) throws IOException {
        send(new ControlFrame.Open(++requests, handle, DestinationKind.TOPIC, topic));
        assertThat(expect(ControlFrame.Accepted.class).requestId()).isEqualTo(requests);
    }

    void subscribe(int id, String topic) throws IOException {
        subscribe(id, topic, "", "");
    }

    public void subscribe(int id, String topic, String selector, String filter) throws IOException {
        requestSubscription(id, topic, selector, filter, MUCH);
        assertThat(expect(ControlFrame.Accepted.class).requestId()).isEqualTo(requests);
    }

    /// Subscribes to all that comes, and takes nothing of it.
    public void subscribeWithoutCredit(int id, String topic, String selector) throws IOException {
        requestSubscription(id, topic, selector, "", 0);
        assertThat(expect(ControlFrame.Accepted.class).requestId()).isEqualTo(requests);
    }

    /// Publishes one message as soon as there is credit, by a handle that is used for nothing else.
    public void publishOnce(String topic, String body) throws IOException {
        open(1, topic);
        awaitProducerCredit(1);
        publish(1, "", Map.of(), body);
    }

    void requestSubscription(int id, String topic, String selector, String filter, int credit)
            throws IOException {
        Source source = new Source(DestinationKind.TOPIC, topic, selector, filter);
        send(new ControlFrame.Subscribe(++requests, id, source, false, credit, credit));
    }

    void unsubscribe(int id) throws IOException {
        send(new ControlFrame.Unsubscribe(++requests, id));
    }

    void credit(int subscriptionId, int messages, int bytes) throws IOException {
        int mark = out.beginFrame(FrameType.CONSUMER_CREDIT);
        out.writeVarint(subscriptionId);
        out.writeVarint(messages);
        out.writeVarint(bytes);
        out.endFrame(mark);
        flush();
    }

    /// What is published from now on says that it was sent then.
    void timestamp(long millis) {
        timestamp = millis;
    }

    /// Publishes at once, whatever the credit.
    void publish(int handle, String correlationId, Map<String, Object> properties, String body)
            throws IOException {
        publish(handle, 0, correlationId, properties, body);
    }

    /// Publishes a message several times in one write, whatever the credit.
    void publishAtOnce(int handle, int messages, String body) throws IOException {
        for (int i = 0; i < messages; i++) {
            write(handle, 0, "", Map.of(), body);
        }
        flush();
    }

    void publishConfirmed(int handle, String body) throws IOException {
        publish(handle, Publish.CONFIRM, "", Map.of(), body);
    }

    private void publish(
            int handle,
            int flags,
            String correlationId,
            Map<String, Object> properties,
            String body)
            throws IOException {
        write(handle, flags, correlationId, properties, body);
        producerCredit -= out.size();
        flush();
    }

    private void write(
            int handle,
            int flags,
            String correlationId,
            Map<String, Object> properties,
            String body) {
        int mark = out.beginFrame(FrameType.PUBLISH);
        out.writeVarint(handle);
        out.writeByte(flags);
        if (transaction != 0) {
            out.writeVarint(transaction);
        }
        int blockFlags =
                BodyType.TEXT.number() << MessageBlock.BODY_TYPE_SHIFT
                        | (persistent ? MessageBlock.PERSISTENT : 0);
        out.writeByte(blockFlags | (properties.isEmpty() ? 0 : MessageBlock.HAS_PROPERTIES));
        out.writeByte(
                (correlationId.isEmpty() ? 0 : MessageBlock.HAS_CORRELATION_ID)
                        | (timestamp == 0 ? 0 : MessageBlock.HAS_TIMESTAMP));
        if (timestamp != 0) {
            out.writeLong(timestamp);
        }
        if (!correlationId.isEmpty()) {
            out.writeString(correlationId);
        }
        if (!properties.isEmpty()) {
            writeProperties(properties);
        }
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        out.writeRaw(bytes, 0, bytes.length);
        out.endFrame(mark);
    }

    private void writeProperties(Map<String, Object> properties) {
        WireWriter entries = new WireWriter(64);
        new TreeMap<>(properties)
                .forEach((name, value) -> {
                    if (name.startsWith("#")) {
                        entries.writeVarint(Integer.parseInt(name.substring(1)));
                    } else {
                        entries.writeVarint(0);
                        entries.writeString(name);
                    }
                    if (value instanceof Integer number) {
                        entries.writeByte(PropertyType.INT);
                        entries.writeInt(number);
                    } else {
                        entries.writeByte(PropertyType.STRING);
                        entries.writeString(value.toString());
                    }
                });
        out.writeVarint(entries.size());
        out.writeRaw(entries.array(), 0, entries.size());
    }

    /// Waits until the broker has given back so much credit that `bytes` may be sent.
    void awaitProducerCredit(int bytes) throws IOException {
        while (producerCredit < bytes) {
            readOnce();
        }
    }

    /// Publishes `0`, `1`, … in front of `body` as the credit allows until the broker says that it
    /// holds the producer back.
    ///
    /// @return the number of messages sent
    int publishUntilBlocked(int handle, String body) throws IOException {
        int sent = 0;
        while (true) {
            while (producerCredit <= 0) {
                readOnce();
                if (received.removeIf(ControlFrame.Blocked.class::isInstance)) {
                    return sent;
                }
            }
            publish(handle, "", Map.of(), sent++ + body);
        }
    }

    /// The next frame but producer credit, heartbeats and names, which must be of this kind.
    <T> T expect(Class<T> kind) throws IOException {
        Object frame = next(one -> true);
        assertThat(frame).isInstanceOf(kind);
        return kind.cast(frame);
    }

    /// The next frame of this kind; others are dropped.
    <T> T await(Class<T> kind) throws IOException {
        return kind.cast(next(kind::isInstance));
    }

    /// The first frame of a kind; those before it can be awaited afterwards.
    <T> T take(Class<T> kind) throws IOException {
        return kind.cast(take(kind::isInstance));
    }

    private Object next(Predicate<Object> wanted) throws IOException {
        while (true) {
            Object frame = received.poll();
            if (frame == null) {
                readOnce();
            } else if (wanted.test(frame)) {
                return frame;
            }
        }
    }

    /// The next frame that is wanted; others stay to be read.
    private Object take(Predicate<Object> wanted) throws IOException {
        while (true) {
            for (Object frame : received) {
                if (wanted.test(frame)) {
                    received.remove(frame);
                    return frame;
                }
            }
            readOnce();
        }
    }

    private void readOnce() throws IOException {
        InputStream in = socket.getInputStream();
        int size = in.read(buffer);
        if (size < 0) {
            throw new IOException("the broker closed the connection");
        }
        splitter.feed(Unpooled.wrappedBuffer(buffer, 0, size), this::onFrame);
    }

    /// True if the broker has closed the connection after the frames that were read.
    boolean closedByBroker() throws IOException {
        return socket.getInputStream().read() < 0;
    }

    private void onFrame(int type, WireReader payload) {
        switch (type) {
            case FrameType.DELIVERY -> received.add(delivery(payload));
            case FrameType.SHARED_DELIVERY -> sharedDelivery(payload);
            case FrameType.STORED_DELIVERY -> received.add(storedDelivery(payload));
            case FrameType.PRODUCER_CREDIT -> {
                while (payload.remaining() > 0) {
                    payload.readVarint();
                    producerCredit += payload.readVarint();
                }
            }
            default -> {
                ControlFrame frame = ControlFrame.decode(type, payload);
                if (frame instanceof ControlFrame.Names names) {
                    assertThat(names.firstId()).isEqualTo(propertyNames.size() + 1);
                    propertyNames.addAll(names.names());
                } else {
                    received.add(frame);
                }
            }
        }
    }

    /// A message for a consumer of a session.
    record Stored(int consumer, long delivery, int earlier, String body) {}

    private static Stored storedDelivery(WireReader in) {
        int consumer = in.readVarint();
        long id = in.readVarlong();
        int earlier = in.readVarint();
        return new Stored(
                consumer,
                id,
                earlier,
                delivered(consumer, in.array(), in.position(), in.limit()).body());
    }

    private static Delivered delivery(WireReader payload) {
        int id = payload.readVarint();
        assertThat(Delivery.readFlags(payload)).isZero();
        return delivered(id, payload.array(), payload.position(), payload.limit());
    }

    private void sharedDelivery(WireReader payload) {
        assertThat(payload.readUnsignedByte()).isZero();
        int blockBytes = payload.readVarint();
        int start = payload.position();
        int end = start + blockBytes;
        payload.position(end);
        int count = 0;
        while (payload.remaining() > 0) {
            received.add(delivered(payload.readVarint(), payload.array(), start, end));
            count++;
        }
        assertThat(count).isGreaterThanOrEqualTo(2);
        sharedDeliveries++;
    }

    private static Delivered delivered(int id, byte[] array, int start, int end) {
        MessageBlock block = new MessageBlock();
        block.parse(array, start, end);
        String correlationId =
                block.has(MessageBlock.HAS_CORRELATION_ID)
                        ? text(block, block.correlationIdIndex(), block.correlationIdLength())
                        : "";
        return new Delivered(id, correlationId, text(block, block.bodyIndex(), block.bodyLength()));
    }

    private static String text(MessageBlock block, int index, int length) {
        return new String(block.array(), index, length, StandardCharsets.UTF_8);
    }

    void disconnect() throws IOException {
        close();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }

    /// Sends nothing more, without a goodbye.
    void endOutput() throws IOException {
        socket.shutdownOutput();
    }
}
