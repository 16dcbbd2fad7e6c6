package winnow.client.transport;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.FastThreadLocal;
import java.io.UncheckedIOException;
import java.nio.channels.ClosedChannelException;
import java.util.Arrays;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import winnow.client.log.ClientLog;
import winnow.client.transport.endpoint.ConnectionLimits;
import winnow.client.transport.endpoint.ConnectionTarget;
import winnow.client.transport.endpoint.LocalFailure;
import winnow.client.transport.endpoint.TransportException;
import winnow.wire.ErrorCode;
import winnow.wire.FrameSink;
import winnow.wire.FrameSplitter;
import winnow.wire.FrameType;
import winnow.wire.Protocol;
import winnow.wire.WireException;
import winnow.wire.WireReader;
import winnow.wire.WireWriter;
import winnow.wire.frame.BrowseEnd;
import winnow.wire.frame.ControlFrame;
import winnow.wire.frame.Delivery;
import winnow.wire.frame.DeliveryCut;
import winnow.wire.frame.PartsRefused;
import winnow.wire.frame.Prepared;
import winnow.wire.frame.Recall;

/// Cuts what one socket brings into frames and gives each to whom it concerns. Owned by who reads
/// the socket: the connection's event loop, or the thread that [SocketReader] has lent the reading.
final class InboundFrames extends ChannelInboundHandlerAdapter implements FrameSink {
    private static final Logger LOG = ClientLog.of(InboundFrames.class);

    /// Bytes of a frame in front of its fields: length and type.
    private static final int FRAME_HEADER_BYTES = Protocol.LENGTH_BYTES + 1;

    private static final FastThreadLocal<byte[]> SCRATCH =
            new FastThreadLocal<>() {
                @Override
                protected byte[] initialValue() {
                    return new byte[FrameSplitter.SCRATCH_BYTES];
                }
            };

    private final WireConnection connection;
    private final LoginExchange login;
    private final HandshakeResult handshake;
    private @Nullable FrameSplitter splitter;

    /// Cuts what a thread reads, and behind it what the event loop reads up to the next frame's
    /// begin.
    private @Nullable FrameSplitter lentSplitter;

    private boolean welcomed;
    private final int maxKeptBytes;
    private int maxFrameBytes;
    private int readBytes;
    private @Nullable Heartbeat heartbeat;
    private @Nullable ScheduledFuture<?> nextBeat;
    private @Nullable ChannelHandlerContext context;

    InboundFrames(WireConnection connection, ConnectionTarget target, HandshakeResult handshake) {
        this.connection = connection;
        this.login = new LoginExchange(target.login());
        maxKeptBytes = target.limits().maxMessageBytes();
        this.handshake = handshake;
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        context = ctx;
        splitter = new FrameSplitter(SCRATCH.get(), Protocol.MAX_HANDSHAKE_FRAME_BYTES);
        WireWriter out = new WireWriter(256);
        out.writeInt(Protocol.MAGIC);
        out.writeByte(Protocol.MAJOR_VERSION);
        out.writeByte(Protocol.MINOR_VERSION);
        login.hello().write(out);
        ByteBuf first = ctx.alloc().directBuffer(out.size());
        first.writeBytes(out.array(), 0, out.size());
        ctx.writeAndFlush(first, ctx.voidPromise());
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        try {
            if (!welcomed) {
                handshake.onRead((ByteBuf) message);
            }
            readBytes += ((ByteBuf) message).readableBytes();
            boolean lentFrame = lentSplitter != null && lentSplitter.pendingBytes() > 0;
            feed((ByteBuf) message, lentFrame ? lentSplitter : splitter);
        } catch (WireException e) {
            giveUp(e);
        } finally {
            ReferenceCountUtil.release(message);
        }
    }

    private void feed(ByteBuf in, @Nullable FrameSplitter cutting) {
        if (heartbeat != null) {
            heartbeat.onRead(System.nanoTime());
        }
        if (cutting != null) {
            cutting.feed(in, this);
        }
    }

    /// True if no part of a frame waits for its rest.
    boolean isBetweenFrames() {
        return (splitter == null || splitter.pendingBytes() == 0)
                && (lentSplitter == null || lentSplitter.pendingBytes() == 0);
    }

    /// Makes [#onLentRead] possible.
    ///
    /// @param readBytes what one read brings at most
    void prepareLoan(int readBytes) {
        FrameSplitter made = new FrameSplitter(new byte[readBytes], maxFrameBytes);
        made.maxKeptBytes(maxKeptBytes);
        lentSplitter = made;
    }

    /// Takes what a thread has read.
    ///
    /// @throws WireException if it breaks the protocol: then nothing more may be read, and the
    ///   event loop has to [give up][#giveUp]
    void onLentRead(ByteBuf in) {
        feed(in, lentSplitter);
        connection.subscriptions().onReadEnd();
    }

    /// The broker broke the protocol, or is none, or this side cannot keep what comes. Event loop.
    void giveUp(WireException cause) {
        TransportException other = welcomed ? null : handshake.otherServer();
        if (other != null) {
            end(other);
            return;
        }
        stop();
        TransportException reason =
                new TransportException(
                        cause.code(),
                        cause.code() == ErrorCode.INTERNAL_ERROR
                                ? String.valueOf(cause.getMessage())
                                : "the broker broke the protocol: " + cause.getMessage());
        connection.onBroken(reason);
        handshake.fail(reason);
    }

    private void stop() {
        if (splitter != null) {
            splitter.stop();
        }
        if (lentSplitter != null) {
            lentSplitter.stop();
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        connection.subscriptions().onReadEnd();
        connection.reader().onReadComplete(readBytes);
        readBytes = 0;
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        if (ctx.channel().isWritable()) {
            connection.output().socket().onWritable();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        if (nextBeat != null) {
            nextBeat.cancel(false);
        }
        connection.subscriptions().onReadEnd();
        end(
                welcomed
                        ? lost(connection.peer() + " closed the connection", null)
                        : handshake.ended(null));
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event instanceof SslHandshakeCompletionEvent done && !done.isSuccess()) {
            Throwable cause = done.cause();
            end(
                    cause instanceof ClosedChannelException
                            ? handshake.ended(null)
                            : ClientTls.failure(cause));
        }
        ctx.fireUserEventTriggered(event);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable failure) {
        Throwable cause =
                failure instanceof DecoderException && failure.getCause() != null
                        ? failure.getCause()
                        : failure;
        if (cause instanceof SSLException && !welcomed) {
            end(ClientTls.failure(cause));
            return;
        }
        if (!(cause instanceof java.io.IOException)) {
            LOG.error("connection to {} failed", connection.peer(), cause);
        }
        String why = cause.getMessage() == null ? cause.toString() : cause.getMessage();
        String text = "lost the connection to " + connection.peer() + ": " + why;
        end(welcomed ? lost(text, cause) : handshake.ended(cause));
    }

    private static TransportException lost(String text, @Nullable Throwable cause) {
        return new TransportException(LocalFailure.CONNECTION_LOST, text, cause);
    }

    private void end(TransportException cause) {
        stop();
        connection.onLost(cause);
        handshake.fail(cause);
    }

    @Override
    public void onFrame(int type, WireReader in) {
        switch (type) {
            case FrameType.DELIVERY -> onDelivery(in);
            case FrameType.SHARED_DELIVERY -> onSharedDelivery(in);
            case FrameType.STORED_DELIVERY -> onStoredDelivery(in);
            case FrameType.DELIVERY_IN_PARTS -> onDeliveryInParts(in);
            case FrameType.DELIVERY_PART -> onDeliveryPart(in);
            case FrameType.PRODUCER_CREDIT -> onProducerCredit(in);
            default -> onControl(ControlFrame.decode(type, in));
        }
    }

    @Override
    public void onSkipped(int type, WireReader beginning, int length) {
        requireWelcome(type);
        SkippedMessage.tell(
                type, beginning, Protocol.LENGTH_BYTES + length, connection.subscriptions());
    }

    private void onDelivery(WireReader in) {
        requireWelcome(FrameType.DELIVERY);
        int frameBytes = FRAME_HEADER_BYTES + in.remaining();
        int id = in.readVarint();
        int flags = Delivery.readFlags(in);
        int deliveryCount = (flags & Delivery.REDELIVERED) != 0 ? in.readVarint() : 1;
        byte[] block = Arrays.copyOfRange(in.array(), in.position(), in.limit());
        connection.subscriptions().deliver(id, block, deliveryCount, frameBytes);
    }

    private void onStoredDelivery(WireReader in) {
        requireWelcome(FrameType.STORED_DELIVERY);
        int consumer = in.readVarint();
        long delivery = in.readVarlong();
        int earlierDeliveries = in.readVarint();
        byte[] block = Arrays.copyOfRange(in.array(), in.position(), in.limit());
        connection.subscriptions().deliverStored(consumer, block, delivery, earlierDeliveries);
    }

    private void onDeliveryInParts(WireReader in) {
        requireWelcome(FrameType.DELIVERY_IN_PARTS);
        int consumer = in.readVarint();
        long delivery = in.readVarlong();
        int earlier = in.readVarint();
        int bodyBytes = in.readVarint();
        byte[] head = Arrays.copyOfRange(in.array(), in.position(), in.limit());
        Subscriptions to = connection.subscriptions();
        keep(() -> to.deliverInParts(consumer, head, delivery, earlier, bodyBytes));
    }

    /// The part goes to a file, which is a copy into the system's cache as a rule.
    private void onDeliveryPart(WireReader in) {
        requireWelcome(FrameType.DELIVERY_PART);
        int consumer = in.readVarint();
        Subscriptions to = connection.subscriptions();
        keep(() -> to.deliverPart(consumer, in.array(), in.position(), in.limit()));
    }

    private static void keep(Runnable delivery) {
        try {
            delivery.run();
        } catch (UncheckedIOException e) {
            throw new WireException(
                    ErrorCode.INTERNAL_ERROR,
                    "the parts of a message cannot be kept: " + e.getMessage());
        }
    }

    private void onSharedDelivery(WireReader in) {
        requireWelcome(FrameType.SHARED_DELIVERY);
        int flags = in.readUnsignedByte();
        if (flags != 0) {
            throw new WireException(
                    ErrorCode.MALFORMED_FRAME, "SharedDelivery: expected flags 0, found " + flags);
        }
        int blockBytes = in.readVarint();
        if (blockBytes >= in.remaining()) {
            throw new WireException(
                    ErrorCode.MALFORMED_FRAME,
                    "SharedDelivery: expected a block of less than "
                            + in.remaining()
                            + " bytes, found "
                            + blockBytes);
        }
        int end = in.position() + blockBytes;
        byte[] block = Arrays.copyOfRange(in.array(), in.position(), end);
        in.position(end);
        while (in.remaining() > 0) {
            int id = in.readVarint();
            int frameBytes = Delivery.frameBytes(id, blockBytes);
            connection.subscriptions().deliver(id, block, 1, frameBytes);
        }
    }

    private void onProducerCredit(WireReader in) {
        requireWelcome(FrameType.PRODUCER_CREDIT);
        do {
            connection.onCredit(in.readVarint(), in.readVarint());
        } while (in.remaining() > 0);
    }

    private void requireWelcome(int type) {
        if (!welcomed) {
            throw unexpected("expected Welcome first", type);
        }
    }

    private static WireException unexpected(String expectation, int type) {
        return new WireException(
                ErrorCode.UNEXPECTED_FRAME,
                expectation + ", found a frame of type 0x" + Integer.toHexString(type));
    }

    private void onControl(ControlFrame frame) {
        if (frame instanceof ControlFrame.Welcome welcome) {
            onWelcome(welcome);
        } else if (frame instanceof ControlFrame.Goodbye goodbye) {
            onGoodbye(goodbye);
        } else if (frame instanceof ControlFrame.Challenge challenge && !welcomed) {
            onChallenge(challenge);
        } else {
            requireWelcome(frame.type());
            onEstablished(frame);
        }
    }

    private void onEstablished(ControlFrame frame) {
        if (frame instanceof ControlFrame.Published published) {
            connection.onPublished(published.count());
        } else if (frame instanceof ControlFrame.Accepted accepted) {
            // Who waits for the answer finds what was delivered before it.
            connection.subscriptions().onReadEnd();
            connection.requests().onAccepted(accepted.requestId());
        } else if (frame instanceof ControlFrame.Refused refused) {
            connection
                    .requests()
                    .onRefused(
                            refused.requestId(),
                            TransportException.ofNumber(refused.code(), refused.message()));
        } else if (frame instanceof ControlFrame.PublishRefused refused) {
            connection.onPublishRefused(refused);
        } else if (frame instanceof ControlFrame.Names names) {
            connection.names().add(names.firstId(), names.names());
        } else if (frame instanceof Prepared prepared) {
            connection.preparedLists().onPrepared(prepared);
        } else if (frame instanceof PartsRefused refused) {
            connection.onPartsRefused(refused);
        } else if (frame instanceof DeliveryCut cut) {
            connection.subscriptions().cutDelivery(cut.consumer());
        } else if (frame instanceof Recall recall) {
            connection.subscriptions().recall(recall.consumer());
        } else if (frame instanceof BrowseEnd end) {
            connection.subscriptions().endBrowse(end.consumer());
        } else if (frame instanceof ControlFrame.Blocked blocked) {
            connection.onBlocked(blocked.handle(), blocked.reason());
        } else if (!(frame instanceof ControlFrame.Heartbeat)) {
            throw unexpected("expected a frame that a broker sends", frame.type());
        }
    }

    private void onChallenge(ControlFrame.Challenge challenge) {
        try {
            if (login.onChallenge(challenge)) {
                handshake.doWaiting(() -> answer(challenge));
            }
        } catch (TransportException e) {
            refuse(e);
        }
    }

    /// On the thread that waits for the handshake.
    private void answer(ControlFrame.Challenge challenge) {
        try {
            connection.writeQuietly(login.answer(challenge));
        } catch (TransportException e) {
            handshake.fail(located(e));
        }
    }

    /// Ends the connection: the server that answers is not the broker that the user belongs to.
    private void refuse(TransportException reason) {
        stop();
        TransportException located = located(reason);
        connection.onBroken(located);
        handshake.fail(located);
    }

    private TransportException located(TransportException reason) {
        return new TransportException(
                reason.code(), connection.peer() + ": " + reason.getMessage());
    }

    private void onWelcome(ControlFrame.Welcome welcome) {
        try {
            login.requireProof();
        } catch (TransportException e) {
            refuse(e);
            return;
        }
        if (welcomed) {
            throw unexpected("expected one Welcome", welcome.type());
        }
        if (welcome.majorVersion() != Protocol.MAJOR_VERSION) {
            throw new WireException(
                    ErrorCode.UNSUPPORTED_VERSION,
                    "expected protocol version %d, found %d"
                            .formatted(Protocol.MAJOR_VERSION, welcome.majorVersion()));
        }
        if (splitter != null) {
            long limit = (long) welcome.maxFrameBytes() + ConnectionLimits.DELIVERY_OVERHEAD;
            maxFrameBytes = (int) Math.min(Integer.MAX_VALUE - 8, limit);
            splitter.maxFrameBytes(maxFrameBytes);
            splitter.maxKeptBytes(maxKeptBytes);
        }
        welcomed = true;
        connection.onWelcome(welcome);
        startHeartbeat(welcome.heartbeatMillis());
        if (handshake.succeed(connection)) {
            connection.onEstablished();
        }
    }

    private void startHeartbeat(int intervalMillis) {
        if (intervalMillis > 0) {
            Heartbeat started = new Heartbeat(intervalMillis, System.nanoTime());
            heartbeat = started;
            beat(started);
        }
    }

    private void beat(Heartbeat beating) {
        long now = System.nanoTime();
        SocketWriter socket = connection.output().socket();
        switch (beating.due(now, socket.lastWriteNanos(), socket.isEmpty())) {
            case SPEAK -> connection.writeQuietly(new ControlFrame.Heartbeat());
            case NOTHING -> {}
            case GIVE_UP -> {
                connection.onBroken(beating.silence(now));
                return;
            }
        }
        if (context != null) {
            nextBeat =
                    context.channel()
                            .eventLoop()
                            .schedule(
                                    () -> beat(beating),
                                    beating.untilNextNanos(now),
                                    TimeUnit.NANOSECONDS);
        }
    }

    private void onGoodbye(ControlFrame.Goodbye goodbye) {
        String what = welcomed ? " ended the connection: " : " refused the connection: ";
        String why = goodbye.message().isEmpty() ? "no reason given" : goodbye.message();
        String text = connection.peer() + what + why;
        end(
                goodbye.code() == ErrorCode.NONE.number()
                        ? lost(text, null)
                        : TransportException.ofNumber(goodbye.code(), text));
    }
}
