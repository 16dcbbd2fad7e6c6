package winnow.broker;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import winnow.selector.engine.Matcher;
import winnow.selector.engine.Selector;
import winnow.selector.explain.MessageValues;
import winnow.selector.index.Addition;
import winnow.selector.index.MatchScratch;
import winnow.selector.index.SelectorIndex;
import winnow.selector.index.api.SubscriberHandle;
import winnow.selector.slot.SlotValues;

/// Uses selectors of all kinds, without clients, in the run of the broker that makes the start-up
/// archive, so that the first subscriber with a selector waits less (docs/benchmarks.md).
final class SelectorRehearsal {
    private static final int OF_EACH = 4;
    private static final int MESSAGES = 64;
    private static final int TERMS_PER_STEP = 32;
    private static final int SELECTORS_PER_TUNING = 16;

    /// `#` stands for a number that differs in each.
    private static final List<String> KINDS =
            List.of(
                    "region = 'r#'",
                    "region = 'r#' AND price BETWEEN # AND 90",
                    "region IN ('r1', 'r#', 'r9') AND size > #",
                    "region NOT IN ('r1', 'r#') AND active",
                    "name LIKE 'n#%' OR name LIKE '%#' OR price < #",
                    "name LIKE '%ame#%' AND name NOT LIKE 'x_#%z'",
                    "NOT (price > #) AND region <> 'r3'",
                    "price NOT BETWEEN # AND 9# OR size = #",
                    "missing IS NULL AND size IS NOT NULL AND price <> #",
                    "price * 2 + size / 3 > # AND region = 'r2'",
                    "size > # AND size < 8# AND -price <= #.5 AND active = TRUE",
                    "JMSPriority >= # AND JMSType = 't#' OR JMSCorrelationID = 'c#'");

    private final SelectorIndex<Integer> index = new SelectorIndex<>();
    private final SlotValues values = new SlotValues(1);
    private final MatchScratch scratch = new MatchScratch();
    private int told;

    /// Numbers of matches, which must be equal.
    record Matches(int byIndex, int oneByOne) {}

    private SelectorRehearsal() {}

    static Matches run() {
        SelectorRehearsal rehearsal = new SelectorRehearsal();
        List<Selector> selectors = selectors();
        return new Matches(rehearsal.findByIndex(selectors), rehearsal.testOneByOne(selectors));
    }

    private int findByIndex(List<Selector> selectors) {
        List<SubscriberHandle<Integer>> entries = new ArrayList<>();
        for (Selector selector : selectors) {
            entries.add(added(selector, entries.size()));
        }
        for (int i = 0; i < MESSAGES; i++) {
            MessageValues.set(values, index.slots(), message(i));
            for (boolean ended = index.begin(values, scratch, _ -> told++); !ended; ) {
                ended = scratch.resume();
            }
            if (index.startTuning()) {
                index.tuneSome(SELECTORS_PER_TUNING);
            }
        }
        index.costliest(1);
        for (SubscriberHandle<Integer> entry : entries) {
            index.report(entry);
            index.detach(entry);
            while (index.tidy(TERMS_PER_STEP)) {
                // Goes on.
            }
        }
        return told;
    }

    private static List<Selector> selectors() {
        List<Selector> selectors = new ArrayList<>();
        for (String kind : KINDS) {
            for (int i = 1; i <= OF_EACH; i++) {
                selectors.add(Selector.parse(kind.replace("#", String.valueOf(i))));
            }
        }
        return selectors;
    }

    private SubscriberHandle<Integer> added(Selector selector, int subscriber) {
        Addition<Integer> addition = index.adding(selector.canonical(), subscriber);
        while (addition.step(TERMS_PER_STEP)) {
            // Goes on.
        }
        return addition.entry();
    }

    private static Map<String, Object> message(int i) {
        return Map.of(
                "region", "r" + i % 6,
                "price", i,
                "size", i % 50 + 0.5,
                "name", "name" + i % 7,
                "active", i % 2 == 0,
                "JMSPriority", i % 10,
                "JMSType", "t" + i % 4);
    }

    private int testOneByOne(List<Selector> selectors) {
        int matches = 0;
        List<Matcher> matchers = selectors.stream().map(one -> one.bind(index.slots())).toList();
        for (int i = 0; i < MESSAGES; i++) {
            MessageValues.set(values, index.slots(), message(i));
            values.lookUpStrings();
            for (Matcher matcher : matchers) {
                matches += matcher.matches(values) ? 1 : 0;
            }
            matchers.forEach(Matcher::tune);
        }
        matchers.forEach(Matcher::release);
        return matches;
    }
}
