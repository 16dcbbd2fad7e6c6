package winnow.tests.crash;

import jakarta.jms.BytesMessage;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.Session;
import java.util.Arrays;

/// A message as a consumer gets it.
///
/// @param copy which copy of the message it is: 0, or the number that who moved it has given it
/// @param kind what selectors ask for
/// @param count its JMSXDeliveryCount
/// @param whole whether the body is what was sent
/// @param id of the message, which tells a second delivery from a second message
record Arrival(
        MessageKey key,
        long copy,
        int kind,
        boolean redelivered,
        int count,
        boolean whole,
        String id) {
    /// Kinds of messages: 0 to 3.
    static final int KINDS = 4;

    static Arrival of(Message message) throws JMSException {
        MessageKey key =
                new MessageKey(message.getIntProperty("sender"), message.getLongProperty("number"));
        byte[] body = message.getBody(byte[].class);
        return new Arrival(
                key,
                message.getLongProperty("copy"),
                message.getIntProperty("kind"),
                message.getJMSRedelivered(),
                message.getIntProperty("JMSXDeliveryCount"),
                Arrays.equals(body, body(key)),
                String.valueOf(message.getJMSMessageID()));
    }

    static BytesMessage write(Session session, MessageKey key, long copy, int kind)
            throws JMSException {
        BytesMessage message = session.createBytesMessage();
        message.setIntProperty("sender", key.sender());
        message.setLongProperty("number", key.number());
        message.setLongProperty("copy", copy);
        message.setIntProperty("kind", kind);
        message.writeBytes(body(key));
        return message;
    }

    /// Mostly short, some beyond what the broker keeps with the headers, a few large.
    private static byte[] body(MessageKey key) {
        int large = key.number() % 101 == 0 ? 50_000 : key.number() % 7 == 0 ? 2_000 : 100;
        byte[] body = new byte[1 + (int) (key.number() * 31 + key.sender()) % large];
        for (int i = 0; i < body.length; i++) {
            body[i] = (byte) (i * 7L + key.number() * 13 + key.sender());
        }
        return body;
    }
}
