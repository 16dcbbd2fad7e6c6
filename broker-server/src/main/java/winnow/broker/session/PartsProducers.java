package winnow.broker.session;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import winnow.broker.destination.RefusedException;
import winnow.broker.destination.Topic;
import winnow.broker.shard.MessageHeaders;
import winnow.broker.shard.Recipients;
import winnow.broker.shard.Shard;
import winnow.broker.storage.DiskUse;
import winnow.broker.storage.StoredReference;
import winnow.broker.subscription.LiveBody;
import winnow.wire.ErrorCode;
import winnow.wire.FrameType;
import winnow.wire.MessageBlock;
import winnow.wire.PartsRefused;
import winnow.wire.Protocol;
import winnow.wire.Publish;
import winnow.wire.PublishInParts;
import winnow.wire.PublishPart;
import winnow.wire.WireException;
import winnow.wire.WireReader;

/// The messages in parts that one connection is sending, one at a time for each handle. A part goes
/// to the storage as it comes, and its credit comes back when it is written, so that the window
/// bounds what is in memory. Owned by the connection's event loop.
final class PartsProducers {
    /// Of a message that is being sent, beside its headers.
    private static final long MESSAGE_BYTES = 512;

    private static final byte[] NOTHING = {};

    private final SessionContext context;
    private final Output output;
    private final HeadMatching matching;
    private final MetadataAccount account;
    private final Producers producers;
    private final SessionChannels sessions;
    private final StorageCommands commands;
    private final MessageBlock block = new MessageBlock();

    /// By handle.
    private final Map<Integer, Incoming> incoming = new HashMap<>();

    /// That live subscriptions are getting, which takes long; null if there is none.
    private @Nullable Incoming delivering;

    private boolean closed;

    PartsProducers(
            SessionContext context,
            Output output,
            ReadingPauses pauses,
            MetadataAccount account,
            Producers producers,
            SessionChannels sessions) {
        this.context = context;
        this.output = output;
        this.matching = new HeadMatching(context, output, pauses);
        this.account = account;
        this.producers = producers;
        this.sessions = sessions;
        this.commands = sessions.commands();
    }

    /// One message whose parts come.
    private final class Incoming implements PendingPublish, PartsPublish.Answers {
        final ProducerHandle handle;
        final int flags;

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

        /// Whose transaction it is for, null if it is for none.
        @Nullable SessionChannel session;

        /// Which transaction of the session.
        long transaction;

        /// Whether somebody wants it, so that the storage is told.
        boolean wanted;

        boolean ended;
        boolean done;
        long number;

        Incoming(ProducerHandle handle, int flags, long again, int bodyBytes) {
            this.handle = handle;
            this.flags = flags;
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

    /// @param type one that [FrameType#isPart] knows
    void onFrame(int type, WireReader in) {
        if (type == FrameType.PUBLISH_IN_PARTS) {
            onBegin(in);
        } else {
            onPart(in);
        }
    }

    /// A message begins. `in` stands behind the frame's type.
    private void onBegin(WireReader in) {
        int frameBytes = Protocol.LENGTH_BYTES + 1 + in.remaining();
        int number = in.readVarint();
        int flags = Publish.readFlags(in);
        long again = Publish.readNumber(in, flags);
        int session = (flags & Publish.TRANSACTED) != 0 ? in.readVarint() : 0;
        int bodyBytes = PublishInParts.readBodyBytes(in);
        block.parseFields(in.array(), in.position(), in.limit());
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
        Incoming message = new Incoming(handle, flags, again, bodyBytes);
        incoming.put(number, message);
        output.loop().onMessage(false, 0);
        Begun begun = new Begun(message, frameBytes);
        try {
            check(message, session, bodyBytes);
            if (producers.confirmations().numbers().wasTaken(again)) {
                producers.giveBack(handle, frameBytes);
            } else {
                matching.find(handle.destination(), block, begun);
            }
        } catch (RefusedException e) {
            begun.onRefused(e);
        }
        block.clear();
    }

    private void check(Incoming message, int session, int bodyBytes) {
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

    /// A message of which it is not known yet who wants it.
    private final class Begun implements HeadMatching.Answer {
        private final Incoming message;
        private final int frameBytes;

        Begun(Incoming message, int frameBytes) {
            this.message = message;
            this.frameBytes = frameBytes;
        }

        @Override
        public void onFound(MessageBlock head, @Nullable Recipients recipients, int maxNameId) {
            if (recipients == null) {
                producers.giveBack(message.handle, frameBytes);
            } else {
                store(message, head, recipients, maxNameId, frameBytes);
            }
        }

        @Override
        public void onRefused(RefusedException why) {
            refuse(message, why);
            producers.giveBack(message.handle, frameBytes);
        }
    }

    /// Whether a message has begun of which it is not known yet who wants it. Any thread.
    boolean isMatching() {
        return matching.isMatching();
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

    /// The next part. `in` stands behind the frame's type.
    private void onPart(WireReader in) {
        int frameBytes = Protocol.LENGTH_BYTES + 1 + in.remaining();
        Incoming message = find(in.readVarint(), "PublishPart");
        int bytes = PublishPart.checkedBytes(in, message.missing);
        producers.charge(message.handle, frameBytes);
        message.missing -= bytes;
        if (message.wanted && message.refused == null) {
            PartBytes part = PartBytes.of(in, frameBytes);
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
        message.number = producers.confirmations().count(message.flags, message.again);
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
        Delivered answer = new Delivered(message);
        try {
            matching.deliver(topic, head, body, answer);
        } catch (RefusedException e) {
            answer.onRefused(e);
        }
    }

    /// A message that live subscriptions are getting.
    private final class Delivered implements HeadMatching.Answer {
        private final Incoming message;

        Delivered(Incoming message) {
            this.message = message;
        }

        @Override
        public void onFound(MessageBlock head, @Nullable Recipients recipients, int maxNameId) {
            delivering = null;
            complete(message);
            producers.onAnswered();
        }

        @Override
        public void onRefused(RefusedException why) {
            delivering = null;
            cancel(message);
            message.finish(why);
        }
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
        matching.close();
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
