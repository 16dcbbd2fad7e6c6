package winnow.broker.shard;

/// Which messages a consumer of a queue wants. Equal filters share their work. Called by the
/// shard's thread.
public interface MessageFilter {
    /// @param head a message block up to its body, or with it
    boolean matches(byte[] head);
}
