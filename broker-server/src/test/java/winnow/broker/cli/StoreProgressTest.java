package winnow.broker.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import winnow.store.Table;

class StoreProgressTest {
    private final StringWriter err = new StringWriter();
    private long now;
    private final StoreProgress progress =
            new StoreProgress(new PrintWriter(err), "winnow store verify", () -> now);

    @Test
    void shouldTellEveryTwoSeconds() {
        progress.onRows(Table.HEADERS, 1024);
        now = TimeUnit.SECONDS.toNanos(2);
        progress.onRows(Table.HEADERS, 2048);
        progress.onRows(Table.HEADERS, 3072);
        now = TimeUnit.SECONDS.toNanos(4);
        progress.onBytes(2_000_000, 5_000_000);

        assertThat(err.toString().lines())
                .containsExactly(
                        "winnow store verify: 2,048 rows read, now in table HEADERS",
                        "winnow store verify: 2 of 5 MB copied");
    }
}
