package winnow.broker.transport;

import winnow.wire.FrameType;
import winnow.wire.WireWriter;
import winnow.wire.frame.DeliveryInParts;
import winnow.wire.frame.DeliveryPart;
import winnow.wire.frame.StoredDelivery;

/// Frames of what a native connection gets of its sessions, and of the credit of its producers.
/// Owned by the connection's event loop.
final class DeliveryWriter {
    private final ConnectionOutput output;
    private final WireWriter head = new WireWriter(64);

    /// Credit that is gathered into one frame.
    private final WireWriter credit = new WireWriter(64);

    /// Begin of that frame, -1 if there is none.
    private int mark = -1;

    DeliveryWriter(ConnectionOutput output) {
        this.output = output;
    }

    /// Appends a delivery, as [winnow.broker.session.Output#deliverStored].
    boolean append(
            int consumer, long delivery, int earlierDeliveries, byte[] block, Runnable copied) {
        head.clear();
        StoredDelivery.write(head, consumer, delivery, earlierDeliveries, block.length);
        return output.appendFrame(head, block, copied);
    }

    /// Appends a delivery, as [winnow.broker.session.Output#deliverInParts].
    boolean appendInParts(
            int consumer,
            long delivery,
            int earlierDeliveries,
            int bodyBytes,
            byte[] block,
            Runnable copied) {
        head.clear();
        DeliveryInParts.write(head, consumer, delivery, earlierDeliveries, bodyBytes, block.length);
        return output.appendFrame(head, block, copied);
    }

    /// Appends a part, as [winnow.broker.session.Output#deliverPart].
    boolean appendPart(int consumer, byte[] part, Runnable copied) {
        head.clear();
        DeliveryPart.write(head, consumer, part.length);
        return output.appendFrame(head, part, copied);
    }

    /// Adds to the credit that [#flushCredit] tells.
    void grant(int handle, int bytes) {
        if (mark < 0) {
            credit.clear();
            mark = credit.beginFrame(FrameType.PRODUCER_CREDIT);
        }
        credit.writeVarint(handle);
        credit.writeVarint(bytes);
    }

    void flushCredit() {
        if (mark >= 0) {
            credit.endFrame(mark);
            mark = -1;
            output.flushFirst();
            output.appendFrames(credit.array(), 0, credit.size());
        }
    }
}
