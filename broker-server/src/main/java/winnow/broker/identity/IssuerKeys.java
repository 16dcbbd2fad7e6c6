package winnow.broker.identity;

import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKMatcher;
import com.nimbusds.jose.jwk.JWKSelector;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import java.io.IOException;
import java.text.ParseException;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/// Public keys by which an issuer's signatures are verified. Immutable.
///
/// @param keys of RSA and elliptic curves
record IssuerKeys(List<JWK> keys) {
    /// Shorter ones can be broken.
    private static final int LEAST_RSA_BITS = 2048;

    /// Longer ones take long to verify with.
    private static final int MOST_RSA_BITS = 8192;

    private static final int MAX_KEYS = 256;

    static final IssuerKeys NONE = new IssuerKeys(List.of());

    IssuerKeys {
        keys = List.copyOf(keys);
    }

    /// Reads the text of a JWK set.
    ///
    /// @param place where it is from
    /// @return none if the issuer has withdrawn all, or all are of kinds that are not taken
    /// @throws IOException naming the place if it is no set, or has too many keys
    static IssuerKeys parse(String text, String place) throws IOException {
        List<JWK> all;
        try {
            all = JWKSet.parse(text).getKeys();
        } catch (ParseException | IllegalArgumentException e) {
            throw new IOException(
                    place
                            + ": expected a set of keys (JWKS) such as {\"keys\": [...]}, found"
                            + " something else: "
                            + e.getMessage(),
                    e);
        }
        List<JWK> usable = all.stream().flatMap(IssuerKeys::usable).toList();
        if (usable.size() > MAX_KEYS) {
            throw unusable(place, usable.size());
        }
        return new IssuerKeys(usable);
    }

    /// Reads the text of a JWK set, which has to have a key that can be used.
    ///
    /// @param place where it is from
    /// @throws IOException naming the place if it is none, or has no such key
    static IssuerKeys parseSome(String text, String place) throws IOException {
        IssuerKeys found = parse(text, place);
        if (found.keys.isEmpty()) {
            throw unusable(place, 0);
        }
        return found;
    }

    private static IOException unusable(String place, int found) {
        return new IOException(
                "%s: expected 1 to %d keys for signatures, RSA of %d to %d bits or elliptic"
                                .formatted(place, MAX_KEYS, LEAST_RSA_BITS, MOST_RSA_BITS)
                        + " curves, found "
                        + found);
    }

    /// The public part of a key that can be used, else nothing.
    private static Stream<JWK> usable(JWK key) {
        boolean fits =
                switch (key) {
                    case RSAKey rsa -> rsa.size() >= LEAST_RSA_BITS && rsa.size() <= MOST_RSA_BITS;
                    case ECKey _ -> true;
                    default -> false;
                };
        return fits ? Stream.of(Objects.requireNonNull(key.toPublicJWK())) : Stream.of();
    }

    /// Keys by which a token with this header may have been signed.
    List<JWK> fitting(JWSHeader header) {
        return new JWKSelector(JWKMatcher.forJWSHeader(header)).select(new JWKSet(keys));
    }
}
