package winnow.broker.subscription;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.ArrayList;
import java.util.List;

/// Keeps what is begun as `id:head`, and what is ended as `-id`.
public final class RecordingStreams implements BodyStreams {
    /// What happened.
    public final List<String> events = new ArrayList<>();

    @Override
    public void begin(Subscription subscription, byte[] head, int maxNameId, LiveBody body) {
        events.add(subscription.id() + ":" + new String(head, US_ASCII));
    }

    @Override
    public boolean takes(Subscription subscription) {
        return true;
    }

    @Override
    public void end(Subscription subscription) {
        events.add("-" + subscription.id());
    }
}
