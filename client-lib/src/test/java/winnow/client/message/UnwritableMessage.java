package winnow.client.message;

import jakarta.jms.JMSException;
import jakarta.jms.MessageFormatException;

/// A message that fails when half of its block is written.
public final class UnwritableMessage extends WinnowMessage {
    @Override
    int bodyLength() {
        return 1;
    }

    @Override
    byte[] bodyArray() throws JMSException {
        throw new MessageFormatException("a test's failure");
    }
}
