package winnow.wire;

import java.util.List;

/// A frame that is not sent per message: one record each. Layouts are in docs/PROTOCOL.md in the
/// order of the components here; `int` and `long` components are varints unless noted.
public sealed interface ControlFrame
        permits ControlFrame.Hello,
                ControlFrame.Welcome,
                ControlFrame.Challenge,
                ControlFrame.Response,
                ControlFrame.Open,
                ControlFrame.Release,
                ControlFrame.Subscribe,
                ControlFrame.Unsubscribe,
                ControlFrame.Intern,
                ControlFrame.Accepted,
                ControlFrame.Refused,
                ControlFrame.Published,
                ControlFrame.PublishRefused,
                ControlFrame.Names,
                ControlFrame.Blocked,
                ControlFrame.Heartbeat,
                ControlFrame.Goodbye,
                PartsFrame,
                SessionFrame {
    /// The frame's number, see [FrameType].
    int type();

    /// Writes the fields behind the type.
    void writeFields(WireWriter out);

    /// Writes the whole frame, length first.
    default void write(WireWriter out) {
        int mark = out.beginFrame(type());
        writeFields(out);
        out.endFrame(mark);
    }

    /// First frame of a client.
    ///
    /// @param capabilities bits of optional features that the client understands, such as
    ///   [Protocol#STORED]
    /// @param clientId JMS client identifier, empty if none
    /// @param mechanism SASL mechanism: `ANONYMOUS`, `SCRAM-SHA-256` or `PLAIN`
    /// @param initialResponse what the mechanism sends first
    /// @param heartbeatMillis longest silence that the client will cause, 0 for none
    /// @param product name and version of the client, for people
    record Hello(
            long capabilities,
            String clientId,
            String mechanism,
            String initialResponse,
            int heartbeatMillis,
            String product)
            implements ControlFrame {
        @Override
        public int type() {
            return FrameType.HELLO;
        }

        @Override
        public void writeFields(WireWriter out) {
            out.writeVarlong(capabilities);
            out.writeString(clientId);
            out.writeString(mechanism);
            out.writeString(initialResponse);
            out.writeVarint(heartbeatMillis);
            out.writeString(product);
        }

        /// Without the initial response, which has the password.
        @Override
        public String toString() {
            return "Hello[clientId=%s, mechanism=%s, heartbeatMillis=%d]"
                    .formatted(clientId, mechanism, heartbeatMillis);
        }

        static Hello read(WireReader in) {
            return new Hello(
                    in.readVarlong(),
                    in.readString(),
                    in.readString(),
                    in.readString(),
                    in.readVarint(),
                    in.readString());
        }
    }

    /// The broker's answer to [Hello].
    ///
    /// @param connectionId unique over brokers and restarts; first half of message ids (8 bytes)
    /// @param heartbeatMillis longest silence of the broker, and what it expects of the client
    /// @param maxFrameBytes longest frame that the broker accepts
    /// @param producerWindowBytes credit that each destination handle has when it is opened
    record Welcome(
            int majorVersion,
            int minorVersion,
            long capabilities,
            long connectionId,
            int heartbeatMillis,
            int maxFrameBytes,
            int producerWindowBytes,
            String product)
            implements ControlFrame {
        @Override
        public int type() {
            return FrameType.WELCOME;
        }

        @Override
        public void writeFields(WireWriter out) {
            out.writeByte(majorVersion);
            out.writeByte(minorVersion);
            out.writeVarlong(capabilities);
            out.writeLong(connectionId);
            out.writeVarint(heartbeatMillis);
            out.writeVarint(maxFrameBytes);
            out.writeVarint(producerWindowBytes);
            out.writeString(product);
        }

        static Welcome read(WireReader in) {
            return new Welcome(
                    in.readUnsignedByte(),
                    in.readUnsignedByte(),
                    in.readVarlong(),
                    in.readLong(),
                    in.readVarint(),
                    in.readVarint(),
                    in.readVarint(),
                    in.readString());
        }
    }

    /// What the broker's SASL mechanism says between [Hello] and [Welcome].
    record Challenge(String data) implements ControlFrame {
        @Override
        public int type() {
            return FrameType.CHALLENGE;
        }

        @Override
        public void writeFields(WireWriter out) {
            out.writeString(data);
        }
    }

    /// The client's answer to a [Challenge].
    record Response(String data) implements ControlFrame {
        @Override
        public int type() {
            return FrameType.RESPONSE;
        }

        @Override
        public void writeFields(WireWriter out) {
            out.writeString(data);
        }

        /// Without the data, which has a proof of the password.
        @Override
        public String toString() {
            return "Response[]";
        }
    }

    /// Gives a destination a small number for publishing.
    ///
    /// @param handle chosen by the client, 1 to [Protocol#MAX_ID], not in use
    record Open(int requestId, int handle, DestinationKind kind, String name)
            implements ControlFrame {
        @Override
        public int type() {
            return FrameType.OPEN;
        }

        @Override
        public void writeFields(WireWriter out) {
            out.writeVarint(requestId);
            out.writeVarint(handle);
            out.writeByte(kind.number());
            out.writeString(name);
        }

        static Open read(WireReader in) {
            return new Open(
                    in.readVarint(), in.readVarint(), DestinationKind.read(in), in.readString());
        }
    }

    /// Gives a destination handle back; not answered.
    record Release(int handle) implements ControlFrame {
        @Override
        public int type() {
            return FrameType.RELEASE;
        }

        @Override
        public void writeFields(WireWriter out) {
            out.writeVarint(handle);
        }
    }

    /// Adds a subscription to the connection.
    ///
    /// @param subscriptionId chosen by the client, 1 to [Protocol#MAX_ID], not in use
    /// @param noLocal whether messages published on this connection are left out
    /// @param creditMessages deliveries that the client will accept at first
    /// @param creditBytes bytes of delivery frames that the client will accept at first
    record Subscribe(
            int requestId,
            int subscriptionId,
            Source source,
            boolean noLocal,
            int creditMessages,
            int creditBytes)
            implements ControlFrame {
        @Override
        public int type() {
            return FrameType.SUBSCRIBE;
        }

        @Override
        public void writeFields(WireWriter out) {
            out.writeVarint(requestId);
            out.writeVarint(subscriptionId);
            source.write(out);
            out.writeByte(noLocal ? 1 : 0);
            out.writeVarint(creditMessages);
            out.writeVarint(creditBytes);
        }

        static Subscribe read(WireReader in) {
            int requestId = in.readVarint();
            int subscriptionId = in.readVarint();
            Source source = Source.read(in);
            int flags = in.readUnsignedByte();
            if (flags > 1) {
                throw new WireException(
                        ErrorCode.MALFORMED_FRAME,
                        "Subscribe: expected flags 0 or 1, found " + flags);
            }
            return new Subscribe(
                    requestId,
                    subscriptionId,
                    source,
                    flags == 1,
                    in.readVarint(),
                    in.readVarint());
        }
    }

    /// Ends a subscription; no delivery for it follows the answer.
    record Unsubscribe(int requestId, int subscriptionId) implements ControlFrame {
        @Override
        public int type() {
            return FrameType.UNSUBSCRIBE;
        }

        @Override
        public void writeFields(WireWriter out) {
            out.writeVarint(requestId);
            out.writeVarint(subscriptionId);
        }
    }

    /// Asks for a number for a property name. [Names] brings it; a broker whose dictionary is full,
    /// or that finds the name unfit for it, does not answer, and the name stays inline.
    record Intern(String name) implements ControlFrame {
        @Override
        public int type() {
            return FrameType.INTERN;
        }

        @Override
        public void writeFields(WireWriter out) {
            out.writeString(name);
        }
    }

    /// The request was carried out.
    record Accepted(int requestId) implements ControlFrame {
        @Override
        public int type() {
            return FrameType.ACCEPTED;
        }

        @Override
        public void writeFields(WireWriter out) {
            out.writeVarint(requestId);
        }
    }

    /// The request was not carried out; the connection goes on.
    ///
    /// @param code number of an [ErrorCode], 2 bytes
    record Refused(int requestId, int code, String message) implements ControlFrame {
        @Override
        public int type() {
            return FrameType.REFUSED;
        }

        @Override
        public void writeFields(WireWriter out) {
            out.writeVarint(requestId);
            out.writeShort(code);
            out.writeString(message);
        }
    }

    /// All messages up to the one numbered `count` that asked for a confirmation were handled.
    ///
    /// @param count confirmed publishes since the connection began
    record Published(long count) implements ControlFrame {
        @Override
        public int type() {
            return FrameType.PUBLISHED;
        }

        @Override
        public void writeFields(WireWriter out) {
            out.writeVarlong(count);
        }
    }

    /// A message was not published. Comes before the [Published] that counts it.
    ///
    /// @param sequence its number among the messages that asked for a confirmation, 0 if it did not
    record PublishRefused(long sequence, int handle, int code, String message)
            implements ControlFrame {
        @Override
        public int type() {
            return FrameType.PUBLISH_REFUSED;
        }

        @Override
        public void writeFields(WireWriter out) {
            out.writeVarlong(sequence);
            out.writeVarint(handle);
            out.writeShort(code);
            out.writeString(message);
        }
    }

    /// Property names with the numbers `firstId`, `firstId + 1`, …
    record Names(int firstId, List<String> names) implements ControlFrame {
        public Names {
            names = List.copyOf(names);
        }

        @Override
        public int type() {
            return FrameType.NAMES;
        }

        @Override
        public void writeFields(WireWriter out) {
            out.writeVarint(firstId);
            out.writeVarint(names.size());
            names.forEach(out::writeString);
        }

        static Names read(WireReader in) {
            int firstId = in.readVarint();
            int count = in.readVarint();
            if (count > in.remaining()) {
                throw new WireException(
                        ErrorCode.MALFORMED_FRAME,
                        "Names: expected at most " + in.remaining() + " names, found " + count);
            }
            String[] names = new String[count];
            for (int i = 0; i < count; i++) {
                names[i] = in.readString();
            }
            return new Names(firstId, List.of(names));
        }
    }

    /// Why a producer's credit does not come; ends with the next credit for the handle.
    record Blocked(int handle, String reason) implements ControlFrame {
        @Override
        public int type() {
            return FrameType.BLOCKED;
        }

        @Override
        public void writeFields(WireWriter out) {
            out.writeVarint(handle);
            out.writeString(reason);
        }
    }

    /// Nothing to say, but alive.
    record Heartbeat() implements ControlFrame {
        @Override
        public int type() {
            return FrameType.HEARTBEAT;
        }

        @Override
        public void writeFields(WireWriter out) {}
    }

    /// The last frame of either side.
    ///
    /// @param code number of an [ErrorCode], 2 bytes
    record Goodbye(int code, String message) implements ControlFrame {
        @Override
        public int type() {
            return FrameType.GOODBYE;
        }

        @Override
        public void writeFields(WireWriter out) {
            out.writeShort(code);
            out.writeString(message);
        }
    }

    /// Reads the fields of a control frame to the frame's end.
    ///
    /// @throws WireException if `type` is no control frame, which those that are sent per message
    ///   are not and should have been taken before, or the fields are not as specified
    static ControlFrame decode(int type, WireReader in) {
        if (FrameType.isPerMessage(type)) {
            throw new WireException(
                    ErrorCode.UNEXPECTED_FRAME,
                    "expected another frame at this time from this side, found 0x"
                            + Integer.toHexString(type));
        }
        ControlFrame frame =
                switch (type) {
                    case FrameType.HELLO -> Hello.read(in);
                    case FrameType.WELCOME -> Welcome.read(in);
                    case FrameType.CHALLENGE -> new Challenge(in.readString());
                    case FrameType.RESPONSE -> new Response(in.readString());
                    case FrameType.OPEN -> Open.read(in);
                    case FrameType.RELEASE -> new Release(in.readVarint());
                    case FrameType.SUBSCRIBE -> Subscribe.read(in);
                    case FrameType.UNSUBSCRIBE -> new Unsubscribe(in.readVarint(), in.readVarint());
                    case FrameType.INTERN -> new Intern(in.readString());
                    case FrameType.ACCEPTED -> new Accepted(in.readVarint());
                    case FrameType.REFUSED ->
                            new Refused(in.readVarint(), readCode(in), in.readMessage());
                    case FrameType.PUBLISHED -> new Published(in.readVarlong());
                    case FrameType.PUBLISH_REFUSED ->
                            new PublishRefused(
                                    in.readVarlong(),
                                    in.readVarint(),
                                    readCode(in),
                                    in.readMessage());
                    case FrameType.NAMES -> Names.read(in);
                    case FrameType.BLOCKED -> new Blocked(in.readVarint(), in.readMessage());
                    case FrameType.BEGIN_SESSION -> BeginSession.read(in);
                    case FrameType.END_SESSION -> EndSession.read(in);
                    case FrameType.CONSUME -> Consume.read(in);
                    case FrameType.END_CONSUMER -> EndConsumer.read(in);
                    case FrameType.ACKNOWLEDGE -> Acknowledge.read(in);
                    case FrameType.RECOVER -> Recover.read(in);
                    case FrameType.COMMIT -> Commit.read(in);
                    case FrameType.DELETE_SUBSCRIPTION -> DeleteSubscription.read(in);
                    case FrameType.CREATE_TEMPORARY -> CreateTemporary.read(in);
                    case FrameType.DELETE_TEMPORARY -> DeleteTemporary.read(in);
                    case FrameType.BROWSE_END -> BrowseEnd.read(in);
                    case FrameType.END_BRANCH -> EndBranch.read(in);
                    case FrameType.DECIDE -> Decide.read(in);
                    case FrameType.LIST_PREPARED -> ListPrepared.read(in);
                    case FrameType.PREPARED -> Prepared.read(in);
                    case FrameType.MARK -> Mark.read(in);
                    case FrameType.CANCEL_PARTS, FrameType.PARTS_REFUSED, FrameType.DELIVERY_CUT ->
                            PartsFrame.read(type, in);
                    case FrameType.HEARTBEAT -> new Heartbeat();
                    case FrameType.GOODBYE -> new Goodbye(readCode(in), in.readMessage());
                    default -> SessionFrame.readReturn(type, in);
                };
        in.requireEnd();
        return frame;
    }

    private static int readCode(WireReader in) {
        return in.readShort() & 0xFFFF;
    }
}
