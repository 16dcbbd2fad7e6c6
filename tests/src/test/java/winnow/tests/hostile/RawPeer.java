package winnow.tests.hostile;

import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import winnow.wire.BodyType;
import winnow.wire.ClientInstance;
import winnow.wire.ConsumerRole;
import winnow.wire.DeliveryRanges;
import winnow.wire.DestinationKind;
import winnow.wire.FrameSplitter;
import winnow.wire.FrameType;
import winnow.wire.MessageBlock;
import winnow.wire.PropertyType;
import winnow.wire.Protocol;
import winnow.wire.Resumption;
import winnow.wire.Source;
import winnow.wire.WireReader;
import winnow.wire.WireWriter;
import winnow.wire.frame.Acknowledge;
import winnow.wire.frame.BeginSession;
import winnow.wire.frame.Commit;
import winnow.wire.frame.Consume;
import winnow.wire.frame.ControlFrame;
import winnow.wire.frame.CreateTemporary;
import winnow.wire.frame.DeleteSubscription;
import winnow.wire.frame.DeleteTemporary;
import winnow.wire.frame.Publish;
import winnow.wire.frame.PublishInParts;
import winnow.wire.frame.PublishPart;

/// A client that speaks the protocol frame by frame and need not keep its rules. One thread writes;
/// a thread of its own reads until [#stopReading].
final class RawPeer implements AutoCloseable {
    private static final int CONNECT_MILLIS = 10_000;
    private static final int BUFFER_BYTES = 16 * 1024;
    private static final int MAX_FRAME_BYTES = 1 << 25;

    private final Socket socket = new Socket();
    private final WireWriter out = new WireWriter(1024);
    private final AtomicInteger accepted = new AtomicInteger();
    private final AtomicInteger refused = new AtomicInteger();
    private final AtomicLong credit = new AtomicLong();
    private final CountDownLatch welcomed = new CountDownLatch(1);
    private volatile boolean reading = true;
    private volatile boolean ended;
    private volatile int maxFrameBytes;
    private volatile long connectionId;
    private int requests;

    /// Connects without a word.
    RawPeer(InetSocketAddress address) throws IOException {
        socket.connect(address, CONNECT_MILLIS);
    }

    /// Says hello and waits for the welcome.
    void greet() throws IOException, InterruptedException {
        greet(0);
    }

    /// The same of a client that knows more.
    ///
    /// @param features as in [Protocol]
    void greet(long features) throws IOException, InterruptedException {
        Thread.ofVirtual().start(this::readAll);
        out.writeInt(Protocol.MAGIC);
        out.writeByte(Protocol.MAJOR_VERSION);
        out.writeByte(Protocol.MINOR_VERSION);
        Resumption first =
                (features & Protocol.RESUME) == 0
                        ? null
                        : new Resumption(ClientInstance.create(), 1, 0);
        send(new ControlFrame.Hello(features, "", "ANONYMOUS", "", 0, "hostile", first));
        if (!welcomed.await(CONNECT_MILLIS, TimeUnit.MILLISECONDS) || maxFrameBytes == 0) {
            throw new IOException("expected Welcome, none came");
        }
    }

    private void readAll() {
        byte[] buffer = new byte[BUFFER_BYTES];
        FrameSplitter splitter =
                new FrameSplitter(new byte[FrameSplitter.SCRATCH_BYTES], MAX_FRAME_BYTES);
        try {
            InputStream in = socket.getInputStream();
            while (reading) {
                int size = in.read(buffer);
                if (size < 0) {
                    break;
                }
                splitter.feed(Unpooled.wrappedBuffer(buffer, 0, size), this::onFrame);
            }
        } catch (IOException e) {
            // The broker, or this test, closed the connection.
        }
        ended = reading;
        welcomed.countDown();
    }

    private void onFrame(int type, WireReader payload) {
        switch (type) {
            case FrameType.WELCOME -> {
                ControlFrame.Welcome welcome =
                        (ControlFrame.Welcome) ControlFrame.decode(type, payload);
                connectionId = welcome.connectionId();
                maxFrameBytes = welcome.maxFrameBytes();
                welcomed.countDown();
            }
            case FrameType.ACCEPTED -> accepted.incrementAndGet();
            case FrameType.REFUSED, FrameType.PUBLISH_REFUSED -> refused.incrementAndGet();
            case FrameType.PRODUCER_CREDIT -> {
                while (payload.remaining() > 0) {
                    payload.readVarint();
                    credit.addAndGet(payload.readVarint());
                }
            }
            default -> {}
        }
    }

    /// Reads whatever comes, instead of frames, until the broker closes the connection.
    void readToTheEnd() throws IOException {
        socket.getInputStream().transferTo(OutputStream.nullOutputStream());
    }

    /// From the next bytes on, nothing is read any more.
    void stopReading() {
        reading = false;
    }

    /// True if the broker has closed the connection.
    boolean ended() {
        return ended;
    }

    /// The longest frame that the broker takes.
    int maxFrameBytes() {
        return maxFrameBytes;
    }

    int accepted() {
        return accepted.get();
    }

    /// Requests and publishes that the broker refused.
    int refused() {
        return refused.get();
    }

    /// Waits until as many requests are answered, the connection has ended, or time is up.
    void awaitAnswers(int count) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (accepted.get() + refused.get() < count && !ended && System.nanoTime() < end) {
            Thread.sleep(1);
        }
    }

    void send(ControlFrame frame) throws IOException {
        frame.write(out);
        flush();
    }

    private void flush() throws IOException {
        socket.getOutputStream().write(out.array(), 0, out.size());
        out.clear();
    }

    void write(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
    }

    void open(int handle, String topic) throws IOException {
        send(new ControlFrame.Open(++requests, handle, DestinationKind.TOPIC, topic));
    }

    /// Asks for a subscription.
    ///
    /// @param credit messages and bytes
    void subscribe(int id, String topic, String selector, int credit) throws IOException {
        Source source = new Source(DestinationKind.TOPIC, topic, selector, "");
        send(new ControlFrame.Subscribe(++requests, id, source, false, credit, credit));
    }

    /// Begins a transacted session, and commits it empty, each time by another name.
    void commit(int count) throws IOException {
        send(new BeginSession(++requests, 1, true));
        for (int i = 0; i < count; i++) {
            new Commit(++requests, 1, "transaction-" + i, DeliveryRanges.NONE).write(out);
            if (i % 100 == 0) {
                flush();
            }
        }
        flush();
    }

    void openQueue(int handle, String queue) throws IOException {
        send(new ControlFrame.Open(++requests, handle, DestinationKind.QUEUE, queue));
    }

    void createTemporary(String name) throws IOException {
        String whole = Protocol.TEMPORARY_PREFIX + "%016x/".formatted(connectionId) + name;
        send(new CreateTemporary(++requests, DestinationKind.QUEUE, whole));
    }

    /// Publishes a message whose body has one byte and comes in parts; gives up as [#publish].
    boolean publishInParts(int handle) throws IOException, InterruptedException {
        if (!awaitCredit()) {
            return false;
        }
        int mark = PublishInParts.begin(out, handle, Publish.CONFIRM, 0, 0, 1);
        out.writeByte(BodyType.BYTES.number() << MessageBlock.BODY_TYPE_SHIFT);
        out.writeByte(0);
        out.endFrame(mark);
        PublishPart.write(out, handle, new byte[1], 1);
        credit.addAndGet(-out.size());
        flush();
        return true;
    }

    /// Begins a session, consumes from a queue, and never acknowledges.
    void consume(String queue, int credit) throws IOException {
        consume(1, queue, "", credit);
    }

    /// The same of several consumers, of which the first begins the session.
    ///
    /// @param number from 1
    void consume(int number, String queue, String selector, int credit) throws IOException {
        if (number == 1) {
            send(new BeginSession(++requests, 1, false));
        }
        Source source = new Source(DestinationKind.QUEUE, queue, selector, "");
        send(
                new Consume(
                        ++requests,
                        number,
                        1,
                        ConsumerRole.QUEUE,
                        source,
                        "",
                        false,
                        credit,
                        credit));
    }

    /// Sends requests that are refused, with a text of so many bytes at every place for one, and
    /// waits for each answer.
    void sayLong(int bytes) throws IOException, InterruptedException {
        String text = "x".repeat(bytes);
        send(new BeginSession(++requests, 1, false));
        awaitAnswers(requests);
        say(new DeleteSubscription(++requests, text));
        say(new DeleteTemporary(++requests, DestinationKind.QUEUE, text));
        say(new CreateTemporary(++requests, DestinationKind.QUEUE, text));
        say(new ControlFrame.Open(++requests, 1, DestinationKind.TOPIC, text));
        Source selected = new Source(DestinationKind.QUEUE, "filled", "a = = " + text, "");
        say(new Consume(++requests, 1, 1, ConsumerRole.QUEUE, selected, "", false, 0, 0));
        Source topic = new Source(DestinationKind.TOPIC, "filled", "", "");
        ConsumerRole role = ConsumerRole.SHARED_DURABLE;
        say(new Consume(++requests, 1, 1, role, topic, text, false, 0, 0));
        Source named = new Source(DestinationKind.TOPIC, text, "", "");
        say(new ControlFrame.Subscribe(++requests, 1, named, false, 0, 0));
    }

    private void say(ControlFrame frame) throws IOException, InterruptedException {
        send(frame);
        awaitAnswers(requests);
    }

    /// Begins a session.
    void begin() throws IOException, InterruptedException {
        say(new BeginSession(++requests, 1, false));
    }

    /// Acknowledges every other one of very many deliveries, several times.
    void acknowledgeAlternate(int times, int count) throws IOException {
        long[] ids = new long[count];
        for (int i = 0; i < count; i++) {
            ids[i] = 2L * i + 1;
        }
        for (int i = 0; i < times; i++) {
            send(new Acknowledge(++requests, 1, DeliveryRanges.of(ids)));
        }
    }

    /// Begins a session, and browses a queue.
    void browse(String queue, int credit) throws IOException {
        send(new BeginSession(++requests, 1, false));
        Source source = new Source(DestinationKind.QUEUE, queue, "", "");
        ConsumerRole role = ConsumerRole.BROWSER;
        send(new Consume(++requests, 1, 1, role, source, "", false, credit, credit));
    }

    void unsubscribe(int id) throws IOException {
        send(new ControlFrame.Unsubscribe(++requests, id));
    }

    private boolean awaitCredit() throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(2);
        while (credit.get() <= 0) {
            if (ended || System.nanoTime() > end) {
                return false;
            }
            Thread.sleep(1);
        }
        return true;
    }

    /// Publishes as soon as there is credit; gives up when the connection ends or none comes.
    ///
    /// @param property value of the property `x`, empty for none
    /// @return whether the message was sent
    boolean publish(int handle, String property, int bodyBytes)
            throws IOException, InterruptedException {
        if (!awaitCredit()) {
            return false;
        }
        int mark = out.beginFrame(FrameType.PUBLISH);
        out.writeVarint(handle);
        out.writeByte(Publish.CONFIRM);
        int flags = BodyType.BYTES.number() << MessageBlock.BODY_TYPE_SHIFT;
        out.writeByte(property.isEmpty() ? flags : flags | MessageBlock.HAS_PROPERTIES);
        out.writeByte(0);
        if (!property.isEmpty()) {
            WireWriter entries = new WireWriter(property.length() + 16);
            entries.writeVarint(0);
            entries.writeString("x");
            entries.writeByte(PropertyType.STRING);
            entries.writeString(property);
            out.writeVarint(entries.size());
            out.writeRaw(entries.array(), 0, entries.size());
        }
        out.writeRaw(new byte[bodyBytes], 0, bodyBytes);
        out.endFrame(mark);
        credit.addAndGet(-out.size());
        flush();
        return true;
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new IllegalStateException("could not close a socket", e);
        }
    }
}
