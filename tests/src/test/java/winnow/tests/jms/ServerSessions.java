package winnow.tests.jms;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.MessageListener;
import jakarta.jms.ServerSession;
import jakarta.jms.ServerSessionPool;
import jakarta.jms.Session;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;

/// A pool of server sessions, as an application server has it.
final class ServerSessions implements ServerSessionPool, AutoCloseable {
    private final BlockingQueue<One> idle = new LinkedBlockingQueue<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();

    /// Number of times that a session was run.
    final AtomicInteger runs = new AtomicInteger();

    /// Work of a listener with a message.
    @FunctionalInterface
    interface Work {
        MessageListener in(Session session);
    }

    ServerSessions(Connection connection, int count, int mode, Work work) throws JMSException {
        for (int i = 0; i < count; i++) {
            Session session = connection.createSession(mode);
            session.setMessageListener(work.in(session));
            idle.add(new One(session));
        }
    }

    private final class One implements ServerSession {
        private final Session session;

        One(Session session) {
            this.session = session;
        }

        @Override
        public Session getSession() {
            return session;
        }

        @Override
        public void start() {
            threads.execute(() -> {
                runs.incrementAndGet();
                try {
                    session.run();
                } finally {
                    idle.add(this);
                }
            });
        }
    }

    @Override
    public ServerSession getServerSession() throws JMSException {
        try {
            return idle.take();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new JMSException("interrupted");
        }
    }

    @Override
    public void close() {
        threads.shutdown();
    }
}
