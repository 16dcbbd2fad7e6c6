package winnow.cluster;

/// Places at which a node is reached while it leads, which the log tells the other nodes.
///
/// @param clients `HOST:PORT` for clients, empty if it is not known
/// @param url of the HTTP port, empty if it is not known
public record LeaderAddress(String clients, String url) {
    static final LeaderAddress NONE = new LeaderAddress("", "");

    /// @param text as [#text] has written it
    static LeaderAddress of(String text) {
        int end = text.indexOf('\n');
        return end < 0
                ? new LeaderAddress(text, "")
                : new LeaderAddress(text.substring(0, end), text.substring(end + 1));
    }

    /// The places, one in a line.
    String text() {
        return clients + "\n" + url;
    }
}
