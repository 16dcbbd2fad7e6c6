package winnow.broker.metrics;

import java.util.concurrent.atomic.LongAdder;

/// Cost of the scrapes so far. Thread-safe.
public final class ScrapeCosts {
    private final Cost totals = new Cost();
    private final Cost details = new Cost();

    private static final class Cost {
        final LongAdder scrapes = new LongAdder();
        final LongAdder nanos = new LongAdder();

        void add(long more) {
            scrapes.increment();
            nanos.add(more);
        }

        void addTo(Exposition page, String name) {
            page.summary(
                    TotalMetrics.SCRAPE,
                    scrapes.sum(),
                    nanos.sum() / BrokerMetrics.NANOS_PER_SECOND,
                    name);
        }
    }

    void onTotals(long nanos) {
        totals.add(nanos);
    }

    void onDetails(long nanos) {
        details.add(nanos);
    }

    void addTo(Exposition page) {
        totals.addTo(page, "metrics");
        details.addTo(page, "detailed");
    }
}
