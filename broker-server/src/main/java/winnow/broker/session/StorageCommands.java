package winnow.broker.session;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import winnow.broker.destination.NamedSubscriptions;
import winnow.broker.destination.RefusedException;
import winnow.broker.shard.Outcome;
import winnow.broker.shard.Shard;
import winnow.broker.storage.Storage;
import winnow.store.LogException;
import winnow.wire.ControlFrame;
import winnow.wire.ErrorCode;

/// What one connection asks of the storage, and how it is answered. A client that asks faster than
/// the storage works is not read for a while. Owned by the connection's event loop.
final class StorageCommands {
    /// Commands that may wait: a few milliseconds of the storage. Large ones count as several.
    private static final int MAX_WAITING = 4096;

    /// The memory of a command that counts as one.
    private static final int BYTES_PER_COMMAND = 256;

    private final Storage storage;
    private final Output output;
    private final ReadingPauses pauses;
    private final SessionContext context;
    private final MetadataAccount account;
    private final AtomicInteger waiting = new AtomicInteger();
    private boolean closed;

    /// @param account says whose share of memory is taken
    StorageCommands(
            SessionContext context, Output output, MetadataAccount account, ReadingPauses pauses) {
        this.account = account;
        this.context = context;
        this.storage = context.storage();
        this.output = output;
        this.pauses = pauses;
    }

    /// Runs a command on the storage's thread, after those before.
    void execute(Consumer<Shard> command) {
        execute(0, command);
    }

    /// @param bytes memory that the command takes besides what is limited elsewhere
    void execute(int bytes, Consumer<Shard> command) {
        int weight = 1 + bytes / BYTES_PER_COMMAND;
        if (waiting.addAndGet(weight) > MAX_WAITING) {
            pauses.begin(ReadingPauses.Reason.STORAGE_LAG);
        }
        storage.execute(
                output.loop(),
                output,
                shard -> {
                    try {
                        command.accept(shard);
                    } finally {
                        onExecuted(weight);
                    }
                });
    }

    private void onExecuted(int weight) {
        int left = waiting.addAndGet(-weight);
        if (left <= MAX_WAITING / 2 && left + weight > MAX_WAITING / 2) {
            reply(() -> pauses.end(ReadingPauses.Reason.STORAGE_LAG));
        }
    }

    /// Runs a command on the connection's loop, unless the connection has gone by then. Storage's
    /// thread.
    void reply(Runnable command) {
        storage.tell(
                output.loop(),
                output,
                () -> {
                    if (!closed) {
                        command.run();
                    }
                });
    }

    /// Answers a request when the storage has done what it asks for.
    ///
    /// @param requestId 0 if nobody waits
    Outcome answering(int requestId) {
        return answering(requestId, Runnable::run, () -> {}, ErrorCode.LIMIT_EXCEEDED);
    }

    /// The same with more to do, also if the connection has gone by then.
    ///
    /// @param done called on the connection's loop if it was carried out; runs what it is given,
    ///   the answer, when it has done its part
    /// @param ended called there in any case, before the answer
    /// @param refusal the code by which a limit is answered
    Outcome answering(int requestId, Consumer<Runnable> done, Runnable ended, ErrorCode refusal) {
        return new Outcome() {
            @Override
            public String owner() {
                return account.owner();
            }

            private void end() {
                storage.tell(output.loop(), output, ended);
            }

            @Override
            public void onDone() {
                storage.tell(
                        output.loop(),
                        output,
                        () ->
                                done.accept(() -> {
                                    ended.run();
                                    if (!closed) {
                                        accept(requestId);
                                    }
                                }));
            }

            @Override
            public void onRefused(String reason) {
                end();
                reply(() -> refuse(requestId, new RefusedException(refusal, reason)));
            }

            @Override
            public void onFailed(LogException failure) {
                end();
                reply(() -> refuse(requestId, NamedSubscriptions.unavailable(failure)));
            }
        };
    }

    /// A request was carried out. Connection's loop.
    void accept(int requestId) {
        if (requestId != 0) {
            output.write(new ControlFrame.Accepted(requestId));
        }
    }

    /// A request is refused. Connection's loop.
    void refuse(int requestId, RefusedException refused) {
        context.counters().refusals.increment(refused.code());
        if (requestId != 0) {
            output.write(
                    new ControlFrame.Refused(
                            requestId,
                            refused.code().number(),
                            String.valueOf(refused.getMessage())));
        }
    }

    /// The connection has gone: nobody is answered any more.
    void close() {
        closed = true;
    }
}
