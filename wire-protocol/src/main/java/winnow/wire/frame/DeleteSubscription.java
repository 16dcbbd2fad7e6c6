package winnow.wire.frame;

import winnow.wire.FrameType;
import winnow.wire.WireReader;
import winnow.wire.WireWriter;

/// Ends a durable subscription, which must have no consumer.
///
/// @param subscription name of an unshared or shared durable subscription of this client identifier
public record DeleteSubscription(int requestId, String subscription) implements SessionFrame {
    @Override
    public int type() {
        return FrameType.DELETE_SUBSCRIPTION;
    }

    @Override
    public void writeFields(WireWriter out) {
        out.writeVarint(requestId);
        out.writeString(subscription);
    }

    static DeleteSubscription read(WireReader in) {
        return new DeleteSubscription(in.readVarint(), in.readString());
    }
}
