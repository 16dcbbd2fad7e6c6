package winnow.broker.cli;

import java.io.PrintWriter;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import picocli.CommandLine.Model.CommandSpec;
import winnow.store.Table;

/// Tells on the standard error every two seconds how far a long command is; nothing of a short one.
/// Owned by the command's thread.
final class StoreProgress {
    private static final long INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final int ROWS_BETWEEN_LOOKS = 1024;

    private final PrintWriter err;
    private final String name;
    private final LongSupplier clock;
    private long last;

    /// @param clock ns, from any moment
    StoreProgress(PrintWriter err, String name, LongSupplier clock) {
        this.err = err;
        this.name = name;
        this.clock = clock;
        last = clock.getAsLong();
    }

    /// That of a command.
    static StoreProgress of(CommandSpec spec) {
        return new StoreProgress(
                spec.commandLine().getErr(), spec.qualifiedName(), System::nanoTime);
    }

    /// @param rows that have been read
    void onRows(Table table, long rows) {
        if (rows % ROWS_BETWEEN_LOOKS == 0 && due()) {
            tell(String.format(Locale.ROOT, "%,d rows read, now in table %s", rows, table));
        }
    }

    /// @param done bytes that have been copied
    void onBytes(long done, long all) {
        if (due()) {
            tell(
                    String.format(
                            Locale.ROOT,
                            "%,d of %,d MB copied",
                            done / 1_000_000,
                            all / 1_000_000));
        }
    }

    private boolean due() {
        long now = clock.getAsLong();
        if (now - last < INTERVAL_NANOS) {
            return false;
        }
        last = now;
        return true;
    }

    private void tell(String text) {
        err.println(name + ": " + text);
        err.flush();
    }
}
