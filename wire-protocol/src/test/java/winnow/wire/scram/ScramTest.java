package winnow.wire.scram;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ScramTest {
    /// RFC 7677, section 3.
    private static final String CLIENT_NONCE = "rOprNGfwEbeRWgbNEkqO";

    private static final String SERVER_NONCE = "%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0";
    private static final String SALT = "W22ZaJ0SNY7soEsUEjb6gQ==";
    private static final String CLIENT_FIRST = "n,,n=user,r=" + CLIENT_NONCE;
    private static final String SERVER_FIRST =
            "r=" + CLIENT_NONCE + SERVER_NONCE + ",s=" + SALT + ",i=4096";
    private static final String CLIENT_FINAL =
            "c=biws,r="
                    + CLIENT_NONCE
                    + SERVER_NONCE
                    + ",p=dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ=";
    private static final String SERVER_FINAL = "v=6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4=";

    private static final ScramVerifier PENCIL =
            ScramVerifier.of("pencil", Base64.getDecoder().decode(SALT), 4096);

    private static ScramServer server(String clientFirst) throws ScramException {
        return new ScramServer(clientFirst, user -> PENCIL);
    }

    private static ScramServer exampleServer() throws ScramException {
        return new ScramServer(CLIENT_FIRST, user -> PENCIL, SERVER_NONCE);
    }

    @Test
    void shouldSpeakAsTheExampleOfTheSpecification() throws ScramException {
        // given
        ScramClient client = new ScramClient("user", "pencil", CLIENT_NONCE);

        // then
        assertThat(client.first()).isEqualTo(CLIENT_FIRST);
        ScramServer server = exampleServer();
        assertThat(server.first()).isEqualTo(SERVER_FIRST);
        assertThat(server.user()).isEqualTo("user");
        assertThat(client.last(SERVER_FIRST)).isEqualTo(CLIENT_FINAL);
        assertThat(server.last(CLIENT_FINAL)).isEqualTo(SERVER_FINAL);
        client.verify(SERVER_FINAL);
    }

    @Test
    void shouldReadTheVerifierThatItWrites() throws ScramException {
        // when
        ScramVerifier read = ScramVerifier.parse(PENCIL.text());

        // then
        assertThat(PENCIL.text()).startsWith("SCRAM-SHA-256$4096:" + SALT + "$");
        assertThat(read.text()).isEqualTo(PENCIL.text());
        assertThat(read.matches("pencil")).isTrue();
        assertThat(read.matches("Pencil")).isFalse();
        assertThat(read.matches("")).isFalse();
        assertThat(ScramVerifier.of("pencil").text())
                .isNotEqualTo(ScramVerifier.of("pencil").text());
    }

    @ParameterizedTest
    @CsvSource({"a=b, secret", "'x,y,z', secret", "ann, ''", "Ähren, pässwörd", "n, '=2C,p='"})
    void shouldAgreeOnAnyUserAndPassword(String user, String password) throws ScramException {
        // given
        ScramVerifier verifier = ScramVerifier.of(password, new byte[] {1}, 4096);
        ScramClient client = new ScramClient(user, password);
        String[] asked = {""};

        // when
        ScramServer server =
                new ScramServer(
                        client.first(),
                        name -> {
                            asked[0] = name;
                            return verifier;
                        });
        client.verify(server.last(client.last(server.first())));

        // then
        assertThat(asked[0]).isEqualTo(user);
        assertThat(server.user()).isEqualTo(user);
    }

    @Test
    void shouldPreparePasswordsThatLookAlike() {
        // RFC 4013, section 3: soft hyphen, compatibility characters, other blanks.
        assertThat(ScramKeys.prepared("I\u00ADX")).isEqualTo("IX");
        assertThat(ScramKeys.prepared("user")).isEqualTo("user");
        assertThat(ScramKeys.prepared("USER")).isEqualTo("USER");
        assertThat(ScramKeys.prepared("\u00AA")).isEqualTo("a");
        assertThat(ScramKeys.prepared("\u2168")).isEqualTo("IX");
        assertThat(ScramKeys.prepared("a\u00A0b")).isEqualTo("a b");
        assertThat(ScramKeys.prepared("a\u0308")).isEqualTo("ä");
    }

    @Test
    void shouldRefuseAWrongPassword() throws ScramException {
        // given
        ScramClient client = new ScramClient("user", "pencils");
        ScramServer server = server(client.first());

        // then
        assertThat(server.last(client.last(server.first()))).isEmpty();
    }

    @Test
    void shouldRefuseWhatWasOverheard() throws ScramException {
        // given the first message of an exchange that went well
        ScramServer again = server(CLIENT_FIRST);

        // then
        assertThat(again.first()).isNotEqualTo(SERVER_FIRST);
        assertThatThrownBy(() -> again.last(CLIENT_FINAL))
                .isInstanceOf(ScramException.class)
                .hasMessageContaining("expected the nonce of this exchange");
        String renamed = again.first().substring(0, again.first().indexOf(","));
        assertThat(
                        again.last(
                                "c=biws,"
                                        + renamed
                                        + CLIENT_FINAL.substring(CLIENT_FINAL.indexOf(",p="))))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "v=AAAATRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4=",
                "v=6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95A==",
                "v=",
                "v=!",
                "e=other-error",
                ""
            })
    void shouldNotBelieveAServerThatDoesNotKnowThePassword(String serverFinal)
            throws ScramException {
        // given
        ScramClient client = new ScramClient("user", "pencil", CLIENT_NONCE);
        client.last(SERVER_FIRST);

        // then
        assertThatThrownBy(() -> client.verify(serverFinal)).isInstanceOf(ScramException.class);
    }

    @Test
    void shouldNotBelieveASignatureBeforeTheExchange() {
        ScramClient client = new ScramClient("user", "pencil", CLIENT_NONCE);

        assertThatThrownBy(() -> client.verify("v=")).isInstanceOf(ScramException.class);
        assertThatThrownBy(() -> client.verify(SERVER_FINAL)).isInstanceOf(ScramException.class);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            textBlock =
                    """
                    "" | 'n,' or 'y,'
                    n | 'n,' or 'y,'
                    n, | 'n,' or 'y,'
                    n,, | 'n='
                    n,,n=user | 'r='
                    n,,r=abc | 'n='
                    n,,n=user,r= | a nonce
                    n,,n=user,r=a b | a nonce
                    n,,n=us=er,r=abc | '=3D'
                    n,,n=,r=abc | '=3D'
                    n,,m=ext,n=user,r=abc | 'n='
                    n,a=eve,n=user,r=abc | authorisation id
                    p=tls-exporter,,n=user,r=abc | no channel binding
                    """)
    void shouldSayWhatIsWrongWithAFirstMessage(String clientFirst, String expected) {
        assertThatThrownBy(() -> server(clientFirst))
                .isInstanceOf(ScramException.class)
                .hasMessageContaining(expected);
    }

    @Test
    void shouldRefuseEveryPrefixOfTheFinalMessage() throws ScramException {
        ScramServer server = exampleServer();

        for (int length = 0; length < CLIENT_FINAL.length() - 1; length++) {
            String prefix = CLIENT_FINAL.substring(0, length);
            assertThatThrownBy(() -> server.last(prefix))
                    .as(prefix)
                    .isInstanceOf(ScramException.class);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "s=" + SALT + ",i=4096",
                "r=" + CLIENT_NONCE + ",s=" + SALT + ",i=4096",
                "r=other" + CLIENT_NONCE + ",s=" + SALT + ",i=4096",
                "r=" + CLIENT_NONCE + "x,s=,i=4096",
                "r=" + CLIENT_NONCE + "x,s=" + SALT,
                "r=" + CLIENT_NONCE + "x,s=" + SALT + ",i=4095",
                "r=" + CLIENT_NONCE + "x,s=" + SALT + ",i=5000001",
                "r=" + CLIENT_NONCE + "x,s=" + SALT + ",i=99999999999",
                "r=" + CLIENT_NONCE + "x,s=" + SALT + ",i=-1",
                "m=ext,r=" + CLIENT_NONCE + "x,s=" + SALT + ",i=4096"
            })
    void shouldNotAnswerAServerThatAsksForSomethingElse(String serverFirst) {
        ScramClient client = new ScramClient("user", "pencil", CLIENT_NONCE);

        assertThatThrownBy(() -> client.last(serverFirst)).isInstanceOf(ScramException.class);
    }

    @Test
    void shouldChallengeUnknownUsersAlikeEveryTime() throws ScramException {
        // given
        ScramVerifier known = ScramVerifier.parse(PENCIL.text());
        String first = saltAndCount(known.decoy(known.decoyKey(), "eve"));

        // then
        assertThat(saltAndCount(ScramVerifier.parse(PENCIL.text()).decoy(known.decoyKey(), "eve")))
                .isEqualTo(first);
        assertThat(saltAndCount(known.decoy(known.decoyKey(), "mallory"))).isNotEqualTo(first);
        assertThat(first).hasSameSizeAs(saltAndCount(known));
        assertThat(known.decoy(known.decoyKey(), "eve").matches("pencil")).isFalse();
    }

    private static String saltAndCount(ScramVerifier verifier) throws ScramException {
        String first = new ScramServer("n,,n=eve,r=abc", user -> verifier).first();
        return first.substring(first.indexOf(",s="));
    }
}
