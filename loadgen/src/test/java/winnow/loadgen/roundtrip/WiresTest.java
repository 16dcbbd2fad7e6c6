package winnow.loadgen.roundtrip;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import winnow.loadgen.worker.Provider;

class WiresTest {

    @ParameterizedTest
    @CsvSource({
        "winnow://localhost:7, winnow://127.0.0.1:PORT",
        "winnow://localhost:7?clientID=x, winnow://127.0.0.1:PORT?clientID=x",
        "'winnow://localhost:7?clientID=a,b', 'winnow://127.0.0.1:PORT?clientID=a,b'",
        "winnows://localhost:7, winnows://127.0.0.1:PORT?verifyHost=false",
        "winnows://[::1]:7/, winnows://127.0.0.1:PORT/?verifyHost=false",
        "winnows://localhost?trustStore=a, winnows://127.0.0.1:PORT?trustStore=a&verifyHost=false",
        "winnows://localhost:7?verifyHost=true, winnows://127.0.0.1:PORT?verifyHost=false",
        "winnows://localhost:7?verifyHost=true&trustStore=a,"
                + "winnows://127.0.0.1:PORT?trustStore=a&verifyHost=false",
        "winnows://localhost:7?trustStore=a&verifyHost=true,"
                + "winnows://127.0.0.1:PORT?trustStore=a&verifyHost=false"
    })
    void shouldLeadThroughTheRelay(String url, String relayed) throws Exception {
        // given
        var provider = new Provider(Provider.WINNOW_FACTORY, url, "", "");

        // when
        try (var wires = Wires.counted()) {
            var through = wires.near(provider).url();

            // then
            assertThat(through.replaceFirst("127\\.0\\.0\\.1:\\d+", "127.0.0.1:PORT"))
                    .isEqualTo(relayed);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"winnow://a:1,b:2?password=secret", "winnow://a,b", "failover:(tcp://a:1)"})
    void shouldRefuseSeveralHosts(String url) throws Exception {
        // given
        var provider = new Provider(Provider.WINNOW_FACTORY, url, "", "");

        try (var wires = Wires.counted()) {
            assertThatThrownBy(() -> wires.near(provider))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("expected a URL with one host for a relay")
                    .hasMessageNotContaining("secret");
        }
    }
}
