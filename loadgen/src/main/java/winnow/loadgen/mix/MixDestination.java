package winnow.loadgen.mix;

import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.Session;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;

/// One topic or queue of the workload: its part of the messages, their size, and who consumes.
/// Immutable.
///
/// @param queue true for a queue
/// @param share part of all messages, 0 to 1
/// @param bodyCharacters length of the text
/// @param selectors one for each consumer; empty for none
/// @param consumeMillis time that a consumer takes for each message while it is slow
record MixDestination(
        String name,
        boolean queue,
        double share,
        int bodyCharacters,
        List<String> selectors,
        int consumeMillis) {

    /// Customers that orders come from.
    static final int CUSTOMERS = 1000;

    /// Values of the property `region`.
    static final List<String> REGIONS = List.of("EU", "US", "APAC");

    private static final int WATCHED_CUSTOMERS = 60;
    private static final int DASHBOARDS = 12;

    MixDestination {
        selectors = List.copyOf(selectors);
    }

    /// Topics with selectors of every cost class, high and zero replication grades, and a consumer
    /// that falls behind and catches up; and a queue with two consumers.
    static List<MixDestination> all() {
        return List.of(
                topic("mix.orders", 0.65, 200, orders(), 0),
                topic("mix.events", 0.20, 100, Collections.nCopies(DASHBOARDS, ""), 0),
                topic("mix.alerts", 0.05, 1000, List.of("price > 99999 AND urgent"), 0),
                topic("mix.archive", 0.05, 16_000, List.of(""), 50),
                new MixDestination("mix.jobs", true, 0.05, 500, List.of("", ""), 0));
    }

    private static MixDestination topic(
            String name,
            double share,
            int bodyCharacters,
            List<String> selectors,
            int consumeMillis) {
        return new MixDestination(name, false, share, bodyCharacters, selectors, consumeMillis);
    }

    Destination of(Session session) throws JMSException {
        return queue ? session.createQueue(name) : session.createTopic(name);
    }

    private static List<String> orders() {
        List<String> selectors = new ArrayList<>();
        // One key tells them: free however many there are.
        IntStream.range(0, WATCHED_CUSTOMERS)
                .forEach(customer -> selectors.add("customer = " + customer));
        // A key leads to them, the rest is evaluated.
        REGIONS.forEach(region -> {
            selectors.add("region = '" + region + "' AND price > 900");
            selectors.add("region = '" + region + "' AND quantity BETWEEN 2 AND 3");
        });
        selectors.add("region IN ('EU', 'US') AND NOT express");
        selectors.add("price > 995 OR quantity > 98");
        // No key: evaluated for each message that has the property.
        selectors.add("symbol LIKE '%XY%'");
        selectors.add("symbol LIKE '_A%Z'");
        selectors.add("price * quantity > 95000");
        // All messages.
        selectors.add("");
        return selectors;
    }
}
