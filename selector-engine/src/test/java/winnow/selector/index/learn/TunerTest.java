package winnow.selector.index.learn;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import winnow.selector.engine.Selector;
import winnow.selector.explain.MessageValues;
import winnow.selector.index.MatchScratch;
import winnow.selector.index.SelectorIndex;
import winnow.selector.index.api.SelectorReport;
import winnow.selector.index.api.SubscriberHandle;
import winnow.selector.slot.SlotValues;

class TunerTest {

    private static final int MESSAGES = 1_000;

    private final SelectorIndex<String> index = new SelectorIndex<>(1);
    private final MatchScratch matching = new MatchScratch();
    private final SlotValues values = new SlotValues(1);

    private SubscriberHandle<String> add(String selector) {
        return index.add(Selector.parse(selector), selector);
    }

    private List<String> match(Map<String, ?> message) {
        MessageValues.set(values, index.slots(), message);
        List<String> matches = new ArrayList<>();
        index.match(values, matching, matches::add);
        return matches;
    }

    /// Regions and prices are few, symbols many.
    private void matchMany() {
        for (int i = 0; i < MESSAGES; i++) {
            match(Map.of("region", "EU", "symbol", "s" + i % 100, "price", i % 7));
            index.tune(10);
        }
    }

    private List<String> keys(SubscriberHandle<String> entry) {
        return index.report(entry).keys().stream().map(SelectorReport.Key::text).toList();
    }

    /// Of two constants the one whose slot has more is taken to be the rarer.
    private void addManyRegions() {
        for (int i = 0; i < 50; i++) {
            add("region = 'r" + i + "'");
        }
    }

    @Test
    void shouldMoveToKeysThatFewerMessagesHave() {
        // given
        addManyRegions();
        SubscriberHandle<String> entry = add("region = 'EU' AND symbol = 's7'");
        List<String> before = keys(entry);

        // when
        matchMany();

        // then
        assertThat(before).containsExactly("region = 'EU'");
        assertThat(keys(entry)).containsExactly("symbol = 's7'");
        assertThat(index.moves()).isOne();
        assertThat(match(Map.of("region", "EU", "symbol", "s7"))).hasSize(1);
        assertThat(match(Map.of("region", "US", "symbol", "s7"))).isEmpty();
        long candidates = matching.candidates();
        match(Map.of("region", "EU", "symbol", "s8"));
        assertThat(matching.candidates()).isEqualTo(candidates);
    }

    @Test
    void shouldSoonFindTheOneOfManyThatMessagesLeadTo() {
        // given
        addManyRegions();
        for (int i = 0; i < 2_000; i++) {
            add("id = 'i" + i + "' AND price > 1");
            match(Map.of("id", "i" + i, "price", 2));
            index.tune(10);
        }
        SubscriberHandle<String> entry = add("region = 'EU' AND symbol = 's7'");

        // when
        for (int i = 0; i < 200; i++) {
            match(Map.of("region", "EU", "symbol", "s" + i % 100));
            index.tune(10);
        }

        // then
        assertThat(keys(entry)).containsExactly("symbol = 's7'");
    }

    @Test
    void shouldForgetASelectorThatMoved() {
        // given
        addManyRegions();
        SubscriberHandle<String> entry =
                add("region = 'EU' AND (symbol = 's7' OR symbol IN ('s8', 's9'))");
        int terms = index.terms();
        matchMany();

        // when
        index.remove(entry);

        // then
        assertThat(index.moves()).isOne();
        assertThat(index.terms()).isLessThan(terms);
        assertThat(match(Map.of("region", "EU", "symbol", "s7"))).isEmpty();
        assertThat(index.costliest(10)).isEmpty();
    }

    @Test
    void shouldStayWithKeysThatAreNotMuchWorse() {
        // given
        addManyRegions();
        SubscriberHandle<String> entry = add("price < 3 AND region = 'EU'");
        List<String> before = keys(entry);

        // when
        matchMany();

        // then
        assertThat(keys(entry)).isEqualTo(before);
        assertThat(index.moves()).isZero();
    }

    @Test
    void shouldMoveToARangeOnlyIfThatIsWorthTheSearch() {
        // given
        addManyRegions();
        SubscriberHandle<String> ofAll = add("region = 'EU' AND price BETWEEN 70 AND 71");
        SubscriberHandle<String> ofSome = add("region = 'US' AND price BETWEEN 80 AND 81");

        // when
        for (int i = 0; i < MESSAGES; i++) {
            match(Map.of("region", i % 5 == 0 ? "US" : "EU", "price", i % 100));
            index.tune(10);
        }

        // then
        assertThat(keys(ofAll)).doesNotContain("region = 'EU'");
        assertThat(keys(ofSome)).containsExactly("region = 'US'");
    }

    @Test
    void shouldChooseTheFirstKeysByWhatWasObserved() {
        // given
        addManyRegions();
        add("symbol = 's1'");
        add("region = 'EU'");
        matchMany();

        // when
        SubscriberHandle<String> entry = add("region = 'EU' AND symbol = 's7'");

        // then
        assertThat(keys(entry)).containsExactly("symbol = 's7'");
    }

    @Test
    void shouldReportWhatWasObserved() {
        // given
        SubscriberHandle<String> entry = add("symbol LIKE 's%' AND region = 'EU' AND price = 3");
        index.report(entry);

        // when
        matchMany();
        SelectorReport report = index.report(entry);

        // then
        SelectorReport.Observed observed = report.observed();
        assertThat(observed.sampledMessages()).isBetween(900L, (long) MESSAGES);
        assertThat(observed.candidates()).isEqualTo(observed.evaluations());
        assertThat((double) observed.matches() / observed.sampledMessages()).isBetween(0.13, 0.15);
        assertThat(observed.nanosPerMessage()).isPositive();
        assertThat(observed.measured()).isTrue();
        assertThat(report.keys())
                .allSatisfy(key -> assertThat(key.hitRate()).isBetween(0.12, 0.16));
        assertThat(report.rejected())
                .extracting(SelectorReport.Rejected::hitRate)
                .containsExactlyInAnyOrder(1.0, 1.0);
        assertThat(report.rejected()).allMatch(part -> part.sampledMessages() > 0);
        assertThat(report.formula().operands())
                .allSatisfy(operand -> assertThat(operand.nanos()).isNotNull())
                .filteredOn(operand -> operand.text().equals("region = 'EU'"))
                .extracting(SelectorReport.Component::passRate)
                .containsExactly(1.0);
    }

    @Test
    void shouldReportThatNoMessageLedToASelector() {
        // given
        SubscriberHandle<String> early = add("symbol = 'none'");
        matchMany();
        SubscriberHandle<String> late = add("symbol = 'neither'");
        for (int i = 0; i < 10; i++) {
            match(Map.of("region", "EU", "symbol", "s1", "price", 1));
        }

        // when
        SelectorReport.Observed ofEarly = index.report(early).observed();
        SelectorReport.Observed ofLate = index.report(late).observed();

        // then
        assertThat(ofEarly.sampledMessages()).isEqualTo(MESSAGES + 10);
        assertThat(ofLate.sampledMessages()).isEqualTo(10);
        assertThat(List.of(ofEarly, ofLate))
                .allMatch(one -> one.candidates() == 0 && one.matches() == 0);
    }

    @Test
    void shouldNotReportThatNoMessageLedToOneOfMoreSelectorsThanAreSighted() {
        // given
        List<SubscriberHandle<String>> entries = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            entries.add(add("region = 'EU' AND price > " + -i));
        }

        // when
        for (int i = 0; i < 10; i++) {
            match(Map.of("region", "EU", "price", 1));
        }

        // then
        assertThat(entries)
                .allMatch(entry -> index.report(entry).observed().sampledMessages() == 0);
    }

    @Test
    void shouldReportWhichSelectorsAreNotObserved() {
        // given more selectors that messages lead to than are observed
        List<SubscriberHandle<String>> entries = new ArrayList<>();
        for (int i = 0; i <= Tuner.MAX_OBSERVED; i++) {
            entries.add(add("symbol = 's" + i + "'"));
        }

        // when
        match(Map.of("symbol", "none"));
        entries.forEach(index::report);

        // then
        assertThat(index.report(entries.getFirst()).sampling())
                .isEqualTo(new SelectorReport.Sampling(1, true, Tuner.MAX_OBSERVED));
        assertThat(index.report(entries.getLast()).sampling())
                .isEqualTo(new SelectorReport.Sampling(1, false, Tuner.MAX_OBSERVED));
        assertThat(index.report(entries.getLast()).observed().sampledMessages()).isZero();
    }

    @Test
    void shouldNotReportThatNoMessageLedToASelectorThatWasJustSighted() {
        // given
        SubscriberHandle<String> entry = add("symbol = 's1'");
        match(Map.of("symbol", "s1"));

        // then
        assertThat(index.report(entry).observed().sampledMessages()).isZero();
    }

    @Test
    void shouldReportTheRateOfASingleKeyWithoutBeingAskedBefore() {
        // given
        SubscriberHandle<String> entry = add("symbol = 's7'");

        // when
        matchMany();

        // then
        SelectorReport report = index.report(entry);
        assertThat(report.keys())
                .allSatisfy(key -> assertThat(key.hitRate()).isBetween(0.009, 0.012));
        assertThat(report.observed().nanosPerMessage()).isPositive();
        assertThat(report.observed().measured()).isFalse();
    }

    @Test
    void shouldReportTheRateOfASingleKeyOverTheMessagesThatItsSelectorWasObservedIn() {
        // given a key that was counted while no message had it
        SubscriberHandle<String> entry = add("symbol = 's7'");
        index.report(entry);
        for (int i = 0; i < 2 * MESSAGES; i++) {
            match(Map.of("region", "EU"));
            index.tune(10);
        }

        // when
        match(Map.of("symbol", "s7"));
        SelectorReport report = index.report(entry);

        // then
        assertThat(report.observed().candidates()).isOne();
        assertThat(report.keys())
                .allSatisfy(key -> assertThat(key.hitRate()).isEqualTo(1.0 / key.sampledMessages()))
                .allMatch(key -> key.sampledMessages() == report.observed().sampledMessages());
    }

    @Test
    void shouldTestFirstWhatRejects() {
        // given
        SubscriberHandle<String> entry =
                add("(a > 0 OR symbol LIKE 's%') AND (b > 0 OR symbol LIKE 't%')");

        // when
        matchMany();
        List<SelectorReport.Component> operands = index.report(entry).formula().operands();

        // then
        assertThat(operands.getFirst().text()).isEqualTo("b > 0 OR symbol LIKE 't%'");
    }

    @Test
    void shouldNameTheCostliest() {
        // given
        add("region = 'EU'");
        add("region = 'US'");
        add("symbol = 's7' AND price = 3");
        String costly = "region IN ('EU', 'UK') AND price <> 5 AND NOT (price > 4)";
        add(costly);

        // when
        matchMany();

        // then
        List<SelectorReport> costliest = index.costliest(2);
        assertThat(costliest)
                .extracting(report -> Selector.parse(report.selector()).expression())
                .hasSize(2);
        assertThat(costliest.getFirst().selector()).contains("price <> 5");
        assertThat(costliest.getLast().selector()).isEqualTo("region = 'EU'");
        assertThat(index.costliest(10)).hasSize(3);
    }

    @Test
    void shouldChargeAScannedSelectorThatNothingLeadsTo() {
        // given
        SubscriberHandle<String> scanned = add("region <> 'EU'");
        add("region = 'US'");

        // when
        matchMany();

        // then
        List<SelectorReport> costliest = index.costliest(10);
        assertThat(costliest).hasSize(1);
        assertThat(costliest.getFirst().selector()).isEqualTo("region <> 'EU'");
        SelectorReport.Observed observed = index.report(scanned).observed();
        assertThat(observed).isNotNull();
        assertThat(observed.sampledMessages()).isPositive();
        assertThat(observed.candidates()).isZero();
        assertThat(observed.nanosPerMessage()).isPositive();
    }

    /// The message that comes next has no place for the names that were counted.
    @Test
    void shouldNotCountWhatHasGoneMeanwhile() {
        // given
        List<SubscriberHandle<String>> entries = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            entries.add(add("n" + i + " > 5 AND m = 'x'"));
        }
        match(Map.of("m", "x"));
        entries.forEach(index::report);
        index.tune(64);
        entries.forEach(index::remove);
        index.add(Selector.parse("m = 'x'"), "other");

        // when
        List<String> matches = new ArrayList<>();
        SlotValues fresh = new SlotValues(1);
        for (int i = 0; i < 10; i++) {
            MessageValues.set(fresh, index.slots(), Map.of("m", "x"));
            index.match(fresh, new MatchScratch(), matches::add);
        }

        // then
        assertThat(matches).hasSize(10).containsOnly("other");
    }
}
