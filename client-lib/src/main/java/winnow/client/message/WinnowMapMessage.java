package winnow.client.message;

import jakarta.jms.JMSException;
import jakarta.jms.MapMessage;
import java.util.Arrays;
import java.util.Collections;
import java.util.Enumeration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import winnow.wire.BodyType;
import winnow.wire.PropertyCursor;
import winnow.wire.WireException;
import winnow.wire.WireWriter;

/// A message whose body is named values.
public final class WinnowMapMessage extends WinnowMessage implements MapMessage {
    private @Nullable Map<String, @Nullable Object> entries;
    private byte @Nullable [] encoded;

    /// An empty message.
    public WinnowMapMessage() {
        entries = new LinkedHashMap<>();
    }

    WinnowMapMessage(byte[] block, MessageOrigin origin, int frameBytes, int deliveryCount) {
        super(block, origin, frameBytes, deliveryCount);
    }

    private Map<String, @Nullable Object> entries() throws JMSException {
        Map<String, @Nullable Object> known = entries;
        if (known == null) {
            known = block == null ? new LinkedHashMap<>() : read(block);
            entries = known;
        }
        return known;
    }

    private Map<String, @Nullable Object> read(byte[] received) throws JMSException {
        try {
            PropertyCursor cursor = new PropertyCursor();
            cursor.start(received, bodyIndex(), received.length);
            return ValueCoding.readEntries(cursor, null);
        } catch (WireException e) {
            throw damaged(e);
        }
    }

    private void put(String name, @Nullable Object value) throws JMSException {
        requireWritableBody();
        if (name == null || name.isEmpty()) {
            throw new IllegalArgumentException("expected the name of a value, found none");
        }
        entries().put(name, value);
        encoded = null;
    }

    @Override
    public void clearBody() throws JMSException {
        super.clearBody();
        entries = new LinkedHashMap<>();
        encoded = null;
    }

    @Override
    public boolean getBoolean(String name) throws JMSException {
        return ValueConversion.toBoolean(entries().get(name));
    }

    @Override
    public byte getByte(String name) throws JMSException {
        return ValueConversion.toByte(entries().get(name));
    }

    @Override
    public short getShort(String name) throws JMSException {
        return ValueConversion.toShort(entries().get(name));
    }

    @Override
    public char getChar(String name) throws JMSException {
        return ValueConversion.toChar(entries().get(name));
    }

    @Override
    public int getInt(String name) throws JMSException {
        return ValueConversion.toInt(entries().get(name));
    }

    @Override
    public long getLong(String name) throws JMSException {
        return ValueConversion.toLong(entries().get(name));
    }

    @Override
    public float getFloat(String name) throws JMSException {
        return ValueConversion.toFloat(entries().get(name));
    }

    @Override
    public double getDouble(String name) throws JMSException {
        return ValueConversion.toDouble(entries().get(name));
    }

    @Override
    public @Nullable String getString(String name) throws JMSException {
        return ValueConversion.toText(entries().get(name));
    }

    @Override
    public byte @Nullable [] getBytes(String name) throws JMSException {
        return ValueConversion.toBytes(entries().get(name));
    }

    @Override
    public @Nullable Object getObject(String name) throws JMSException {
        return copied(entries().get(name));
    }

    private static @Nullable Object copied(@Nullable Object value) {
        return value instanceof byte[] bytes ? bytes.clone() : value;
    }

    @Override
    public Enumeration<String> getMapNames() throws JMSException {
        return Collections.enumeration(entries().keySet());
    }

    @Override
    public void setBoolean(String name, boolean value) throws JMSException {
        put(name, value);
    }

    @Override
    public void setByte(String name, byte value) throws JMSException {
        put(name, value);
    }

    @Override
    public void setShort(String name, short value) throws JMSException {
        put(name, value);
    }

    @Override
    public void setChar(String name, char value) throws JMSException {
        put(name, value);
    }

    @Override
    public void setInt(String name, int value) throws JMSException {
        put(name, value);
    }

    @Override
    public void setLong(String name, long value) throws JMSException {
        put(name, value);
    }

    @Override
    public void setFloat(String name, float value) throws JMSException {
        put(name, value);
    }

    @Override
    public void setDouble(String name, double value) throws JMSException {
        put(name, value);
    }

    @Override
    public void setString(String name, @Nullable String value) throws JMSException {
        put(name, value);
    }

    @Override
    public void setBytes(String name, byte @Nullable [] value) throws JMSException {
        put(name, value == null ? null : value.clone());
    }

    @Override
    public void setBytes(String name, byte[] value, int offset, int length) throws JMSException {
        Objects.checkFromIndexSize(offset, length, value.length);
        put(name, Arrays.copyOfRange(value, offset, offset + length));
    }

    @Override
    public void setObject(String name, @Nullable Object value) throws JMSException {
        if (value != null && !ValueConversion.isBodyValue(value)) {
            throw ValueConversion.unusable(value);
        }
        put(name, copied(value));
    }

    @Override
    public boolean itemExists(String name) throws JMSException {
        return entries().containsKey(name);
    }

    @Override
    @Nullable Object bodyObject() throws JMSException {
        if (entries().isEmpty()) {
            return null;
        }
        Map<String, @Nullable Object> copy = new LinkedHashMap<>(entries());
        copy.replaceAll((name, value) -> copied(value));
        return copy;
    }

    @Override
    @SuppressWarnings({"rawtypes", "unchecked"}) // as the interface declares it
    public boolean isBodyAssignableTo(Class type) throws JMSException {
        return entries().isEmpty() || type.isAssignableFrom(Map.class);
    }

    @Override
    BodyType bodyType() {
        return BodyType.MAP;
    }

    @Override
    void prepareBody() throws JMSException {
        if (encoded == null) {
            WireWriter out = new WireWriter(128);
            for (Map.Entry<String, @Nullable Object> entry : entries().entrySet()) {
                out.writeVarint(0);
                out.writeBytes(StrictUtf8.encode(entry.getKey()));
                ValueCoding.write(out, entry.getValue());
            }
            encoded = out.toByteArray();
        }
    }

    @Override
    byte[] bodyArray() {
        return encoded == null ? new byte[0] : encoded;
    }

    @Override
    int bodyLength() {
        return encoded == null ? 0 : encoded.length;
    }
}
