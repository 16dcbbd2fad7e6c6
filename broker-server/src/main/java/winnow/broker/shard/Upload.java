package winnow.broker.shard;

import winnow.store.Batch;
import winnow.store.Durability;

/// A message in parts that is being sent: its parts go to the log as they come, and are deleted if
/// it is not completed. Live subscriptions may read them for longer. Owned by its shard.
public final class Upload {
    private static final byte[] NOTHING = {};

    private final Shard shard;
    private final StoredDestination destination;
    private byte[] head;
    private final MessageHeaders headers;
    private final long id;
    private final String owner;
    private int bytes;
    private int parts;
    private boolean kept;

    /// True while its bytes are among those that are being sent.
    private boolean announced = true;

    /// True if nobody wants it to be stored, so that its parts need not outlive the broker.
    private boolean passing;

    private boolean ended;

    /// @param id number of its body
    /// @param owner whose share its memory and its delay take
    Upload(
            Shard shard,
            StoredDestination destination,
            byte[] head,
            MessageHeaders headers,
            long id,
            String owner) {
        this.shard = shard;
        this.destination = destination;
        this.head = head;
        this.headers = headers;
        this.id = id;
        this.owner = owner;
    }

    /// True if that shard has its parts. Another one may have taken its place.
    public boolean isOf(Shard other) {
        return shard == other;
    }

    /// Its parts stay when it has been completed, until it is cancelled. Where nobody wants it to
    /// be stored, it is for those alone who read them.
    public void keep() {
        kept = true;
        shard.bodies().onKept(destination, owner);
        passing = destination.subscriptions().stream().noneMatch(one -> one.wants(headers));
    }

    /// True if its parts are deleted, unless a message needs them.
    public boolean ended() {
        return ended;
    }

    /// The next part.
    ///
    /// @param outcome when it is written
    public void add(byte[] part, Outcome outcome) {
        add(part, 0, part.length, outcome);
    }

    /// @param array holds the next part, from `start` to `end`; borrowed
    /// @param outcome when it is written
    public void add(byte[] array, int start, int end, Outcome outcome) {
        if (ended) {
            throw new IllegalStateException("the message has ended");
        }
        if (shard.journal().refuses(outcome)) {
            return;
        }
        byte[] row = PartRows.row(array, start, end);
        Batch batch = shard.journal().batch();
        StoreMemory memory = shard.memory();
        batch.owner(memory.ofRows(memory.owner(owner)));
        PartRows.put(batch, PartRows.key(id, parts), row, passing);
        batch.owner(null);
        parts++;
        bytes += end - start;
        shard.journal().waitFor(outcome, Durability.WRITTEN);
    }

    /// All parts have come: the message waits for consumers from now on.
    ///
    /// @param outcome a persistent message: when it is durable. Another: when it is written
    public void complete(Outcome outcome) {
        if (ended) {
            throw new IllegalStateException("the message has ended");
        }
        if (shard.journal().refuses(outcome)) {
            cancel();
            return;
        }
        boolean stored = append(Intake.Way.STORED);
        outcome.onTaken(shard, stored);
        boolean synced = stored && headers.persistent();
        shard.journal().waitFor(outcome, synced ? Durability.SYNCED : Durability.WRITTEN);
    }

    /// Takes the message, unless it was taken before.
    ///
    /// @return whether the log gets it
    boolean append(Intake.Way way) {
        String duplicateId = shard.sentAgain().finder().find(destination, head, headers);
        boolean stored = false;
        if (!passing && !shard.sentAgain().identifiers().contains(duplicateId)) {
            stored = shard.intake().append(destination, head, headers, way, body(), owner);
            shard.sentAgain()
                    .identifiers()
                    .add(shard.journal().batch(), owner, duplicateId, stored);
        }
        if (kept) {
            head = NOTHING;
            arrive();
        } else {
            end();
        }
        return stored;
    }

    /// All parts have come, and become part of a transaction.
    ///
    /// @param transaction that sends the message
    public void complete(StoredTransaction transaction) {
        transaction.send(destination, head, headers, this);
    }

    /// The body as far as it has come.
    public LargeBody body() {
        return new LargeBody(id, bytes, parts);
    }

    /// Its message has been appended.
    void end() {
        if (!ended) {
            ended = true;
            arrive();
            if (kept) {
                shard.bodies().onUnkept(destination, owner);
            }
            shard.bodies().onUploaded(destination, id, headers.blockBytes());
        }
    }

    /// From now on those count it that have it.
    private void arrive() {
        if (announced) {
            announced = false;
            shard.bodies().onArrived(destination, headers.blockBytes());
        }
    }

    /// Forgets the parts that have come. Does nothing when it has been completed, unless they were
    /// to be kept.
    public void cancel() {
        end();
    }
}
