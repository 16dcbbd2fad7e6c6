package winnow.wire;

/// Numbers of the frames: the byte behind the length. Client to broker below 0x40, broker to client
/// above, both ways from 0x70.
public final class FrameType {
    public static final int HELLO = 0x01;
    public static final int RESPONSE = 0x02;
    public static final int OPEN = 0x03;
    public static final int RELEASE = 0x04;
    public static final int PUBLISH = 0x05;
    public static final int SUBSCRIBE = 0x07;
    public static final int UNSUBSCRIBE = 0x08;
    public static final int CONSUMER_CREDIT = 0x09;
    public static final int INTERN = 0x0A;
    public static final int PUBLISH_IN_PARTS = 0x0B;
    public static final int PUBLISH_PART = 0x0C;
    public static final int CANCEL_PARTS = 0x0D;
    public static final int BEGIN_SESSION = 0x10;
    public static final int END_SESSION = 0x11;
    public static final int CONSUME = 0x12;
    public static final int END_CONSUMER = 0x13;
    public static final int ACKNOWLEDGE = 0x14;
    public static final int RECOVER = 0x15;
    public static final int COMMIT = 0x16;
    public static final int DELETE_SUBSCRIPTION = 0x17;
    public static final int CREATE_TEMPORARY = 0x18;
    public static final int DELETE_TEMPORARY = 0x19;
    public static final int END_BRANCH = 0x1A;
    public static final int DECIDE = 0x1B;
    public static final int LIST_PREPARED = 0x1C;
    public static final int ASK = 0x1D;
    public static final int GIVE_BACK = 0x1E;
    public static final int REJECT = 0x1F;
    public static final int MARK = 0x20;
    public static final int ASK_COMMIT = 0x21;

    public static final int WELCOME = 0x41;
    public static final int CHALLENGE = 0x42;
    public static final int ACCEPTED = 0x43;
    public static final int REFUSED = 0x44;
    public static final int PUBLISHED = 0x45;
    public static final int PUBLISH_REFUSED = 0x46;
    public static final int DELIVERY = 0x47;
    public static final int SHARED_DELIVERY = 0x48;
    public static final int PRODUCER_CREDIT = 0x49;
    public static final int NAMES = 0x4A;
    public static final int BLOCKED = 0x4B;
    public static final int PARTS_REFUSED = 0x4C;
    public static final int STORED_DELIVERY = 0x50;
    public static final int BROWSE_END = 0x51;
    public static final int PREPARED = 0x52;
    public static final int RECALL = 0x53;
    public static final int DELIVERY_IN_PARTS = 0x54;
    public static final int DELIVERY_PART = 0x55;
    public static final int DELIVERY_CUT = 0x56;

    public static final int HEARTBEAT = 0x70;
    public static final int GOODBYE = 0x71;

    private FrameType() {}

    /// True if the frame brings the broker a message in parts, or a part of it.
    public static boolean isPart(int type) {
        return type == PUBLISH_IN_PARTS || type == PUBLISH_PART;
    }

    /// True if the frame brings the broker ids of deliveries, which may be many.
    public static boolean hasDeliveries(int type) {
        return switch (type) {
            case END_SESSION,
                    END_CONSUMER,
                    ACKNOWLEDGE,
                    RECOVER,
                    COMMIT,
                    END_BRANCH,
                    GIVE_BACK,
                    REJECT ->
                    true;
            default -> false;
        };
    }

    /// True if the frame is sent per message, so that it is no [winnow.wire.frame.ControlFrame].
    public static boolean isPerMessage(int type) {
        return switch (type) {
            case PUBLISH,
                    PUBLISH_IN_PARTS,
                    PUBLISH_PART,
                    CONSUMER_CREDIT,
                    DELIVERY,
                    SHARED_DELIVERY,
                    STORED_DELIVERY,
                    DELIVERY_IN_PARTS,
                    DELIVERY_PART,
                    PRODUCER_CREDIT ->
                    true;
            default -> false;
        };
    }
}
