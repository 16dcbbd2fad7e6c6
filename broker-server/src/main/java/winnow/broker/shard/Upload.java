package winnow.broker.shard;

import winnow.store.Durability;

/// A message in parts that is being sent: its parts go to the log as they come, and are deleted if
/// it is not completed. Owned by its shard.
public final class Upload {
    private final Shard shard;
    private final StoredDestination destination;
    private final byte[] head;
    private final MessageHeaders headers;
    private final long id;
    private final String owner;
    private int bytes;
    private int parts;
    private boolean ended;

    /// @param id number of its body
    /// @param owner whose share its delay takes
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

    /// Whether that shard has its parts. Another one may have taken its place.
    public boolean isOf(Shard other) {
        return shard == other;
    }

    /// The next part.
    ///
    /// @param outcome when it is written
    public void add(byte[] part, Outcome outcome) {
        if (ended) {
            throw new IllegalStateException("the message has ended");
        }
        if (shard.journal().refuses(outcome)) {
            return;
        }
        PartRows.put(shard.journal().batch(), id, parts, part);
        parts++;
        bytes += part.length;
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
        boolean synced = stored && headers.persistent();
        shard.journal().waitFor(outcome, synced ? Durability.SYNCED : Durability.WRITTEN);
    }

    /// Takes the message, unless it was taken before.
    ///
    /// @return whether the log gets it
    boolean append(Intake.Way way) {
        String duplicateId = shard.duplicateIds().find(destination, head, headers);
        boolean stored = false;
        if (!shard.duplicates().contains(duplicateId)) {
            stored = shard.intake().append(destination, head, headers, way, body(), owner);
            shard.duplicates().add(shard.journal().batch(), duplicateId, stored);
        }
        end();
        return stored;
    }

    /// All parts have come, and become part of a transaction.
    ///
    /// @param transaction that sends the message
    public void complete(StoredTransaction transaction) {
        transaction.send(destination, head, headers, this);
    }

    /// The body as far as it has come.
    LargeBody body() {
        return new LargeBody(id, bytes, parts);
    }

    /// Its message has been appended.
    void end() {
        if (!ended) {
            ended = true;
            shard.bodies().onUploaded(destination, id, headers.blockBytes());
        }
    }

    /// Forgets the parts that have come. Does nothing when it has been completed.
    public void cancel() {
        end();
    }
}
