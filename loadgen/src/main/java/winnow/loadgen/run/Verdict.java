package winnow.loadgen.run;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.ArrayList;
import java.util.List;

/// Verdict on the use of a measured point. Immutable.
///
/// @param status whether its figures may be used
/// @param reasons why they may not, in a few words each; empty if they may
/// @param notes rules of the paper that the point does not keep, or that could not be checked,
///   though its figures may be used: see [Validity]
public record Verdict(Status status, List<String> reasons, List<String> notes) {

    /// In this order from good to bad.
    public enum Status {
        /// Its figures may be used.
        VALID("valid"),
        /// The broker answered correctly, but the figures are not those of a saturated point, or
        /// nobody knows what a CPU second was worth, or no message was sent.
        INVALID("invalid"),
        /// Copies were lost, doubled or wrong, or there are no figures.
        FAILED("failed");

        private final String label;

        Status(String label) {
            this.label = label;
        }

        /// The name in files.
        @JsonValue
        public String label() {
            return label;
        }
    }

    public Verdict {
        reasons = List.copyOf(reasons);
        notes = List.copyOf(notes);
    }

    /// Of a point with figures.
    static Verdict of(Measurement measurement, Validity validity) {
        var problems = measurement.problems();
        if (!problems.isEmpty()) {
            return new Verdict(Status.FAILED, problems, List.of());
        }
        var broken = new ArrayList<>(validity.broken());
        if (measurement.received() == 0) {
            broken.add("no message was sent in the measured interval: others had the processors");
        } else if (!(measurement.serviceSeconds() > 0
                && Double.isFinite(measurement.serviceSeconds()))) {
            broken.add("no service time follows from its figures");
        }
        return new Verdict(
                broken.isEmpty() ? Status.VALID : Status.INVALID, broken, validity.notes());
    }

    /// Of a point without figures.
    static Verdict of(FailedPoint failed) {
        return new Verdict(Status.FAILED, List.of(failed.reason()), List.of());
    }

    /// The same of a point that does not count for one more reason.
    Verdict but(String reason) {
        var more = new ArrayList<>(reasons);
        more.add(reason);
        return new Verdict(status == Status.FAILED ? status : Status.INVALID, more, notes);
    }

    public boolean isValid() {
        return status == Status.VALID;
    }

    /// The reasons in one line; empty if there are none.
    public String reason() {
        return String.join("; ", reasons);
    }
}
