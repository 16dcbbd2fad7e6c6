package winnow.loadgen.machine;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Use of the machine before a run, of which the paper allows 2 % (section 3.2).
public final class Idleness {

    private Idleness() {}

    /// Share of all processors in use within a time, by whomever; null if unknown.
    public static @Nullable Double busyShare(Duration time) throws InterruptedException {
        var before = HostUse.now();
        Thread.sleep(time);
        var share = HostUse.now().busyShareSince(before);
        return Double.isFinite(share) ? share : null;
    }
}
