package winnow.wire.frame;

import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import winnow.wire.DestinationKind;
import winnow.wire.ErrorCode;
import winnow.wire.FrameType;
import winnow.wire.Protocol;
import winnow.wire.Resumption;
import winnow.wire.Source;
import winnow.wire.WireException;
import winnow.wire.WireReader;
import winnow.wire.WireWriter;

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
    /// @param resumption only with [Protocol#RESUME]
    record Hello(
            long capabilities,
            String clientId,
            String mechanism,
            String initialResponse,
            int heartbeatMillis,
            String product,
            @Nullable Resumption resumption)
            implements ControlFrame {
        /// Without [Protocol#RESUME].
        public Hello(
                long capabilities,
                String clientId,
                String mechanism,
                String initialResponse,
                int heartbeatMillis,
                String product) {
            this(
                    capabilities,
                    clientId,
                    mechanism,
                    initialResponse,
                    heartbeatMillis,
                    product,
                    null);
        }

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
            if ((capabilities & Protocol.RESUME) != 0) {
                Objects.requireNonNull(resumption).write(out);
            }
        }

        /// Without the initial response, which has the password.
        @Override
        public String toString() {
            return "Hello[clientId=%s, mechanism=%s, heartbeatMillis=%d]"
                    .formatted(clientId, mechanism, heartbeatMillis);
        }

        static Hello read(WireReader in) {
            long capabilities = in.readVarlong();
            return new Hello(
                    capabilities,
                    in.readString(),
                    in.readString(),
                    in.readString(),
                    in.readVarint(),
                    in.readString(),
                    (capabilities & Protocol.RESUME) == 0 ? null : Resumption.read(in));
        }
    }

    /// The broker's answer to [Hello].
    ///
    /// @param connectionId unique over brokers and restarts; first half of message ids (8 bytes)
    /// @param heartbeatMillis longest silence of the broker, and what it expects of the client
    /// @param maxFrameBytes longest frame that the broker accepts
    /// @param producerWindowBytes credit that each destination handle has when it is opened
    /// @param store identity of the broker's store, only with [Protocol#RESUME] (16 bytes)
    record Welcome(
            int majorVersion,
            int minorVersion,
            long capabilities,
            long connectionId,
            int heartbeatMillis,
            int maxFrameBytes,
            int producerWindowBytes,
            String product,
            @Nullable UUID store)
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
            if ((capabilities & Protocol.RESUME) != 0) {
                out.writeLong(Objects.requireNonNull(store).getMostSignificantBits());
                out.writeLong(store.getLeastSignificantBits());
            }
        }

        static Welcome read(WireReader in) {
            int major = in.readUnsignedByte();
            int minor = in.readUnsignedByte();
            long capabilities = in.readVarlong();
            return new Welcome(
                    major,
                    minor,
                    capabilities,
                    in.readLong(),
                    in.readVarint(),
                    in.readVarint(),
                    in.readVarint(),
                    in.readString(),
                    (capabilities & Protocol.RESUME) == 0
                            ? null
                            : new UUID(in.readLong(), in.readLong()));
        }
    }

    /// Message of the broker's SASL mechanism between [Hello] and [Welcome].
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
            out.writeMessage(message);
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
            out.writeMessage(message);
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

    /// Reason why a producer's credit does not come; ends with the next credit for the handle.
    record Blocked(int handle, String reason) implements ControlFrame {
        @Override
        public int type() {
            return FrameType.BLOCKED;
        }

        @Override
        public void writeFields(WireWriter out) {
            out.writeVarint(handle);
            out.writeMessage(reason);
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
            out.writeMessage(message);
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
        ControlFrame frame = ControlFrameReader.read(type, in);
        in.requireEnd();
        return frame;
    }
}
