package winnow.broker.shard;

import java.util.function.Predicate;
import winnow.store.Durability;
import winnow.store.LogException;
import winnow.wire.DestinationKind;

/// Actions of operators on queues and on messages that wait for a consumer: keep these back for a
/// while, remove them, move them to another queue, or give dead letters another try. Owned by the
/// shard.
public final class Operations {
    private static final String QUEUE = "queue ";

    private final Shard shard;

    Operations(Shard shard) {
        this.shard = shard;
    }

    /// The disk is nearly full, or is not any more: space is given back at once, not when it is
    /// worth it.
    public void sparing(boolean spares) {
        shard.journal().sparing(spares, shard.catalog().destinations());
    }

    /// Keeps the messages of a queue back from its consumers, or lets them go on, also after the
    /// next start. What consumers were sent ahead is asked back; producers go on.
    ///
    /// @param outcome when that is durable
    public void pause(StoredDestination queue, boolean paused, Outcome outcome) {
        if (shard.journal().refuses(outcome)) {
            return;
        }
        if (queue.paused() != paused) {
            queue.setPaused(paused);
            if (queue.inLog) {
                ShardRows.put(shard.journal().batch(), queue);
            }
            if (paused) {
                queue.queue().recalls().askAll();
            } else {
                queue.queue().lanes().list().forEach(shard.dispatcher()::add);
                shard.catalog().onIdle(queue);
            }
        }
        shard.registry().confirm(outcome, queue.inLog);
    }

    /// Removes messages.
    public Operation purge(
            StoredSubscription subscription, Selection selection, Operation.Result result) {
        return start(
                subscription,
                selection,
                message -> {
                    subscription.destination().counts().purged++;
                    return true;
                },
                result);
    }

    /// Moves messages to the end of a queue.
    ///
    /// @throws IllegalArgumentException if the target is a topic, or the queue itself
    public Operation move(
            StoredSubscription subscription,
            Selection selection,
            StoredDestination target,
            Operation.Result result) {
        if (target.kind() != DestinationKind.QUEUE || target == subscription.destination()) {
            throw new IllegalArgumentException(
                    "expected another queue to move messages of "
                            + subscription
                            + " to, found "
                            + target);
        }
        return start(
                subscription, selection, message -> move(message, target, message.block), result);
    }

    /// Moves dead letters back to the queues that they come from. Those that come from a topic, or
    /// do not say where they come from, stay.
    ///
    /// @param usable says whether messages may be moved to a queue of that name, which anyone can
    ///   have written
    /// @throws IllegalArgumentException if they are not in the dead-letter queue: elsewhere nobody
    ///   but their sender has written where they come from
    public Operation retry(
            StoredSubscription deadLetters,
            Selection selection,
            Predicate<String> usable,
            Operation.Result result) {
        if (!shard.settlement().graves().is(deadLetters.destination())) {
            throw new IllegalArgumentException(
                    "expected the dead-letter queue '%s', found %s: move its messages by name"
                            .formatted(shard.config().deadLetters(), deadLetters));
        }
        return start(deadLetters, selection, message -> retry(message, usable), result);
    }

    private boolean retry(StoredMessage message, Predicate<String> usable) {
        String from = DeadLetter.from(message.block);
        if (!from.startsWith(QUEUE) || !usable.test(from.substring(QUEUE.length()))) {
            return false;
        }
        StoredDestination target = shard.queue(from.substring(QUEUE.length()));
        return target != message.destination
                && move(message, target, DeadLetter.remove(message.block));
    }

    private boolean move(StoredMessage message, StoredDestination target, byte[] block) {
        MessageHeaders old = message.headers;
        MessageHeaders headers =
                new MessageHeaders(
                        old.persistent(),
                        old.priority(),
                        old.expiration(),
                        0,
                        Recipients.NONE,
                        LargeBody.bytes(block, message.body),
                        message.maxNameId,
                        old.special());
        shard.intake().append(target, block, headers, Intake.Way.WITH_OTHERS, message.body);
        shard.journal().demand(Durability.SYNCED);
        message.destination.counts().moved++;
        return true;
    }

    private Operation start(
            StoredSubscription subscription,
            Selection selection,
            Operation.Action action,
            Operation.Result result) {
        Operation operation = new Operation(shard, subscription, selection, action, result);
        LogException failure = shard.failure().orElse(null);
        if (failure != null) {
            result.onFailed(0, failure);
        } else {
            operation.start();
        }
        return operation;
    }
}
