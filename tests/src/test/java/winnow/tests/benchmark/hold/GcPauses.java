package winnow.tests.benchmark.hold;

import java.time.Duration;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingStream;

/// The pauses of the garbage collector between [#begin] and [#stop].
final class GcPauses implements AutoCloseable {
    private final RecordingStream stream = new RecordingStream();
    private int count;
    private Duration longest = Duration.ZERO;

    void begin() {
        stream.enable("jdk.GCPhasePause");
        stream.onEvent("jdk.GCPhasePause", this::onPause);
        stream.startAsync();
    }

    private synchronized void onPause(RecordedEvent pause) {
        count++;
        if (pause.getDuration().compareTo(longest) > 0) {
            longest = pause.getDuration();
        }
    }

    /// Ends, and waits for what is told of the last pauses.
    void stop() {
        stream.stop();
    }

    /// After [#stop].
    synchronized int count() {
        return count;
    }

    /// After [#stop].
    synchronized Duration longest() {
        return longest;
    }

    @Override
    public void close() {
        stream.close();
    }
}
