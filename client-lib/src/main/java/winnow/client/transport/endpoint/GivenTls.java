package winnow.client.transport.endpoint;

import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;

/// TLS of the application's own, such as a bundle of Spring Boot. Immutable.
///
/// @param protocols null for those of Winnow
/// @param ciphers null for those of the JDK
public record GivenTls(
        SSLContext context, @Nullable List<String> protocols, @Nullable List<String> ciphers) {
    /// @param choices protocols and cipher suites, each null for those that are used otherwise
    public static GivenTls of(SSLContext context, SSLParameters choices) {
        return new GivenTls(context, list(choices.getProtocols()), list(choices.getCipherSuites()));
    }

    private static @Nullable List<String> list(String @Nullable [] names) {
        return names == null ? null : List.of(names);
    }
}
