package winnow.loadgen.rate;

import java.util.function.Consumer;
import org.HdrHistogram.Histogram;

/// Hears of a run while it goes on, about once a second. Called by the run's thread.
public interface RateListener {

    /// Passes on warnings alone.
    static RateListener warningsTo(Consumer<String> warnings) {
        return new RateListener() {
            @Override
            public void onInterval(Histogram latencyNanos, long sent, long received) {}

            @Override
            public void onWarning(String text) {
                warnings.accept(text);
            }
        };
    }

    /// Some time has passed.
    ///
    /// @param latencyNanos of messages that count and have arrived in this time
    /// @param sent messages sent so far
    /// @param received messages received so far, by all subscribers
    void onInterval(Histogram latencyNanos, long sent, long received);

    /// Something did not go as it should that does not change the figures.
    void onWarning(String text);
}
