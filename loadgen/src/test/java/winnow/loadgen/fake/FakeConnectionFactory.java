package winnow.loadgen.fake;

import jakarta.jms.BytesMessage;
import jakarta.jms.CompletionListener;
import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.ExceptionListener;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageListener;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.Topic;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.Locale;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Connects to the broker within this process. The broker's faults are in the URL.
public final class FakeConnectionFactory implements ConnectionFactory {

    private static final AtomicInteger OPENED = new AtomicInteger();

    private static final Pattern HUB = Pattern.compile("fake://127\\.0\\.0\\.1:(\\d+)/.*");

    private final Fault fault;
    private final FakeHub.@Nullable Client hub;

    /// @param url `fake:none`, `fake://127.0.0.1/lose` and so on; `fake://127.0.0.1:PORT/none` for
    ///   a broker of several processes at a [FakeHub]
    public FakeConnectionFactory(String url) {
        var port = HUB.matcher(url);
        hub = port.matches() ? FakeHub.client(Integer.parseInt(port.group(1))) : null;
        fault = Fault.valueOf(url.replaceFirst(".*[:/]", "").toUpperCase(Locale.ROOT));
    }

    /// Connections since the start of this process.
    public static int opened() {
        return OPENED.get();
    }

    /// Sends of a message that had been sent before, since the start of this process.
    public static int sentAgain() {
        return FakeMessage.sentAgain();
    }

    @Override
    public Connection createConnection() throws JMSException {
        if (fault == Fault.REFUSE) {
            throw new JMSException("fake broker refuses");
        }
        OPENED.incrementAndGet();
        var listener = new AtomicReference<ExceptionListener>(_ -> {});
        return face(
                Connection.class,
                (_, method, arguments) ->
                        switch (method.getName()) {
                            case "createSession" -> session(listener);
                            case "setExceptionListener" -> {
                                listener.set((ExceptionListener) arguments[0]);
                                yield null;
                            }
                            case "start", "stop", "close" -> null;
                            default -> throw new UnsupportedOperationException(method.getName());
                        });
    }

    @Override
    public Connection createConnection(String user, String password) throws JMSException {
        return createConnection();
    }

    @Override
    public JMSContext createContext() {
        throw new UnsupportedOperationException();
    }

    @Override
    public JMSContext createContext(String user, String password) {
        throw new UnsupportedOperationException();
    }

    @Override
    public JMSContext createContext(String user, String password, int mode) {
        throw new UnsupportedOperationException();
    }

    @Override
    public JMSContext createContext(int mode) {
        throw new UnsupportedOperationException();
    }

    private Session session(AtomicReference<ExceptionListener> broken) {
        return face(
                Session.class,
                (_, method, arguments) ->
                        switch (method.getName()) {
                            case "createTopic" -> topic((String) arguments[0]);
                            case "createBytesMessage" -> new FakeMessage().asMessage();
                            case "createProducer" -> producer((Topic) arguments[0], broken);
                            case "createConsumer" ->
                                    consumer(
                                            (Topic) arguments[0],
                                            arguments.length > 1 ? (String) arguments[1] : "");
                            default -> throw new UnsupportedOperationException(method.getName());
                        });
    }

    private static Topic topic(String name) {
        return face(
                Topic.class,
                (_, method, _) ->
                        switch (method.getName()) {
                            case "getTopicName" -> name;
                            default -> throw new UnsupportedOperationException(method.getName());
                        });
    }

    private MessageProducer producer(Topic topic, AtomicReference<ExceptionListener> broken)
            throws JMSException {
        var name = topic.getTopicName();
        var sends = new long[1];
        var completing = Executors.newSingleThreadExecutor(Thread.ofPlatform().daemon().factory());
        return face(
                MessageProducer.class,
                (_, method, arguments) -> {
                    switch (method.getName()) {
                        case "setDeliveryMode" -> {}
                        case "send" -> {
                            var number = ++sends[0];
                            if (FakeBroker.breaksAt(number, fault)) {
                                broken.get().onException(new JMSException("fake broker went away"));
                            }
                            var message = FakeMessage.behind((BytesMessage) arguments[0]);
                            message.beginSending();
                            if (arguments.length == 1) {
                                publish(number, name, message);
                            } else {
                                var sent = (BytesMessage) arguments[0];
                                var listener = (CompletionListener) arguments[1];
                                completing.execute(
                                        () -> publish(number, name, message, sent, listener));
                            }
                        }
                        default -> throw new UnsupportedOperationException(method.getName());
                    }
                    return null;
                });
    }

    private void publish(long number, String topic, FakeMessage message) throws JMSException {
        FakeBroker.failAt(number, fault);
        if (hub == null) {
            FakeBroker.publish(topic, message, fault);
        } else {
            hub.publish(topic, message);
        }
        message.endSending();
    }

    private void publish(
            long number,
            String topic,
            FakeMessage message,
            BytesMessage sent,
            CompletionListener listener) {
        try {
            publish(number, topic, message);
            listener.onCompletion(sent);
        } catch (JMSException problem) {
            message.endSending();
            listener.onException(sent, problem);
        }
    }

    private MessageConsumer consumer(Topic topic, String selector) throws JMSException {
        if (fault == Fault.CROWDED && !selector.isEmpty()) {
            throw new JMSException("fake broker is full");
        }
        var subscription = FakeBroker.subscribe(topic.getTopicName(), selector, fault);
        return face(
                MessageConsumer.class,
                (_, method, arguments) -> {
                    switch (method.getName()) {
                        case "setMessageListener" ->
                                subscription.listen((MessageListener) arguments[0]);
                        case "close" -> FakeBroker.remove(topic.getTopicName(), subscription);
                        default -> throw new UnsupportedOperationException(method.getName());
                    }
                    return null;
                });
    }

    private static <T> T face(Class<T> type, InvocationHandler handler) {
        return type.cast(
                Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }
}
