package winnow.broker.identity;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSVerifier;
import com.nimbusds.jose.crypto.ECDSAVerifier;
import com.nimbusds.jose.crypto.RSASSAVerifier;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import java.text.ParseException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Date;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import winnow.wire.Printable;

/// Verifies tokens: signature, issuer, audience and time, in this order, and tells whose they are.
/// Says of a token nothing but what its bearer may know. Immutable.
final class TokenVerifier {
    /// Prefix of groups in the file of permissions.
    static final String GROUP = "oidc:";

    /// Keys that are tried for a token without a key id.
    private static final int MAX_TRIED = 8;

    /// Types of access tokens (RFC 9068) and of others.
    private static final Set<JOSEObjectType> TYPES =
            Set.of(
                    JOSEObjectType.JWT,
                    new JOSEObjectType("at+jwt"),
                    new JOSEObjectType("application/at+jwt"));

    private final TokenConfig config;
    private final Set<JWSAlgorithm> algorithms;
    private final ClaimPath user;
    private final ClaimPath groups;

    TokenVerifier(TokenConfig config) {
        this.config = config;
        algorithms = config.allowed();
        user = new ClaimPath(config.user(), "security.tokens.user");
        groups = new ClaimPath(config.groups(), "security.tokens.groups");
    }

    /// Verifies a token.
    ///
    /// @param nowMillis time in ms since 1970
    /// @throws UnknownKey if none of the keys may have signed it
    /// @throws RefusedIdentity if it does not prove a user for any other reason
    ProvenUser verify(String token, IssuerKeys keys, long nowMillis) throws RefusedIdentity {
        SignedJWT signed = parse(token);
        JWSHeader header = signed.getHeader();
        requireHeader(header);
        List<JWK> fitting = keys.fitting(header);
        String id = header.getKeyID();
        if (fitting.isEmpty()) {
            throw new UnknownKey(
                    "token: expected a key of security.tokens.keys for %s, found the key id '%s'"
                            .formatted(header.getAlgorithm(), id == null ? "" : Printable.of(id)));
        }
        if (fitting.size() > MAX_TRIED) {
            throw new RefusedIdentity(
                    "token: expected the id of one of the issuer's keys (kid), found none");
        }
        requireSignature(signed, fitting);
        return user(claims(signed), nowMillis);
    }

    private static SignedJWT parse(String token) throws RefusedIdentity {
        try {
            return SignedJWT.parse(token);
        } catch (ParseException | RuntimeException _) {
            // The message may quote the token.
            throw new RefusedIdentity(
                    "token: expected a signed token (JWT) of three parts, found something else");
        }
    }

    private static JWTClaimsSet claims(SignedJWT signed) throws RefusedIdentity {
        try {
            JWTClaimsSet claims = signed.getJWTClaimsSet();
            if (claims != null) {
                return claims;
            }
        } catch (ParseException | RuntimeException _) {
            // Told like one without claims.
        }
        throw new RefusedIdentity(
                "token: expected claims in its second part, found something else");
    }

    private void requireHeader(JWSHeader header) throws RefusedIdentity {
        if (!algorithms.contains(header.getAlgorithm())) {
            throw new RefusedIdentity(
                    "token: expected a signature by %s (security.tokens.algorithms), found '%s'"
                            .formatted(
                                    names(algorithms),
                                    Printable.of(header.getAlgorithm().getName())));
        }
        JOSEObjectType type = header.getType();
        if (type != null && !TYPES.contains(type)) {
            throw new RefusedIdentity(
                    "token: expected the type (typ) JWT, at+jwt or none, found '%s'"
                            .formatted(Printable.of(type.getType())));
        }
    }

    private static String names(Set<JWSAlgorithm> algorithms) {
        return algorithms.stream().map(JWSAlgorithm::getName).collect(Collectors.joining(", "));
    }

    private static void requireSignature(SignedJWT signed, List<JWK> keys) throws RefusedIdentity {
        for (JWK key : keys) {
            try {
                if (signed.verify(verifier(key))) {
                    return;
                }
            } catch (JOSEException _) {
                // The key does not fit the algorithm, or the signature is malformed.
            }
        }
        throw new RefusedIdentity("token: expected a signature of the issuer, found another");
    }

    private static JWSVerifier verifier(JWK key) throws JOSEException {
        return key instanceof RSAKey rsa
                ? new RSASSAVerifier(rsa)
                : new ECDSAVerifier(key.toECKey());
    }

    private ProvenUser user(JWTClaimsSet claims, long nowMillis) throws RefusedIdentity {
        if (!config.issuer().equals(claims.getIssuer())) {
            throw new RefusedIdentity(
                    "token: expected the issuer '%s' (security.tokens.issuer), found %s"
                            .formatted(config.issuer(), shown(claims.getIssuer())));
        }
        if (!claims.getAudience().contains(config.audience())) {
            throw new RefusedIdentity(
                    "token: expected the audience '%s' (security.tokens.audience), found %s"
                            .formatted(
                                    config.audience(),
                                    Printable.of(String.join(", ", claims.getAudience()))));
        }
        long endMillis = endMillis(claims, nowMillis);
        String name = user.requireText(claims.getClaims());
        UserNames.require(name, "the claim '" + config.user() + "'", "token");
        Set<String> all = new LinkedHashSet<>();
        for (String group : groups.texts(claims.getClaims())) {
            all.add(GROUP + group);
        }
        return new ProvenUser(name, all, ProvenUser.Proof.TOKEN, endMillis);
    }

    private long endMillis(JWTClaimsSet claims, long nowMillis) throws RefusedIdentity {
        long skew = config.clockSkew().toMillis();
        Instant begin = instant(claims.getNotBeforeTime());
        if (begin != null && begin.toEpochMilli() - skew > nowMillis) {
            throw new RefusedIdentity(
                    "token: expected one that is valid by now, found one that begins at %s (nbf);"
                            .formatted(time(begin.toEpochMilli()))
                            + " it is "
                            + time(nowMillis));
        }
        Instant end = instant(claims.getExpirationTime());
        if (end == null) {
            throw new RefusedIdentity("token: expected a time at which it ends (exp), found none");
        }
        if (end.toEpochMilli() + skew <= nowMillis) {
            throw new RefusedIdentity(
                    "token: expected one that is still valid, found one that ended at %s (exp); it"
                            .formatted(time(end.toEpochMilli()))
                            + " is "
                            + time(nowMillis));
        }
        return end.toEpochMilli() + skew;
    }

    private static @Nullable Instant instant(@Nullable Date date) {
        return date == null ? null : date.toInstant();
    }

    private static String time(long millis) {
        return Instant.ofEpochMilli(millis).truncatedTo(ChronoUnit.SECONDS).toString();
    }

    private static String shown(@Nullable String text) {
        return text == null ? "none" : "'" + Printable.of(text) + "'";
    }
}
