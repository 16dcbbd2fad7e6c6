package winnow.broker.session;

import java.util.List;
import winnow.broker.destination.NameDictionary;
import winnow.broker.destination.Router;
import winnow.broker.fault.FaultBarrier;
import winnow.broker.metrics.BrokerCounters;
import winnow.broker.metrics.LoopCounters;
import winnow.broker.subscription.BacklogMemory;
import winnow.broker.subscription.FakeLoop;
import winnow.broker.subscription.Loop;
import winnow.broker.subscription.WaitingMessages;

/// The loop of connections that is the test's thread, number 0 of two.
final class FakeSessionLoop implements SessionLoop {
    final FakeLoop commands;
    final FakeLoop other;
    private final Router router;

    FakeSessionLoop(BacklogMemory memory) {
        commands = new FakeLoop(0, memory);
        other = new FakeLoop(1, memory);
        LoopCounters counters = new LoopCounters(new BrokerCounters());
        router = new Router(this, List.<Loop>of(this, other), 2, new NameDictionary(1), counters);
    }

    @Override
    public Router router() {
        return router;
    }

    @Override
    public void touch(ClientConnection connection) {}

    @Override
    public void onAnswered() {}

    @Override
    public int index() {
        return 0;
    }

    @Override
    public boolean inLoop() {
        return true;
    }

    @Override
    public FaultBarrier faults() {
        return commands.faults();
    }

    @Override
    public WaitingMessages waiting() {
        return commands.waiting();
    }

    @Override
    public long numberMessages(int count) {
        return commands.numberMessages(count);
    }

    @Override
    public void onDelivered(int copies, long nanos) {
        commands.onDelivered(copies, nanos);
    }

    @Override
    public void execute(Runnable command) {
        commands.execute(command);
    }
}
