package winnow.broker.destination;

import java.util.ArrayList;
import java.util.List;
import winnow.broker.subscription.BacklogMemory;
import winnow.broker.subscription.FakeLoop;

/// A loop whose iterations the test makes: in each it reads once.
public final class ReadingLoop extends FakeLoop {
    private final List<Runnable> afterReading = new ArrayList<>();

    public ReadingLoop() {
        super(0, new BacklogMemory(1024));
    }

    public void iterate() {
        afterReading.forEach(this::execute);
        afterReading.clear();
        runAllCommands();
    }

    /// What waits for the next iteration.
    public List<Runnable> afterReading() {
        return afterReading;
    }

    @Override
    public void executeAfterReading(Runnable command) {
        afterReading.add(command);
    }
}
