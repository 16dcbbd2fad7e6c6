package winnow.broker.routing;

import java.util.List;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.jspecify.annotations.Nullable;
import winnow.broker.subscription.LiveBody;
import winnow.broker.subscription.Loop;
import winnow.wire.FrameSplitter;
import winnow.wire.MessageBlock;

/// A message whose array stays as it is, so that all loops read it there and none gets a copy to
/// deliver from. If its recipients are found in steps, a loop delivers it several times, under the
/// one number it gives the message: what the loop copies of it, for sockets or for subscriptions
/// that wait, it copies once.
///
/// Made on the loop of a [Router], which owns what is not said to be another's.
final class SharedMessage {
    /// The array of a longer message is never used again: see [winnow.wire.FrameSink].
    static final int MAX_BORROWED_BYTES = FrameSplitter.SCRATCH_BYTES;

    private static final long ENDED = -1;

    private final byte[] array;
    private final int length;
    private final @Nullable LiveBody body;

    /// By loop, each owned by its loop: 0 before the message comes in steps.
    private final long[] numbers;

    /// By loop: handovers that it has not run.
    private final AtomicIntegerArray onTheWay;

    /// By loop: whether it ever gets the message.
    private final boolean[] goesTo;

    /// Written before the message is given to another loop.
    private boolean inSteps;

    /// @param block its array is never changed
    /// @param body in parts, null if it is in the block
    /// @param loopCount of the broker
    SharedMessage(MessageBlock block, @Nullable LiveBody body, int loopCount) {
        this.body = body;
        array = block.array();
        length = block.length();
        numbers = new long[loopCount];
        onTheWay = new AtomicIntegerArray(loopCount);
        goesTo = new boolean[loopCount];
    }

    byte[] array() {
        return array;
    }

    int length() {
        return length;
    }

    /// Its body in parts, null if that is in the block.
    @Nullable LiveBody body() {
        return body;
    }

    /// One more subscription gets the message, with a reference to its body.
    void addCopy() {
        if (body != null) {
            body.retain();
        }
    }

    /// More recipients are looked for later, so loops keep what they copy until [#end].
    void comeInSteps() {
        inSteps = true;
    }

    /// Some of the loop's subscriptions get the message.
    void goTo(int loop) {
        goesTo[loop] = true;
    }

    /// A handover with the message is on its way.
    ///
    /// @return whether it is the only one, which the memory is to be charged for
    boolean onSending(int loop) {
        return onTheWay.getAndIncrement(loop) == 0;
    }

    /// A handover has been run. On the loop that ran it.
    ///
    /// @return whether no other is on its way
    boolean onTaken(int loop) {
        return onTheWay.decrementAndGet(loop) == 0;
    }

    /// The number of the message on the loop that delivers it, the caller.
    long number(Loop loop) {
        int index = loop.index();
        long number = numbers[index];
        if (number > 0) {
            return number;
        }
        if (number == ENDED || !inSteps) {
            return loop.numberMessages(1);
        }
        number = loop.beginMessage();
        numbers[index] = number;
        return number;
    }

    /// All recipients are found, or nobody wants to know the others.
    void end(List<? extends Loop> loops) {
        if (inSteps) {
            for (int i = 0; i < goesTo.length; i++) {
                if (goesTo[i]) {
                    Loop loop = loops.get(i);
                    loop.execute(() -> endOn(loop));
                }
            }
        }
    }

    private void endOn(Loop loop) {
        int index = loop.index();
        long number = numbers[index];
        numbers[index] = ENDED;
        if (number > 0) {
            loop.endMessage(number);
        }
    }
}
