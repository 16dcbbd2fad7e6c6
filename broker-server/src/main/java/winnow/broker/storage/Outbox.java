package winnow.broker.storage;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import winnow.broker.fault.FaultOwner;
import winnow.broker.subscription.Loop;

/// Commands of the shard to the event loops: gathered, and handed over as one task per loop, to the
/// loop's [Inbox]. Owned by the shard's thread.
final class Outbox {
    private final LongSupplier nanoClock;

    /// Of the loops that have been told something, which are as many as the broker has at most.
    private final Map<Loop, Inbox> inboxes = new HashMap<>();

    private Map<Loop, List<Inbox.Command>> commands = new LinkedHashMap<>();

    /// The loop that was told last: several in a row are usually for the same.
    private @Nullable Loop recent;

    private List<Inbox.Command> ofRecent = List.of();

    /// @param nanoClock tells the loops how long they have worked
    Outbox(LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
    }

    /// Runs a short command on a loop, after those that were added before for the same loop.
    ///
    /// @param owner closed if the command fails
    void add(Loop loop, FaultOwner owner, Runnable command) {
        add(loop, owner, 0, command);
    }

    /// The same for a command that copies bytes.
    ///
    /// @param bytes how many about
    void add(Loop loop, FaultOwner owner, int bytes, Runnable command) {
        if (!loop.equals(recent)) {
            ofRecent = commands.computeIfAbsent(loop, key -> new ArrayList<>());
            recent = loop;
        }
        ofRecent.add(new Inbox.Command(owner, bytes, command));
    }

    /// Hands over what was added.
    void flush() {
        if (commands.isEmpty()) {
            return;
        }
        Map<Loop, List<Inbox.Command>> leaving = commands;
        commands = new LinkedHashMap<>();
        recent = null;
        leaving.forEach(this::hand);
    }

    private void hand(Loop loop, List<Inbox.Command> round) {
        Inbox inbox = inboxes.computeIfAbsent(loop, one -> new Inbox(one, nanoClock));
        loop.execute(() -> inbox.add(round));
    }
}
