package winnow.client.message;

import jakarta.jms.JMSException;
import jakarta.jms.TextMessage;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import winnow.wire.BodyType;
import winnow.wire.MessageBlock;

/// A message whose body is a string, possibly null.
public final class WinnowTextMessage extends WinnowMessage implements TextMessage {
    private @Nullable String text;
    private boolean decoded;
    private byte @Nullable [] encoded;

    /// An empty message.
    public WinnowTextMessage() {
        decoded = true;
    }

    WinnowTextMessage(byte[] block, MessageOrigin origin, int frameBytes, int deliveryCount) {
        super(block, origin, frameBytes, deliveryCount);
    }

    @Override
    public @Nullable String getText() throws JMSException {
        if (!decoded && block != null) {
            int start = bodyIndex();
            boolean isNull = (block[0] & MessageBlock.NULL_BODY) != 0;
            text =
                    isNull
                            ? null
                            : new String(
                                    block, start, block.length - start, StandardCharsets.UTF_8);
            decoded = true;
        }
        return text;
    }

    @Override
    public void setText(@Nullable String text) throws JMSException {
        requireWritableBody();
        this.text = text;
        decoded = true;
        encoded = null;
    }

    @Override
    public void clearBody() throws JMSException {
        super.clearBody();
        setText(null);
    }

    @Override
    @Nullable Object bodyObject() throws JMSException {
        return getText();
    }

    @Override
    BodyType bodyType() {
        return BodyType.TEXT;
    }

    @Override
    void prepareBody() throws JMSException {
        String current = encoded == null ? getText() : null;
        if (current != null) {
            encoded = StrictUtf8.encode(current);
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

    @Override
    boolean isBodyNull() {
        return text == null;
    }
}
