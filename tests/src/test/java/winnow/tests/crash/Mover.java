package winnow.tests.crash;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.TransactionRolledBackException;
import java.util.ArrayList;
import java.util.List;

/// Moves messages from [Outlet#ORDERS] to [Outlet#MOVED] by transactions; each copy has a number.
final class Mover extends Client {
    private static final long WAIT_MILLIS = 50;

    private long copies;

    Mover(Gate gate, Oracle oracle, long seed) {
        super("mover", gate, oracle, seed);
    }

    @Override
    void work(Connection connection) throws JMSException {
        try (Session session = connection.createSession(true, Session.SESSION_TRANSACTED)) {
            MessageConsumer from = Outlet.ORDERS.open(session, "");
            MessageProducer to = session.createProducer(session.createQueue("moved"));
            int life = life(5 + random().nextInt(100));
            for (int i = 0; i < life && !isOver(); i++) {
                move(session, from, to);
            }
        }
    }

    private void move(Session session, MessageConsumer from, MessageProducer to)
            throws JMSException {
        int size = 1 + random().nextInt(20);
        List<MessageKey> moved = new ArrayList<>();
        List<Long> made = new ArrayList<>();
        boolean asked = false;
        try {
            for (int i = 0; i < size; i++) {
                Message message = from.receive(WAIT_MILLIS);
                if (message == null || isLost()) {
                    break;
                }
                Arrival arrival = Arrival.of(message);
                oracle().onReceived(Outlet.ORDERS, arrival);
                moved.add(arrival.key());
                made.add(++copies);
                to.send(Arrival.write(session, arrival.key(), copies, arrival.kind()));
            }
            if (random().nextInt(8) == 0) {
                session.rollback();
            } else {
                asked = true;
                session.commit();
                oracle().onSettled(Outlet.ORDERS, moved);
            }
        } catch (TransactionRolledBackException e) {
            asked = false;
            throw e;
        } finally {
            if (!asked) {
                made.forEach(oracle()::onDroppedCopy);
            }
        }
    }
}
