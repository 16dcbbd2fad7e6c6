package winnow.loadgen.option;

import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import winnow.loadgen.forecast.ReplicationGrade;

/// Options for the number of selectors and of the copies of a message.
public final class GradeOptions {

    /// Distributions by name.
    enum Form {
        CONSTANT,
        BINOMIAL,
        BERNOULLI;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    @Option(
            names = "--selectors",
            paramLabel = "N",
            defaultValue = "0",
            description = "Selectors that are installed; default: ${DEFAULT-VALUE}.")
    private int selectors;

    @Option(
            names = "--match-rate",
            paramLabel = "P",
            description = "Probability that a selector matches a message, from 0 to 1.")
    private @Nullable Double matchRate;

    @Option(
            names = "--copies",
            paramLabel = "R",
            description =
                    "Mean number of copies of a message, instead of --match-rate; default: 1.")
    private @Nullable Double copies;

    @Option(
            names = "--grade",
            paramLabel = "FORM",
            description =
                    "Distribution of the copies: ${COMPLETION-CANDIDATES} (all selectors match or"
                            + " none); default: binomial with --match-rate, else constant.")
    private @Nullable Form form;

    @Option(
            names = "--histogram",
            paramLabel = "COPIES=SHARE",
            split = ",",
            description =
                    "Counted copies, such as 0=0.9,1=0.08,40=0.02, instead of --match-rate and"
                            + " --copies. Shares may be numbers of messages.")
    private Map<Double, Double> histogram = Map.of();

    public int selectors() {
        return selectors;
    }

    /// @throws IllegalArgumentException if options contradict each other or are out of range
    public ReplicationGrade grade() {
        if (selectors < 0) {
            throw new IllegalArgumentException("expected --selectors from 0, found " + selectors);
        }
        var given = (matchRate == null ? 0 : 1) + (copies == null ? 0 : 1);
        if (!histogram.isEmpty()) {
            if (given > 0 || form != null) {
                throw new IllegalArgumentException(
                        "expected no --match-rate, --copies and --grade with --histogram");
            }
            return new ReplicationGrade.Empirical(new TreeMap<>(histogram));
        }
        if (given > 1) {
            throw new IllegalArgumentException(
                    "expected --match-rate or --copies, found both: %s and %s"
                            .formatted(matchRate, copies));
        }
        return matchRate == null ? ofCopies(copies == null ? 1 : copies) : ofRate(matchRate);
    }

    private ReplicationGrade ofRate(double rate) {
        if (selectors == 0) {
            throw new IllegalArgumentException("expected --selectors with --match-rate, found 0");
        }
        if (!(rate >= 0 && rate <= 1)) {
            throw new IllegalArgumentException(
                    "expected --match-rate from 0 to 1, found " + matchRate);
        }
        return of(form == null ? Form.BINOMIAL : form, rate);
    }

    private ReplicationGrade ofCopies(double mean) {
        if (!(mean >= 0) || Double.isInfinite(mean)) {
            throw new IllegalArgumentException("expected --copies from 0, found " + mean);
        }
        if (form == null || form == Form.CONSTANT) {
            return new ReplicationGrade.Constant(mean);
        }
        if (mean > selectors) {
            throw new IllegalArgumentException(
                    "expected at most as many --copies as --selectors for --grade %s, found %s"
                                    .formatted(form, mean)
                            + " copies and "
                            + selectors
                            + " selectors");
        }
        return of(form, mean == 0 ? 0 : mean / selectors);
    }

    private ReplicationGrade of(Form wanted, double probability) {
        return switch (wanted) {
            case CONSTANT -> new ReplicationGrade.Constant(selectors * probability);
            case BINOMIAL -> new ReplicationGrade.Binomial(selectors, probability);
            case BERNOULLI -> new ReplicationGrade.Bernoulli(selectors, probability);
        };
    }
}
