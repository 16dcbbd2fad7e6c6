package winnow.loadgen.roundtrip;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import winnow.loadgen.worker.Provider;

/// Ways from the sides of a link to the server: direct, by relays that count, or by a wide-area
/// network between the server and the reflector. Used by one thread.
final class Wires implements AutoCloseable {

    private static final Pattern URL =
            Pattern.compile("(\\w+://)(\\[[^\\]]+\\]|[^/:?,;()]+)(?::(\\d+))?((?:[/?].*)?)");

    private static final int DEFAULT_PORT = 61616;
    private static final String TLS = "winnows://";

    private final boolean counted;
    private final @Nullable Wan wan;
    private final List<WireRelay> relays = new ArrayList<>();

    private Wires(boolean counted, @Nullable Wan wan) {
        this.counted = counted;
        this.wan = wan;
    }

    /// With relays that count on both sides.
    static Wires counted() {
        return new Wires(true, null);
    }

    /// @param wan null for nothing between
    static Wires direct(@Nullable Wan wan) {
        return new Wires(false, wan);
    }

    /// All that has passed the relays.
    long bytes() {
        return relays.stream().mapToLong(WireRelay::bytes).sum();
    }

    /// Address for a client of a server without a broker.
    InetSocketAddress to(InetSocketAddress server) throws IOException {
        return counted || wan != null ? relay(server) : server;
    }

    /// The provider of the producer's side.
    Provider near(Provider provider) throws IOException {
        return counted ? through(provider) : provider;
    }

    /// The provider of the reflector's side.
    Provider far(Provider provider) throws IOException {
        return counted || wan != null ? through(provider) : provider;
    }

    private InetSocketAddress relay(InetSocketAddress server) throws IOException {
        var relay = new WireRelay(server, wan);
        relays.add(relay);
        return relay.address();
    }

    private Provider through(Provider provider) throws IOException {
        var url = URL.matcher(provider.url());
        if (!url.matches()) {
            throw new IOException(
                    "expected a URL with one host for a relay, such as winnow://host:61616, found '"
                            + provider.url().replaceAll("[?].*", "?...")
                            + "'");
        }
        var port = url.group(3) == null ? DEFAULT_PORT : Integer.parseInt(url.group(3));
        var relayed = relay(new InetSocketAddress(url.group(2), port));
        return new Provider(
                provider.factoryClass(),
                url.group(1)
                        + "127.0.0.1:"
                        + relayed.getPort()
                        + withoutHostCheck(url.group(1), url.group(4)),
                provider.user(),
                provider.password());
    }

    /// The options of a URL. By TLS the broker's certificate is for its own host, not for that of
    /// the relay; it still has to be one that is trusted.
    private static String withoutHostCheck(String scheme, String options) {
        if (!scheme.equals(TLS)) {
            return options;
        }
        var others = options.replaceAll("(?<=[?&])verifyHost=[^&]*&?", "").replaceAll("[?&]$", "");
        return others + (others.contains("?") ? "&" : "?") + "verifyHost=false";
    }

    @Override
    public void close() throws IOException {
        for (var relay : relays) {
            relay.close();
        }
    }
}
