package winnow.client.destination;

import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.TemporaryQueue;
import org.jspecify.annotations.Nullable;

/// A queue that ends with the connection that made it, and that only this one consumes from. A copy
/// that was serialized names it, and cannot delete it.
public final class WinnowTemporaryQueue extends WinnowQueue implements TemporaryQueue {
    private static final long serialVersionUID = 1L;

    private final transient @Nullable TemporaryDeletion deletion;

    /// @param name known to the broker
    /// @param deletion what [#delete] does
    public WinnowTemporaryQueue(String name, TemporaryDeletion deletion) {
        super(name);
        this.deletion = deletion;
    }

    /// Ends it at the broker.
    ///
    /// @throws IllegalStateException if it has consumers, or this is a copy
    @Override
    public void delete() throws JMSException {
        if (deletion == null) {
            throw new IllegalStateException(
                    "'" + name() + "' can be deleted by the connection that made it only");
        }
        deletion.delete(this);
    }
}
