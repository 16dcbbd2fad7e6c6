package winnow.loadgen.forecast;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// Capacity of a broker, and number of brokers for a rate. Immutable.
///
/// @param model which one was used
/// @param reason why that one
/// @param costs of the broker
/// @param load of each broker if there is one
/// @param service moments of B
/// @param capacityPerSecond messages that one broker can receive at most
/// @param broker what one broker should take
/// @param atRate one broker at the wanted rate; null without a rate or if it cannot take it
/// @param clusters ways to take the wanted rate; empty without one
public record CapacityPlan(
        QueueModel model,
        String reason,
        Costs costs,
        Load load,
        Moments service,
        double capacityPerSecond,
        Ability broker,
        @Nullable Forecast atRate,
        List<Cluster> clusters) {

    public CapacityPlan {
        clusters = List.copyOf(clusters);
    }

    /// One broker at the wanted rate, or else at the one that it should take; null if there is
    /// none.
    public @Nullable Forecast planned() {
        return atRate == null ? broker.forecast() : atRate;
    }

    /// Reason for which a broker takes no more. The text form is for people.
    public enum Limit {
        UTILIZATION("the share of its capacity that may be used"),
        WAITING("the waiting time"),
        NETWORK("the network");

        private final String text;

        Limit(String text) {
            this.text = text;
        }

        @Override
        public String toString() {
            return text;
        }
    }

    /// The highest rate that keeps all targets.
    ///
    /// @param perSecond 0 if none does
    /// @param forecast at this rate; null if it is 0
    public record Ability(double perSecond, Limit limit, @Nullable Forecast forecast) {}

    /// One broker at one rate.
    ///
    /// @param perSecond messages that it receives
    /// @param load share of its capacity
    /// @param busy share of the time that its event loops work; more than the load where an
    ///   iteration carries few messages
    public record Forecast(
            double perSecond,
            double load,
            double busy,
            double meanSeconds,
            double p99Seconds,
            double p9999Seconds) {}

    /// Brokers that share the load.
    ///
    /// @param publisherShares how many brokers the publishers are spread over (PSR)
    /// @param subscriberShares how many brokers the subscribers are spread over (SSR)
    /// @param broker each of them
    public record Cluster(int publisherShares, int subscriberShares, Forecast broker) {

        /// Brokers altogether.
        public int brokers() {
            return publisherShares * subscriberShares;
        }
    }
}
