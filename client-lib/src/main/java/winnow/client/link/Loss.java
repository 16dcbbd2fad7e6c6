package winnow.client.link;

import java.time.Duration;
import java.util.Locale;
import winnow.client.transport.endpoint.TransportException;

/// The loss of a connection to the broker, since when there is none. Immutable.
///
/// @param lost the connection
/// @param sinceNanos on the steady clock
public record Loss(Current lost, TransportException cause, long sinceNanos) {
    Duration length() {
        return Duration.ofNanos(System.nanoTime() - sinceNanos);
    }

    /// That the broker is away, for how long and why, for people.
    public String text() {
        return "the broker is away for %s: %s".formatted(text(length()), cause.getMessage());
    }

    public static String text(Duration length) {
        return length.toMillis() < 1000
                ? length.toMillis() + " ms"
                : String.format(Locale.ROOT, "%.1f s", length.toMillis() / 1000.0);
    }
}
