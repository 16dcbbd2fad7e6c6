package winnow.wire;

/// The end of a [winnow.wire.frame.ControlFrame.Hello] with [Protocol#RESUME]: the instance (16
/// bytes), the attempt (varint), the last number (varint).
///
/// @param attempt counts the times that the instance said Hello, from 1
/// @param lastNumber the highest number that a confirmed publish of the instance has had, 0 for
///   none: the count goes on behind it, and numbers up to it may be sent again
public record Resumption(ClientInstance instance, int attempt, long lastNumber) {
    /// Nobody publishes more.
    private static final long MAX_NUMBER = 1L << 62;

    public void write(WireWriter out) {
        out.writeLong(instance.high());
        out.writeLong(instance.low());
        out.writeVarint(attempt);
        out.writeVarlong(lastNumber);
    }

    public static Resumption read(WireReader in) {
        ClientInstance instance = new ClientInstance(in.readLong(), in.readLong());
        int attempt = in.readVarint();
        if (attempt == 0) {
            throw new WireException(
                    ErrorCode.MALFORMED_FRAME, "Hello: expected an attempt from 1, found 0");
        }
        long lastNumber = in.readVarlong();
        if (lastNumber > MAX_NUMBER) {
            throw new WireException(
                    ErrorCode.MALFORMED_FRAME,
                    "Hello: expected a last number of at most 2^62, found " + lastNumber);
        }
        return new Resumption(instance, attempt, lastNumber);
    }
}
