package winnow.broker.session;

import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import winnow.broker.subscription.Subscription;
import winnow.broker.subscription.SubscriptionsBehind;

/// A subscription that is behind: how fast it takes what waits, and why it has to end. Written by
/// its connection's event loop, read by all threads.
final class ConsumerBehind implements SubscriptionsBehind.Entry {
    /// Before that many ticks its pace is not known. It is worth a line in the log then.
    private static final int MEASURED_TICKS = 2;

    /// Weight of all ticks before the last in the pace.
    private static final double BEFORE = 0.75;

    private static final double TICKS_PER_SECOND = 1000.0 / ClientConnection.TICK_MILLIS;

    /// Messages that may wait, however small they are: half of what can be counted.
    private static final int MAX_MESSAGES = 1 << 30;

    private final String topic;
    private final Subscription subscription;
    private final Consumer<String> end;
    private final long sinceNanos = System.nanoTime();
    private long takenMessages;
    private long takenBytes;
    private double bytesPerTick;
    private int ticks;
    private boolean logged;
    private volatile boolean ended;
    private volatile int idleTicks;
    private volatile double catchUpSeconds;

    /// @param end closes the connection for a reason; called by its loop
    ConsumerBehind(String topic, Subscription subscription, Consumer<String> end) {
        this.topic = topic;
        this.subscription = subscription;
        this.end = end;
        this.takenMessages = subscription.takenMessages();
        this.takenBytes = subscription.takenBytes();
    }

    /// Called every [ClientConnection#TICK_MILLIS].
    ///
    /// @return why it has to end, empty if it has not
    String onTick(SubscriptionsBehind.Limits limits) {
        ticks++;
        idleTicks = subscription.takenMessages() == takenMessages ? idleTicks + 1 : 0;
        takenMessages = subscription.takenMessages();
        measure();
        long bytes = subscription.backlogBytes();
        if (subscription.limitedBytes() > limits.bytes()
                || subscription.backlogMessages() > MAX_MESSAGES) {
            return "has "
                    + bytes
                    + " bytes waiting, more than subscription.spill-buffer allows ("
                    + limits.bytes()
                    + ")";
        }
        long idleMillis = (long) idleTicks * ClientConnection.TICK_MILLIS;
        long limitMillis = limits.idle().toMillis();
        if (limitMillis > 0 && idleMillis >= limitMillis && subscription.full()) {
            return "has "
                    + bytes
                    + " bytes waiting and has taken nothing for "
                    + limits.idle().toSeconds()
                    + " s, which is subscription.spill-timeout";
        }
        return "";
    }

    private void measure() {
        long taken = subscription.takenBytes() - takenBytes;
        takenBytes = subscription.takenBytes();
        bytesPerTick = ticks == 1 ? taken : BEFORE * bytesPerTick + (1 - BEFORE) * taken;
        if (ticks >= MEASURED_TICKS) {
            catchUpSeconds =
                    bytesPerTick < 1
                            ? Double.POSITIVE_INFINITY
                            : subscription.backlogBytes() / bytesPerTick / TICKS_PER_SECOND;
        }
    }

    /// True if the log should say now that it is behind; true once.
    boolean isWorthALine() {
        boolean worth = !logged && ticks >= MEASURED_TICKS && subscription.full();
        logged |= worth;
        return worth;
    }

    /// True if the log says that it is behind.
    boolean wasLogged() {
        return logged;
    }

    /// The subscription and what waits for it, for people.
    String describe() {
        return subscription
                + " is behind: "
                + subscription.backlogBytes()
                + " bytes wait for it, more than subscription.buffer ("
                + subscription.budgetBytes()
                + "). Everybody else goes on";
    }

    @Override
    public SubscriptionsBehind.BehindSubscription info() {
        return new SubscriptionsBehind.BehindSubscription(
                topic,
                subscription.toString(),
                subscription.backlogBytes(),
                TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - sinceNanos),
                (long) idleTicks * ClientConnection.TICK_MILLIS / 1000);
    }

    @Override
    public long waitingBytes() {
        return subscription.backlogBytes();
    }

    @Override
    public double catchUpSeconds() {
        return ended || subscription.closed() ? 0 : catchUpSeconds;
    }

    @Override
    public void end(String why) {
        subscription.loop().execute(subscription.target(), () -> endNow(why));
    }

    private void endNow(String why) {
        if (!ended && !subscription.closed()) {
            ended = true;
            end.accept(
                    why
                            + ". Take messages faster, let more wait, or have its producers wait by"
                            + " destination.slow-consumers="
                            + topic
                            + "=block");
        }
    }
}
