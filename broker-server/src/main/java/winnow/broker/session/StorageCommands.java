package winnow.broker.session;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import winnow.broker.budget.MetadataAccount;
import winnow.broker.matching.RefusedException;
import winnow.broker.routing.NamedSubscriptions;
import winnow.broker.shard.Outcome;
import winnow.broker.shard.Shard;
import winnow.broker.storage.ConnectionShare;
import winnow.broker.storage.Storage;
import winnow.store.LogException;
import winnow.wire.ErrorCode;
import winnow.wire.frame.ControlFrame;

/// Requests of one connection to the storage, and the answers to them. A client that asks faster
/// than the storage works is not read for a while, nor is one with more than a few commands while
/// those of all take too much memory. Owned by the connection's event loop.
final class StorageCommands {
    /// The memory of a command without what it brings.
    private static final int COMMAND_BYTES = 256;

    /// Commands that may wait: a few milliseconds of the storage.
    private static final int MAX_BYTES = 4096 * COMMAND_BYTES;

    /// Commands that may wait while those of all connections take too much memory.
    private static final int FEW_BYTES = 8 * COMMAND_BYTES;

    private final Storage storage;
    private final Output output;
    private final ReadingPauses pauses;
    private final SessionContext context;
    private final MetadataAccount account;
    private final ConnectionShare waiting;

    /// Set before there are commands.
    private @Nullable HeldRequest held;

    /// Set by the loop, ended by the storage's thread.
    private volatile boolean lagging;

    private volatile boolean overfull;
    private boolean closed;

    /// @param account says whose share of memory is taken
    StorageCommands(
            SessionContext context, Output output, MetadataAccount account, ReadingPauses pauses) {
        this.account = account;
        this.context = context;
        this.storage = context.storage();
        this.output = output;
        this.pauses = pauses;
        this.waiting = new ConnectionShare(context.commands(), account::owner);
    }

    /// Tells who looks for room again when commands of this connection have given some back. To be
    /// called before there are commands.
    void holdsBack(HeldRequest newHeld) {
        held = newHeld;
    }

    /// True if there is room for a command that brings so much.
    boolean hasRoom(long bytes) {
        return waiting.hasRoom(COMMAND_BYTES + bytes);
    }

    /// True if there are more than a few while those of all connections take too much: nothing more
    /// is taken for the moment. Any thread.
    boolean isOverfull() {
        return overfull;
    }

    /// Runs a command on the storage's thread, after those before.
    void execute(Consumer<Shard> command) {
        execute(0, command);
    }

    /// @param bytes memory that the command takes besides what is limited elsewhere
    void execute(int bytes, Consumer<Shard> command) {
        int taken = COMMAND_BYTES + bytes;
        if (!waiting.take(taken)) {
            waiting.add(taken);
            overfull = true;
            pauses.begin(ReadingPauses.Reason.COMMAND_MEMORY);
        }
        if (waiting.bytes() > MAX_BYTES) {
            lagging = true;
            pauses.begin(ReadingPauses.Reason.STORAGE_LAG);
        }
        storage.execute(
                output.loop(),
                output,
                shard -> {
                    try {
                        command.accept(shard);
                    } finally {
                        onExecuted(taken);
                    }
                });
    }

    private void onExecuted(int taken) {
        boolean room = waiting.giveBack(taken);
        HeldRequest holding = held;
        if (room && holding != null && holding.isHolding()) {
            reply(holding::tryAgain);
        }
        long left = waiting.bytes();
        if (lagging && left <= MAX_BYTES / 2) {
            lagging = false;
            reply(() -> pauses.end(ReadingPauses.Reason.STORAGE_LAG));
        }
        if (overfull && left <= FEW_BYTES) {
            overfull = false;
            reply(() -> pauses.end(ReadingPauses.Reason.COMMAND_MEMORY));
        }
    }

    /// Runs a command on the connection's loop, unless the connection has gone by then. Storage's
    /// thread.
    void reply(Runnable command) {
        reply(0, command);
    }

    /// The same for a command that copies bytes.
    ///
    /// @param bytes how many about
    void reply(int bytes, Runnable command) {
        storage.tell(
                output.loop(),
                output,
                bytes,
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

            @Override
            public boolean seesSubscriptions() {
                return context.access().current() == null;
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
                if (failure.reason() == LogException.Reason.FENCED) {
                    // Another owner of the log may have what was asked for: the client, whose
                    // connection ends now, asks that one.
                    return;
                }
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
