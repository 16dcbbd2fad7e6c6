package winnow.tests.crash;

import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.Session;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/// Where senders send to.
enum Target {
    WORK,
    KINDS,
    ORDERS,
    PRICES;

    Destination in(Session session) throws JMSException {
        String name = name().toLowerCase(Locale.ROOT);
        return this == PRICES ? session.createTopic(name) : session.createQueue(name);
    }

    /// Where a message arrives that is sent here.
    List<Outlet> outlets(int kind) {
        return Arrays.stream(Outlet.values())
                .filter(outlet -> outlet.target() == this && outlet.wants(kind))
                .toList();
    }
}
