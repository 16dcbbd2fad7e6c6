package winnow.client.transport.endpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.ChannelOption;
import org.junit.jupiter.api.Test;

class SocketTermsTest {

    private final Bootstrap bootstrap = new Bootstrap();

    @Test
    void shouldLeaveBuffersToTheKernelUnlessTheyAreGiven() {
        SocketTerms.USUAL.apply(bootstrap);

        assertThat(bootstrap.config().options())
                .containsExactly(entry(ChannelOption.TCP_NODELAY, true));
    }

    @Test
    void shouldSizeBothBuffers() {
        new SocketTerms(131_072, false).apply(bootstrap);

        assertThat(bootstrap.config().options())
                .containsOnly(
                        entry(ChannelOption.TCP_NODELAY, false),
                        entry(ChannelOption.SO_SNDBUF, 131_072),
                        entry(ChannelOption.SO_RCVBUF, 131_072));
    }
}
