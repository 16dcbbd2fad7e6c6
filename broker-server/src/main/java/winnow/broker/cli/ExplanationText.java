package winnow.broker.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// Answer of the administration API as text for people: one line per fact.
final class ExplanationText {
    private static final String CLIENT_HEADER = "client";

    /// Longer names push their own line only.
    private static final int MAX_CLIENT_WIDTH = 64;

    private final PrintWriter out;

    ExplanationText(PrintWriter out) {
        this.out = out;
    }

    void topics(JsonNode topics) {
        print(
                String.format(
                        Locale.ROOT,
                        "%-9s %13s %15s  %s",
                        "matching",
                        "subscriptions",
                        "messages",
                        "topic"));
        for (JsonNode topic : topics) {
            print(
                    String.format(
                            Locale.ROOT,
                            "%-9s %,13d %,15d  %s",
                            topic.path("matching").asText(),
                            topic.path("subscriptions").asLong(),
                            topic.path("messages").asLong(),
                            topic.path("name").asText()));
        }
    }

    void subscriptions(JsonNode subscriptions) {
        int longest = CLIENT_HEADER.length();
        for (JsonNode one : subscriptions) {
            longest = Math.max(longest, escaped(one.path("client").asText()).length());
        }
        int width = Math.min(longest, MAX_CLIENT_WIDTH);
        String row = "%8s  %-" + width + "s  %s";
        print(String.format(Locale.ROOT, row, "id", CLIENT_HEADER, "selector"));
        for (JsonNode one : subscriptions) {
            print(
                    String.format(
                            Locale.ROOT,
                            row,
                            one.path("id").asText(),
                            escaped(one.path("client").asText()),
                            filter(one)));
        }
    }

    private static String filter(JsonNode subscription) {
        String selector = subscription.path("selector").asText();
        String filter = subscription.path("correlationIdFilter").asText();
        if (filter.isEmpty()) {
            return selector.isEmpty() ? "(every message)" : selector;
        }
        return (selector.isEmpty() ? "" : selector + " and ") + "correlation ID " + filter;
    }

    void explanation(JsonNode answer) {
        line(
                "subscription",
                answer.path("subscription").asText()
                        + " of "
                        + answer.path("topic").asText()
                        + ", client "
                        + answer.path("client").asText());
        line("selector", filter(answer));
        JsonNode explanation = answer.path("explanation");
        if (explanation.isObject()) {
            line("same as", explanation.path("canonical").asText());
            line("formula", explanation.path("formula").asText());
        }
        JsonNode report = answer.path("report");
        if (report.isObject()) {
            report(report);
        } else {
            line("found by", "evaluating every selector of the topic (matching=linear)");
        }
        if (answer.path("cost").isObject()) {
            cost(answer.path("cost"));
        } else if (explanation.isObject()) {
            line("cost", unknownCost(report));
        }
        for (JsonNode advice : explanation.path("advice")) {
            line("advice", advice.asText());
        }
        for (JsonNode warning : explanation.path("warnings")) {
            line("warning", warning.path("part").asText() + ": " + warning.path("text").asText());
        }
    }

    private void report(JsonNode report) {
        long sharing = report.path("subscriptions").asLong();
        line("shared by", count(sharing, "subscription", "subscriptions"));
        line("found by", access(report.path("access").asText()));
        for (JsonNode key : report.path("keys")) {
            line("key", lower(key.path("kind")) + ": " + key.path("text").asText() + hits(key));
            shared(key);
        }
        for (JsonNode rejected : report.path("rejected")) {
            line(
                    "no key",
                    rejected.path("text").asText()
                            + hits(rejected)
                            + ": "
                            + rejected.path("reason").asText());
        }
        if (report.path("access").asText().equals("RESIDUAL")
                || report.path("access").asText().equals("SCANNED")) {
            component("tested", "", report.path("formula"), "");
        }
        observed(report.path("sampling"), report.path("observed"));
    }

    private void shared(JsonNode key) {
        long selectors = key.path("selectors").asLong();
        if (selectors < 2) {
            return;
        }
        List<String> names = new ArrayList<>();
        key.path("narrowedBy").forEach(name -> names.add(name.asText()));
        line(
                "",
                "leads to "
                        + count(selectors, "selector", "selectors")
                        + (names.isEmpty()
                                ? ""
                                : "; bitmaps of "
                                        + String.join(", ", names)
                                        + " leave this one out for messages that it cannot"
                                        + " match"));
    }

    private static String count(long number, String one, String several) {
        return String.format(Locale.ROOT, "%,d %s", number, number == 1 ? one : several);
    }

    private static String access(String access) {
        return switch (access) {
            case "EVERYTHING" -> "nothing, every message matches";
            case "NOTHING" -> "nothing, no message can match";
            case "EXACT" -> "its key, which says it all";
            case "RESIDUAL" -> "its key, then tested";
            case "SCANNED" -> "testing a part for every message that has the name";
            default -> access.toLowerCase(Locale.ROOT);
        };
    }

    /// @param reached says which candidates the part is tested for, if not for all
    private void component(String label, String indent, JsonNode component, String reached) {
        StringBuilder text = new StringBuilder(indent).append(component.path("text").asText());
        if (component.path("passRate").isNumber()) {
            text.append(": passes ")
                    .append(percent(component.path("passRate")))
                    .append(" of the candidates")
                    .append(reached);
        }
        if (component.path("nanos").isNumber()) {
            text.append(", ").append(nanos(component.path("nanos")));
        }
        line(label, text.toString());
        for (JsonNode operand : component.path("operands")) {
            component("", indent + "  ", operand, indent.isEmpty() ? "" : " that get to it");
        }
    }

    private void observed(JsonNode sampling, JsonNode observed) {
        if (observed.path("sampledMessages").asLong() == 0) {
            line("observed", unobserved(sampling));
            return;
        }
        line(
                "observed",
                String.format(
                        Locale.ROOT,
                        "of %s: %s, %s, %s; per message %s",
                        count(
                                observed.path("sampledMessages").asLong(),
                                "sampled message",
                                "sampled messages"),
                        count(observed.path("candidates").asLong(), "candidate", "candidates"),
                        count(observed.path("evaluations").asLong(), "test", "tests"),
                        count(observed.path("matches").asLong(), "match", "matches"),
                        cost(observed.path("nanosPerMessage"), observed)));
    }

    private static String unobserved(JsonNode sampling) {
        long messages = sampling.path("messages").asLong();
        if (messages == 0) {
            return "nothing yet: no message was sampled";
        }
        if (sampling.path("observed").asBoolean()) {
            return "nothing yet: no message was sampled since the broker began to observe this"
                    + " selector";
        }
        return String.format(
                Locale.ROOT,
                "nothing, because the broker observes at most %,d selectors of a topic, and"
                        + " this one is not among them (sampled messages of the topic: %,d)",
                sampling.path("maxObserved").asInt(),
                messages);
    }

    private static String unknownCost(JsonNode report) {
        if (!report.isObject()) {
            return "not known before messages were tested and the broker has sent a copy of one";
        }
        if (report.path("observed").path("sampledMessages").asLong() > 0) {
            return "not known yet: the broker has sent no copy of a message";
        }
        JsonNode sampling = report.path("sampling");
        return sampling.path("observed").asBoolean() || sampling.path("messages").asLong() == 0
                ? "not known yet: nothing was observed"
                : "not known: the broker does not observe this selector";
    }

    private void cost(JsonNode cost) {
        String times =
                "t_fltr "
                        + cost(cost.path("filterNanos"), cost)
                        + ", t_tx "
                        + nanos(cost.path("transmitNanos"));
        if (cost.path("neededSamples").asInt() == 0) {
            line("cost", times + " (means of the topic and the broker)");
            return;
        }
        long samples = cost.path("samples").asLong();
        if (!cost.path("pays").isBoolean()) {
            line(
                    "cost",
                    String.format(
                            Locale.ROOT,
                            "%s; whether it saves the broker work is told from %,d sampled"
                                    + " messages on, so far: %,d",
                            times,
                            cost.path("neededSamples").asInt(),
                            samples));
            return;
        }
        double limit =
                1 - cost.path("filterNanos").asDouble() / cost.path("transmitNanos").asDouble();
        line(
                "cost",
                String.format(
                        Locale.ROOT,
                        "%s, p = %.4f of %,d samples: %s (p %s 1 - t_fltr/t_tx = %.4f)",
                        times,
                        cost.path("passRate").asDouble(),
                        samples,
                        cost.path("pays").asBoolean()
                                ? "saves the broker work"
                                : "does not save the broker work",
                        cost.path("pays").asBoolean() ? "<" : ">=",
                        limit));
    }

    private static String hits(JsonNode key) {
        JsonNode rate = key.path("hitRate");
        return rate.isNumber()
                ? String.format(
                        Locale.ROOT,
                        " (hit by %s of %,d sampled messages)",
                        percent(rate),
                        key.path("sampledMessages").asLong())
                : "";
    }

    private static String percent(JsonNode rate) {
        return String.format(Locale.ROOT, "%.3g %%", 100 * rate.asDouble());
    }

    /// @param source says whether it was measured
    private static String cost(JsonNode nanos, JsonNode source) {
        return source.path("measured").asBoolean()
                ? nanos(nanos)
                : nanos(nanos) + " (assumed, not measured)";
    }

    private static String nanos(JsonNode nanos) {
        double value = nanos.asDouble();
        if (value > 0 && value < 0.1) {
            return "under 0.1 ns";
        }
        boolean coarse = value >= 100 || value == Math.rint(value);
        return String.format(Locale.ROOT, coarse ? "%,.0f ns" : "%.1f ns", value);
    }

    private static String lower(JsonNode name) {
        return name.asText().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private void line(String label, String text) {
        print(String.format(Locale.ROOT, "%-13s %s", label, text));
    }

    private void print(String line) {
        out.println(escaped(line));
    }

    /// Clients wrote the names and selectors, and what a terminal obeys is theirs no more than the
    /// ends of lines.
    private static String escaped(String line) {
        StringBuilder text = new StringBuilder();
        line.codePoints()
                .forEach(character -> {
                    switch (Character.getType(character)) {
                        case Character.CONTROL,
                                Character.FORMAT,
                                Character.LINE_SEPARATOR,
                                Character.PARAGRAPH_SEPARATOR,
                                Character.SURROGATE ->
                                text.append(escape(character));
                        default -> text.appendCodePoint(character);
                    }
                });
        return text.toString();
    }

    private static String escape(int character) {
        return switch (character) {
            case '\n' -> "\\n";
            case '\r' -> "\\r";
            case '\t' -> "\\t";
            default -> String.format(Locale.ROOT, "\\u%04x", character);
        };
    }
}
