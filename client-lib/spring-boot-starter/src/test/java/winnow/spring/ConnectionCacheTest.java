package winnow.spring;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.ExceptionListener;
import jakarta.jms.JMSException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ConnectionCacheTest {
    private final List<LooseEnd> lines = new ArrayList<>();
    private final ConnectionCache cache =
            new ConnectionCache(
                    one(
                            ConnectionFactory.class,
                            (method, argument) -> {
                                LooseEnd made = new LooseEnd();
                                lines.add(made);
                                return one(Connection.class, made);
                            }));

    /// Answers the calls of an interface.
    private interface Calls {
        @Nullable Object on(String method, @Nullable Object argument);
    }

    /// A connection to nowhere.
    private static final class LooseEnd implements Calls {
        private @Nullable ExceptionListener listener;
        private boolean closed;

        @Override
        public @Nullable Object on(String method, @Nullable Object argument) {
            switch (method) {
                case "setExceptionListener" -> listener = (ExceptionListener) argument;
                case "close" -> closed = true;
                default -> {}
            }
            return method.equals("getExceptionListener") ? listener : null;
        }

        void end(String reason) {
            Objects.requireNonNull(listener).onException(new JMSException(reason));
        }
    }

    private static <T> T one(Class<T> type, Calls calls) {
        return type.cast(
                Proxy.newProxyInstance(
                        type.getClassLoader(),
                        new Class<?>[] {type},
                        (proxy, method, arguments) ->
                                calls.on(
                                        method.getName(),
                                        arguments == null ? null : arguments[0])));
    }

    @Test
    void shouldKeepItsConnectionWhenAnotherOneFails() throws JMSException {
        // given
        cache.createConnection().start();

        // when
        cache.onException(new JMSException("a commit of a listener container has failed"));

        // then
        assertThat(lines.get(0).closed).isFalse();
        cache.createConnection().start();
        assertThat(lines).hasSize(1);
    }

    @Test
    void shouldConnectAgainWhenItsConnectionHasEnded() throws JMSException {
        // given
        List<String> told = new ArrayList<>();
        Connection connection = cache.createConnection();
        connection.setExceptionListener(failure -> told.add(failure.getMessage()));
        connection.start();

        // when
        lines.get(0).end("gave up");

        // then
        assertThat(told).containsExactly("gave up");
        assertThat(lines.get(0).closed).isTrue();
        cache.createConnection().start();
        assertThat(lines).hasSize(2);
    }
}
