package winnow.broker.destination;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import winnow.broker.config.ConfigReader;
import winnow.broker.config.NamePattern;

/// Topics and what is done about their slow consumers, as in
/// `prices-*=drop-oldest:0s,orders=disconnect:30s`: names in which `*` stands for any text. The
/// first that fits decides; where none does, what waits goes to the disk. Immutable.
public record SlowConsumerRules(List<Rule> rules) {
    public static final SlowConsumerRules NONE = new SlowConsumerRules(List.of());

    private static final String EXPECTED =
            "expected TOPIC=spill, TOPIC=block, TOPIC=drop-oldest:TIME or TOPIC=disconnect:TIME,"
                    + " joined by commas, found '";

    /// @param topic name, with `*` for any text
    public record Rule(NamePattern topic, SlowConsumerPolicy policy) {}

    public SlowConsumerRules {
        rules = List.copyOf(rules);
    }

    /// @throws IllegalArgumentException saying what was expected and what was found
    public static SlowConsumerRules parse(String text) {
        List<Rule> rules = new ArrayList<>();
        for (String rule : text.isBlank() ? new String[0] : text.split(",", -1)) {
            rules.add(rule(rule.strip()));
        }
        return new SlowConsumerRules(rules);
    }

    private static Rule rule(String text) {
        int equals = text.lastIndexOf('=');
        if (equals <= 0) {
            throw new IllegalArgumentException(EXPECTED + text + "'");
        }
        String policy = text.substring(equals + 1).strip();
        return new Rule(new NamePattern(text.substring(0, equals).strip()), policy(policy, text));
    }

    private static SlowConsumerPolicy policy(String policy, String text) {
        int colon = policy.indexOf(':');
        String action = colon < 0 ? policy : policy.substring(0, colon);
        for (SlowConsumerPolicy.Action one : SlowConsumerPolicy.Action.values()) {
            if (word(one).equalsIgnoreCase(action) && one.timed() == colon >= 0) {
                return new SlowConsumerPolicy(
                        one,
                        one.timed()
                                ? ConfigReader.parseDuration(policy.substring(colon + 1))
                                : Duration.ZERO);
            }
        }
        throw new IllegalArgumentException(EXPECTED + text + "'");
    }

    private static String word(SlowConsumerPolicy.Action action) {
        return action.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    public SlowConsumerPolicy policyOf(String topic) {
        for (Rule rule : rules) {
            if (rule.topic().fits(topic)) {
                return rule.policy();
            }
        }
        return SlowConsumerPolicy.SPILL;
    }

    @Override
    public String toString() {
        return rules.stream()
                .map(rule -> rule.topic().name() + "=" + text(rule.policy()))
                .collect(Collectors.joining(","));
    }

    private static String text(SlowConsumerPolicy policy) {
        String word = word(policy.action());
        return policy.action().timed() ? word + ":" + ConfigReader.text(policy.after()) : word;
    }
}
