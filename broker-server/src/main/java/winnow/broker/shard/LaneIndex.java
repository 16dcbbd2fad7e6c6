package winnow.broker.shard;

import java.util.function.Consumer;

/// Finds the filters of a queue's consumers that let a message through, where there may be
/// thousands. Called by the shard's thread.
public interface LaneIndex {
    /// @param filter equal to none that is there
    void add(MessageFilter filter);

    void remove(MessageFilter filter);

    /// @param head a message block up to its body, or with it
    /// @param matching gets each filter that lets the message through, once
    void match(byte[] head, Consumer<MessageFilter> matching);
}
