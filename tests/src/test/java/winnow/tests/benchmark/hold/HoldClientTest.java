package winnow.tests.benchmark.hold;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class HoldClientTest {

    @Test
    @Timeout(60)
    void shouldNotWaitForEverForABrokerThatIsSilent() throws IOException {
        // given
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            var address =
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), silent.getLocalPort());

            // when, then
            assertThatThrownBy(() -> new HoldClient(address, 50))
                    .isInstanceOf(IOException.class)
                    .hasMessageMatching(
                            "waited [0-9]+ ms to be welcomed, without any answer of the broker at"
                                    + " localhost.*:[0-9]+");
        }
    }
}
