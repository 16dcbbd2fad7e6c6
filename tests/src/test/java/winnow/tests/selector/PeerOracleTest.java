package winnow.tests.selector;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import winnow.selector.engine.RandomSelectors;
import winnow.selector.engine.Selector;
import winnow.selector.explain.Evaluation;
import winnow.selector.expression.And;
import winnow.selector.expression.Atom;
import winnow.selector.expression.Between;
import winnow.selector.expression.Comparison;
import winnow.selector.expression.Condition;
import winnow.selector.expression.ExpressionPrinter;
import winnow.selector.expression.Not;
import winnow.selector.expression.Or;
import winnow.selector.expression.Truth;

/// The selector evaluators of Artemis, ActiveMQ Classic and Qpid Broker-J as a second oracle: each
/// difference to ours is what the peer's own rules give ([PeerRules]) where the specification's
/// give our answer, and has a name; each named difference occurs. Every run asks something else;
/// its seed is printed, and `-Dwinnow.selector.seed=N` repeats it. `-Dwinnow.selector.volume=40`
/// asks more.
class PeerOracleTest {

    private static final int SELECTORS = 8_000 * Integer.getInteger("winnow.selector.volume", 1);
    private static final int MESSAGES = 10;
    private static final long SEED = Long.getLong("winnow.selector.seed", System.nanoTime());
    private static final List<Peer<?>> PEERS =
            List.of(new ArtemisExpressionPeer(), new ClassicPeer(), new QpidPeer());

    private final RandomSelectors random = new RandomSelectors(SEED);

    /// How often each known difference, or an unknown one, was met.
    private final Map<String, Integer> met = new TreeMap<>();

    private final List<String> unexplained = new ArrayList<>();
    private int agreements;

    @Test
    void shouldDifferFromPeersOnlyForKnownReasons() {
        System.out.println("PeerOracleTest: -Dwinnow.selector.seed=" + SEED);
        compareWhatIsSeldomMet();
        for (int i = 0; i < SELECTORS; i++) {
            // given
            Condition condition = random.condition(i % 3);
            if (ExpressionPrinter.print(condition).contains("JMS")) {
                continue;
            }
            List<Map<String, Object>> messages = messages();

            // when
            for (Peer<?> peer : PEERS) {
                compare(peer, condition, messages);
            }
        }

        // then
        met.forEach((name, count) -> System.out.printf("%,9d %s%n", count, name));
        System.out.printf("%,9d agreements%n", agreements);
        assertThat(unexplained).as("differences without a reason, seed %d", SEED).isEmpty();
        assertThat(met.keySet())
                .as("known differences that were met, seed %d", SEED)
                .containsAll(KnownDifference.names());
        assertThat(agreements).isGreaterThan(SELECTORS * MESSAGES);
    }

    private void compareWhatIsSeldomMet() {
        // 16,777,217 is no float.
        compareAll("n + x <> 16777217.0", Map.of("n", 16_777_216f, "x", 1L));
        // Infinity minus infinity is NaN.
        compareAll("x - x NOT BETWEEN 1.0 AND 2.0", Map.of("x", Double.POSITIVE_INFINITY));
    }

    private void compareAll(String selector, Map<String, Object> message) {
        Condition condition = Selector.parse(selector).expression();
        for (Peer<?> peer : PEERS) {
            compare(peer, condition, List.of(new HashMap<>(message)));
        }
    }

    private List<Map<String, Object>> messages() {
        List<Map<String, Object>> messages = new ArrayList<>();
        for (int i = 0; i < MESSAGES; i++) {
            Map<String, Object> message = random.message();
            message.keySet().removeIf(name -> name.startsWith("JMS"));
            message.values().removeIf(value -> value instanceof byte[]);
            messages.add(message);
        }
        return messages;
    }

    private <M> void compare(
            Peer<M> peer, Condition condition, List<Map<String, Object>> messages) {
        Map<Condition, PeerSelector<M>> leaves = new LinkedHashMap<>();
        for (Condition leaf : leavesOf(condition)) {
            PeerSelector<M> parsed = parse(peer, ExpressionPrinter.print(leaf));
            if (parsed == null) {
                return;
            }
            leaves.put(leaf, parsed);
        }
        PeerSelector<M> whole = parse(peer, ExpressionPrinter.print(condition));
        if (whole == null) {
            return;
        }
        for (Map<String, Object> message : messages) {
            M theirMessage = peer.message(message);
            Map<Condition, Truth> theirs = new HashMap<>();
            boolean failed = false;
            for (Map.Entry<Condition, PeerSelector<M>> leaf : leaves.entrySet()) {
                Truth their = leaf.getValue().ask(theirMessage);
                theirs.put(leaf.getKey(), their);
                failed |= leaf.getValue().failed();
                explain(peer, leaf.getKey(), message, their, leaf.getValue().failed());
            }
            compose(peer, condition, message, theirs, failed, whole.ask(theirMessage));
        }
        M first = peer.message(messages.getFirst());
        leaves.forEach((leaf, parsed) -> withoutParentheses(peer, leaf, first, parsed.ask(first)));
    }

    private <M> @Nullable PeerSelector<M> parse(Peer<M> peer, String text) {
        PeerSelector<M> parsed = PeerSelector.of(peer, text);
        if (parsed == null) {
            report(KnownDifference.ofRefusal(text), () -> peer.name() + " refuses " + text);
        }
        return parsed;
    }

    private void explain(
            Peer<?> peer,
            Condition leaf,
            Map<String, Object> message,
            Truth theirs,
            boolean failed) {
        Truth ours = Evaluation.of(leaf, message).truth();
        if (ours == theirs) {
            agreements++;
            return;
        }
        var disagreement = new Disagreement(peer.name(), leaf, message, ours, theirs, failed);
        report(KnownDifference.of(disagreement), disagreement::toString);
    }

    /// `NOT a = b`: the same as `NOT (a = b)` to us.
    private <M> void withoutParentheses(
            Peer<M> peer, Condition leaf, M theirMessage, Truth inParentheses) {
        if (!(leaf instanceof Not(Atom atom))
                || !(atom instanceof Comparison || atom instanceof Between)) {
            return;
        }
        String text = "NOT " + ExpressionPrinter.print(atom);
        assertThat(Selector.parse(text).expression()).isEqualTo(leaf);
        PeerSelector<M> bare = PeerSelector.of(peer, text);
        if (bare == null || bare.ask(theirMessage) != inParentheses) {
            report(
                    peer instanceof QpidPeer ? null : KnownDifference.NOT_BINDS_TIGHTER,
                    () -> peer.name() + " " + text);
        }
    }

    /// Puts the peer's truth values of the leaves together by the tables of the specification.
    private void compose(
            Peer<?> peer,
            Condition condition,
            Map<String, Object> message,
            Map<Condition, Truth> theirs,
            boolean failed,
            Truth whole) {
        Truth expected = composed(condition, theirs);
        if (expected == whole) {
            agreements++;
            return;
        }
        boolean byTheRules =
                PeerRules.of(peer.name()).composed(condition, message, theirs) == whole;
        String known =
                !byTheRules
                        ? null
                        : failed
                                ? KnownDifference.ERROR_ENDS_ALL
                                : KnownDifference.UNKNOWN_IN_AND_OR;
        report(known, () -> peer.name() + " " + condition + " of " + theirs + ": " + whole);
    }

    private void report(@Nullable String known, Supplier<String> what) {
        if (known == null) {
            unexplained.add(what.get());
        } else {
            met.merge(known, 1, Integer::sum);
        }
    }

    private static Set<Condition> leavesOf(Condition condition) {
        Set<Condition> leaves = new LinkedHashSet<>();
        collect(condition, leaves);
        return leaves;
    }

    private static void collect(Condition condition, Set<Condition> leaves) {
        switch (condition) {
            case And(List<Condition> operands) -> operands.forEach(o -> collect(o, leaves));
            case Or(List<Condition> operands) -> operands.forEach(o -> collect(o, leaves));
            case Not(Atom _) -> leaves.add(condition);
            case Not(Condition operand) -> collect(operand, leaves);
            case Atom atom -> leaves.add(atom);
        }
    }

    private static Truth composed(Condition condition, Map<Condition, Truth> leaves) {
        return switch (condition) {
            case And(List<Condition> operands) ->
                    operands.stream().map(o -> composed(o, leaves)).reduce(Truth.TRUE, Truth::and);
            case Or(List<Condition> operands) ->
                    operands.stream().map(o -> composed(o, leaves)).reduce(Truth.FALSE, Truth::or);
            case Not(Atom _) -> requireNonNull(leaves.get(condition));
            case Not(Condition operand) -> composed(operand, leaves).not();
            case Atom atom -> requireNonNull(leaves.get(atom));
        };
    }
}
