package winnow.tests.crash;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// Receives from one outlet, in another acknowledgement mode with each connection, by calls or by a
/// listener. Now and then it rolls back or recovers.
final class Receiver extends Client {
    private static final long WAIT_MILLIS = 50;
    private static final int[] MODES = {
        Session.AUTO_ACKNOWLEDGE,
        Session.DUPS_OK_ACKNOWLEDGE,
        Session.CLIENT_ACKNOWLEDGE,
        Session.SESSION_TRANSACTED
    };

    private final Outlet outlet;
    private final String selector;

    /// @param selector of its consumers of a queue, empty for all
    Receiver(String name, Outlet outlet, String selector, Gate gate, Oracle oracle, long seed) {
        super(name, gate, oracle, seed);
        this.outlet = outlet;
        this.selector = selector;
    }

    @Override
    String clientId() {
        return outlet.clientId();
    }

    @Override
    void work(Connection connection) throws JMSException {
        int mode = MODES[random().nextInt(MODES.length)];
        try (Session session = connection.createSession(mode == Session.SESSION_TRANSACTED, mode)) {
            MessageConsumer consumer = outlet.open(session, selector);
            Processing processing = new Processing(session, mode);
            if (random().nextBoolean()) {
                listen(consumer, processing);
            } else {
                receive(consumer, processing);
            }
        }
    }

    private void receive(MessageConsumer consumer, Processing processing) throws JMSException {
        int life = life(20 + random().nextInt(1000));
        for (int i = 0; i < life && !(isOver() && i % 10 == 0); i++) {
            Message message = consumer.receive(WAIT_MILLIS);
            if (message == null) {
                processing.finish();
                i += life / 20;
            } else {
                processing.onMessage(message);
            }
        }
    }

    private void listen(MessageConsumer consumer, Processing processing) throws JMSException {
        long life = life(100 + random().nextInt(1500));
        AtomicReference<@Nullable JMSException> failure = new AtomicReference<>();
        consumer.setMessageListener(message -> {
            try {
                processing.onMessage(message);
            } catch (JMSException e) {
                failure.set(e);
            }
        });
        for (long waited = 0; waited < life && !isOver(); waited += 10) {
            pause(10);
            JMSException thrown = failure.get();
            if (thrown != null) {
                throw thrown;
            }
        }
    }

    /// What the application does with messages. Used by the session's thread of control.
    private final class Processing {
        private final Session session;
        private final int mode;
        private final List<MessageKey> open = new ArrayList<>();
        private @Nullable Message last;
        private int batch = 1;

        Processing(Session session, int mode) {
            this.session = session;
            this.mode = mode;
        }

        void onMessage(Message message) throws JMSException {
            if (isLost()) {
                return;
            }
            Arrival arrival = Arrival.of(message);
            oracle().onReceived(outlet, arrival);
            open.add(arrival.key());
            last = message;
            if (mode == Session.AUTO_ACKNOWLEDGE || mode == Session.DUPS_OK_ACKNOWLEDGE) {
                onAutomatic();
            } else if (open.size() >= batch) {
                finish();
            }
        }

        private void onAutomatic() {
            if (!isBreakable()) {
                oracle().onAcknowledged(outlet, open);
            }
            open.clear();
        }

        /// Ends a batch, if there is one.
        void finish() throws JMSException {
            Message acknowledged = last;
            if (open.isEmpty() || acknowledged == null) {
                return;
            }
            List<MessageKey> ending = List.copyOf(open);
            // Whatever becomes of them: after a failure they come again.
            open.clear();
            batch = 1 + random().nextInt(random().nextInt(5) == 0 ? 200 : 10);
            boolean gives = random().nextInt(8) == 0;
            if (mode == Session.SESSION_TRANSACTED && gives) {
                session.rollback();
            } else if (mode == Session.SESSION_TRANSACTED) {
                session.commit();
                oracle().onSettled(outlet, ending);
            } else if (gives) {
                session.recover();
            } else {
                acknowledged.acknowledge();
                oracle().onSettled(outlet, ending);
            }
        }
    }
}
