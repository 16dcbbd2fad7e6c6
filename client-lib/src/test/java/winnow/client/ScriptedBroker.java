package winnow.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import winnow.wire.FrameType;
import winnow.wire.Protocol;
import winnow.wire.WireReader;
import winnow.wire.WireWriter;
import winnow.wire.frame.Consume;
import winnow.wire.frame.ControlFrame;
import winnow.wire.frame.EndConsumer;
import winnow.wire.frame.StoredDelivery;

/// A broker whose answers the test decides. By itself it shakes hands and accepts Open, Subscribe
/// and Unsubscribe; [#holdAnswers] leaves that to the test, and [#relay] makes it deliver what is
/// published to all subscriptions and confirm it. All frames that arrive can be awaited.
public final class ScriptedBroker implements AutoCloseable {
    public static final long CONNECTION_ID = 0x0123456789ABCDEFL;

    private static final long DEADLINE_SECONDS = 10;
    private static final String WITHOUT_RETURN = "maxReconnectAttempts=0";

    private final int producerWindowBytes;
    private final ServerSocket server;
    private final BlockingQueue<Frame> frames = new LinkedBlockingQueue<>();
    private final List<Socket> sockets = new ArrayList<>();
    private final Map<Integer, String> subscriptions = new ConcurrentHashMap<>();
    private final Map<Integer, Consume> consumers = new ConcurrentHashMap<>();
    private final Set<Integer> held = ConcurrentHashMap.newKeySet();
    private boolean closed;
    private volatile boolean relaying;
    private volatile Function<ControlFrame.Hello, ControlFrame> onHello;
    private volatile Function<ControlFrame.Response, List<ControlFrame>> onResponse =
            response -> List.of();
    private long confirmed;

    public ScriptedBroker() throws IOException {
        this(1024 * 1024, 0);
    }

    /// @param producerWindowBytes credit of each destination handle
    /// @param heartbeatMillis interval in force, 0 for none
    public ScriptedBroker(int producerWindowBytes, int heartbeatMillis) throws IOException {
        this.producerWindowBytes = producerWindowBytes;
        onHello = hello -> welcome(producerWindowBytes, heartbeatMillis);
        server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread acceptor = new Thread(this::accept, "scripted-broker");
        acceptor.setDaemon(true);
        acceptor.start();
    }

    public static ControlFrame.Welcome welcome(int producerWindowBytes, int heartbeatMillis) {
        return welcome(producerWindowBytes, heartbeatMillis, Protocol.STORED);
    }

    public static ControlFrame.Welcome welcome(
            int producerWindowBytes, int heartbeatMillis, long capabilities) {
        return new ControlFrame.Welcome(
                Protocol.MAJOR_VERSION,
                Protocol.MINOR_VERSION,
                capabilities,
                CONNECTION_ID,
                heartbeatMillis,
                1024 * 1024,
                producerWindowBytes,
                "scripted",
                null);
    }

    public String url() {
        return "winnow://127.0.0.1:" + server.getLocalPort();
    }

    /// One whose connections do not come back when they are lost.
    public WinnowConnectionFactory factory() {
        return new WinnowConnectionFactory(url() + "?" + WITHOUT_RETURN);
    }

    /// One whose connections do not come back when they are lost.
    ///
    /// @param options of the URL, as `a=1&b=2`
    public WinnowConnectionFactory factory(String options) {
        return new WinnowConnectionFactory(url() + "?" + WITHOUT_RETURN + "&" + options);
    }

    /// One whose connections come back.
    public WinnowConnectionFactory returningFactory() {
        return new WinnowConnectionFactory(url());
    }

    /// One whose connections come back.
    ///
    /// @param options of the URL, as `a=1&b=2`
    public WinnowConnectionFactory returningFactory(String options) {
        return new WinnowConnectionFactory(url() + "?" + options);
    }

    /// What to answer the next handshakes with.
    public void onHello(Function<ControlFrame.Hello, ControlFrame> answer) {
        onHello = answer;
    }

    /// What to answer the next responses to a challenge with.
    void onResponse(Function<ControlFrame.Response, List<ControlFrame>> answer) {
        onResponse = answer;
    }

    /// Leaves requests of that type unanswered.
    public void holdAnswers(int frameType) {
        held.add(frameType);
    }

    /// Answers requests of that type again.
    public void giveAnswers(int frameType) {
        held.remove(frameType);
    }

    /// Ids of the subscriptions that were asked for and not ended.
    public Set<Integer> subscriptionIds() {
        return Set.copyOf(subscriptions.keySet());
    }

    /// The consumers of sessions that were asked for and not ended.
    public List<Consume> consumers() {
        return List.copyOf(consumers.values());
    }

    public void relay() {
        relaying = true;
    }

    private void accept() {
        try {
            while (true) {
                Socket socket = server.accept();
                socket.setTcpNoDelay(true);
                synchronized (sockets) {
                    if (closed) {
                        // It came while the port was being closed.
                        close(socket);
                        return;
                    }
                    sockets.add(socket);
                }
                Thread reader = new Thread(() -> read(socket), "scripted-broker-connection");
                reader.setDaemon(true);
                reader.start();
            }
        } catch (IOException end) {
            return;
        }
    }

    private void read(Socket socket) {
        try (DataInputStream in = new DataInputStream(socket.getInputStream())) {
            in.readFully(new byte[Protocol.PREAMBLE_BYTES]);
            while (true) {
                byte[] content = new byte[in.readInt()];
                in.readFully(content);
                Frame frame = new Frame(content);
                answer(socket, frame);
                frames.add(frame);
            }
        } catch (EOFException end) {
            close(socket);
        } catch (IOException broken) {
            close(socket);
        }
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void answer(Socket socket, Frame frame) throws IOException {
        if (held.contains(frame.type())) {
            return;
        }
        switch (frame.type()) {
            case FrameType.HELLO ->
                    write(socket, onHello.apply((ControlFrame.Hello) frame.control()));
            case FrameType.RESPONSE -> {
                var response = (ControlFrame.Response) frame.control();
                for (ControlFrame one : onResponse.apply(response)) {
                    write(socket, one);
                }
            }
            case FrameType.OPEN -> {
                ControlFrame.Open open = (ControlFrame.Open) frame.control();
                write(socket, new ControlFrame.Accepted(open.requestId()));
                write(socket, credit(open.handle(), producerWindowBytes));
            }
            case FrameType.SUBSCRIBE -> {
                ControlFrame.Subscribe subscribe = (ControlFrame.Subscribe) frame.control();
                subscriptions.put(subscribe.subscriptionId(), subscribe.source().destination());
                write(socket, new ControlFrame.Accepted(subscribe.requestId()));
            }
            case FrameType.UNSUBSCRIBE -> {
                ControlFrame.Unsubscribe end = (ControlFrame.Unsubscribe) frame.control();
                subscriptions.remove(end.subscriptionId());
                write(socket, new ControlFrame.Accepted(end.requestId()));
            }
            case FrameType.BEGIN_SESSION,
                    FrameType.END_SESSION,
                    FrameType.ACKNOWLEDGE,
                    FrameType.RECOVER,
                    FrameType.GIVE_BACK,
                    FrameType.COMMIT,
                    FrameType.END_BRANCH,
                    FrameType.DECIDE,
                    FrameType.DELETE_SUBSCRIPTION,
                    FrameType.CREATE_TEMPORARY,
                    FrameType.DELETE_TEMPORARY ->
                    accept(socket, frame.fields().readVarint());
            case FrameType.CONSUME -> {
                Consume consume = (Consume) frame.control();
                consumers.put(consume.consumer(), consume);
                accept(socket, consume.requestId());
            }
            case FrameType.END_CONSUMER -> {
                EndConsumer end = (EndConsumer) frame.control();
                consumers.remove(end.consumer());
                accept(socket, end.requestId());
            }
            case FrameType.PUBLISH -> {
                if (relaying) {
                    relay(socket, frame);
                }
            }
            case FrameType.GOODBYE -> close(socket);
            default -> {}
        }
    }

    /// Requests with the number 0 are not answered.
    private static void accept(Socket socket, int request) throws IOException {
        if (request != 0) {
            write(socket, new ControlFrame.Accepted(request));
        }
    }

    private void relay(Socket socket, Frame publish) throws IOException {
        WireWriter out = new WireWriter(256);
        for (int id : subscriptions.keySet()) {
            delivery(out, id, publish.block());
        }
        int mark = out.beginFrame(FrameType.PRODUCER_CREDIT);
        out.writeVarint(publish.handle());
        out.writeVarint(publish.length());
        out.endFrame(mark);
        if (publish.wantsConfirmation()) {
            new ControlFrame.Published(++confirmed).write(out);
        }
        write(socket, out.toByteArray());
    }

    private static void delivery(WireWriter out, int subscriptionId, byte[] block) {
        int mark = out.beginFrame(FrameType.DELIVERY);
        out.writeVarint(subscriptionId);
        out.writeByte(0);
        out.writeRaw(block, 0, block.length);
        out.endFrame(mark);
    }

    /// Sends frames on the connection that was accepted last.
    public void send(ControlFrame... controls) throws IOException {
        WireWriter out = new WireWriter(256);
        for (ControlFrame frame : controls) {
            frame.write(out);
        }
        sendBytes(out.toByteArray());
    }

    public void deliver(int subscriptionId, byte[]... blocks) throws IOException {
        WireWriter out = new WireWriter(256);
        for (byte[] block : blocks) {
            delivery(out, subscriptionId, block);
        }
        sendBytes(out.toByteArray());
    }

    /// Delivers stored messages with ascending ids.
    ///
    /// @param first id of the first; 0 for a browser, where all have this id
    /// @param earlier how often each may have been delivered before
    public void deliverStored(int consumer, long first, int earlier, byte[]... blocks)
            throws IOException {
        WireWriter out = new WireWriter(256);
        for (int i = 0; i < blocks.length; i++) {
            long id = first == 0 ? 0 : first + i;
            StoredDelivery.write(out, consumer, id, earlier, blocks[i].length);
            out.writeRaw(blocks[i], 0, blocks[i].length);
        }
        sendBytes(out.toByteArray());
    }

    public void grant(int handle, int bytes) throws IOException {
        sendBytes(credit(handle, bytes));
    }

    private static byte[] credit(int handle, int bytes) {
        WireWriter out = new WireWriter(16);
        int mark = out.beginFrame(FrameType.PRODUCER_CREDIT);
        out.writeVarint(handle);
        out.writeVarint(bytes);
        out.endFrame(mark);
        return out.toByteArray();
    }

    public void sendBytes(byte[] bytes) throws IOException {
        write(last(), bytes);
    }

    private Socket last() {
        synchronized (sockets) {
            return sockets.get(sockets.size() - 1);
        }
    }

    /// Cuts the connection that was accepted last.
    public void cut() {
        close(last());
    }

    private static void write(Socket socket, ControlFrame frame) throws IOException {
        WireWriter out = new WireWriter(256);
        frame.write(out);
        write(socket, out.toByteArray());
    }

    private static void write(Socket socket, byte[] bytes) throws IOException {
        synchronized (socket) {
            OutputStream out = socket.getOutputStream();
            out.write(bytes);
            out.flush();
        }
    }

    /// The next frame of that type; others before it are forgotten.
    public Frame await(int type) {
        try {
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(DEADLINE_SECONDS);
            while (true) {
                long rest = deadline - System.nanoTime();
                Frame frame = frames.poll(Math.max(0, rest), TimeUnit.NANOSECONDS);
                assertThat(frame).as("frame of type 0x%x", type).isNotNull();
                if (frame != null && frame.type() == type) {
                    return frame;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    /// The next frame of that type if it is here already; others before it are forgotten.
    public @Nullable Frame poll(int type) {
        Frame frame = frames.poll();
        while (frame != null && frame.type() != type) {
            frame = frames.poll();
        }
        return frame;
    }

    @Override
    public void close() throws IOException {
        server.close();
        synchronized (sockets) {
            closed = true;
            sockets.forEach(ScriptedBroker::close);
        }
    }

    /// One frame that arrived: type and fields.
    public static final class Frame {
        private final byte[] content;

        Frame(byte[] content) {
            this.content = content;
        }

        int type() {
            return content[0];
        }

        public ControlFrame control() {
            return ControlFrame.decode(type(), fields());
        }

        public WireReader fields() {
            return new WireReader().wrap(content, 1, content.length);
        }

        public int handle() {
            return fields().readVarint();
        }

        public boolean wantsConfirmation() {
            WireReader in = fields();
            in.readVarint();
            return in.readByte() == 1;
        }

        byte[] block() {
            WireReader in = fields();
            in.readVarint();
            in.readByte();
            byte[] block = new byte[in.remaining()];
            System.arraycopy(content, in.position(), block, 0, block.length);
            return block;
        }

        /// The last bytes.
        byte[] last(int bytes) {
            return Arrays.copyOfRange(content, content.length - bytes, content.length);
        }

        int length() {
            return content.length + Protocol.LENGTH_BYTES;
        }

        /// The varints of a ConsumerCredit frame.
        public List<Integer> varints() {
            List<Integer> found = new ArrayList<>();
            WireReader in = fields();
            while (in.remaining() > 0) {
                found.add(in.readVarint());
            }
            return found;
        }
    }
}
