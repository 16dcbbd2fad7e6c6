package winnow.loadgen.rate;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import winnow.loadgen.worker.Provider;

/// Disturbances that go on beside a load. Immutable.
///
/// @param stormPerSecond connections that come, subscribe and leave; 0 for none
/// @param churnPerSecond selectors that are subscribed and removed; 0 for none
/// @param stalled consumers whose listener hangs at its first message
public record SideLoads(double stormPerSecond, double churnPerSecond, int stalled) {

    /// A load on its own.
    public static final SideLoads NONE = new SideLoads(0, 0, 0);

    private static final int MOST_CONNECTIONS = 1_000;
    private static final int MOST_SELECTORS = 10_000;
    private static final int MOST_STALLED = 1_000;

    public SideLoads {
        check("connections that come and go", stormPerSecond, MOST_CONNECTIONS);
        check("selectors that come and go", churnPerSecond, MOST_SELECTORS);
        if (stalled < 0 || stalled > MOST_STALLED) {
            throw new IllegalArgumentException(
                    "expected 1 to %,d stalled consumers, or 0 for none, found %,d"
                            .formatted(MOST_STALLED, stalled));
        }
    }

    private static void check(String what, double perSecond, int most) {
        if (!(perSecond >= 0 && perSecond <= most)) {
            throw new IllegalArgumentException(
                    "expected up to %,d %s a second, or 0 for none, found %s"
                            .formatted(most, what, plain(perSecond)));
        }
    }

    /// True if there are none.
    @JsonIgnore
    public boolean isEmpty() {
        return equals(NONE);
    }

    /// Side loads that are asked for.
    List<SideLoad> of(Target target, Provider provider) {
        var sides = new ArrayList<SideLoad>();
        if (stormPerSecond > 0) {
            sides.add(
                    new PacedActions(
                            SideFigures.Kind.STORM,
                            stormPerSecond,
                            ConnectionStorm.THREADS,
                            _ -> new ConnectionStorm(target, provider)));
        }
        if (churnPerSecond > 0) {
            sides.add(
                    new PacedActions(
                            SideFigures.Kind.CHURN,
                            churnPerSecond,
                            SelectorChurn.CONNECTIONS,
                            thread -> new SelectorChurn(target, provider, thread)));
        }
        if (stalled > 0) {
            sides.add(new StalledConsumers(target, provider, stalled));
        }
        return sides;
    }

    /// For people; empty for none.
    @Override
    public String toString() {
        var all = new ArrayList<String>();
        if (stormPerSecond > 0) {
            all.add("%s connections/s that come and go".formatted(plain(stormPerSecond)));
        }
        if (churnPerSecond > 0) {
            all.add("%s selectors/s that come and go".formatted(plain(churnPerSecond)));
        }
        if (stalled > 0) {
            all.add("%d stalled consumer%s".formatted(stalled, stalled == 1 ? "" : "s"));
        }
        return String.join(", ", all);
    }

    private static String plain(double value) {
        return Double.isFinite(value)
                ? BigDecimal.valueOf(value).stripTrailingZeros().toPlainString()
                : Double.toString(value);
    }
}
