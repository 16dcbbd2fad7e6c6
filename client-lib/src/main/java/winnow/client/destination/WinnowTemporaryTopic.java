package winnow.client.destination;

import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.TemporaryTopic;
import org.jspecify.annotations.Nullable;

/// A topic that ends with the connection that made it, and that only this one consumes from. What a
/// message names, and a copy that was serialized, cannot delete it.
public final class WinnowTemporaryTopic extends WinnowTopic implements TemporaryTopic {
    private static final long serialVersionUID = 1L;

    private final transient @Nullable TemporaryDeletion deletion;

    /// @param name known to the broker
    /// @param deletion what [#delete] does; null if it cannot be deleted by this
    public WinnowTemporaryTopic(String name, @Nullable TemporaryDeletion deletion) {
        super(name, "");
        this.deletion = deletion;
    }

    /// Ends it at the broker.
    ///
    /// @throws IllegalStateException if it has consumers, or this only names it
    @Override
    public void delete() throws JMSException {
        if (deletion == null) {
            throw new IllegalStateException(
                    "'" + name() + "' can be deleted by the connection that made it only");
        }
        deletion.delete(this);
    }
}
