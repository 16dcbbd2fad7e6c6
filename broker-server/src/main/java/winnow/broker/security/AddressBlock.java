package winnow.broker.security;

/// Addresses that one party has: limits by address count them as one. Of IPv6 everybody is given a
/// network of 64 bits, with more addresses than there can be counters, and who asks for it one of
/// 48 bits.
public final class AddressBlock {
    private static final int BLOCK_GROUPS = 4;
    private static final int NETWORK_GROUPS = 3;
    private static final int GROUP_BITS = 16;

    private AddressBlock() {}

    /// The block of an address: an IPv4 address itself, the first half of an IPv6 address.
    ///
    /// @param address without port, as [java.net.InetAddress#getHostAddress] writes it
    public static String of(String address) {
        return first(address, BLOCK_GROUPS);
    }

    /// All blocks that one party may have: an IPv4 address itself, 48 bits of an IPv6 address.
    /// Memory is shared by it: blocks without end would each have a share.
    ///
    /// @param address as above
    public static String network(String address) {
        return first(address, NETWORK_GROUPS);
    }

    private static String first(String address, int groups) {
        int end = -1;
        for (int i = 0; i < groups; i++) {
            end = address.indexOf(':', end + 1);
            if (end < 0) {
                return address;
            }
        }
        return address.substring(0, end) + "::/" + groups * GROUP_BITS;
    }
}
