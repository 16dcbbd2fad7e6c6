package winnow.tests.hostile;

import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// Attacks by selectors.
final class SelectorAttacks {
    private static final int MUCH = 1 << 30;

    private SelectorAttacks() {}

    static void manySelectors(Intruders intruders) throws InterruptedException {
        int perConnection = 10_000;
        intruders.each(
                6,
                (peer, number) -> {
                    for (int id = 1; id <= perConnection; id++) {
                        String selector =
                                "price%d_%d > %d AND region = 'R%d'"
                                        .formatted(number, id % 50, id, id);
                        peer.subscribe(id, "hostile-selectors", selector, 0);
                    }
                    peer.awaitAnswers(perConnection);
                });
    }

    static void wideSelectors(Intruders intruders) throws InterruptedException {
        int selectors = 30;
        int names = 2_700;
        intruders.each(
                1,
                (peer, _) -> {
                    for (int id = 1; id <= selectors; id++) {
                        String prefix = "a" + id + "_";
                        String selector =
                                IntStream.range(0, names)
                                        .mapToObj(i -> prefix + i + " = " + i)
                                        .collect(Collectors.joining(" OR "));
                        peer.subscribe(id, "hostile-wide", selector, 0);
                    }
                    peer.awaitAnswers(selectors);
                });
    }

    static void costlyPatterns(Intruders intruders) throws InterruptedException {
        String selector =
                IntStream.range(0, 2_130)
                        .mapToObj(i -> "x LIKE '%a_" + "abcdefgh".charAt(i % 8) + "%c_'")
                        .collect(Collectors.joining(" OR "));
        intruders.each(
                1,
                (peer, _) -> {
                    peer.subscribe(1, "hostile-patterns", selector, MUCH);
                    peer.awaitAnswers(1);
                });
        intruders.each(
                1,
                (peer, _) -> {
                    peer.open(1, "hostile-patterns");
                    for (int i = 0; i < 3 && peer.publish(1, "a".repeat(1024 * 1024), 10); i++) {}
                    for (int i = 0; i < 3 && peer.publish(1, "a".repeat(60 * 1024), 10); i++) {}
                });
    }
}
