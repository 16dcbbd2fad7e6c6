package winnow.client.transport.endpoint;

/// A host of a connection URL, where a broker may be. Immutable.
///
/// @param name a name, or a literal address without brackets
public record BrokerHost(String name, int port) {
    /// Host and port as a URL has them.
    public String text() {
        return text(name);
    }

    private String text(String shown) {
        return (name.indexOf(':') < 0 ? shown : "[" + shown + "]") + ":" + port;
    }

    /// Host and port for people: of a long name the begin.
    @Override
    public String toString() {
        return text(ConnectionTarget.shortened(name));
    }
}
