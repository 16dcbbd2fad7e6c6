package winnow.broker.subscription;

import java.util.LinkedHashSet;

/// The subscriptions of one loop that hold producers back only because all together keep too much:
/// they are told when there is memory again. Owned by the loop.
final class WaitingForMemory {
    /// Heap of a subscription here, and the number of those that are told at once.
    private static final int AWAITING_BYTES = 64;

    private static final int TOLD_AT_ONCE = 1000;

    private final Loop loop;
    private final BacklogMemory memory;
    private final LinkedHashSet<Subscription> awaiting = new LinkedHashSet<>();

    WaitingForMemory(Loop loop, BacklogMemory memory) {
        this.loop = loop;
        this.memory = memory;
    }

    /// Tells the subscription once when there is memory again, perhaps at once.
    void await(Subscription subscription) {
        if (awaiting.add(subscription)) {
            memory.take(AWAITING_BYTES);
            memory.await(this);
        }
    }

    void forget(Subscription subscription) {
        if (awaiting.remove(subscription)) {
            memory.give(AWAITING_BYTES);
        }
    }

    /// There is memory again. Any thread.
    void onMemory() {
        loop.execute(this::tell);
    }

    private void tell() {
        for (int told = 0; told < TOLD_AT_ONCE && !awaiting.isEmpty(); told++) {
            if (memory.exhausted()) {
                break;
            }
            Subscription subscription = awaiting.removeFirst();
            memory.give(AWAITING_BYTES);
            loop.faults().run(subscription.target(), subscription::onMemory);
        }
        if (!awaiting.isEmpty()) {
            memory.await(this);
        }
    }
}
