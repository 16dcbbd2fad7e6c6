package winnow.broker.destination;

import java.util.List;
import winnow.broker.metrics.SelectorCost;
import winnow.selector.index.SelectorIndex;
import winnow.selector.index.api.SelectorReport;

/// The costliest selectors of a topic for other threads. The topic's owner finds them, as long as
/// somebody asks now and then, so that a scrape need not wait for it.
final class CostlySelectors {
    /// Most selectors that are kept of one topic.
    private static final int LIMIT = 100;

    /// The owner looks anew once in so many times that it tunes the index, and goes on for so many
    /// times after it was asked last: every second, and for five minutes.
    private static final int TUNINGS_PER_LOOK = 10;

    private static final int TUNINGS_WANTED = 3000;

    private volatile List<SelectorCost> known = List.of();
    private volatile boolean wanted;
    private int wantedTunings;
    private int untilLook;

    /// Selectors found last. Any thread.
    List<SelectorCost> known() {
        wanted = true;
        return known;
    }

    /// To be called by the owner when it has tuned the index.
    void publish(SelectorIndex<?> index) {
        if (wanted) {
            wanted = false;
            wantedTunings = TUNINGS_WANTED;
        }
        if (wantedTunings == 0) {
            known = List.of();
            return;
        }
        wantedTunings--;
        if (--untilLook < 0) {
            untilLook = TUNINGS_PER_LOOK - 1;
            known =
                    index.costliest(LIMIT).stream()
                            .filter(report -> report.observed().sampledMessages() > 0)
                            .map(CostlySelectors::cost)
                            .filter(cost -> cost.nanosPerMessage() > 0)
                            .toList();
        }
    }

    private static SelectorCost cost(SelectorReport report) {
        SelectorReport.Observed observed = report.observed();
        double sampled = observed.sampledMessages();
        return new SelectorCost(
                report.selector(),
                observed.nanosPerMessage(),
                observed.candidates() / sampled,
                observed.matches() / sampled);
    }
}
