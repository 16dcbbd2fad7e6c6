package winnow.broker.metrics;

import java.util.List;

/// Description of a metric, without its values. Immutable.
///
/// @param name as Prometheus shows it, without what the kind adds to it (`_total`, `_info`)
/// @param meaning one or two sentences
/// @param worry when to act on it; empty where nothing can be wrong with it
/// @param labels names of its labels
public record Metric(String name, Kind kind, String meaning, String worry, List<String> labels) {
    /// Kind of a metric's values.
    public enum Kind {
        /// Only grows.
        COUNTER,
        /// Goes up and down.
        GAUGE,
        /// Distribution of values, with their sum and count.
        HISTOGRAM,
        /// Sum and count of values.
        SUMMARY,
        /// Always 1; what matters are the labels.
        INFO
    }

    public Metric {
        labels = List.copyOf(labels);
    }

    static Metric of(Kind kind, String name, String meaning, String worry, String... labels) {
        return new Metric(name, kind, meaning, worry, List.of(labels));
    }

    static Metric counter(String name, String meaning, String worry, String... labels) {
        return of(Kind.COUNTER, name, meaning, worry, labels);
    }

    static Metric gauge(String name, String meaning, String worry, String... labels) {
        return of(Kind.GAUGE, name, meaning, worry, labels);
    }

    /// The help text: the meaning, then when to worry.
    String help() {
        return worry.isEmpty() ? meaning : meaning + " Worry " + worry;
    }

    /// The name of its main series.
    String fullName() {
        return switch (kind) {
            case COUNTER -> name + "_total";
            case INFO -> name + "_info";
            case GAUGE, HISTOGRAM, SUMMARY -> name;
        };
    }
}
