package winnow.client.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.Message;
import jakarta.jms.MessageFormatException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import org.junit.jupiter.api.Test;

/// Messages whose class is not of this library (Jakarta Messaging 3.1, 3.12).
class ForeignMessagesTest {

    /// A message of another class, which fails in one of its methods.
    private static Message foreign(Message like, String failing, Throwable failure) {
        return (Message)
                Proxy.newProxyInstance(
                        Message.class.getClassLoader(),
                        new Class<?>[] {Message.class},
                        (proxy, method, arguments) -> {
                            if (method.getName().equals(failing)) {
                                throw failure;
                            }
                            try {
                                return method.invoke(like, arguments);
                            } catch (InvocationTargetException e) {
                                throw e.getCause();
                            }
                        });
    }

    /// A class that was compiled against JMS 1.1 has no such method.
    @Test
    void shouldSendAMessageWhoseClassKnowsNoDeliveryTime() throws Exception {
        // given
        WinnowMessage like = new WinnowMessage();
        Message old = foreign(like, "setJMSDeliveryTime", new AbstractMethodError());
        WinnowMessage copy = ForeignMessages.copy(old);
        copy.assignId(1, 2);
        copy.setJMSTimestamp(3);

        // when
        ForeignMessages.copyHeadersBack(copy, old);

        // then
        assertThat(like.getJMSMessageID()).isEqualTo("ID:0000000000000001-2");
        assertThat(like.getJMSTimestamp()).isEqualTo(3);
    }

    @Test
    void shouldReportWhatElseFails() {
        // given
        Message broken =
                foreign(new WinnowMessage(), "setJMSTimestamp", new MessageFormatException("no"));

        // when, then
        assertThatThrownBy(() -> ForeignMessages.copyHeadersBack(new WinnowMessage(), broken))
                .isInstanceOf(MessageFormatException.class);
    }
}
