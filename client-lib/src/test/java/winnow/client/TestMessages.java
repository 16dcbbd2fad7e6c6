package winnow.client;

import jakarta.jms.JMSException;
import java.util.ArrayList;
import java.util.List;
import winnow.client.message.NameTable;
import winnow.client.message.WinnowMessage;
import winnow.client.message.WinnowTextMessage;
import winnow.wire.WireWriter;

/// Message blocks as a producer would send them.
public final class TestMessages {
    private TestMessages() {}

    public static byte[] text(String text) throws JMSException {
        WinnowTextMessage message = new WinnowTextMessage();
        message.setText(text);
        return block(message);
    }

    public static byte[][] texts(String... texts) throws JMSException {
        List<byte[]> blocks = new ArrayList<>();
        for (String text : texts) {
            blocks.add(text(text));
        }
        return blocks.toArray(new byte[0][]);
    }

    public static byte[] expiringAt(String text, long millis) throws JMSException {
        WinnowTextMessage message = new WinnowTextMessage();
        message.setText(text);
        message.setJMSExpiration(millis);
        return block(message);
    }

    public static byte[] block(WinnowMessage message) throws JMSException {
        message.prepare(new NameTable());
        WireWriter out = new WireWriter(64);
        message.writeBlock(out);
        return out.toByteArray();
    }
}
