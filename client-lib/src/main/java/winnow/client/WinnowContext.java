package winnow.client;

import static winnow.client.error.JmsErrors.call;

import jakarta.jms.BytesMessage;
import jakarta.jms.ConnectionMetaData;
import jakarta.jms.Destination;
import jakarta.jms.ExceptionListener;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.JMSProducer;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.ObjectMessage;
import jakarta.jms.Queue;
import jakarta.jms.QueueBrowser;
import jakarta.jms.StreamMessage;
import jakarta.jms.TemporaryQueue;
import jakarta.jms.TemporaryTopic;
import jakarta.jms.TextMessage;
import jakarta.jms.Topic;
import java.io.Serializable;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import winnow.client.error.JmsErrors;
import winnow.client.option.ConnectionOptions;
import winnow.client.session.JmsDomain;
import winnow.client.session.WinnowConnection;
import winnow.client.session.WinnowConsumer;
import winnow.client.session.WinnowProducer;
import winnow.client.session.WinnowSession;

/// A connection and one session of it as one object (Jakarta Messaging 3.1, 6.3). Contexts made by
/// [#createContext] share the connection; the last one that is closed closes it. The session is
/// made when it is first needed, so that [#setClientID] is possible until then.
sealed class WinnowContext implements JMSContext permits WinnowXAContext {
    private final WinnowConnection connection;
    private final AtomicInteger connectionUsers;
    private final int mode;

    /// Guards that no session is made by a context that is closed.
    private final ReentrantLock sessionLock = new ReentrantLock();

    private @Nullable WinnowSession session;
    private @Nullable WinnowProducer producer;
    private boolean autoStart = true;
    private final AtomicBoolean closing = new AtomicBoolean();
    private volatile boolean closed;

    WinnowContext(WinnowConnection connection, AtomicInteger connectionUsers, int mode) {
        this.connection = connection;
        this.connectionUsers = connectionUsers;
        this.mode = mode;
    }

    /// Connects.
    static WinnowContext open(ConnectionOptions options, int mode) {
        return call(() -> {
            WinnowConnection.checkMode(mode);
            WinnowConnection connection = WinnowConnection.open(options, JmsDomain.ANY);
            return new WinnowContext(connection, new AtomicInteger(1), mode);
        });
    }

    /// The session, made if there is none.
    final WinnowSession session() throws JMSException {
        sessionLock.lock();
        try {
            requireOpen();
            WinnowSession known = session;
            if (known == null) {
                known = newSession();
                session = known;
            }
            return known;
        } finally {
            sessionLock.unlock();
        }
    }

    /// Makes the session.
    WinnowSession newSession() throws JMSException {
        return connection.newSession(mode, JmsDomain.ANY);
    }

    private @Nullable WinnowSession knownSession() {
        sessionLock.lock();
        try {
            return session;
        } finally {
            sessionLock.unlock();
        }
    }

    /// The session if there is one; without, there will be none.
    private @Nullable WinnowSession lastSession() {
        sessionLock.lock();
        try {
            closed = session == null;
            return session;
        } finally {
            sessionLock.unlock();
        }
    }

    private void requireOpen() throws JMSException {
        if (closed) {
            throw JmsErrors.closed("context");
        }
    }

    @Override
    public JMSContext createContext(int sessionMode) {
        JmsErrors.run(() -> {
            requireOpen();
            WinnowConnection.checkMode(sessionMode);
            connection.link().requireNotEnded();
        });
        if (connectionUsers.getAndUpdate(users -> users == 0 ? 0 : users + 1) == 0) {
            throw JmsErrors.unchecked(JmsErrors.closed("context"));
        }
        return new WinnowContext(connection, connectionUsers, sessionMode);
    }

    @Override
    public JMSProducer createProducer() {
        return call(() -> {
            WinnowSession own = session();
            WinnowProducer shared = producer;
            if (shared == null) {
                shared = own.newProducer(null);
                producer = shared;
            }
            return new ContextProducer(own, shared);
        });
    }

    @Override
    public @Nullable String getClientID() {
        return call(() -> {
            requireOpen();
            return connection.getClientID();
        });
    }

    @Override
    public void setClientID(@Nullable String clientId) {
        JmsErrors.run(() -> {
            requireOpen();
            connection.setClientID(clientId);
        });
    }

    @Override
    public ConnectionMetaData getMetaData() {
        return call(() -> {
            requireOpen();
            return connection.getMetaData();
        });
    }

    @Override
    public @Nullable ExceptionListener getExceptionListener() {
        return call(() -> {
            requireOpen();
            return connection.getExceptionListener();
        });
    }

    @Override
    public void setExceptionListener(@Nullable ExceptionListener listener) {
        JmsErrors.run(() -> {
            requireOpen();
            connection.setExceptionListener(listener);
        });
    }

    @Override
    public void start() {
        JmsErrors.run(() -> {
            requireOpen();
            connection.start();
        });
    }

    @Override
    public void stop() {
        JmsErrors.run(() -> {
            requireOpen();
            connection.stop();
        });
    }

    @Override
    public void setAutoStart(boolean autoStart) {
        JmsErrors.run(this::requireOpen);
        this.autoStart = autoStart;
    }

    @Override
    public boolean getAutoStart() {
        JmsErrors.run(this::requireOpen);
        return autoStart;
    }

    @Override
    public void close() {
        JmsErrors.run(this::closeOnce);
    }

    private void closeOnce() throws JMSException {
        WinnowSession own = knownSession();
        if (own != null) {
            own.requireNotInListener("close()");
            own.requireNotInCompletion("close()");
        }
        if (!closing.compareAndSet(false, true)) {
            return;
        }
        WinnowSession last = lastSession();
        if (last != null) {
            last.close();
        }
        closed = true;
        if (connectionUsers.decrementAndGet() == 0) {
            connection.close();
        }
    }

    @Override
    public BytesMessage createBytesMessage() {
        return call(() -> session().createBytesMessage());
    }

    @Override
    public MapMessage createMapMessage() {
        return call(() -> session().createMapMessage());
    }

    @Override
    public Message createMessage() {
        return call(() -> session().createMessage());
    }

    @Override
    public ObjectMessage createObjectMessage() {
        return call(() -> session().createObjectMessage());
    }

    @Override
    public ObjectMessage createObjectMessage(@Nullable Serializable object) {
        return call(() -> session().createObjectMessage(object));
    }

    @Override
    public StreamMessage createStreamMessage() {
        return call(() -> session().createStreamMessage());
    }

    @Override
    public TextMessage createTextMessage() {
        return call(() -> session().createTextMessage());
    }

    @Override
    public TextMessage createTextMessage(@Nullable String text) {
        return call(() -> session().createTextMessage(text));
    }

    @Override
    public boolean getTransacted() {
        return call(() -> session().getTransacted());
    }

    @Override
    public int getSessionMode() {
        JmsErrors.run(this::requireOpen);
        return mode;
    }

    @Override
    public void commit() {
        JmsErrors.run(() -> session().commit());
    }

    @Override
    public void rollback() {
        JmsErrors.run(() -> session().rollback());
    }

    @Override
    public void recover() {
        JmsErrors.run(() -> session().recover());
    }

    @Override
    public void acknowledge() {
        JmsErrors.run(() -> session().acknowledge());
    }

    private JMSConsumer consumer(JmsErrors.Call<MessageConsumer> creation) {
        return call(() -> {
            JMSConsumer consumer = new ContextConsumer((WinnowConsumer) creation.run());
            if (autoStart) {
                connection.start();
            }
            return consumer;
        });
    }

    @Override
    public JMSConsumer createConsumer(Destination destination) {
        return consumer(() -> session().createConsumer(destination));
    }

    @Override
    public JMSConsumer createConsumer(Destination destination, @Nullable String selector) {
        return consumer(() -> session().createConsumer(destination, selector));
    }

    @Override
    public JMSConsumer createConsumer(
            Destination destination, @Nullable String selector, boolean noLocal) {
        return consumer(() -> session().createConsumer(destination, selector, noLocal));
    }

    @Override
    public Queue createQueue(String name) {
        return call(() -> session().createQueue(name));
    }

    @Override
    public Topic createTopic(String name) {
        return call(() -> session().createTopic(name));
    }

    @Override
    public JMSConsumer createDurableConsumer(Topic topic, String name) {
        return consumer(() -> session().createDurableConsumer(topic, name));
    }

    @Override
    public JMSConsumer createDurableConsumer(
            Topic topic, String name, @Nullable String selector, boolean noLocal) {
        return consumer(() -> session().createDurableConsumer(topic, name, selector, noLocal));
    }

    @Override
    public JMSConsumer createSharedDurableConsumer(Topic topic, String name) {
        return consumer(() -> session().createSharedDurableConsumer(topic, name));
    }

    @Override
    public JMSConsumer createSharedDurableConsumer(
            Topic topic, String name, @Nullable String selector) {
        return consumer(() -> session().createSharedDurableConsumer(topic, name, selector));
    }

    @Override
    public JMSConsumer createSharedConsumer(Topic topic, String name) {
        return consumer(() -> session().createSharedConsumer(topic, name));
    }

    @Override
    public JMSConsumer createSharedConsumer(Topic topic, String name, @Nullable String selector) {
        return consumer(() -> session().createSharedConsumer(topic, name, selector));
    }

    @Override
    public QueueBrowser createBrowser(Queue queue) {
        return call(() -> session().createBrowser(queue));
    }

    @Override
    public QueueBrowser createBrowser(Queue queue, @Nullable String selector) {
        return call(() -> session().createBrowser(queue, selector));
    }

    @Override
    public TemporaryQueue createTemporaryQueue() {
        return call(() -> session().createTemporaryQueue());
    }

    @Override
    public TemporaryTopic createTemporaryTopic() {
        return call(() -> session().createTemporaryTopic());
    }

    @Override
    public void unsubscribe(String name) {
        JmsErrors.run(() -> session().unsubscribe(name));
    }
}
