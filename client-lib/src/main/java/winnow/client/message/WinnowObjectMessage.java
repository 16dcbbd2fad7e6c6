package winnow.client.message;

import jakarta.jms.JMSException;
import jakarta.jms.MessageFormatException;
import jakarta.jms.ObjectMessage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import winnow.wire.BodyType;
import winnow.wire.MessageBlock;

/// A message whose body is a serialised Java object. The object is serialised when it is set and
/// deserialised each time it is asked for. Which classes may be deserialised is the receiving
/// connection's choice, see [AllowedClasses]; the broker never looks inside.
public final class WinnowObjectMessage extends WinnowMessage implements ObjectMessage {
    private static final byte[] NULL = {};

    private byte @Nullable [] serialised;

    /// A message with a null object.
    public WinnowObjectMessage() {
        serialised = NULL;
    }

    WinnowObjectMessage(byte[] block, MessageOrigin origin, int frameBytes, int deliveryCount) {
        super(block, origin, frameBytes, deliveryCount);
    }

    private byte[] serialised() throws JMSException {
        byte[] known = serialised;
        if (known == null) {
            boolean isNull = block == null || (block[0] & MessageBlock.NULL_BODY) != 0;
            known =
                    isNull || block == null
                            ? NULL
                            : Arrays.copyOfRange(block, bodyIndex(), block.length);
            serialised = known;
        }
        return known;
    }

    @Override
    public void setObject(@Nullable Serializable object) throws JMSException {
        requireWritableBody();
        if (object == null) {
            serialised = NULL;
            return;
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(object);
        } catch (IOException e) {
            throw format("object of class " + object.getClass().getName(), e);
        }
        serialised = bytes.toByteArray();
    }

    /// The object.
    ///
    /// @throws MessageFormatException if it cannot be deserialised, or names a class that is not
    ///   allowed
    @Override
    public @Nullable Serializable getObject() throws JMSException {
        byte[] bytes = serialised();
        if (bytes.length == 0) {
            return null;
        }
        try (BodyInput in = new BodyInput(bytes, origin)) {
            return in.object();
        } catch (IOException | ClassNotFoundException | RuntimeException e) {
            throw format("object", e);
        } catch (StackOverflowError e) {
            throw format("object that holds itself, or is too deep", e);
        }
    }

    private static MessageFormatException format(String what, Throwable cause) {
        MessageFormatException format =
                new MessageFormatException("object message: " + what + ": " + cause.getMessage());
        format.initCause(cause);
        return format;
    }

    @Override
    public void clearBody() throws JMSException {
        super.clearBody();
        serialised = NULL;
    }

    @Override
    @Nullable Object bodyObject() throws JMSException {
        return getObject();
    }

    @Override
    BodyType bodyType() {
        return BodyType.OBJECT;
    }

    @Override
    byte[] bodyArray() throws JMSException {
        return serialised();
    }

    @Override
    int bodyLength() throws JMSException {
        return serialised().length;
    }

    @Override
    boolean isBodyNull() throws JMSException {
        return serialised().length == 0;
    }
}
