package winnow.tests.benchmark.hold;

import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import winnow.wire.DestinationKind;
import winnow.wire.FrameSplitter;
import winnow.wire.FrameType;
import winnow.wire.Protocol;
import winnow.wire.Source;
import winnow.wire.WireReader;
import winnow.wire.WireWriter;
import winnow.wire.frame.ControlFrame;

/// A plain socket that subscribes, or publishes what is encoded already, as fast as the broker
/// permits. One thread writes; a thread of its own reads. A wait in which the broker answers
/// nothing for two minutes fails.
final class HoldClient implements AutoCloseable {
    private static final int READ_BYTES = 64 * 1024;
    private static final int MAX_FRAME_BYTES = 1 << 25;
    private static final int WRITE_BYTES = 16 * 1024;
    private static final int MUCH = 1 << 30;

    /// Fewer than `session.max-pending-selectors`.
    private static final int MAX_UNANSWERED = 4_000;

    /// Far longer than 4,000 selectors take.
    private static final int PATIENCE_MILLIS = 120_000;

    /// Of the topic that [#open] names.
    static final int HANDLE = 1;

    private final Socket socket = new Socket();
    private final WireWriter out = new WireWriter(WRITE_BYTES);
    private final Map<String, Integer> names = new ConcurrentHashMap<>();
    private final int patienceMillis;
    private int requests;

    /// Frames for which somebody may wait.
    private long answers;

    private boolean welcomed;
    private int accepted;
    private long credit;
    private long published;
    private String failure = "";
    private volatile boolean closed;

    HoldClient(InetSocketAddress address) throws IOException, InterruptedException {
        this(address, PATIENCE_MILLIS);
    }

    /// @param patienceMillis how long to wait for an answer
    HoldClient(InetSocketAddress address, int patienceMillis)
            throws IOException, InterruptedException {
        this.patienceMillis = patienceMillis;
        socket.connect(address, patienceMillis);
        socket.setTcpNoDelay(true);
        Thread.ofPlatform().name("hold-reader").daemon().start(this::readAll);
        out.writeInt(Protocol.MAGIC);
        out.writeByte(Protocol.MAJOR_VERSION);
        out.writeByte(Protocol.MINOR_VERSION);
        new ControlFrame.Hello(0, "", "ANONYMOUS", "", 0, "hold").write(out);
        flush();
        await("to be welcomed", () -> welcomed);
    }

    private void readAll() {
        byte[] buffer = new byte[READ_BYTES];
        FrameSplitter splitter =
                new FrameSplitter(new byte[FrameSplitter.SCRATCH_BYTES], MAX_FRAME_BYTES);
        String end = "the broker closed the connection";
        try {
            InputStream in = socket.getInputStream();
            for (int size = in.read(buffer); size >= 0; size = in.read(buffer)) {
                splitter.feed(Unpooled.wrappedBuffer(buffer, 0, size), this::onFrame);
            }
        } catch (IOException | RuntimeException e) {
            end = e.toString();
        }
        if (!closed) {
            fail(end);
        }
    }

    private synchronized void fail(String reason) {
        failure = reason;
        notifyAll();
    }

    private void onFrame(int type, WireReader payload) {
        if (type == FrameType.PRODUCER_CREDIT) {
            onCredit(payload);
        } else if (type != FrameType.DELIVERY && type != FrameType.SHARED_DELIVERY) {
            onControl(ControlFrame.decode(type, payload));
        }
    }

    private synchronized void onCredit(WireReader payload) {
        while (payload.remaining() > 0) {
            payload.readVarint();
            credit += payload.readVarint();
        }
        answers++;
        notifyAll();
    }

    private synchronized void onControl(ControlFrame frame) {
        if (frame instanceof ControlFrame.Blocked || frame instanceof ControlFrame.Heartbeat) {
            return;
        }
        answers++;
        switch (frame) {
            case ControlFrame.Welcome _ -> welcomed = true;
            case ControlFrame.Accepted _ -> accepted++;
            case ControlFrame.Published answer -> published = answer.count();
            case ControlFrame.Names known -> {
                for (int i = 0; i < known.names().size(); i++) {
                    names.put(known.names().get(i), known.firstId() + i);
                }
            }
            default -> failure = "unexpected " + frame;
        }
        notifyAll();
    }

    @FunctionalInterface
    private interface Condition {
        boolean isTrue();
    }

    /// @param purpose for the error
    private synchronized void await(String purpose, Condition condition)
            throws InterruptedException, IOException {
        long seen = answers;
        long since = System.nanoTime();
        while (!condition.isTrue() && !closed) {
            check();
            if (seen != answers) {
                seen = answers;
                since = System.nanoTime();
            }
            long waited = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - since);
            if (waited >= patienceMillis) {
                throw new IOException(
                        "waited %,d ms %s, without any answer of the broker at %s"
                                .formatted(waited, purpose, socket.getRemoteSocketAddress()));
            }
            wait(patienceMillis - waited);
        }
    }

    /// Subscribes with each selector, which takes a while.
    void subscribe(String topic, List<String> selectors) throws IOException, InterruptedException {
        for (String selector : selectors) {
            int request = ++requests;
            Source source = new Source(DestinationKind.TOPIC, topic, selector, "");
            new ControlFrame.Subscribe(request, request, source, false, MUCH, MUCH).write(out);
            if (out.size() >= WRITE_BYTES || request == selectors.size()) {
                flush();
            }
            if (request % MAX_UNANSWERED == 0) {
                flush();
                awaitAccepted(request);
            }
        }
        awaitAccepted(requests);
    }

    private void awaitAccepted(int count) throws IOException, InterruptedException {
        await("for %,d subscriptions to be accepted".formatted(count), () -> accepted == count);
    }

    /// Makes ready to publish.
    ///
    /// @return the numbers of these property names
    Map<String, Integer> open(String topic, List<String> properties)
            throws IOException, InterruptedException {
        new ControlFrame.Open(++requests, HANDLE, DestinationKind.TOPIC, topic).write(out);
        properties.forEach(name -> new ControlFrame.Intern(name).write(out));
        flush();
        await(
                "for the topic and the numbers of its names",
                () -> accepted == requests && names.keySet().containsAll(properties));
        return names;
    }

    /// Publishes these messages again and again until it is closed.
    ///
    /// @param frames made by [HoldMessages]
    void publishAll(List<byte[]> frames) {
        try {
            for (int next = 0; !closed; next = (next + 1) % frames.size()) {
                byte[] frame = frames.get(next);
                if (credit() <= 0) {
                    flush();
                    await("for credit to publish", () -> credit > 0);
                }
                out.writeRaw(frame, 0, frame.length);
                spend(frame.length);
                if (out.size() >= WRITE_BYTES) {
                    flush();
                }
            }
        } catch (IOException e) {
            if (!closed) {
                fail(e.toString());
            }
        } catch (InterruptedException e) {
            fail(e.toString());
        }
    }

    private synchronized long credit() {
        return credit;
    }

    private synchronized void spend(int bytes) {
        credit -= bytes;
    }

    /// Messages that the broker has confirmed.
    synchronized long published() {
        return published;
    }

    /// @throws IOException if the connection has failed
    synchronized void check() throws IOException {
        if (!failure.isEmpty()) {
            throw new IOException(failure);
        }
    }

    private void flush() throws IOException {
        socket.getOutputStream().write(out.array(), 0, out.size());
        out.clear();
    }

    @Override
    public void close() throws IOException {
        closed = true;
        socket.close();
        synchronized (this) {
            notifyAll();
        }
    }
}
