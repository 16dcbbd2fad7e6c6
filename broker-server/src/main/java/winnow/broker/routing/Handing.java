package winnow.broker.routing;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import winnow.broker.destination.Topic;
import winnow.broker.matching.MatchContext;
import winnow.broker.matching.NameDictionary;
import winnow.broker.shard.Recipients;
import winnow.broker.subscription.LiveBody;
import winnow.broker.subscription.Publisher;
import winnow.broker.subscription.Recipient;
import winnow.broker.subscription.StoredRecipient;
import winnow.broker.subscription.Subscription;
import winnow.selector.index.api.MatchPause;
import winnow.selector.index.api.MatchSink;
import winnow.wire.MessageBlock;

/// Takes the matching recipients of one message: a live subscription gets it, a stored one is
/// noted, unless it does not want messages of this producer. With the scratch space in which they
/// are found. Owned by the loop of a [Router].
final class Handing implements MatchSink<Recipient>, MatchPause {
    /// Approximate cost of a copy: 0.045 µs and its bytes, or 0.6 µs for one that shares the bytes
    /// with others.
    private static final int NANOS_PER_COPY = 45;

    /// Reading the properties of a message of so many bytes takes 0.1 ms at most.
    private static final int MANY_BYTES = 16 * 1024;

    private static final int COPIED_BYTES = 8 * 1024;
    private static final int COPIED_BYTES_PER_NANO = 14;

    private final Router router;
    private final MatchTurn turn;
    private final MatchContext context;
    private MessageBlock block = new MessageBlock();
    private @Nullable Publisher producer;

    /// In parts, null if the block has it.
    private @Nullable LiveBody body;

    private boolean live;

    /// True if the time that it takes is measured.
    private boolean timed;

    /// The message if no loop gets a copy of it to deliver from.
    private @Nullable SharedMessage shared;

    /// Live subscriptions that want the message.
    private int copies;

    /// Number of them that got it in the steps before.
    private int copiesBefore;

    /// Live subscriptions that got it, if they are noted or have it from a match that was given up.
    private @Nullable Set<Subscription> served;

    private int[] stored = new int[16];
    private int storedCount;

    /// @param turn of the router
    Handing(Router router, NameDictionary names, MatchTurn turn) {
        this.router = router;
        this.turn = turn;
        this.context = new MatchContext(names, this);
    }

    void begin(MessageBlock newBlock, @Nullable Publisher newProducer, boolean nowLive) {
        block = newBlock;
        producer = newProducer;
        live = nowLive;
        timed = false;
        copies = 0;
        copiesBefore = 0;
        storedCount = 0;
        if (shared != null) {
            shared = null;
        }
        if (body != null) {
            body = null;
        }
        if (served != null) {
            served = null;
        }
        if (newBlock.length() > MANY_BYTES) {
            onManyBytes();
        }
    }

    /// The body of the message that has begun comes in parts; it is delivered alone.
    void inParts(LiveBody newBody) {
        body = newBody;
        router.deliver();
        // A long head is shared already, without its body.
        shared = null;
        share();
    }

    /// True if the message is delivered alone.
    boolean isAlone() {
        return body != null || block.length() > SharedMessage.MAX_BORROWED_BYTES;
    }

    private void onManyBytes() {
        turn.onManyBytes();
        if (block.length() > SharedMessage.MAX_BORROWED_BYTES) {
            // It is delivered alone.
            router.deliver();
            share();
        }
    }

    /// Notes from now on who gets the message.
    void noteServed() {
        served = new HashSet<>();
    }

    /// They have the message.
    void served(Set<Subscription> before) {
        served = before;
    }

    /// Subscriptions that were noted.
    Set<Subscription> served() {
        return served == null ? Set.of() : served;
    }

    /// No loop gets a copy of the message from now on: its array stays as it is.
    private void share() {
        if (shared == null && live) {
            shared = router.shared(block, body);
        }
    }

    @Nullable SharedMessage shared() {
        return shared;
    }

    /// More recipients are looked for in a step of its own. Those found so far get the message from
    /// its present array, and the others from the one that is kept for them.
    ///
    /// @param kept never changed
    void stop(MessageBlock kept) {
        SharedMessage current = shared;
        if (current != null) {
            current.comeInSteps();
        }
        router.deliver();
        move(kept);
        share();
        comeInSteps();
    }

    /// Recipients are looked for in steps. The array of the message is never changed.
    void comeInSteps() {
        share();
        SharedMessage current = shared;
        if (current != null) {
            current.comeInSteps();
        }
    }

    /// Begins a step.
    void beginStep() {
        copiesBefore = copies;
    }

    /// The time that deliveries will take counts, too.
    @Override
    public int unitsAllowed(long done) {
        if (!live) {
            return turn.unitsAllowed(done, 0);
        }
        int nanosPerCopy =
                NANOS_PER_COPY + Math.min(block.length(), COPIED_BYTES) / COPIED_BYTES_PER_NANO;
        long aheadNanos = (long) (copies - copiesBefore) * nanosPerCopy;
        int most = (int) MatchTurn.LOOK_NANOS / nanosPerCopy;
        return Math.min(most, turn.unitsAllowed(done, aheadNanos));
    }

    /// Forgets the message, its array and its producer, but not who wants it.
    void clear() {
        SharedMessage ended = shared;
        if (ended != null) {
            shared = null;
            router.end(ended);
        }
        block = new MessageBlock();
        body = null;
        producer = null;
        served = null;
        context.forget();
    }

    /// The message lies elsewhere now, at the place that the block tells.
    @SuppressWarnings("ReferenceEquality") // Whether it is the same array.
    private void move(MessageBlock moved) {
        byte[] from = block.array();
        if (from != moved.array()) {
            context.values().moveStrings(from, moved.array(), moved.start() - block.start());
        }
        block = moved;
    }

    @Override
    public void onMatch(Recipient recipient) {
        // A type switch would cost more than the copy.
        if (recipient instanceof Subscription subscription) {
            if (subscription.wants(producer)) {
                copies++;
                if (live && (served == null || served.add(subscription))) {
                    router.hand(subscription, block, shared, context);
                }
            }
        } else if (recipient instanceof StoredRecipient one && one.wants(producer)) {
            note(one.id());
        }
    }

    private void note(int id) {
        if (storedCount == stored.length) {
            stored = Arrays.copyOf(stored, 2 * storedCount);
        }
        stored[storedCount++] = id;
    }

    void time() {
        timed = true;
    }

    boolean timed() {
        return timed;
    }

    MatchContext context() {
        return context;
    }

    /// Bytes of the message, whose body may not be in memory.
    int length() {
        return block.length() + (body == null ? 0 : body.bytes());
    }

    /// True if live subscriptions get the message.
    boolean live() {
        return live;
    }

    /// Live subscriptions that want the message.
    int copies() {
        return copies;
    }

    /// The stored ones that were noted, null if nobody wants the message to be stored.
    @Nullable Recipients recipients(Topic topic) {
        if (storedCount == 0) {
            return topic.storesAll() ? Recipients.NONE : null;
        }
        return Recipients.of(Arrays.copyOf(stored, storedCount));
    }
}
