package winnow.client.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.util.Version;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// That a run meant for another Netty or another Java than usual has them.
class NettyVersionTest {
    @ParameterizedTest
    @ValueSource(strings = {"netty-common", "netty-buffer", "netty-transport"})
    void shouldRunOnTheNettyThatWasAskedFor(String artifact) {
        String expected = System.getProperty("winnow.netty", "4.2.");

        assertThat(String.valueOf(Version.identify().get(artifact)))
                .startsWith(artifact + "-" + expected);
    }

    @Test
    void shouldRunOnTheJavaThatWasAskedFor() {
        String expected = System.getProperty("winnow.java", "25");

        assertThat(Runtime.version().feature()).isEqualTo(Integer.parseInt(expected));
    }
}
