package winnow.tests.selector;

import org.jspecify.annotations.Nullable;
import winnow.selector.expression.Truth;

/// A condition as a peer parsed it, and its NOT, from which its truth value is found: the peers'
/// own interface tells UNKNOWN from FALSE as little as a subscription does.
final class PeerSelector<M> {

    private final Peer.Parsed<M> condition;
    private final Peer.Parsed<M> negation;
    private boolean failed;

    private PeerSelector(Peer.Parsed<M> condition, Peer.Parsed<M> negation) {
        this.condition = condition;
        this.negation = negation;
    }

    /// @return null if the peer refuses it
    static <M> @Nullable PeerSelector<M> of(Peer<M> peer, String text) {
        try {
            return new PeerSelector<>(peer.parse(text), peer.parse("NOT (" + text + ")"));
        } catch (Exception | Error e) {
            if (e instanceof VirtualMachineError error) {
                throw error;
            }
            return null;
        }
    }

    Truth ask(M message) {
        failed = false;
        if (matches(condition, message)) {
            return Truth.TRUE;
        }
        return matches(negation, message) ? Truth.FALSE : Truth.UNKNOWN;
    }

    /// True if the last answer was an exception, which the brokers take for "no match".
    boolean failed() {
        return failed;
    }

    private boolean matches(Peer.Parsed<M> parsed, M message) {
        try {
            return parsed.matches(message);
        } catch (Exception e) {
            failed = true;
            return false;
        }
    }
}
