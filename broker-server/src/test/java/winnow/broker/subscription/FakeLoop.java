package winnow.broker.subscription;

import java.util.ArrayDeque;
import java.util.concurrent.atomic.LongAdder;
import winnow.broker.fault.FaultBarrier;

/// A loop that is the test's thread. It runs commands when it is told to.
public final class FakeLoop implements Loop {
    private final int index;
    private final WaitingMessages waiting;
    private final ArrayDeque<Runnable> commands = new ArrayDeque<>();
    private final FaultBarrier faults = new FaultBarrier(new LongAdder());
    private long messages;

    /// Copies that were delivered, whether at once or not.
    public long delivered;

    public FakeLoop(int index, BacklogMemory memory) {
        this.index = index;
        this.waiting = new WaitingMessages(this, memory);
    }

    /// Runs the commands that were given so far.
    ///
    /// @return how many there were
    public int runCommands() {
        int count = commands.size();
        for (int i = 0; i < count; i++) {
            commands.remove().run();
        }
        return count;
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
