package winnow.broker.destination;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import winnow.broker.shard.Recipients;
import winnow.broker.subscription.DeliveryTarget;
import winnow.broker.subscription.Recipient;
import winnow.broker.subscription.StoredRecipient;
import winnow.broker.subscription.Subscription;
import winnow.selector.index.MatchSink;
import winnow.wire.MessageBlock;

/// Takes the matching recipients of one message: a live subscription gets it, a stored one is
/// noted, unless it does not want messages of this producer. With the scratch space in which they
/// are found. Owned by the loop of a [Router].
final class Handing implements MatchSink<Recipient> {
    private final Router router;
    private final MatchContext context;
    private MessageBlock block = new MessageBlock();
    private @Nullable DeliveryTarget producer;
    private boolean live;

    /// Whether the time that it takes is measured.
    private boolean timed;

    /// Live subscriptions that want the message.
    private int copies;

    private int[] stored = new int[16];
    private int storedCount;

    Handing(Router router, MatchContext context) {
        this.router = router;
        this.context = context;
    }

    void begin(MessageBlock newBlock, @Nullable DeliveryTarget newProducer, boolean nowLive) {
        block = newBlock;
        producer = newProducer;
        live = nowLive;
        timed = false;
        copies = 0;
        storedCount = 0;
    }

    /// Forgets the message and its producer.
    void clear() {
        block = new MessageBlock();
        producer = null;
    }

    /// The message lies elsewhere now, at the place that the block tells.
    @SuppressWarnings("ReferenceEquality") // Whether it is the same array.
    void move(MessageBlock moved) {
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
                if (live) {
                    router.hand(subscription, block, context);
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

    /// Bytes of the message.
    int length() {
        return block.length();
    }

    /// Whether live subscriptions get the message.
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
