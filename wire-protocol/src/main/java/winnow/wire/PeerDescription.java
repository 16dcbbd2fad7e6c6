package winnow.wire;

/// A client's words on itself, for people: its product, and, if it wants, the application and its
/// host. In [winnow.wire.frame.ControlFrame.Hello] it is one text of lines, so that a broker that
/// knows the product alone needs to know no more.
///
/// @param product name and version
/// @param application empty if unknown
/// @param host where the application runs, in its own words; empty if unknown
public record PeerDescription(String product, String application, String host) {
    private static final String APPLICATION = "application: ";
    private static final String HOST = "host: ";

    /// Cleans the names, so that each is a part of a line and of bounded length.
    public PeerDescription {
        product = Printable.of(product);
        application = Printable.of(application.strip());
        host = Printable.of(host.strip());
    }

    /// The description in the form of [#text]; what is not known of it is ignored.
    public static PeerDescription parse(String text) {
        String application = "";
        String host = "";
        String[] lines = text.split("\r\n", 4);
        for (int i = 1; i < lines.length; i++) {
            if (lines[i].startsWith(APPLICATION)) {
                application = lines[i].substring(APPLICATION.length());
            } else if (lines[i].startsWith(HOST)) {
                host = lines[i].substring(HOST.length());
            }
        }
        return new PeerDescription(lines[0], application, host);
    }

    /// Lines. The last one is empty, which means nothing to a broker, but makes a server that reads
    /// lines, such as one of HTTP, answer at once, so that it can be told what it is.
    public String text() {
        StringBuilder text = new StringBuilder(product).append("\r\n");
        if (!application.isEmpty()) {
            text.append(APPLICATION).append(application).append("\r\n");
        }
        if (!host.isEmpty()) {
            text.append(HOST).append(host).append("\r\n");
        }
        return text.append("\r\n").toString();
    }
}
