package winnow.broker.session;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import winnow.broker.matching.RefusedException;
import winnow.broker.matching.SubscriptionFilter;
import winnow.selector.check.SelectorLimits;
import winnow.selector.engine.Selector;

class SelectorParsingTest {
    private static final int LONGEST = 65_536;

    private final SelectorParsing parsing = new SelectorParsing(10_000, SelectorLimits.DEFAULT);
    private final CountDownLatch parsed = new CountDownLatch(1);

    @AfterEach
    void stop() {
        parsed.countDown();
        parsing.close();
    }

    @Test
    void shouldLetSoManyCharactersWait() throws InterruptedException {
        // given a thread that is busy, and 16 Mi characters that wait for it
        CountDownLatch started = new CountDownLatch(1);
        parse(
                "n = 1",
                _ -> {
                    started.countDown();
                    awaitEnd();
                });
        started.await();
        String text = "n = 1" + " ".repeat(LONGEST - 5);
        for (int i = 0; i < 16 * 1024 * 1024 / LONGEST; i++) {
            parse(text, _ -> {});
        }

        // then
        assertThatThrownBy(() -> parse("n = 2", _ -> {}))
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining("16777216 characters");

        // and they can when the others are parsed
        CountDownLatch all = new CountDownLatch(1);
        parsed.countDown();
        while (all.getCount() > 0) {
            try {
                parse("n = 2", _ -> all.countDown());
                all.await();
            } catch (RefusedException e) {
                Thread.onSpinWait();
            }
        }
    }

    @Test
    void shouldNotLetATextWaitThatIsTooLong() {
        assertThatThrownBy(() -> parse(" ".repeat(LONGEST) + "n", _ -> {}))
                .isInstanceOf(RefusedException.class)
                .hasMessage("selector: expected at most 65536 characters, found 65537");
    }

    private void parse(String selector, Consumer<@Nullable Selector> onParsed) {
        parsing.parse(
                new SubscriptionFilter(selector, ""),
                () -> true,
                onParsed,
                refused -> {
                    throw refused;
                });
    }

    private void awaitEnd() {
        try {
            parsed.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
