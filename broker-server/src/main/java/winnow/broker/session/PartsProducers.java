package winnow.broker.session;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import winnow.broker.budget.MetadataAccount;
import winnow.broker.destination.Destination;
import winnow.broker.destination.Topic;
import winnow.broker.matching.PropertyLimits;
import winnow.broker.matching.RefusedException;
import winnow.broker.routing.Audience;
import winnow.broker.routing.MatchDone;
import winnow.broker.routing.MatchQueue;
import winnow.broker.routing.MatchResult;
import winnow.broker.shard.MessageHeaders;
import winnow.broker.shard.Recipients;
import winnow.broker.shard.Shard;
import winnow.broker.storage.DiskUse;
import winnow.broker.storage.StoredReference;
import winnow.broker.subscription.LiveBody;
import winnow.wire.ErrorCode;
import winnow.wire.MessageBlock;
import winnow.wire.WireException;
import winnow.wire.frame.PartsRefused;
import winnow.wire.frame.PublishPart;

/// The messages in parts that one connection is sending, one at a time for each handle. A part goes
/// to the storage as it comes, and its credit comes back when it is written, so that the window
/// bounds what is in memory. Owned by the connection's event loop.
final class PartsProducers {
    /// Of a message that is being sent, beside its headers.
    private static final long MESSAGE_BYTES = 512;

    private static final byte[] NOTHING = {};

    private final SessionContext context;
    private final Output output;
    private final MatchQueue matches;
    private final MetadataAccount account;
    private final Producers producers;
    private final SessionChannels sessions;
    private final StorageCommands commands;

    /// By handle.
    private final Map<Integer, Incoming> incoming = new HashMap<>();

    /// That live subscriptions are getting, which takes long; null if there is none.
    private @Nullable Incoming delivering;

    private boolean closed;

    PartsProducers(
            SessionContext context,
            Output output,
            MetadataAccount account,
            Producers producers,
            SessionChannels sessions) {
        this.context = context;
        this.output = output;
        this.matches = sessions.matches();
        this.account = account;
        this.producers = producers;
        this.sessions = sessions;
        this.commands = sessions.commands();
    }

    /// One message whose parts come.
    private final class Incoming implements PendingPublish, PartsPublish.Answers, MatchDone {
        final ProducerHandle handle;
        final boolean confirm;

        /// The number that it had on an earlier connection, 0 if it is new.
        final long again;

        /// Number among the messages in parts of the handle.
        final long ofHandle;

        final PartsPublish parts;
        int missing;
        byte[] head = NOTHING;
        int maxNameId;
        @Nullable RefusedException refused;

        /// Of its head, as long as the storage may have to do with that.
        long charged;

        /// Session whose transaction it is for, null if it is for none.
        @Nullable SessionChannel session;

        /// Which transaction of the session.
        long transaction;

        /// True if somebody wants it, so that the storage is told.
        boolean wanted;

        boolean ended;
        boolean done;
        long number;

        Incoming(ProducerHandle handle, boolean confirm, long again, int bodyBytes) {
            this.handle = handle;
            this.confirm = confirm;
            this.again = again;
            this.missing = bodyBytes;
            this.ofHandle = handle.nextInParts();
            this.parts =
                    handle.topic() == null
                            ? new PartsPublish(this)
                            : new PartsPublish(this, bodyBytes, context);
        }

        void in(SessionChannel found) {
            session = found;
            transaction = found.transaction();
        }

        /// The session whose transaction it is for, null if that has ended.
        @Nullable SessionChannel transacted() {
            SessionChannel known = session;
            return known != null && known.transaction() == transaction ? known : null;
        }

        @Override
        public long number() {
            return number;
        }

        @Override
        public boolean done() {
            return done;
        }

        @Override
        public void onPart(int frameBytes) {
            producers.tell(() -> producers.giveBack(handle, frameBytes));
        }

        @Override
        public void onRefused(RefusedException why) {
            producers.tell(() -> refuse(this, why));
        }

        @Override
        public String owner() {
            return account.owner();
        }

        @Override
        public @Nullable String overfull() {
            return context.storage().overfull(DiskUse.MESSAGE, owner());
        }

        /// Shard's thread.
        void onTaken(Shard shard, boolean stored) {
            producers.confirmations().numbers().onTaken(shard, number, number, stored);
        }

        /// Live subscriptions have got it.
        @Override
        public void onMatched(MatchResult result) {
            delivering = null;
            complete(this);
            producers.onAnswered();
        }

        @Override
        public void onFault(Throwable fault) {
            RefusedException why = MatchDone.refusal(fault);
            delivering = null;
            cancel(this);
            finish(why);
        }

        void finish(@Nullable RefusedException why) {
            if (!closed) {
                if (why != null) {
                    tellRefused(this, why);
                }
                done = true;
                producers.onAnswered();
            }
        }
    }

    /// Begins a message, as [Producers#publish].
    ///
    /// @param bodyBytes of all its parts
    /// @param block up to the body; borrowed
    void begin(
            int number,
            boolean confirm,
            long again,
            int session,
            int bodyBytes,
            MessageBlock block,
            int frameBytes) {
        producers.clock().onMessage(block);
        ProducerHandle handle = producers.handle(number);
        if (handle == null || incoming.containsKey(number) || block.bodyLength() > 0) {
            throw new WireException(
                    ErrorCode.UNEXPECTED_FRAME,
                    "PublishInParts: expected an open handle without a message in parts, and a"
                            + " block that ends before the body; found handle "
                            + number);
        }
        producers.charge(handle, frameBytes);
        Incoming message = new Incoming(handle, confirm, again, bodyBytes);
        incoming.put(number, message);
        output.loop().onMessage(false, 0);
        Begun begun = new Begun(message, frameBytes);
        try {
            check(message, session, block, bodyBytes);
            if (producers.confirmations().numbers().wasTaken(again)) {
                producers.giveBack(handle, frameBytes);
            } else {
                find(handle.destination(), block, begun);
            }
        } catch (RefusedException e) {
            begun.onFault(e);
        }
    }

    private void check(Incoming message, int session, MessageBlock block, int bodyBytes) {
        if (session != 0) {
            message.in(sessions.transacted(session));
        }
        PartsPublish.check(block, bodyBytes);
        String full =
                message.parts.live() == null
                        ? null
                        : context.backlogMemory().bodyRefusal(bodyBytes);
        if (full != null) {
            throw new RefusedException(ErrorCode.LIMIT_EXCEEDED, full);
        }
    }

    /// Looks for whom the message that begins is to be stored: for stored recipients, or until live
    /// subscriptions have it.
    ///
    /// @throws RefusedException if it cannot be taken and that is found at once
    private void find(Destination destination, MessageBlock block, Begun begun) {
        if (destination instanceof Topic topic) {
            PartsPublish.checkTime(topic, block, context.maxFrameBytes());
            matches.match(topic, block, output, Audience.STORED_ONLY, begun);
        } else {
            PropertyLimits limits = context.destinations().propertyLimits();
            begun.onMatched(output.loop().router().check(block, limits));
        }
    }

    /// A message of which it is not known yet who wants it.
    private final class Begun implements MatchDone {
        private final Incoming message;
        private final int frameBytes;

        Begun(Incoming message, int frameBytes) {
            this.message = message;
            this.frameBytes = frameBytes;
        }

        @Override
        public void onMatched(MatchResult result) {
            Recipients recipients = result.recipients();
            if (recipients == null && !result.live()) {
                producers.giveBack(message.handle, frameBytes);
            } else {
                // Stored for nobody but live subscriptions, if these alone want it.
                Recipients stored = recipients == null ? Recipients.NONE : recipients;
                store(message, result.block(), stored, result.maxNameId(), frameBytes);
            }
        }

        @Override
        public void onFault(Throwable fault) {
            refuse(message, MatchDone.refusal(fault));
            producers.giveBack(message.handle, frameBytes);
        }
    }

    /// @param head the message up to its body
    private void store(
            Incoming message,
            MessageBlock head,
            Recipients recipients,
            int maxNameId,
            int frameBytes) {
        long charged = MESSAGE_BYTES + head.length();
        account.charge(charged);
        message.charged = charged;
        message.wanted = true;
        PublishedBody body = message.parts.live();
        if (body != null) {
            body.charge();
        }
        message.head = Arrays.copyOfRange(head.array(), head.start(), head.end());
        message.maxNameId = maxNameId;
        MessageHeaders headers = PartsPublish.headers(head, message.missing, recipients, maxNameId);
        StoredReference reference = message.handle.destination().stored();
        commands.execute(
                shard -> message.parts.begin(shard, reference, message.head, headers, frameBytes));
    }

    /// Takes the next part of a message: bytes of an array from `start` to `end`.
    ///
    /// @param own whether the array belongs to nobody else; any other is used again
    void part(int number, byte[] array, int start, int end, boolean own, int frameBytes) {
        Incoming message = find(number, "PublishPart");
        int bytes = end - start;
        PublishPart.check(bytes, message.missing);
        producers.charge(message.handle, frameBytes);
        message.missing -= bytes;
        if (message.wanted && message.refused == null) {
            PartBytes part = PartBytes.of(array, start, end, own);
            commands.execute(frameBytes, shard -> message.parts.add(shard, part, frameBytes));
        } else {
            producers.giveBack(message.handle, frameBytes);
        }
        if (message.missing == 0) {
            end(message);
        }
    }

    private Incoming find(int number, String frame) {
        Incoming message = incoming.get(number);
        if (message == null) {
            throw new WireException(
                    ErrorCode.UNEXPECTED_FRAME,
                    frame + ": handle " + number + " has no message in parts");
        }
        return message;
    }

    private void end(Incoming message) {
        forget(message);
        message.number = producers.confirmations().count(message.confirm, message.again);
        RefusedException refused = message.refused;
        if (refused == null && message.wanted && message.session != null) {
            refused = join(message);
        }
        if (refused != null) {
            cancel(message);
            tellRefused(message, refused);
        } else if (message.wanted && message.session == null) {
            if (message.number > 0) {
                producers.confirmations().numbers().pass(message.number);
                producers.confirmations().await(message);
            }
            deliver(message);
        }
        producers.onAnswered();
    }

    /// Live subscriptions get it at once, before what is published later, and read the parts when
    /// the storage has them.
    private void deliver(Incoming message) {
        Topic topic = message.handle.topic();
        LiveBody body = message.parts.live();
        if (topic == null || body == null) {
            complete(message);
            return;
        }
        delivering = message;
        MessageBlock head = new MessageBlock();
        head.parseFields(message.head, 0, message.head.length);
        matches.matchInParts(topic, head, output, body, message);
    }

    private void complete(Incoming message) {
        finish(
                message,
                shard -> {
                    message.parts.complete(
                            shard,
                            stored -> message.onTaken(shard, stored),
                            why -> producers.tell(() -> message.finish(why)));
                    if (message.parts.live() != null) {
                        message.parts.letGo(shard);
                    }
                });
    }

    /// Makes it part of its transaction.
    ///
    /// @return why it cannot be, null if it is
    private @Nullable RefusedException join(Incoming message) {
        SessionChannel session = message.transacted();
        if (session == null) {
            return new RefusedException(
                    ErrorCode.ROLLED_BACK,
                    "the transaction ended before the last part of the message came");
        }
        try {
            sessions.publishInParts(
                    session,
                    message.handle.destination(),
                    message.head,
                    message.maxNameId,
                    message.parts);
        } catch (RefusedException e) {
            return e;
        }
        // The transaction's memory has the head now.
        account.giveBack(message.charged);
        message.charged = 0;
        return null;
    }

    private void forget(Incoming message) {
        message.ended = true;
        incoming.remove(message.handle.number(), message);
    }

    /// Runs the last command of a message. The storage needs its head until then.
    private void finish(Incoming message, Consumer<Shard> command) {
        long charged = message.charged;
        message.charged = 0;
        commands.execute(shard -> {
            try {
                command.accept(shard);
            } finally {
                message.head = NOTHING;
                account.giveBack(charged);
            }
        });
    }

    /// The storage, or the connection, does not take it.
    private void refuse(Incoming message, RefusedException why) {
        if (closed || message.ended || message.refused != null) {
            return;
        }
        message.refused = why;
        SessionChannel session = message.transacted();
        if (session != null) {
            sessions.refuse(session, message.handle.destination(), why);
        }
        output.write(
                new PartsRefused(
                        message.handle.number(),
                        message.ofHandle,
                        why.code().number(),
                        String.valueOf(why.getMessage())));
    }

    private void tellRefused(Incoming message, RefusedException why) {
        producers.refuse(
                message.number,
                message.handle.number(),
                why.code(),
                String.valueOf(why.getMessage()));
    }

    /// The client gives a message up.
    void onCancel(int number) {
        Incoming message = find(number, "CancelParts");
        forget(message);
        cancel(message);
    }

    private void cancel(Incoming message) {
        if (message.wanted) {
            finish(message, message.parts::letGo);
        }
    }

    /// A handle is given back.
    void onRelease(int number) {
        if (incoming.containsKey(number)) {
            onCancel(number);
        }
    }

    /// The connection has gone: what has not come whole is deleted.
    void close() {
        closed = true;
        Incoming whole = delivering;
        if (whole != null) {
            delivering = null;
            complete(whole);
        }
        for (Incoming message : List.copyOf(incoming.values())) {
            forget(message);
            cancel(message);
        }
    }
}
