package winnow.loadgen.command;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import winnow.loadgen.forecast.CapacityPlan;
import winnow.loadgen.forecast.Costs;

/// Answer of `winnow load plan` for programs. Immutable.
///
/// @param plan the answer
/// @param model `batch` or `single`
/// @param reason why that one
/// @param waitingUntil what a waiting time is: from the arrival of a message until then
/// @param parameters what the broker's work takes
/// @param selectors that are installed
/// @param meanCopies of a message
/// @param grade distribution of the copies, in words
/// @param variation standard deviation over mean of the time of a message
/// @param capacityPerSecond messages that one broker can receive at most
/// @param broker what one broker should take; null if none keeps the targets
/// @param limitedBy what keeps it from taking more
/// @param wantedPerSecond null if no rate was given
/// @param atRate one broker at this rate; null if it cannot take it
/// @param clusters ways to take this rate; empty without one or if none can
/// @param notes what to know about it
@JsonInclude(JsonInclude.Include.NON_NULL)
record PlanOutcome(
        @JsonIgnore CapacityPlan plan,
        String model,
        String reason,
        String waitingUntil,
        Parameters parameters,
        double selectors,
        double meanCopies,
        String grade,
        int bodyBytes,
        double variation,
        double capacityPerSecond,
        @Nullable Forecast broker,
        String limitedBy,
        @Nullable Double wantedPerSecond,
        @Nullable Forecast atRate,
        List<Cluster> clusters,
        List<String> notes) {

    private static final double MICROS = 1e6;

    /// Times in microseconds.
    record Parameters(
            String name,
            String source,
            double tRcvMicros,
            double tFltrMicros,
            double tTxMicros,
            double tByteMicros,
            double tIterationMicros,
            double tReadMicros,
            double tWakeMicros) {

        private static Parameters of(Costs costs) {
            var times = costs.times();
            return new Parameters(
                    costs.name(),
                    costs.source(),
                    times.receiveSeconds() * MICROS,
                    times.filterSeconds() * MICROS,
                    times.transmitSeconds() * MICROS,
                    costs.byteSeconds() * MICROS,
                    costs.iterationSeconds() * MICROS,
                    costs.readSeconds() * MICROS,
                    costs.wakeSeconds() * MICROS);
        }
    }

    /// One broker at one rate.
    record Forecast(
            double perSecond,
            double load,
            double busy,
            double meanMicros,
            double p99Micros,
            double p9999Micros) {

        private static @Nullable Forecast of(CapacityPlan.@Nullable Forecast forecast) {
            return forecast == null
                    ? null
                    : new Forecast(
                            forecast.perSecond(),
                            forecast.load(),
                            forecast.busy(),
                            forecast.meanSeconds() * MICROS,
                            forecast.p99Seconds() * MICROS,
                            forecast.p9999Seconds() * MICROS);
        }
    }

    /// Brokers that share the load, and each of them.
    record Cluster(
            int brokers, int publisherShares, int subscriberShares, @Nullable Forecast broker) {}

    static PlanOutcome of(CapacityPlan plan, @Nullable Double wanted, List<String> notes) {
        var load = plan.load();
        return new PlanOutcome(
                plan,
                plan.model().name().toLowerCase(Locale.ROOT),
                plan.reason(),
                PlanText.waitingUntil(plan),
                Parameters.of(plan.costs()),
                load.selectors(),
                load.grade().moments().first(),
                load.grade().toString(),
                load.bodyBytes(),
                plan.service().variation(),
                plan.capacityPerSecond(),
                Forecast.of(plan.broker().forecast()),
                plan.broker().limit().toString(),
                wanted,
                Forecast.of(plan.atRate()),
                plan.clusters().stream()
                        .map(cluster ->
                                new Cluster(
                                        cluster.brokers(),
                                        cluster.publisherShares(),
                                        cluster.subscriberShares(),
                                        Forecast.of(cluster.broker())))
                        .toList(),
                notes);
    }

    String json() throws JsonProcessingException {
        return new ObjectMapper().writeValueAsString(this);
    }
}
