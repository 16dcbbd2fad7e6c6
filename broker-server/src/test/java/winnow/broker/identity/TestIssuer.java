package winnow.broker.identity;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.KeyUse;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/// An issuer of tokens with a web server for its keys.
public final class TestIssuer implements AutoCloseable {
    public static final String NAME = "https://issuer.example";
    public static final String AUDIENCE = "winnow";

    private final HttpServer server;
    private final AtomicInteger reads = new AtomicInteger();
    private volatile List<JWK> published = List.of();

    /// Answer of the web server in place of the keys, empty for none.
    private volatile String body = "";

    private volatile int status = 200;

    public TestIssuer() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 10);
        server.createContext("/keys", this::answer);
        server.start();
    }

    private void answer(HttpExchange exchange) throws IOException {
        reads.incrementAndGet();
        byte[] bytes = (body.isEmpty() ? keySet() : body).getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().add("Location", "/elsewhere");
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    /// Address of the keys.
    public String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/keys";
    }

    /// Settings of a broker that takes tokens of this issuer.
    public Map<String, String> settings() {
        return Map.of(
                "security.tokens.issuer",
                NAME,
                "security.tokens.audience",
                AUDIENCE,
                "security.tokens.keys",
                url());
    }

    /// The keys that are published, as text.
    public String keySet() {
        return new JWKSet(published).toString();
    }

    public void publish(JWK... keys) {
        published = List.of(keys);
    }

    void answerWith(int newStatus, String newBody) {
        status = newStatus;
        body = newBody;
    }

    /// Number of times that the keys were asked for.
    public int reads() {
        return reads.get();
    }

    public static RSAKey rsa(String id) throws JOSEException {
        return new RSAKeyGenerator(2048).keyID(id).keyUse(KeyUse.SIGNATURE).generate();
    }

    public static ECKey ec(String id) throws JOSEException {
        return new ECKeyGenerator(Curve.P_256).keyID(id).keyUse(KeyUse.SIGNATURE).generate();
    }

    /// A token that is right in all ways.
    public static Map<String, Object> claims(String user) {
        Map<String, Object> claims = new HashMap<>();
        claims.put("iss", NAME);
        claims.put("aud", AUDIENCE);
        claims.put("sub", user);
        claims.put("exp", Date.from(Instant.now().plusSeconds(300)));
        return claims;
    }

    public static String token(JWK key, Map<String, Object> claims) throws JOSEException {
        JWSAlgorithm algorithm = key instanceof RSAKey ? JWSAlgorithm.RS256 : JWSAlgorithm.ES256;
        return token(new JWSHeader.Builder(algorithm).keyID(key.getKeyID()).build(), key, claims);
    }

    static String token(JWSHeader header, JWK key, Map<String, Object> claims)
            throws JOSEException {
        return token(
                header,
                key instanceof RSAKey rsa ? new RSASSASigner(rsa) : new ECDSASigner(key.toECKey()),
                claims);
    }

    static String token(JWSHeader header, JWSSigner signer, Map<String, Object> claims)
            throws JOSEException {
        JWTClaimsSet.Builder set = new JWTClaimsSet.Builder();
        claims.forEach(set::claim);
        SignedJWT token = new SignedJWT(header, set.build());
        token.sign(signer);
        return token.serialize();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
