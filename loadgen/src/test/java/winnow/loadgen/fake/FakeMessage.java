package winnow.loadgen.fake;

import jakarta.jms.BytesMessage;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// A `BytesMessage`, behind its face as a proxy. One thread at a time, those who send and those who
/// complete in turn.
final class FakeMessage implements InvocationHandler {

    private static final AtomicInteger SENT_AGAIN = new AtomicInteger();

    private final ByteArrayOutputStream body = new ByteArrayOutputStream();
    private final Map<String, String> properties = new HashMap<>();
    private @Nullable String correlationId;
    private long timestampMillis;

    /// Next byte to read.
    private int position;

    private volatile boolean sending;
    private boolean sent;

    /// Its face towards the load generator.
    BytesMessage asMessage() {
        return (BytesMessage)
                Proxy.newProxyInstance(
                        FakeMessage.class.getClassLoader(),
                        new Class<?>[] {BytesMessage.class},
                        this);
    }

    /// The message of a face.
    static FakeMessage behind(BytesMessage face) {
        return (FakeMessage) Proxy.getInvocationHandler(face);
    }

    @Override
    public @Nullable Object invoke(Object face, Method method, Object[] arguments) {
        switch (method.getName()) {
            case "writeLong" -> body.writeBytes(longBytes((long) arguments[0]));
            case "writeInt" ->
                    body.writeBytes(
                            ByteBuffer.allocate(Integer.BYTES).putInt((int) arguments[0]).array());
            case "writeBytes" -> body.writeBytes((byte[]) arguments[0]);
            case "setJMSCorrelationID" -> correlationId = (String) arguments[0];
            case "setStringProperty" ->
                    properties.put((String) arguments[0], (String) arguments[1]);
            case "getJMSTimestamp" -> {
                return timestampMillis;
            }
            case "readLong" -> {
                position += Long.BYTES;
                return ByteBuffer.wrap(body.toByteArray()).getLong(position - Long.BYTES);
            }
            case "readInt" -> {
                position += Integer.BYTES;
                return ByteBuffer.wrap(body.toByteArray()).getInt(position - Integer.BYTES);
            }
            case "toString" -> {
                return "fake message";
            }
            default -> throw new UnsupportedOperationException(method.getName());
        }
        return null;
    }

    /// What a broker would pass on.
    FakeMessage copy() {
        var copy = new FakeMessage();
        copy.body.writeBytes(body.toByteArray());
        copy.properties.putAll(properties);
        copy.correlationId = correlationId;
        copy.timestampMillis = timestampMillis;
        return copy;
    }

    /// What a network would pass on.
    byte[] bytes() throws IOException {
        var bytes = new ByteArrayOutputStream();
        var out = new DataOutputStream(bytes);
        out.writeUTF(correlationId == null ? "" : correlationId);
        out.writeInt(properties.size());
        for (var property : properties.entrySet()) {
            out.writeUTF(property.getKey());
            out.writeUTF(property.getValue());
        }
        out.writeLong(timestampMillis);
        out.write(body.toByteArray());
        return bytes.toByteArray();
    }

    /// The message of [#bytes].
    static FakeMessage of(byte[] bytes) throws IOException {
        var in = new DataInputStream(new ByteArrayInputStream(bytes));
        var message = new FakeMessage();
        var id = in.readUTF();
        message.correlationId = id.isEmpty() ? null : id;
        for (var left = in.readInt(); left > 0; left--) {
            message.properties.put(in.readUTF(), in.readUTF());
        }
        message.timestampMillis = in.readLong();
        message.body.writeBytes(in.readAllBytes());
        return message;
    }

    /// Stamps it.
    ///
    /// @throws IllegalStateException if it is being sent already
    void beginSending() {
        if (sending) {
            throw new IllegalStateException("sent again before its completion");
        }
        SENT_AGAIN.addAndGet(sent ? 1 : 0);
        sent = true;
        sending = true;
        timestampMillis = System.currentTimeMillis();
    }

    /// How many sends were of a message that had been sent before, since the start of the process.
    static int sentAgain() {
        return SENT_AGAIN.get();
    }

    void endSending() {
        sending = false;
    }

    /// The value that a selector of the form `name = 'text'` looks at.
    @Nullable String field(String name) {
        return name.equals("JMSCorrelationID") ? correlationId : properties.get(name);
    }

    private static byte[] longBytes(long value) {
        return ByteBuffer.allocate(Long.BYTES).putLong(value).array();
    }
}
