package winnow.selector.index.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import winnow.selector.engine.Selector;
import winnow.selector.index.SelectorIndex;
import winnow.selector.index.api.KeyKind;
import winnow.selector.index.api.SelectorReport;
import winnow.selector.index.api.SubscriberHandle;

class SelectorReportTest {

    private final SelectorIndex<String> index = new SelectorIndex<>(1);

    private SubscriberHandle<String> add(String selector) {
        return index.add(Selector.parse(selector), selector);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a = 'it''s'",
                "JMSPriority > 4",
                "a < 5",
                "a <= 5",
                "a >= -9223372036854775808",
                "a < -9223372036854775808",
                "a > 9223372036854775807",
                "a = 5",
                "a = 5.5",
                "a = 0.1f",
                "a > 0.1f",
                "a < 1.0E300",
                "a <= 9007199254740993",
                "a < -1.7976931348623157E308",
                "a > 1.7976931348623155E308",
                "a BETWEEN 1 AND 2.5",
                "NOT (a BETWEEN 1 AND 2)",
                "NOT (a > 2)",
                "a IN ('x', 'y')",
                "a NOT IN ('x', 'y')",
                "a LIKE 'x%'",
                "a LIKE '%x%y'",
                "a IS NULL",
                "a <> 5",
                "a = b",
                "NOT a",
                "(a = 1 OR b = 'x') AND c > 3",
                "a = 1 AND b = 'x' OR c > 3"
            })
    void shouldSayTheSelectorAgain(String selector) {
        // given
        SubscriberHandle<String> entry = add(selector);

        // when
        String said = index.report(entry).selector();

        // then
        assertThat(said).isEqualTo(selector);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a >= 1.7976931348623157E308", "a > 9.2233720368547758E18", "a < 1f"})
    void shouldSayAnIdenticalSelector(String selector) {
        // given
        SubscriberHandle<String> entry = add(selector);

        // when
        add(index.report(entry).selector());

        // then
        assertThat(index.selectors()).isOne();
    }

    @Test
    void shouldGiveIdenticalSelectorsOneText() {
        // given
        SubscriberHandle<String> one = add("b = 'x' AND 3 < c AND (e OR d = 'y')");
        SubscriberHandle<String> other = add("(d = 'y' OR e) AND c > 3.0 AND b IN ('x')");

        // then
        assertThat(index.report(one)).isEqualTo(index.report(other));
        assertThat(index.report(one).subscriptions()).isEqualTo(2);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '~',
            textBlock =
                    """
                    TRUE ; EVERYTHING ;
                    FALSE                            ; NOTHING    ;
                    a = 'x'                          ; EXACT      ; EQUALITY a = 'x'
                    a IN ('x', 'y') ; EXACT ; EQUALITY a = 'x', EQUALITY a = 'y'
                    a > 1                            ; EXACT      ; RANGE a > 1
                    NOT (a > 1) ; SCANNED ; RANGE a <= 1, SCAN a is present, but not a number
                    a > 1 AND b LIKE 'yyy%'          ; RESIDUAL   ; PREFIX b LIKE 'yyy%'
                    a <> 'x'                         ; SCANNED    ; SCAN a <> 'x'
                    a IS NULL                        ; EXACT      ; MISSING a IS NULL
                    """)
    void shouldTellAccess(String selector, SelectorReport.Access access, String keys) {
        // given
        add("b LIKE 'z%'");
        SubscriberHandle<String> entry = add(selector);

        // when
        SelectorReport report = index.report(entry);

        // then
        assertThat(report.access()).isEqualTo(access);
        String found =
                String.join(
                        ", ",
                        report.keys().stream().map(key -> key.kind() + " " + key.text()).toList());
        assertThat(found).isEqualTo(keys == null ? "" : keys);
    }

    @Test
    void shouldTellWhatWasRejectedAndWhatIsTested() {
        // given
        for (int i = 0; i < 100; i++) {
            add("symbol = 's" + i + "'");
        }
        SubscriberHandle<String> entry =
                add("region = 'EU' AND symbol = 's1' AND (price > 5 OR note <> 'x')");

        // when
        SelectorReport report = index.report(entry);

        // then
        assertThat(report.keys())
                .containsExactly(
                        new SelectorReport.Key(
                                KeyKind.EQUALITY, "symbol = 's1'", null, 0, 2, List.of()));
        assertThat(report.rejected())
                .extracting(SelectorReport.Rejected::text)
                .containsExactlyInAnyOrder("region = 'EU'", "note <> 'x' OR price > 5");
        assertThat(report.formula().operands())
                .extracting(SelectorReport.Component::text)
                .containsExactlyInAnyOrder(
                        "region = 'EU'", "symbol = 's1'", "note <> 'x' OR price > 5");
        assertThat(report.observed().sampledMessages()).isZero();
    }

    @Test
    void shouldTellWhatAChoiceWithoutMessagesIsBasedOn() {
        // given
        SubscriberHandle<String> entry =
                add("region = 'EU' AND price BETWEEN 1 AND 5 AND note <> 'x'");

        // when
        SelectorReport report = index.report(entry);

        // then
        assertThat(report.rejected())
                .extracting(SelectorReport.Rejected::text, SelectorReport.Rejected::reason)
                .containsExactlyInAnyOrder(
                        tuple(
                                "region = 'EU'",
                                "not counted yet, assumed to be as common as price BETWEEN 1 AND 5"
                                        + " or more, because selectors compare region with only 1"
                                        + " string"),
                        tuple(
                                "note <> 'x'",
                                "no value finds it, it would be tested for each message"));
    }

    @Test
    void shouldTellThatAKeyWasChosenBeforeOtherSelectorsCame() {
        // given
        SubscriberHandle<String> entry = add("region = 'EU' AND price BETWEEN 1 AND 5");
        for (int i = 0; i < 100; i++) {
            add("region = 'r" + i + "'");
        }

        // when
        SelectorReport report = index.report(entry);

        // then
        assertThat(report.rejected())
                .extracting(SelectorReport.Rejected::reason)
                .containsExactly(
                        "not counted yet, and its estimate was worse when the key was chosen");
    }

    @Test
    void shouldTellThatBitmapsNarrowWhatAKeyLeadsTo() {
        // given
        for (int i = 0; i < 100; i++) {
            add("region = 'r" + i + "'");
        }
        SubscriberHandle<String> entry = add("region = 'EU' AND (price > 10 OR note <> 'x')");
        for (int i = 0; i < 100; i++) {
            add("region = 'EU' AND price BETWEEN " + i + " AND " + (i + 300) + " AND NOT bulk");
        }
        SubscriberHandle<String> narrowed =
                add("region = 'EU' AND price BETWEEN 7 AND 900 AND NOT bulk");

        // when
        SelectorReport.Key key = index.report(narrowed).keys().getFirst();
        SelectorReport.Key ofOr = index.report(entry).keys().getFirst();

        // then
        assertThat(key.text()).isEqualTo("region = 'EU'");
        assertThat(key.selectors()).isEqualTo(102);
        assertThat(key.narrowedBy()).containsExactly("bulk", "price");
        assertThat(ofOr.selectors()).isEqualTo(102);
        assertThat(ofOr.narrowedBy()).isEmpty();
    }

    @Test
    void shouldTellARangeOfTheNameThatIsFoundByCellsFromTheKey() {
        // given
        for (int i = 0; i < 100; i++) {
            add("a BETWEEN " + 10 * i + " AND " + (10 * i + 5) + " AND c");
        }
        SubscriberHandle<String> entry =
                add("a BETWEEN 0 AND 500 AND (a BETWEEN 600 AND 900 OR b <> 'x')");

        // when
        SelectorReport report = index.report(entry);

        // then
        assertThat(report.keys())
                .extracting(SelectorReport.Key::text)
                .allMatch(key -> key.startsWith("a "));
        assertThat(report.keys())
                .extracting(SelectorReport.Key::text)
                .doesNotContain("a BETWEEN 0 AND 500");
        assertThat(report.rejected())
                .extracting(SelectorReport.Rejected::text)
                .containsExactly("a BETWEEN 600 AND 900 OR b <> 'x'");
    }

    @Test
    void shouldFindTheFirstRangesOfANameTogether() {
        // given: too few ranges to tell which of them are wide
        SubscriberHandle<String> entry = add("price BETWEEN 7 AND 8 AND c");
        add("price BETWEEN 1 AND 900 AND c");

        // when
        SelectorReport.Key key = index.report(entry).keys().getFirst();

        // then
        assertThat(key.text()).isEqualTo("price is a number (a group of ranges)");
        assertThat(key.selectors()).isEqualTo(2);
    }

    @Test
    void shouldFindARangeThatManyAskForByItself() {
        // given: too few different ranges to tell which of them are wide
        for (int i = 0; i < 100; i++) {
            add("price BETWEEN 7 AND 8 AND NOT u = 'u" + i + "'");
        }
        SubscriberHandle<String> entry = add("price BETWEEN 7 AND 8 AND NOT c");

        // when
        SelectorReport.Key key = index.report(entry).keys().getFirst();

        // then
        assertThat(key.text()).isEqualTo("price BETWEEN 7 AND 8");
        assertThat(key.selectors()).isGreaterThan(90);
    }
}
