package winnow.broker.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.util.JSONObjectUtils;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class TokenVerifierTest {
    private static final long NOW = 1_800_000_000_000L;
    private static final long SOON = NOW + 60_000;
    private static final RSAKey KEY = rsa("one");
    private static final RSAKey OTHER = rsa("two");

    private final TokenVerifier verifier = verifier("sub", "groups");

    private static RSAKey rsa(String id) {
        try {
            return TestIssuer.rsa(id);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static TokenVerifier verifier(String user, String groups) {
        return new TokenVerifier(
                new TokenConfig(
                        TestIssuer.NAME,
                        TestIssuer.AUDIENCE,
                        "keys",
                        Path.of(""),
                        "RS256,PS256,ES256",
                        user,
                        groups,
                        Duration.ofSeconds(30),
                        Duration.ofMinutes(5)));
    }

    private static IssuerKeys keys(JWK... keys) throws IOException {
        return IssuerKeys.parse(new JWKSet(Arrays.asList(keys)).toString(), "test");
    }

    private static Date at(long millis) {
        return Date.from(Instant.ofEpochMilli(millis));
    }

    /// Claims that are right, but for some.
    private static Map<String, Object> claims(Object... changes) {
        Map<String, Object> claims = TestIssuer.claims("ann");
        claims.put("exp", at(SOON));
        for (int i = 0; i < changes.length; i += 2) {
            claims.put(String.valueOf(changes[i]), changes[i + 1]);
        }
        return claims;
    }

    private static Map<String, Object> without(String claim) {
        Map<String, Object> claims = claims();
        claims.remove(claim);
        return claims;
    }

    private ProvenUser verify(Map<String, Object> claims) throws Exception {
        return verifier.verify(TestIssuer.token(KEY, claims), keys(KEY, OTHER), NOW);
    }

    private void refused(Map<String, Object> claims, String why) {
        assertThatThrownBy(() -> verify(claims))
                .isExactlyInstanceOf(RefusedIdentity.class)
                .hasMessageContaining(why);
    }

    private void refused(String token, String why) {
        assertThatThrownBy(() -> verifier.verify(token, keys(KEY, OTHER), NOW))
                .isExactlyInstanceOf(RefusedIdentity.class)
                .hasMessageContaining(why)
                .hasMessageNotContaining(token.substring(token.length() / 2));
    }

    @Test
    void shouldTellUserGroupsAndEnd() throws Exception {
        ProvenUser user = verify(claims("groups", List.of("/trading", "ops")));

        assertThat(user.name()).isEqualTo("ann");
        assertThat(user.groups()).containsExactlyInAnyOrder("oidc:/trading", "oidc:ops");
        assertThat(user.proof()).isEqualTo(ProvenUser.Proof.TOKEN);
        assertThat(user.hasEnded(SOON + 29_999)).isFalse();
        assertThat(user.hasEnded(SOON + 30_000)).isTrue();
    }

    @Test
    void shouldTakeEachAlgorithmThatIsAllowed() throws Exception {
        JWK curve = TestIssuer.ec("three");
        JWSHeader pss = new JWSHeader.Builder(JWSAlgorithm.PS256).keyID("one").build();

        assertThat(verifier.verify(TestIssuer.token(curve, claims()), keys(KEY, curve), NOW).name())
                .isEqualTo("ann");
        assertThat(verifier.verify(TestIssuer.token(pss, KEY, claims()), keys(KEY), NOW).name())
                .isEqualTo("ann");
    }

    @ParameterizedTest
    @ValueSource(strings = {"JWT", "at+jwt", "AT+JWT", "application/at+jwt"})
    void shouldTakeAccessTokensWithAndWithoutTheirType(String type) throws Exception {
        JWSHeader typed =
                new JWSHeader.Builder(JWSAlgorithm.RS256)
                        .keyID("one")
                        .type(new JOSEObjectType(type))
                        .build();

        assertThat(verifier.verify(TestIssuer.token(typed, KEY, claims()), keys(KEY), NOW).name())
                .isEqualTo("ann");
    }

    @Test
    void shouldTryKeysForATokenWithoutAnId() throws Exception {
        JWSHeader header = new JWSHeader(JWSAlgorithm.RS256);

        String token = TestIssuer.token(header, OTHER, claims());

        assertThat(verifier.verify(token, keys(KEY, OTHER), NOW).name()).isEqualTo("ann");
        JWK[] many = new JWK[9];
        for (int i = 0; i < many.length; i++) {
            many[i] = new RSAKey.Builder(KEY.toRSAPublicKey()).keyID("k" + i).build();
        }
        assertThatThrownBy(() -> verifier.verify(token, keys(many), NOW))
                .hasMessageContaining("expected the id of one of the issuer's keys");
    }

    @Test
    void shouldRefuseASignatureOfAnother() throws Exception {
        JWSHeader header = new JWSHeader.Builder(JWSAlgorithm.RS256).keyID("one").build();

        refused(TestIssuer.token(header, OTHER, claims()), "expected a signature of the issuer");
    }

    @Test
    void shouldRefuseChangedClaims() throws Exception {
        String[] parts = TestIssuer.token(KEY, claims()).split("\\.", -1);
        String changed =
                new String(Base64.getUrlDecoder().decode(parts[1]), StandardCharsets.UTF_8)
                        .replace("ann", "bob");
        parts[1] =
                Base64.getUrlEncoder()
                        .withoutPadding()
                        .encodeToString(changed.getBytes(StandardCharsets.UTF_8));

        refused(String.join(".", parts), "expected a signature of the issuer");
    }

    /// The public key is no secret: who may choose the algorithm could sign with it.
    @Test
    void shouldRefuseAPublicKeyAsASecret() throws Exception {
        JWSHeader header = new JWSHeader.Builder(JWSAlgorithm.HS256).keyID("one").build();
        byte[] publicKey = KEY.toPublicJWK().toJSONString().getBytes(StandardCharsets.UTF_8);

        refused(
                TestIssuer.token(header, new MACSigner(publicKey), claims()),
                "expected a signature by RS256, PS256, ES256 (security.tokens.algorithms), found"
                        + " 'HS256'");
    }

    @Test
    void shouldRefuseATokenWithoutSignature() {
        JWTClaimsSet.Builder set = new JWTClaimsSet.Builder();
        claims().forEach(set::claim);

        refused(new PlainJWT(set.build()).serialize(), "expected a signed token (JWT)");
    }

    /// A key in the token proves nothing.
    @Test
    void shouldNotBelieveAKeyInTheToken() throws Exception {
        RSAKey own = TestIssuer.rsa("one");
        JWSHeader header =
                new JWSHeader.Builder(JWSAlgorithm.RS256)
                        .keyID("one")
                        .jwk(own.toPublicJWK())
                        .build();

        refused(TestIssuer.token(header, own, claims()), "expected a signature of the issuer");
    }

    @Test
    void shouldTellAnUnknownKeyFromOthers() throws Exception {
        String token = TestIssuer.token(TestIssuer.rsa("three"), claims());

        assertThatThrownBy(() -> verifier.verify(token, keys(KEY), NOW))
                .isInstanceOf(UnknownKey.class)
                .hasMessage(
                        "token: expected a key of security.tokens.keys for RS256, found the key id"
                                + " 'three'");
    }

    @Test
    void shouldRefuseOtherTypes() throws Exception {
        JWSHeader header =
                new JWSHeader.Builder(JWSAlgorithm.RS256)
                        .keyID("one")
                        .type(new JOSEObjectType("logout+jwt"))
                        .build();

        refused(TestIssuer.token(header, KEY, claims()), "found 'logout+jwt'");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "a.b", "a.b.c", "eyJhbGciOiJSUzI1NiJ9..", "a.b.c.d.e", "....."})
    void shouldRefuseWhatIsNoToken(String text) {
        assertThatThrownBy(() -> verifier.verify(text, keys(KEY), NOW))
                .isInstanceOf(RefusedIdentity.class)
                .hasMessageStartingWith("token: expected ");
    }

    @Test
    void shouldRefuseTheIssuerAndAudienceOfOthers() {
        refused(claims("iss", "https://other.example"), "found 'https://other.example'");
        refused(without("iss"), "expected the issuer 'https://issuer.example'");
        refused(claims("aud", "other"), "expected the audience 'winnow' (security.tokens.aud");
        refused(without("aud"), "expected the audience 'winnow'");
    }

    @Test
    void shouldTakeATokenForSeveralAudiences() throws Exception {
        assertThat(verify(claims("aud", List.of("other", "winnow"))).name()).isEqualTo("ann");
    }

    @Test
    void shouldRefuseATokenOutsideItsTime() throws Exception {
        assertThat(verify(claims("exp", at(NOW - 29_000))).name()).isEqualTo("ann");
        assertThat(verify(claims("nbf", at(NOW + 30_000))).name()).isEqualTo("ann");
        refused(claims("exp", at(NOW - 30_000)), "ended at 2027-01-15T07:59:30Z");
        refused(claims("nbf", at(NOW + 31_000)), "found one that begins at");
        refused(without("exp"), "expected a time at which it ends (exp), found none");
    }

    static Stream<Object> badNames() {
        return Stream.of(
                "",
                " ann",
                "a\nb",
                "*",
                "oidc:/trading",
                "ldap:cn=desk",
                "certificate:x",
                "a\u202eb",
                "x".repeat(257));
    }

    @ParameterizedTest
    @MethodSource("badNames")
    void shouldRefuseNamesThatWouldMeanSomethingElse(Object name) {
        refused(claims("sub", String.valueOf(name)), "expected in the claim 'sub' a name of");
    }

    @Test
    void shouldFindUserAndGroupsWithinOtherClaims() throws Exception {
        Map<String, Object> claims =
                claims(
                        "realm",
                        Map.of("name", "bob", "roles", List.of("a", "b c")),
                        "https://x.example/groups",
                        "d e");
        String token = TestIssuer.token(KEY, claims);

        ProvenUser nested = verifier("realm.name", "realm.roles").verify(token, keys(KEY), NOW);
        ProvenUser words =
                verifier("sub", "https://x.example/groups").verify(token, keys(KEY), NOW);
        ProvenUser none = verifier("sub", "").verify(token, keys(KEY), NOW);

        assertThat(nested.name()).isEqualTo("bob");
        assertThat(nested.groups()).containsExactlyInAnyOrder("oidc:a", "oidc:b c");
        assertThat(words.groups()).containsExactlyInAnyOrder("oidc:d", "oidc:e");
        assertThat(none.groups()).isEmpty();
    }

    @Test
    void shouldSayWhatIsNotWhereItShouldBe() {
        refused(without("sub"), "expected a text in the claim 'sub' (security.tokens.user)");
        refused(claims("groups", Map.of("a", 1)), "expected a list of texts in the claim 'groups'");
        refused(claims("groups", List.of("a", 1L)), "found a list with '1'");
    }

    @Test
    void shouldTakeNoKeysThatAreWeak() throws Exception {
        String set = new JWKSet(List.of(KEY.toPublicJWK())).toString();
        Map<String, Object> weak = new HashMap<>(KEY.toPublicJWK().toJSONObject());
        weak.put("n", Base64.getUrlEncoder().withoutPadding().encodeToString(bytes(128)));

        assertThat(IssuerKeys.parse(set, "test").keys()).hasSize(1);
        assertThatThrownBy(
                        () -> IssuerKeys.parseSome("{\"keys\":[" + json(weak) + "]}", "keys.json"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("keys.json: expected 1 to 256 keys for signatures");
        assertThatThrownBy(() -> IssuerKeys.parse("{}", "keys.json"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("keys.json: expected a set of keys (JWKS)");
    }

    private static byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        Arrays.fill(bytes, (byte) 0x99);
        return bytes;
    }

    private static String json(Map<String, Object> object) {
        return JSONObjectUtils.toJSONString(object);
    }
}
