package winnow.wire.bearer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BearerMessageTest {
    private static final String TOKEN = "vF9dft4qmTc2Nvb3RlckBhbHRhdmlzdGEuY29tCg==";

    /// RFC 7628, section 4.1.
    private static final String EXAMPLE =
            "n,a=user@example.com,^Ahost=server.example.com^Aport=143^Aauth=Bearer "
                    + TOKEN
                    + "^A^A";

    private static BearerMessage parse(String text) {
        return BearerMessage.parse(text.replace("^A", "\u0001"));
    }

    @Test
    void shouldReadTheExampleOfTheStandard() {
        assertThat(parse(EXAMPLE)).isEqualTo(new BearerMessage("user@example.com", TOKEN));
        assertThat(parse("y,,^AAUTH=bearer a.b.c^A^A")).isEqualTo(BearerMessage.of("a.b.c"));
    }

    @Test
    void shouldWriteWhatItReads() {
        BearerMessage message = new BearerMessage("a=b,c", "a.b-c_d~e+f/g");

        assertThat(message.text())
                .isEqualTo("n,a=a=3Db=2Cc,\u0001auth=Bearer a.b-c_d~e+f/g\u0001\u0001");
        assertThat(BearerMessage.parse(message.text())).isEqualTo(message);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "n,,",
                "a.b.c",
                "n,,^Aauth=Bearer a.b.c",
                "n,,^Aauth=Bearer a.b.c^A",
                "p=tls-unique,,^Aauth=Bearer a.b.c^A^A",
                "n,user,^Aauth=Bearer a.b.c^A^A",
                "n,a=,^Aauth=Bearer a.b.c^A^A"
            })
    void shouldRefuseWhatIsNoMessage(String text) {
        assertThatThrownBy(() -> parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("OAUTHBEARER: expected a message such as");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "n,,^Ahost=a^A^A",
                "n,,^Aauth=Bearer ^A^A",
                "n,,^Aauth=Basic abc^A^A",
                "n,,^Aauth=Bearer a b^A^A",
                "n,,^Aauth=Bearer a=b^A^A"
            })
    void shouldRefuseWhatHasNoToken(String text) {
        assertThatThrownBy(() -> parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("OAUTHBEARER: expected a token of letters, digits");
    }

    @Test
    void shouldShowNoToken() {
        assertThat(parse(EXAMPLE)).asString().doesNotContain(TOKEN).contains("user@example.com");
    }
}
