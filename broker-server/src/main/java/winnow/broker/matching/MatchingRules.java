package winnow.broker.matching;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import winnow.broker.config.NamePattern;

/// Topics that are matched otherwise than [winnow.broker.destination.DestinationConfig#matching]
/// says, as in `bench-*=linear,audit=linear`: names in which `*` stands for any text. The first
/// that fits decides. Immutable.
public record MatchingRules(List<Rule> rules) {
    public static final MatchingRules NONE = new MatchingRules(List.of());

    /// @param topic name, with `*` for any text
    public record Rule(NamePattern topic, MatchingMode mode) {}

    public MatchingRules {
        rules = List.copyOf(rules);
    }

    /// @throws IllegalArgumentException saying what was expected and what was found
    public static MatchingRules parse(String text) {
        List<Rule> rules = new ArrayList<>();
        for (String rule : text.isBlank() ? new String[0] : text.split(",", -1)) {
            rules.add(rule(rule.strip()));
        }
        return new MatchingRules(rules);
    }

    private static Rule rule(String text) {
        int equals = text.lastIndexOf('=');
        String mode = text.substring(equals + 1).strip();
        for (MatchingMode one : MatchingMode.values()) {
            if (equals > 0 && one.name().equalsIgnoreCase(mode)) {
                return new Rule(new NamePattern(text.substring(0, equals).strip()), one);
            }
        }
        throw new IllegalArgumentException(
                "expected TOPIC=indexed or TOPIC=linear, joined by commas, found '" + text + "'");
    }

    public MatchingMode modeOf(String topic, MatchingMode otherwise) {
        for (Rule rule : rules) {
            if (rule.topic().fits(topic)) {
                return rule.mode();
            }
        }
        return otherwise;
    }

    @Override
    public String toString() {
        return rules.stream()
                .map(rule ->
                        rule.topic().name() + "=" + rule.mode().name().toLowerCase(Locale.ROOT))
                .collect(Collectors.joining(","));
    }
}
