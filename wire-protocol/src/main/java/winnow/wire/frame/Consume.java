package winnow.wire.frame;

import winnow.wire.ConsumerRole;
import winnow.wire.FrameType;
import winnow.wire.SessionFlags;
import winnow.wire.Source;
import winnow.wire.WireReader;
import winnow.wire.WireWriter;

/// Adds a consumer to a session.
///
/// @param consumer chosen by the client, 1 to [winnow.wire.Protocol#MAX_ID]; shares its numbers
///   with subscriptions
/// @param role what it takes its messages from
/// @param source destination, selector and correlation-ID filter
/// @param subscription name of the subscription, empty for a queue
/// @param noLocal whether messages published on connections with the same client identifier are
///   left out; for [ConsumerRole#DURABLE] only
/// @param creditMessages deliveries that the client will accept at first
/// @param creditBytes bytes of message blocks that the client will accept at first
public record Consume(
        int requestId,
        int consumer,
        int session,
        ConsumerRole role,
        Source source,
        String subscription,
        boolean noLocal,
        int creditMessages,
        int creditBytes)
        implements SessionFrame {
    @Override
    public int type() {
        return FrameType.CONSUME;
    }

    @Override
    public void writeFields(WireWriter out) {
        out.writeVarint(requestId);
        out.writeVarint(consumer);
        out.writeVarint(session);
        out.writeByte(role.number());
        source.write(out);
        out.writeString(subscription);
        out.writeByte(noLocal ? 1 : 0);
        out.writeVarint(creditMessages);
        out.writeVarint(creditBytes);
    }

    static Consume read(WireReader in) {
        return new Consume(
                in.readVarint(),
                in.readVarint(),
                in.readVarint(),
                ConsumerRole.read(in),
                Source.read(in),
                in.readString(),
                SessionFlags.read(in, "Consume"),
                in.readVarint(),
                in.readVarint());
    }
}
