package winnow.broker.subscription;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import winnow.broker.fault.FaultBarrier;

/// A loop that is the test's thread. It runs commands when it is told to; any thread may give some.
public class FakeLoop implements Loop {
    private final int index;
    private final BacklogMemory memory;
    private final Queue<Runnable> commands = new ConcurrentLinkedQueue<>();
    private final LongAdder faultCount = new LongAdder();
    private final FaultBarrier faults = new FaultBarrier(faultCount);
    private @Nullable WaitingMessages waiting;
    private long messages;

    /// Copies that were delivered, whether at once or not.
    public long delivered;

    public FakeLoop(int index, BacklogMemory memory) {
        this.index = index;
        this.memory = memory;
    }

    /// Runs the commands that were given so far. One that fails ends the test.
    ///
    /// @return how many there were
    public int runCommands() {
        int count = commands.size();
        for (int i = 0; i < count; i++) {
            commands.remove().run();
        }
        return count;
    }

    /// Runs commands until there are none, also those that commands give.
    public void runAllCommands() {
        while (!commands.isEmpty()) {
            runCommands();
        }
    }

    /// How many callbacks failed behind the barrier of this loop.
    public long faultCount() {
        return faultCount.sum();
    }

    @Override
    public int index() {
        return index;
    }

    @Override
    public boolean inLoop() {
        return true;
    }

    @Override
    public FaultBarrier faults() {
        return faults;
    }

    @Override
    public WaitingMessages waiting() {
        if (waiting == null) {
            waiting = new WaitingMessages(this, memory);
        }
        return waiting;
    }

    @Override
    public long numberMessages(int count) {
        messages += count;
        return messages - count + 1;
    }

    @Override
    public void onDelivered(int copies, long nanos) {
        delivered += copies;
    }

    @Override
    public void execute(Runnable command) {
        commands.add(command);
    }
}
