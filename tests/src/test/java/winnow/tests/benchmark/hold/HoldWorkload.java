package winnow.tests.benchmark.hold;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import winnow.tests.benchmark.rows.Message;
import winnow.tests.benchmark.rows.Row;
import winnow.tests.benchmark.rows.Workload;

/// Selectors, and messages that they are matched with. Always the same for the same number.
///
/// @param title what the selectors are like
/// @param selectors as a user writes them
/// @param messages their properties
record HoldWorkload(String title, List<String> selectors, List<Map<String, Object>> messages) {
    /// The name of [#patterns] on the command line.
    static final String PATTERNS = "PATTERNS";

    private static final int PATTERN_MESSAGES = 64;

    /// Within the broker's limit of 32 KiB.
    private static final int STRING_CHARACTERS = 32_000;

    /// One selector of so many is true.
    private static final int SELECTORS_PER_MATCH = 50;

    /// @param name of a [Row], or [#PATTERNS]
    static HoldWorkload of(String name, int count) {
        if (name.equals(PATTERNS)) {
            return patterns(count);
        }
        Workload workload = Workload.of(Row.valueOf(name), count);
        return new HoldWorkload(
                workload.row().title(),
                workload.texts(),
                workload.messages().stream().map(Message::properties).toList());
    }

    /// Number of selectors that it is measured with unless it is said.
    static int usualCount(String name) {
        return switch (name) {
            case PATTERNS -> 2_000;
            case "ALTERNATIVES" -> 100_000;
            default -> 1_000_000;
        };
    }

    /// Selectors with one key and a pattern that goes through most of a long string: it looks for a
    /// number, and the numbers of those selectors that are not true are at the string's end.
    private static HoldWorkload patterns(int count) {
        List<String> selectors = new ArrayList<>(count);
        StringBuilder numbers = new StringBuilder();
        for (int i = 0; i < count; i++) {
            selectors.add("region = 'north' AND text NOT LIKE '%#" + i + "#%'");
            if (i % SELECTORS_PER_MATCH != 0) {
                numbers.append('#').append(i).append('#');
            }
        }
        int letters = STRING_CHARACTERS - numbers.length();
        if (letters < numbers.length()) {
            throw new IllegalArgumentException(
                    "PATTERNS: expected at most some 2,500 selectors, found " + count);
        }
        Random random = new Random(count);
        List<Map<String, Object>> messages = new ArrayList<>();
        for (int i = 0; i < PATTERN_MESSAGES; i++) {
            StringBuilder text = new StringBuilder(STRING_CHARACTERS);
            random.ints(letters, 'a', 'z' + 1).forEach(letter -> text.append((char) letter));
            messages.add(Map.of("region", "north", "text", text.append(numbers).toString()));
        }
        return new HoldWorkload("equality AND NOT LIKE of a long string", selectors, messages);
    }
}
