package winnow.selector.index.term;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import winnow.selector.engine.Selector;
import winnow.selector.explain.MessageValues;
import winnow.selector.index.MatchScratch;
import winnow.selector.index.SelectorIndex;
import winnow.selector.index.api.SubscriberHandle;
import winnow.selector.index.node.Node;
import winnow.selector.slot.SlotValues;

/// Which text of a pattern finds it.
class PatternTextTest {

    private final SelectorIndex<String> index = new SelectorIndex<>(1);

    private SubscriberHandle<String> add(String pattern) {
        return index.add(Selector.parse("s LIKE '" + pattern + "'"), pattern);
    }

    private static String text(SubscriberHandle<String> entry) {
        Term key = Node.of(entry).keys().getFirst();
        return switch (key) {
            case SubstringTerm term -> "%" + new String(term.literal(), UTF_8);
            case PrefixTerm term -> new String(term.prefix(), UTF_8) + "%";
            default -> key.kind().toString();
        };
    }

    @ParameterizedTest
    @CsvSource({
        "%foo%barbaz%, %barbaz",
        "%foo%bar%, %foo",
        "%foo%ba_baz%, %foo",
        "foo%barbaz, foo%",
        "a%rareword%, %rareword",
        "a_rareword, %rareword",
        "ab%cd%, ab%",
        "%a%, %a",
        "%é%ab%, %ab",
        "%_%, SCAN"
    })
    void shouldBeLong(String pattern, String text) {
        assertThat(text(add(pattern))).isEqualTo(text);
    }

    @Test
    void shouldNotBeAWordThatManyPatternsShare() {
        // given
        for (int i = 100; i < 400; i++) {
            add("%common%" + i + "%");
            add("order-%-" + i);
        }

        // when
        String inner = text(add("%common%777%"));
        String behindPrefix = text(add("order-%-777"));

        // then
        assertThat(inner).isEqualTo("%777");
        assertThat(behindPrefix).isEqualTo("%-777");
        assertThat(match("a common thing 300")).containsExactly("%common%300%");
        assertThat(match("order-9-301")).containsExactly("order-%-301");
    }

    @Test
    void shouldNotBeAVeryShortTextHoweverManyShareTheLongOne() {
        // given
        for (int i = 10; i < 99; i++) {
            add("%common%" + i + "%");
        }

        // when
        SubscriberHandle<String> entry = add("%common%x%");

        // then
        assertThat(text(entry)).isEqualTo("%common");
    }

    @Test
    void shouldBeGivenUpWhenThePatternGoes() {
        // given
        List<SubscriberHandle<String>> entries =
                List.of(add("a%rareword%"), add("%rareword%b"), add("%rareword%"));

        // when
        entries.forEach(index::remove);

        // then
        assertThat(match("a rareword b")).isEmpty();
        assertThat(index.terms()).isZero();
        assertThat(index.probedSlots()).isZero();
    }

    private List<String> match(String value) {
        SlotValues values = new SlotValues();
        MessageValues.set(values, index.slots(), Map.of("s", value));
        List<String> matches = new ArrayList<>();
        index.match(values, new MatchScratch(), matches::add);
        return matches;
    }
}
