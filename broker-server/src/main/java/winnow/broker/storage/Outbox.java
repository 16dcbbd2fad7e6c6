package winnow.broker.storage;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import winnow.broker.fault.FaultOwner;
import winnow.broker.subscription.Loop;

/// What the shard has to tell the event loops: gathered, and handed over as one task per loop.
/// Owned by the shard's thread.
final class Outbox {
    private Map<Loop, List<Message>> messages = new LinkedHashMap<>();

    /// Those of the loop that was told last: several in a row are usually for the same.
    private @Nullable Loop recent;

    private List<Message> ofRecent = List.of();

    private record Message(FaultOwner owner, Runnable command) {}

    /// Runs a command on a loop, after those that were added before for the same loop.
    ///
    /// @param owner closed if the command fails
    void add(Loop loop, FaultOwner owner, Runnable command) {
        if (!loop.equals(recent)) {
            ofRecent = messages.computeIfAbsent(loop, key -> new ArrayList<>());
            recent = loop;
        }
        ofRecent.add(new Message(owner, command));
    }

    /// Hands over what was added.
    void flush() {
        if (messages.isEmpty()) {
            return;
        }
        Map<Loop, List<Message>> leaving = messages;
        messages = new LinkedHashMap<>();
        recent = null;
        leaving.forEach((loop, tasks) -> loop.execute(() -> run(loop, tasks)));
    }

    private static void run(Loop loop, List<Message> tasks) {
        for (Message task : tasks) {
            loop.faults().run(task.owner, task.command);
        }
    }
}
