package winnow.loadgen.command;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import winnow.loadgen.chart.Digits;
import winnow.loadgen.forecast.CapacityPlan;
import winnow.loadgen.forecast.CapacityPlan.Cluster;
import winnow.loadgen.forecast.CapacityPlan.Forecast;
import winnow.loadgen.forecast.Planner;
import winnow.loadgen.forecast.QueueModel;
import winnow.loadgen.forecast.ReplicationGrade;
import winnow.loadgen.report.TimeText;

/// A plan for people: which model, what one broker takes, how many are needed.
final class PlanText {

    private static final int WIDTH = 96;
    private static final double PERCENT = 100;

    private PlanText() {}

    static String of(PlanOutcome outcome) {
        var plan = outcome.plan();
        var out = new StringBuilder();
        out.append(
                paragraph(
                        "Model: %s, because %s. Waiting times last until %s."
                                .formatted(plan.model(), plan.reason(), waitingUntil(plan))));
        out.append(paragraph(times(plan)));
        out.append(paragraph(load(plan)));
        out.append('\n').append(paragraph(ability(plan)));
        out.append(forecasts(plan));
        if (outcome.wantedPerSecond() != null) {
            out.append('\n').append(brokers(plan, outcome.wantedPerSecond()));
        }
        if (!outcome.notes().isEmpty()) {
            out.append('\n');
        }
        outcome.notes().forEach(note -> out.append(paragraph("- " + note)));
        return out.toString();
    }

    /// The end of a waiting time, which begins when a message arrives.
    static String waitingUntil(CapacityPlan plan) {
        return switch (plan.model()) {
            case BATCH -> "the end of the iteration that serves the message";
            case SINGLE -> "the broker begins with the message";
        };
    }

    private static String times(CapacityPlan plan) {
        var costs = plan.costs();
        var times = costs.times();
        var text =
                "Times (%s): t_rcv %s, t_fltr %s, t_tx %s"
                        .formatted(
                                costs.name(),
                                TimeText.of(times.receiveSeconds()),
                                TimeText.of(times.filterSeconds()),
                                TimeText.of(times.transmitSeconds()));
        if (costs.byteSeconds() > 0) {
            text += ", byte " + TimeText.of(costs.byteSeconds());
        }
        if (costs.iterationSeconds() > 0) {
            text +=
                    ", iteration %s, read %s, wake-up %s"
                            .formatted(
                                    TimeText.of(costs.iterationSeconds()),
                                    TimeText.of(costs.readSeconds()),
                                    TimeText.of(costs.wakeSeconds()));
        }
        return text + ". Source: " + costs.source() + ".";
    }

    private static String load(CapacityPlan plan) {
        var load = plan.load();
        return String.format(
                Locale.ROOT,
                "Load: %,.0f selectors, %s copies of a message (%s), bodies of %,d bytes%s. A"
                        + " message takes %s; standard deviation %.0f %%.",
                load.selectors(),
                Digits.three(load.grade().moments().first()),
                load.grade(),
                load.bodyBytes(),
                load.clump() == 1
                        ? ""
                        : ", in clumps of %s on average".formatted(Digits.three(load.clump())),
                TimeText.of(plan.service().first()),
                plan.service().variation() * PERCENT);
    }

    private static String ability(CapacityPlan plan) {
        var ability = plan.broker();
        return ability.perSecond() == 0
                ? "One broker cannot keep this waiting time: it takes longer when idle."
                : String.format(
                        Locale.ROOT,
                        "One broker takes %s messages/s; %s keeps it from more. Its capacity"
                                + " is %s.",
                        rate(ability.perSecond()),
                        ability.limit(),
                        rate(plan.capacityPerSecond()));
    }

    private static String forecasts(CapacityPlan plan) {
        var lines = new ArrayList<Forecast>();
        if (plan.broker().forecast() != null) {
            lines.add(plan.broker().forecast());
        }
        if (plan.atRate() != null) {
            lines.add(plan.atRate());
        }
        if (lines.isEmpty()) {
            return "";
        }
        var out =
                new StringBuilder(
                        "  %14s %8s %8s %12s %12s %12s%n"
                                .formatted(
                                        "messages/s",
                                        "load",
                                        "busy",
                                        "mean wait",
                                        "p99",
                                        "p99.99"));
        lines.forEach(line -> out.append(row(line)));
        return out.toString();
    }

    private static String row(Forecast line) {
        return String.format(
                Locale.ROOT,
                "  %14s %6.1f %% %6.1f %% %12s %12s %12s%n",
                rate(line.perSecond()),
                line.load() * PERCENT,
                line.busy() * PERCENT,
                TimeText.of(line.meanSeconds()),
                TimeText.of(line.p99Seconds()),
                TimeText.of(line.p9999Seconds()));
    }

    private static String brokers(CapacityPlan plan, double rate) {
        if (plan.clusters().isEmpty()) {
            return paragraph("No number of brokers takes " + rate(rate) + " messages/s.");
        }
        var out =
                new StringBuilder("Brokers for " + rate(rate) + " messages/s, and each of them:\n");
        out.append(
                "  %-24s %7s %12s %8s %12s %12s%n"
                        .formatted("", "brokers", "messages/s", "load", "p99", "p99.99"));
        for (var cluster : plan.clusters()) {
            var broker = cluster.broker();
            out.append(
                    String.format(
                            Locale.ROOT,
                            "  %-24s %,7d %12s %6.1f %% %12s %12s%n",
                            name(cluster),
                            cluster.brokers(),
                            rate(broker.perSecond()),
                            broker.load() * PERCENT,
                            TimeText.of(broker.p99Seconds()),
                            TimeText.of(broker.p9999Seconds())));
        }
        if (plan.clusters().stream().allMatch(one -> one.publisherShares() > 1)) {
            out.append(
                    paragraph("SSR alone does not take it: each broker receives every message."));
        }
        return out.toString();
    }

    private static String name(Cluster cluster) {
        if (cluster.brokers() == 1) {
            return "one broker";
        }
        if (cluster.subscriberShares() == 1) {
            return "PSR, publishers spread";
        }
        return cluster.publisherShares() == 1
                ? "SSR, subscribers spread"
                : "%d x %d of PSR x SSR"
                        .formatted(cluster.publisherShares(), cluster.subscriberShares());
    }

    /// Sentences about the limits of a plan.
    static List<String> notes(CapacityPlan plan, @Nullable Double rate) {
        var notes = new ArrayList<String>();
        var times = plan.costs().times();
        if (plan.load().bodyBytes() > 0 && plan.costs().byteSeconds() == 0) {
            notes.add("What a byte takes is not known: the size of bodies does not count.");
        }
        if (plan.load().selectors() > 0 && times.transmitSeconds() > 0) {
            notes.add(worth(1 - times.filterSeconds() / times.transmitSeconds()));
        }
        band(plan).ifPresent(notes::add);
        if (plan.model() == QueueModel.BATCH) {
            notes.add(
                    "Pauses of the machine and the virtual machine come on top; at light load they"
                            + " are most of the p99.");
        }
        if (rate != null && plan.atRate() == null) {
            notes.add("One broker alone cannot take " + rate(rate) + " messages/s.");
        }
        return notes;
    }

    /// @param share of the messages that a selector may match and still save work
    private static String worth(double share) {
        if (share <= 0) {
            return "A selector takes more than the copies that it saves.";
        }
        return share == 1
                ? "Every selector that does not match all messages saves the broker work."
                : String.format(
                        Locale.ROOT,
                        "A selector saves the broker work if it matches fewer than %.1f %% of the"
                                + " messages.",
                        share * PERCENT);
    }

    /// The best and the worst distribution of the copies.
    private static Optional<String> band(CapacityPlan plan) {
        var forecast = plan.planned();
        var load = plan.load();
        var copies = load.grade().moments().first();
        if (plan.model() != QueueModel.SINGLE
                || forecast == null
                || copies == 0
                || copies > load.selectors()) {
            return Optional.empty();
        }
        var best = new ReplicationGrade.Constant(copies);
        var worst = new ReplicationGrade.Bernoulli(load.selectors(), copies / load.selectors());
        return Optional.of(
                "p99 at %s messages/s would be %s if all messages had as many copies, and %s if all"
                                .formatted(
                                        rate(forecast.perSecond()),
                                        TimeText.of(p99(plan, best, forecast.load())),
                                        TimeText.of(p99(plan, worst, forecast.load())))
                        + " selectors matched together.");
    }

    private static double p99(CapacityPlan plan, ReplicationGrade grade, double busy) {
        return Planner.server(plan, grade)
                .waiting(busy / plan.service().first())
                .quantileSeconds(0.99);
    }

    /// Messages per second.
    private static String rate(double perSecond) {
        return Digits.three(perSecond);
    }

    /// Broken into lines.
    private static String paragraph(String text) {
        var out = new StringBuilder();
        var length = 0;
        for (var word : text.split(" ", -1)) {
            if (length > 0 && length + 1 + word.length() > WIDTH) {
                out.append("\n  ");
                length = 2;
            } else if (length > 0) {
                out.append(' ');
                length++;
            }
            out.append(word);
            length += word.length();
        }
        return out.append('\n').toString();
    }
}
