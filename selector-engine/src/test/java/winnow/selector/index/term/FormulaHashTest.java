package winnow.selector.index.term;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import winnow.selector.engine.Selector;
import winnow.selector.simplify.CanonicalForm;
import winnow.selector.slot.Slots;

/// Selectors are found by the hash of their formula. Whoever writes them must not be able to give
/// many the same one.
class FormulaHashTest {

    private static final int NAMES = 8;

    private final Terms terms = new Terms(new Slots(1), new Probes(1));

    private Formula formula(String selector) {
        return terms.formula(CanonicalForm.of(Selector.parse(selector).expression()));
    }

    @Test
    void shouldTellTermsWithTheSameNumberApart() {
        // given: the prefix of each name and its last constant have the same number
        for (int i = 0; i < NAMES; i++) {
            SharedTerm prefix = (SharedTerm) formula("x" + i + " LIKE 'p%'");
            assertThat(prefix.number()).isEqualTo(i);
        }
        for (int i = 0; i < NAMES; i++) {
            for (int k = 0; k <= i; k++) {
                SharedTerm equality = (SharedTerm) formula("x" + i + " = 'k" + k + "'");
                assertThat(equality.number()).isEqualTo(k);
            }
        }

        // when
        Set<Integer> hashes = new HashSet<>();
        for (int choice = 0; choice < 1 << NAMES; choice++) {
            List<String> operands = new ArrayList<>();
            for (int i = 0; i < NAMES; i++) {
                operands.add(
                        (choice >> i & 1) == 0
                                ? "x" + i + " LIKE 'p%'"
                                : "x" + i + " = 'k" + i + "'");
            }
            hashes.add(formula(String.join(" AND ", operands)).hashCode());
        }

        // then
        assertThat(hashes).hasSize(1 << NAMES);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a <> '%s'", "a LIKE '%%%s%%'", "a IN ('%s', 'x')", "%s LIKE 'a%%'"})
    void shouldTellTextsWithTheSameStringHashApart(String selector) {
        // given
        List<String> texts = List.of("");
        for (int i = 0; i < NAMES; i++) {
            texts = texts.stream().flatMap(text -> Stream.of(text + "Aa", text + "BB")).toList();
        }
        assertThat(texts.stream().map(String::hashCode).distinct()).hasSize(1);

        // when
        Set<Integer> hashes = new HashSet<>();
        for (String text : texts) {
            hashes.add(((KnownTerm) formula(selector.formatted(text))).tableHash());
        }

        // then
        assertThat(hashes).hasSize(texts.size());
    }

    @Test
    void shouldTellRangesApartThatAreTheSameForDoubles() {
        // given
        long low = 1L << 62;

        // when: 512 neighbours of 2^62 are one double
        Set<Integer> hashes = new HashSet<>();
        for (int i = 0; i < 512; i++) {
            hashes.add(formula("x BETWEEN " + (low + i) + " AND " + (low + 10_000)).hashCode());
        }

        // then
        assertThat(hashes).hasSize(512);
    }

    @Test
    void shouldGiveOtherHashesWithAnotherSeed() {
        // given
        Terms others = new Terms(new Slots(1), new Probes(2));
        String selector = "a = 'x' AND b LIKE 'y%'";

        // when
        Formula other = others.formula(CanonicalForm.of(Selector.parse(selector).expression()));

        // then
        assertThat(other.hashCode()).isNotEqualTo(formula(selector).hashCode());
    }
}
