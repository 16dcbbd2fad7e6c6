package winnow.broker.identity;

import com.nimbusds.jose.JWSAlgorithm;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import winnow.broker.config.Ranges;
import winnow.broker.config.Setting;

/// Bearer tokens (JWT) that an issuer has signed.
public record TokenConfig(
        @Setting(
                        "issuer of tokens, as their claim `iss` names it; empty means that no"
                                + " tokens are taken")
                String issuer,
        @Setting(
                        "name of this broker that the claim `aud` of a token has to contain; must"
                                + " be set with an issuer")
                String audience,
        @Setting(
                        value =
                                "the issuer's public keys (JWKS): a file, or an `https://` URL"
                                        + " (`http://` only on this machine); must be set with an"
                                        + " issuer",
                        unit = "file or URL")
                String keys,
        @Setting(
                        value =
                                "the certificates that the server of the keys' URL must be signed"
                                        + " by, PEM; empty means those that the JDK trusts",
                        unit = "file")
                Path keysCertificates,
        @Setting(
                        "algorithms of signatures that are taken, joined by commas, of RS256,"
                                + " RS384, RS512, PS256, PS384, PS512, ES256, ES384 and ES512")
                String algorithms,
        @Setting(
                        "claim with the name of the user; `a.b` is the claim `b` in the claim `a`,"
                                + " unless there is one named `a.b`")
                String user,
        @Setting(
                        "claim with the user's groups, a list or words; each is the group"
                                + " `oidc:NAME` of the permissions; empty means no groups")
                String groups,
        @Setting(
                        value = "how far the clocks of issuer and broker may differ",
                        min = "0s",
                        max = "5m")
                Duration clockSkew,
        @Setting(
                        value =
                                "how often the keys are read again; a key that is not known has"
                                        + " them read at once, at most every 5 s",
                        min = "10s",
                        max = "1440m")
                Duration refreshInterval) {
    private static final List<String> SUPPORTED =
            List.of(
                    "RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384",
                    "ES512");

    public static final TokenConfig DEFAULTS =
            new TokenConfig(
                    "",
                    "",
                    "",
                    Path.of(""),
                    "RS256,PS256,ES256",
                    "sub",
                    "groups",
                    Duration.ofSeconds(30),
                    Duration.ofMinutes(5));

    public TokenConfig {
        Ranges.check(
                TokenConfig.class,
                issuer,
                audience,
                keys,
                keysCertificates,
                algorithms,
                user,
                groups,
                clockSkew,
                refreshInterval);
        if (issuer.isEmpty()) {
            requireNone("audience", audience);
            requireNone("keys", keys);
            requireNone("keys-certificates", keysCertificates.toString());
        } else {
            requireSome("audience", audience);
            requireSome("keys", keys);
            requireSome("user", user);
        }
        if (isUrl(keys)) {
            KeyServer.requireUsable(keys);
        } else if (!keysCertificates.toString().isEmpty()) {
            throw new IllegalArgumentException(
                    "keys-certificates: expected a URL in keys with it, found a file");
        }
        for (String one : names(algorithms)) {
            if (!SUPPORTED.contains(one)) {
                throw new IllegalArgumentException(
                        "algorithms: expected %s, joined by commas, found '%s'"
                                .formatted(String.join(", ", SUPPORTED), one));
            }
        }
    }

    private static void requireNone(String key, String value) {
        if (!value.isEmpty()) {
            throw new IllegalArgumentException(
                    "issuer: expected the issuer of tokens, because %s is set, found none"
                            .formatted(key));
        }
    }

    private static void requireSome(String key, String value) {
        if (value.isEmpty()) {
            throw new IllegalArgumentException(
                    key + ": expected a value, because tokens of an issuer are taken, found none");
        }
    }

    private static boolean isUrl(String keys) {
        return keys.contains("://");
    }

    private static List<String> names(String algorithms) {
        return Arrays.stream(algorithms.split(",", -1)).map(String::strip).toList();
    }

    /// True if tokens are taken.
    public boolean enabled() {
        return !issuer.isEmpty();
    }

    /// Algorithms by which tokens may be signed.
    Set<JWSAlgorithm> allowed() {
        Set<JWSAlgorithm> allowed = new LinkedHashSet<>();
        names(algorithms).forEach(one -> allowed.add(JWSAlgorithm.parse(one)));
        return allowed;
    }

    /// The place of the issuer's keys.
    KeySource source() {
        return isUrl(keys)
                ? new KeyServer(URI.create(keys), keysCertificates)
                : new KeyFile(Path.of(keys));
    }
}
