package winnow.broker.routing;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import winnow.broker.subscription.DeliveryTarget;
import winnow.broker.subscription.LiveBody;
import winnow.broker.subscription.Loop;
import winnow.broker.subscription.Subscription;

/// Messages in one array and the subscriptions they go to. They are delivered target by target, so
/// that what a target touches stays in the first cache for all its copies: a copy then costs the
/// same whether a message has 2 subscribers or 40. Each target gets its copies in the order in
/// which they were added.
///
/// Filled by the loop that routes, delivered by the loop that owns the subscriptions.
final class DeliveryBatch {
    private static final int FIRST_COPIES = 64;

    /// Messages of that size are delivered one after the other: their bytes are what costs, and
    /// outputs may share one copy of each.
    private static final int LARGE_BYTES = 4 * 1024;

    private int[] starts = new int[FIRST_COPIES];
    private int[] ends = new int[FIRST_COPIES];
    private int messages;
    private int maxNameId;
    private boolean large;

    /// The message if it stays where it is; then there is no other.
    private @Nullable SharedMessage shared;

    /// For each copy its subscription and the index of its message.
    private Subscription[] subscriptions = new Subscription[FIRST_COPIES];

    private int[] messageOf = new int[FIRST_COPIES];
    private int copies;

    /// True if the copies go to different subscriptions.
    private boolean mixed;

    /// For each copy its target's place, and the copies in the order of their targets.
    private int[] places = {};

    private int[] order = {};

    /// For each place its target, and how many copies it gets, later where the next one goes.
    private DeliveryTarget[] targets = new DeliveryTarget[FIRST_COPIES];

    private int[] positions = new int[FIRST_COPIES];
    private int targetCount;

    /// A message whose copies follow.
    ///
    /// @param newMaxNameId largest number of a property name in it
    void addMessage(int start, int end, int newMaxNameId) {
        if (messages == starts.length) {
            starts = Arrays.copyOf(starts, 2 * messages);
            ends = Arrays.copyOf(ends, 2 * messages);
        }
        starts[messages] = start;
        ends[messages] = end;
        messages++;
        maxNameId = Math.max(maxNameId, newMaxNameId);
        large |= end - start >= LARGE_BYTES;
    }

    /// The last message is this one, and no other was or will be added.
    void share(SharedMessage message) {
        assert messages == 1;
        shared = message;
    }

    /// The last message goes to this subscription.
    void addCopy(Subscription subscription) {
        int index = copies;
        if (index == subscriptions.length) {
            subscriptions = Arrays.copyOf(subscriptions, 2 * index);
            messageOf = Arrays.copyOf(messageOf, 2 * index);
        }
        mixed |= index > 0 && subscriptions[index - 1] != subscription;
        subscriptions[index] = subscription;
        messageOf[index] = messages - 1;
        copies = index + 1;
    }

    int copies() {
        return copies;
    }

    /// Delivers everything and is empty then.
    ///
    /// @param loop the loop that owns the subscriptions; the caller
    /// @param array holds the messages; borrowed
    /// @param sampledReadNanos when the messages were read, 0 if how long their copies stay is not
    ///   to be measured
    void deliver(Loop loop, byte[] array, long sampledReadNanos) {
        if (copies == 0) {
            return;
        }
        long start = System.nanoTime();
        SharedMessage only = shared;
        long firstNumber = only == null ? loop.numberMessages(messages) : only.number(loop);
        loop.waiting().times().onMessages(firstNumber, start);
        try {
            if (mixed && messages > 1 && !large && sort()) {
                for (int i = 0; i < copies; i++) {
                    deliver(loop, order[i], firstNumber, array);
                }
            } else {
                for (int i = 0; i < copies; i++) {
                    deliver(loop, i, firstNumber, array);
                }
            }
            loop.onDelivered(copies, System.nanoTime() - start);
            if (sampledReadNanos != 0) {
                sampleDwell(sampledReadNanos);
            }
        } finally {
            clear();
        }
    }

    /// Samples the copies that do not wait for credit; those that do are sampled when they leave.
    private void sampleDwell(long readNanos) {
        for (int i = 0; i < copies; i++) {
            if (!subscriptions[i].waiting()) {
                subscriptions[i].target().sampleDwell(readNanos, 1);
            }
        }
    }

    /// A delivery that fails closes its own connection; the others get theirs.
    private void deliver(Loop loop, int copy, long firstNumber, byte[] array) {
        int message = messageOf[copy];
        Subscription subscription = subscriptions[copy];
        LiveBody body = shared == null ? null : shared.body();
        try {
            if (body != null) {
                subscription.onMessageInParts(
                        firstNumber, array, starts[message], ends[message], maxNameId, body);
                return;
            }
            subscription.onMessage(
                    firstNumber + message, array, starts[message], ends[message], maxNameId);
        } catch (Throwable fault) {
            loop.faults().onFault(subscription.target(), fault);
        }
    }

    /// Puts the copies into the order of their targets.
    ///
    /// @return false if there is one target only
    private boolean sort() {
        if (places.length < copies) {
            places = new int[subscriptions.length];
            order = new int[subscriptions.length];
        }
        for (int i = 0; i < copies; i++) {
            int place = placeOf(i);
            places[i] = place;
            positions[place]++;
        }
        if (targetCount == 1) {
            return false;
        }
        int next = 0;
        for (int place = 0; place < targetCount; place++) {
            int count = positions[place];
            positions[place] = next;
            next += count;
        }
        for (int i = 0; i < copies; i++) {
            order[positions[places[i]]++] = i;
        }
        return true;
    }

    private int placeOf(int copy) {
        DeliveryTarget target = subscriptions[copy].target();
        int place = target.place();
        if (place < targetCount && target.equals(targets[place])) {
            return place;
        }
        if (targetCount == targets.length) {
            targets = Arrays.copyOf(targets, 2 * targetCount);
            positions = Arrays.copyOf(positions, 2 * targetCount);
        }
        targets[targetCount] = target;
        positions[targetCount] = 0;
        target.place(targetCount);
        return targetCount++;
    }

    private void clear() {
        Arrays.fill(subscriptions, 0, copies, null);
        Arrays.fill(targets, 0, targetCount, null);
        copies = 0;
        messages = 0;
        shared = null;
        maxNameId = 0;
        targetCount = 0;
        large = false;
        mixed = false;
    }
}
