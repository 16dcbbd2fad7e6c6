package winnow.loadgen.workload;

/// Bytes that a message takes on an Ethernet, as the FioranoMQ paper counts them in section 4.3.
public final class WireBytes {

    private static final int JMS_HEADER = 40;
    private static final int TCP_HEADER = 32;
    private static final int IP_HEADER = 20;

    /// Preamble, header, checksum and gap.
    private static final int ETHERNET_HEADER = 38;

    /// Bytes of an IP packet on an Ethernet at most.
    private static final int PACKET = 1_500;

    private WireBytes() {}

    /// The message alone, as it is written to a socket.
    public static int ofSocket(int bodyBytes) {
        return JMS_HEADER + bodyBytes;
    }

    /// The message in its TCP segments, each with all headers.
    public static long ofMessage(int bodyBytes) {
        var bytes = ofSocket(bodyBytes);
        var segments = Math.ceilDiv(bytes, PACKET - IP_HEADER - TCP_HEADER);
        return bytes + (long) segments * (TCP_HEADER + IP_HEADER + ETHERNET_HEADER);
    }
}
