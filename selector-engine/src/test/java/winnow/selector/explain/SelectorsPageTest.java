package winnow.selector.explain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import winnow.selector.engine.Selector;
import winnow.selector.error.InvalidSelectorSyntaxException;
import winnow.selector.explain.Warning.Kind;

/// The tables of docs/SELECTORS.md say what the engine says.
class SelectorsPageTest {

    private static final Pattern CODE = Pattern.compile("`([^`]+)`");

    @Test
    void shouldTakeAllExamples() throws IOException {
        List<List<List<String>>> rows = rows("Examples");
        assertThat(rows).hasSizeGreaterThan(10);
        for (List<List<String>> row : rows) {
            String selector = row.get(1).getFirst();
            assertThatCode(() -> Selector.parse(selector)).as(selector).doesNotThrowAnyException();
        }
    }

    @Test
    void shouldRefuseAllExamplesOfErrors() throws IOException {
        List<List<List<String>>> rows = rows("Errors");
        assertThat(rows).hasSizeGreaterThan(10);
        for (List<List<String>> row : rows) {
            for (String selector : row.getFirst()) {
                assertThatThrownBy(() -> Selector.parse(selector))
                        .as(selector)
                        .isInstanceOf(InvalidSelectorSyntaxException.class);
            }
        }
    }

    @Test
    void shouldGiveTheWarningsThatAreListed() throws IOException {
        // given
        List<String> listed = new ArrayList<>();

        for (List<List<String>> row : rows("Warnings")) {
            // when
            List<String> kinds = row.getFirst();
            listed.addAll(kinds);
            if (kinds.contains(nameOf(Kind.TYPE_HERE))) {
                continue;
            }
            for (String example : row.get(1)) {
                List<Warning> warnings =
                        Explanation.of(Selector.parse(example)).warnings().stream()
                                .filter(warning -> kinds.contains(nameOf(warning.kind())))
                                .toList();

                // then
                assertThat(warnings).as(example).isNotEmpty();
                assertThat(warnings)
                        .as(example)
                        .allSatisfy(warning ->
                                assertThat(Stream.ofNullable(warning.suggestion()).toList())
                                        .isEqualTo(row.get(3)));
            }
        }
        assertThat(listed)
                .containsExactlyInAnyOrderElementsOf(
                        Arrays.stream(Kind.values()).map(SelectorsPageTest::nameOf).toList());
    }

    private static String nameOf(Kind kind) {
        return kind.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /// The rows of the first table below a heading; of each cell what is written as code.
    private static List<List<List<String>>> rows(String heading) throws IOException {
        String page = Files.readString(Path.of("../docs/SELECTORS.md"));
        int start = page.indexOf("\n## " + heading + "\n");
        assertThat(start).as(heading).isPositive();
        int table = page.indexOf("|---", start);
        return page.substring(page.indexOf('\n', table) + 1)
                .lines()
                .takeWhile(line -> line.startsWith("|"))
                .map(line ->
                        Arrays.stream(line.substring(1).split("(?<!\\\\)\\|", -1))
                                .map(SelectorsPageTest::code)
                                .toList())
                .toList();
    }

    private static List<String> code(String cell) {
        return CODE.matcher(cell)
                .results()
                .map((MatchResult result) -> result.group(1).replace("\\|", "|"))
                .toList();
    }
}
