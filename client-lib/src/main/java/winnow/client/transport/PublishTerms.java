package winnow.client.transport;

import org.jspecify.annotations.Nullable;
import winnow.wire.frame.Publish;

/// Terms of a message that is published. Immutable.
///
/// @param session number of the session whose transaction it belongs to, 0 for none
/// @param confirmation called when the broker has answered; null to ask for no answer
/// @param number that it had among the confirmed ones when it was sent before, 0 for a new one
public record PublishTerms(int session, @Nullable PublishReply confirmation, long number) {
    /// Terms of a new message.
    public PublishTerms(int session, @Nullable PublishReply confirmation) {
        this(session, confirmation, 0);
    }

    int flags() {
        return confirmation == null ? 0 : Publish.CONFIRM;
    }

    /// Tells if the sending thread waits for the answer.
    boolean isAwaited() {
        return confirmation != null && confirmation.isAwaited();
    }
}
