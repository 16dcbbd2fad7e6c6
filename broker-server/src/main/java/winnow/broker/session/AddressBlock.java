package winnow.broker.session;

/// Addresses that one party has: limits by address count them as one. Of IPv6 everybody is given a
/// network of 64 bits, with more addresses than there can be counters.
public final class AddressBlock {
    private static final int GROUPS = 4;

    private AddressBlock() {}

    /// The block of an address: an IPv4 address itself, the first half of an IPv6 address.
    ///
    /// @param address without port, as [java.net.InetAddress#getHostAddress] writes it
    public static String of(String address) {
        int end = -1;
        for (int i = 0; i < GROUPS; i++) {
            end = address.indexOf(':', end + 1);
            if (end < 0) {
                return address;
            }
        }
        return address.substring(0, end) + "::/64";
    }
}
