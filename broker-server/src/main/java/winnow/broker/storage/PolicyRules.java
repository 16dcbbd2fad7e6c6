package winnow.broker.storage;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import winnow.broker.config.NamePattern;
import winnow.broker.shard.Policy;

/// Rules for some queues, and for the stored subscriptions of some topics, as in
/// `orders-*=max-messages:1000;overflow:drop-oldest,audit=time-to-live:60s`: names in which `*`
/// stands for any text. The first that fits decides; what it does not say is as for all. Immutable.
public record PolicyRules(List<Rule> rules) {
    public static final PolicyRules NONE = new PolicyRules(List.of());

    private static final String EXPECTED =
            "expected NAME=PART:VALUE;PART:VALUE, rules joined by commas, found '";

    /// @param destination name, with `*` for any text
    public record Rule(NamePattern destination, List<Value> values) {
        public Rule {
            values = List.copyOf(values);
        }

        @Override
        public String toString() {
            return destination.name()
                    + "="
                    + values.stream().map(Value::toString).collect(Collectors.joining(";"));
        }
    }

    /// Value that a rule gives.
    ///
    /// @param part what it is about
    public record Value(String part, String text) {
        Policy applyTo(Policy policy) {
            return PolicyPart.of(part).apply(policy, text);
        }

        @Override
        public String toString() {
            return part + ":" + text;
        }
    }

    public PolicyRules {
        rules = List.copyOf(rules);
    }

    /// @throws IllegalArgumentException saying what was expected and what was found
    public static PolicyRules parse(String text) {
        List<Rule> rules = new ArrayList<>();
        for (String rule : text.isBlank() ? new String[0] : text.split(",", -1)) {
            rules.add(rule(rule.strip()));
        }
        return new PolicyRules(rules);
    }

    private static Rule rule(String text) {
        int equals = text.lastIndexOf('=');
        if (equals <= 0) {
            throw new IllegalArgumentException(EXPECTED + text + "'");
        }
        String name = text.substring(0, equals).strip();
        List<Value> values = new ArrayList<>();
        for (String part : text.substring(equals + 1).split(";", -1)) {
            int colon = part.indexOf(':');
            if (colon < 0) {
                throw new IllegalArgumentException(EXPECTED + text + "'");
            }
            Value value =
                    new Value(part.substring(0, colon).strip(), part.substring(colon + 1).strip());
            check(name, value);
            values.add(value);
        }
        return new Rule(new NamePattern(name), values);
    }

    private static void check(String name, Value value) {
        try {
            value.applyTo(Policy.DEFAULTS);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(name + ": " + e.getMessage(), e);
        }
    }

    /// The policy of a destination.
    ///
    /// @param otherwise the policy where no rule says anything
    Policy policyOf(String destination, Policy otherwise) {
        for (Rule rule : rules) {
            if (rule.destination().fits(destination)) {
                Policy policy = otherwise;
                for (Value value : rule.values()) {
                    policy = value.applyTo(policy);
                }
                return policy;
            }
        }
        return otherwise;
    }

    @Override
    public String toString() {
        return rules.stream().map(Rule::toString).collect(Collectors.joining(","));
    }
}
