package winnow.broker.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import winnow.wire.Printable;

/// One view of `winnow top` as text, at most 80 columns wide. Owned by the command's thread.
final class TopText {
    private static final int COLUMNS = 80;
    private static final int CONSUMER_COLUMNS = 30;

    /// Entries of each list.
    static final int ENTRIES = 5;

    /// The same, so that the view fits a terminal of 25 lines.
    static final int FEW_ENTRIES = 3;

    private final StringBuilder text = new StringBuilder();
    private final String url;
    private final int entries;
    private final String none;

    /// @param entries of each list at most
    /// @param none stands in place of a list without entries
    TopText(String url, int entries, String none) {
        this.url = url;
        this.entries = entries;
        this.none = none;
    }

    /// The part of an overview about queues and stored subscriptions, with the time that rates
    /// need.
    static JsonNode stored(JsonNode overview) {
        ObjectNode stored = SelectorCommand.JSON.createObjectNode();
        if (overview.path("stored") instanceof ObjectNode found) {
            stored.setAll(found);
        }
        return stored.put("uptimeMillis", overview.path("uptimeMillis").asLong());
    }

    /// Growth of a counter of the overview per second.
    static double rate(JsonNode before, JsonNode now, String counter) {
        long millis = now.path("uptimeMillis").asLong() - before.path("uptimeMillis").asLong();
        long count = now.path(counter).asLong() - before.path(counter).asLong();
        return millis <= 0 ? 0 : count * 1000.0 / millis;
    }

    void head(JsonNode before, JsonNode now) {
        long seconds = now.path("uptimeMillis").asLong() / 1000;
        line(
                String.format(
                        Locale.ROOT,
                        "%s  up %s  store %s",
                        url,
                        time(seconds),
                        now.path("stored").path("state").asText()));
        line(
                String.format(
                        Locale.ROOT,
                        "topics: received %,.0f/s  dispatched %,.0f/s",
                        rate(before, now, "messagesReceived"),
                        rate(before, now, "messagesDispatched")));
        stored(stored(before), stored(now));
        line(
                String.format(
                        Locale.ROOT,
                        "%,d connections  %,d live and %,d stored subscriptions  %,d queues"
                                + "  %,d topics, %,d blocked",
                        now.path("connections").asLong(),
                        now.path("subscriptions").asLong(),
                        now.path("stored").path("subscriptions").asLong(),
                        now.path("stored").path("queues").asLong(),
                        now.path("topics").asLong(),
                        now.path("blockedTopics").asLong()));
    }

    private static String time(long seconds) {
        return String.format(
                Locale.ROOT, "%d:%02d:%02d", seconds / 3600, seconds / 60 % 60, seconds % 60);
    }

    private void stored(JsonNode before, JsonNode now) {
        line(
                String.format(
                        Locale.ROOT,
                        "stored: %,.0f/s  acknowledged %,.0f/s  %,d wait, %,d unattended,"
                                + " %,d dead letters",
                        rate(before, now, "appended"),
                        rate(before, now, "acknowledged"),
                        now.path("messages").asLong(),
                        now.path("unattended").asLong(),
                        now.path("deadLetters").asLong()));
        String problem = now.path("problem").asText();
        if (!problem.isEmpty()) {
            line("STORE: " + problem);
        }
    }

    void backlogs(JsonNode backlogs) {
        line("");
        line(
                String.format(
                        Locale.ROOT,
                        "%12s %14s %9s %10s  %s",
                        "MESSAGES",
                        "UNACKNOWLEDGED",
                        "CONSUMERS",
                        "AGE",
                        "QUEUE OR SUBSCRIPTION"));
        int shown = Math.min(backlogs.size(), entries);
        for (int i = 0; i < shown; i++) {
            JsonNode one = backlogs.path(i);
            JsonNode backlog = one.path("backlog");
            line(
                    String.format(
                            Locale.ROOT,
                            "%,12d %,14d %,9d %10s  %s",
                            backlog.path("messages").asLong(),
                            backlog.path("unacknowledged").asLong(),
                            backlog.path("consumers").asLong(),
                            age(backlog.path("oldest")),
                            one.path("name").asText() + ofTopic(one.path("topic").asText())));
        }
        end(shown);
    }

    private static String ofTopic(String topic) {
        return topic.isEmpty() ? "" : " of topic " + topic;
    }

    private static String age(JsonNode oldest) {
        if (!oldest.isTextual()) {
            return "unknown";
        }
        Duration age = Duration.between(Instant.parse(oldest.asText()), Instant.now());
        return time(Math.max(0, age.toSeconds()));
    }

    void blocked(JsonNode blocked) {
        line("");
        line(String.format(Locale.ROOT, "%-20s %9s  %s", "BLOCKED TOPIC", "PRODUCERS", "REASON"));
        for (int i = 0; i < Math.min(blocked.size(), entries); i++) {
            JsonNode one = blocked.path(i);
            line(
                    String.format(
                            Locale.ROOT,
                            "%-20s %,9d  %s",
                            cut(one.path("topic").asText(), 20),
                            one.path("producers").asLong(),
                            reason(one)));
        }
        end(blocked.size());
    }

    /// Without the topic, which stands beside it.
    private static String reason(JsonNode blocked) {
        String reason =
                withoutPrefix(
                        blocked.path("reason").asText(),
                        "topic '" + blocked.path("topic").asText() + "': ");
        return reason.replace(" of connection ", " of ");
    }

    private static String withoutPrefix(String text, String prefix) {
        return text.startsWith(prefix) ? text.substring(prefix.length()) : text;
    }

    /// Nothing if no consumer is behind: then there are more lines for the rest.
    void behind(JsonNode behind) {
        if (behind.isEmpty()) {
            return;
        }
        line("");
        line(
                String.format(
                        Locale.ROOT,
                        "%12s %10s %10s  %-16s %s",
                        "BEHIND BY",
                        "FOR",
                        "IDLE",
                        "TOPIC",
                        "SUBSCRIPTION"));
        for (int i = 0; i < Math.min(behind.size(), entries); i++) {
            JsonNode one = behind.path(i);
            line(
                    String.format(
                            Locale.ROOT,
                            "%,10d B %10s %10s  %-16s %s",
                            one.path("waitingBytes").asLong(),
                            time(one.path("seconds").asLong()),
                            time(one.path("idleSeconds").asLong()),
                            cut(one.path("topic").asText(), 16),
                            one.path("subscription").asText().replace(" of connection ", " of ")));
        }
    }

    void consumers(JsonNode consumers) {
        line("");
        line(
                String.format(
                        Locale.ROOT,
                        "%12s  %-16s %-30s %s",
                        "WAITING",
                        "TOPIC",
                        "CONSUMER",
                        "SELECTOR"));
        int shown = 0;
        for (JsonNode one : consumers) {
            long bytes = one.path("waitingBytes").asLong();
            if (bytes > 0 && shown < entries) {
                shown++;
                line(
                        String.format(
                                Locale.ROOT,
                                "%,10d B  %-16s %-30s %s",
                                bytes,
                                cut(one.path("topic").asText(), 16),
                                cut(who(one.path("client").asText()), CONSUMER_COLUMNS),
                                one.path("selector").asText()));
            }
        }
        end(shown);
    }

    /// The application's name first, if there is one, as far as there is room beside the digits
    /// that tell its connections apart.
    private static String who(String label) {
        String connection = withoutPrefix(label, "connection ");
        int begin = connection.indexOf(" (");
        int end = connection.indexOf(") at ");
        if (begin < 0 || end < begin) {
            return connection;
        }
        String id = connection.split(" ", 2)[0];
        String application = connection.substring(begin + 2, end);
        return cut(application, Math.max(1, CONSUMER_COLUMNS - 1 - id.length())) + " " + id;
    }

    void selectors(JsonNode selectors) {
        line("");
        line(
                String.format(
                        Locale.ROOT,
                        "%12s %6s %6s  %-16s %s",
                        "NS A MESSAGE",
                        "TRIED",
                        "MATCH",
                        "TOPIC",
                        "SELECTOR"));
        for (int i = 0; i < Math.min(selectors.size(), entries); i++) {
            JsonNode one = selectors.path(i);
            line(
                    String.format(
                            Locale.ROOT,
                            "%,12.1f %5.1f%% %5.1f%%  %-16s %s",
                            one.path("nanosPerMessage").asDouble(),
                            one.path("candidateRatio").asDouble() * 100,
                            one.path("matchRatio").asDouble() * 100,
                            cut(one.path("topic").asText(), 16),
                            one.path("selector").asText()));
        }
        if (selectors.isEmpty()) {
            line(none + " measured yet; selectors are measured while messages come");
        }
    }

    private void end(int found) {
        if (found == 0) {
            line(none);
        }
    }

    private void line(String whole) {
        text.append(cut(whole, COLUMNS)).append('\n');
    }

    private static String cut(String value, int length) {
        String plain = Printable.line(value);
        return plain.length() <= length ? plain : plain.substring(0, length - 1) + "…";
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
