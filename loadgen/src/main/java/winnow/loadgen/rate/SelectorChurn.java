package winnow.loadgen.rate;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;
import winnow.loadgen.worker.Provider;

/// A connection with some subscriptions to what the load uses: each time it makes one with a
/// selector that nobody has had and that matches nothing, and removes its oldest.
final class SelectorChurn implements PacedAction {

    /// Connections that do this.
    static final int CONNECTIONS = 4;

    /// Subscriptions of one.
    private static final int LIVE = 25;

    private final ArrayDeque<MessageConsumer> live = new ArrayDeque<>();
    private final Target target;
    private final Provider provider;
    private final int connectionNumber;
    private @Nullable Connection connection;
    private @Nullable Session session;

    SelectorChurn(Target target, Provider provider, int connectionNumber) {
        this.target = target;
        this.provider = provider;
        this.connectionNumber = connectionNumber;
    }

    @Override
    public void perform(long number) throws JMSException {
        try {
            var mine = opened();
            var selector = "churn = " + (number * CONNECTIONS + connectionNumber);
            live.addLast(mine.createConsumer(target.in(mine), selector));
            if (live.size() > LIVE) {
                live.removeFirst().close();
            }
        } catch (JMSException failed) {
            closeBroken();
            throw failed;
        }
    }

    private Session opened() throws JMSException {
        var mine = session;
        if (mine == null) {
            connection = provider.connect();
            mine = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
            session = mine;
        }
        return mine;
    }

    /// The next time has a new connection.
    private void closeBroken() {
        try {
            close();
        } catch (JMSException alreadyGone) {
            // So it is closed.
        }
    }

    @Override
    public void close() throws JMSException {
        var mine = connection;
        connection = null;
        session = null;
        live.clear();
        if (mine != null) {
            mine.close();
        }
    }
}
