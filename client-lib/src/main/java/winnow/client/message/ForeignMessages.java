package winnow.client.message;

import jakarta.jms.BytesMessage;
import jakarta.jms.JMSException;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.MessageEOFException;
import jakarta.jms.ObjectMessage;
import jakarta.jms.StreamMessage;
import jakarta.jms.TextMessage;
import java.util.Enumeration;
import org.jspecify.annotations.Nullable;

/// Messages of other providers (Jakarta Messaging 3.1, 3.12): what is sent is a copy, and the
/// headers that a send sets are set on the original too. To copy it, a BytesMessage or
/// StreamMessage is reset and stays so: its body is read-only after the send, from its beginning.
public final class ForeignMessages {
    private ForeignMessages() {}

    /// A copy of headers that the application sets, properties and body.
    public static WinnowMessage copy(Message foreign) throws JMSException {
        WinnowMessage copy = copyBody(foreign);
        copy.setJMSCorrelationID(foreign.getJMSCorrelationID());
        copy.setJMSType(foreign.getJMSType());
        copy.setJMSReplyTo(foreign.getJMSReplyTo());
        Enumeration<?> names = foreign.getPropertyNames();
        while (names.hasMoreElements()) {
            String name = (String) names.nextElement();
            copy.setObjectProperty(name, foreign.getObjectProperty(name));
        }
        return copy;
    }

    /// Sets the headers that a send has set on `copy` on the application's message.
    public static void copyHeadersBack(WinnowMessage copy, Message foreign) throws JMSException {
        foreign.setJMSDestination(copy.getJMSDestination());
        foreign.setJMSDeliveryMode(copy.getJMSDeliveryMode());
        foreign.setJMSPriority(copy.getJMSPriority());
        foreign.setJMSExpiration(copy.getJMSExpiration());
        foreign.setJMSTimestamp(copy.getJMSTimestamp());
        foreign.setJMSMessageID(copy.getJMSMessageID());
        try {
            foreign.setJMSDeliveryTime(copy.getJMSDeliveryTime());
        } catch (AbstractMethodError e) {
            // A class that was compiled against JMS 1.1 has no delivery time to be told.
        }
    }

    private static WinnowMessage copyBody(Message foreign) throws JMSException {
        if (foreign instanceof TextMessage text) {
            WinnowTextMessage copy = new WinnowTextMessage();
            copy.setText(text.getText());
            return copy;
        }
        if (foreign instanceof BytesMessage bytes) {
            return copyBytes(bytes);
        }
        if (foreign instanceof MapMessage map) {
            WinnowMapMessage copy = new WinnowMapMessage();
            Enumeration<?> names = map.getMapNames();
            while (names.hasMoreElements()) {
                String name = (String) names.nextElement();
                copy.setObject(name, map.getObject(name));
            }
            return copy;
        }
        if (foreign instanceof StreamMessage stream) {
            return copyStream(stream);
        }
        if (foreign instanceof ObjectMessage object) {
            WinnowObjectMessage copy = new WinnowObjectMessage();
            copy.setObject(object.getObject());
            return copy;
        }
        return new WinnowMessage();
    }

    private static WinnowMessage copyBytes(BytesMessage foreign) throws JMSException {
        WinnowBytesMessage copy = new WinnowBytesMessage();
        foreign.reset();
        byte[] part = new byte[(int) Math.min(foreign.getBodyLength(), 64 * 1024)];
        int count = part.length == 0 ? -1 : foreign.readBytes(part);
        while (count > 0) {
            copy.writeBytes(part, 0, count);
            count = foreign.readBytes(part);
        }
        foreign.reset();
        return copy;
    }

    private static WinnowMessage copyStream(StreamMessage foreign) throws JMSException {
        WinnowStreamMessage copy = new WinnowStreamMessage();
        foreign.reset();
        try {
            while (true) {
                @Nullable Object value = foreign.readObject();
                copy.writeObject(value);
            }
        } catch (MessageEOFException endOfStream) {
            foreign.reset();
            return copy;
        }
    }
}
