package winnow.loadgen.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageFormatException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Collections;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import winnow.loadgen.option.OutputFormat;

class PrintingTest {
    private final StringWriter out = new StringWriter();

    private static <T> T face(Class<T> type, InvocationHandler answers) {
        return type.cast(
                Proxy.newProxyInstance(
                        PrintingTest.class.getClassLoader(), new Class<?>[] {type}, answers));
    }

    private Printing of(InvocationHandler consumer, @Nullable Duration timeout) {
        return new Printing(
                face(MessageConsumer.class, consumer),
                true,
                timeout,
                OutputFormat.TEXT,
                new PrintWriter(out));
    }

    @Test
    void shouldSayThatAMessageCannotBeReadAndNotThatTheBrokerIsGone() {
        // given
        Message damaged =
                face(
                        Message.class,
                        (_, _, _) -> {
                            throw new MessageFormatException("damaged");
                        });

        // then
        assertThatThrownBy(() -> of((_, _, _) -> damaged, null).run(1))
                .isInstanceOf(MessageFormatException.class);
    }

    @Test
    void shouldSayThatNothingCanBeReceivedOrAcknowledged() {
        // given
        InvocationHandler lost =
                (_, _, _) -> {
                    throw new JMSException("gone");
                };
        Message unsettled =
                face(
                        Message.class,
                        (_, method, _) ->
                                switch (method.getName()) {
                                    case "acknowledge" -> throw new JMSException("gone");
                                    case "getPropertyNames" -> Collections.emptyEnumeration();
                                    default -> null;
                                });

        // then
        assertThatThrownBy(() -> of(lost, null).run(1))
                .isInstanceOf(Printing.LostException.class)
                .hasRootCauseMessage("gone");
        assertThatThrownBy(() -> of((_, _, _) -> unsettled, null).run(1))
                .isInstanceOf(Printing.LostException.class)
                .hasRootCauseMessage("gone");
        assertThat(out.toString()).isEqualTo("<no text>\n");
        assertThatThrownBy(() -> of((_, _, _) -> null, null).run(1))
                .isInstanceOf(Printing.LostException.class)
                .hasRootCauseMessage("the connection has ended");
    }

    @Test
    void shouldEndWhenNoneComesInTime() throws Exception {
        assertThat(of((_, _, _) -> null, Duration.ofMillis(1)).run(1)).isZero();
    }
}
