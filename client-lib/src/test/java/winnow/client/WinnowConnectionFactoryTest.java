package winnow.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import org.junit.jupiter.api.Test;

class WinnowConnectionFactoryTest {
    @Test
    void shouldHaveTheDocumentedDefaults() {
        // given
        WinnowConnectionFactory factory = new WinnowConnectionFactory();

        // when, then
        assertThat(factory.getUrl()).isEqualTo("winnow://127.0.0.1:61616");
        assertThat(factory.getUsername()).isEmpty();
        assertThat(factory.getPassword()).isEmpty();
        assertThat(factory.getClientID()).isEmpty();
        assertThat(factory.getApplication()).isEmpty();
        assertThat(factory.getConnectTimeout()).isEqualTo(15_000);
        assertThat(factory.getRequestTimeout()).isEqualTo(30_000);
        assertThat(factory.getSendTimeout()).isEqualTo(60_000);
        assertThat(factory.getCloseTimeout()).isEqualTo(15_000);
        assertThat(factory.getHeartbeat()).isEqualTo(10_000);
        assertThat(factory.getStartupMaxReconnectAttempts()).isEqualTo(-1);
        assertThat(factory.getStartupTimeout()).isEqualTo(30_000);
        assertThat(factory.getReconnectDelay()).isEqualTo(10);
        assertThat(factory.getReconnectBackOffMultiplier()).isEqualTo(2);
        assertThat(factory.getMaxReconnectDelay()).isEqualTo(30_000);
        assertThat(factory.getWarnAfterReconnectAttempts()).isEqualTo(10);
        assertThat(factory.isRandomize()).isFalse();
        assertThat(factory.getPrefetchMessages()).isEqualTo(32_000);
        assertThat(factory.getPrefetchBytes()).isEqualTo(8 * 1024 * 1024);
        assertThat(factory.getIoThreads()).isEqualTo(1);
        assertThat(factory.getLargeMessageFolder()).isEmpty();
        assertThat(factory.getLargeMessageDisk()).isEqualTo(16_384);
        assertThat(factory.getAllowedClasses()).isEmpty();
    }

    @Test
    void shouldPreferSettersToTheUrl() {
        // given
        WinnowConnectionFactory factory =
                new WinnowConnectionFactory(
                        "winnow://h?sendTimeout=1&closeTimeout=2&requestTimeout=3&username=x");

        // when
        factory.setSendTimeout(10);
        factory.setUsername("y");
        factory.setPassword("secret");
        factory.setClientID("me");
        factory.setApplication("desk");
        factory.setConnectTimeout(11);
        factory.setHeartbeat(0);
        factory.setPrefetchMessages(12);
        factory.setPrefetchBytes(13);
        factory.setIoThreads(2);
        factory.setLargeMessageFolder("/folder");
        factory.setLargeMessageDisk(16);
        factory.setAllowedClasses("a.B");
        factory.setRequestTimeout(14);
        factory.setCloseTimeout(15);
        factory.setStartupMaxReconnectAttempts(4);
        factory.setStartupTimeout(0);
        factory.setReconnectDelay(17);
        factory.setReconnectBackOffMultiplier(1.5);
        factory.setMaxReconnectDelay(18);
        factory.setWarnAfterReconnectAttempts(0);
        factory.setRandomize(true);

        // then
        assertThat(factory.getSendTimeout()).isEqualTo(10);
        assertThat(factory.getUsername()).isEqualTo("y");
        assertThat(factory.getPassword()).isEqualTo("secret");
        assertThat(factory.getClientID()).isEqualTo("me");
        assertThat(factory.getApplication()).isEqualTo("desk");
        assertThat(factory.getConnectTimeout()).isEqualTo(11);
        assertThat(factory.getHeartbeat()).isZero();
        assertThat(factory.getPrefetchMessages()).isEqualTo(12);
        assertThat(factory.getPrefetchBytes()).isEqualTo(13);
        assertThat(factory.getIoThreads()).isEqualTo(2);
        assertThat(factory.getLargeMessageFolder()).isEqualTo("/folder");
        assertThat(factory.getLargeMessageDisk()).isEqualTo(16);
        assertThat(factory.getAllowedClasses()).isEqualTo("a.B");
        assertThat(factory.getRequestTimeout()).isEqualTo(14);
        assertThat(factory.getCloseTimeout()).isEqualTo(15);
        assertThat(factory.getStartupMaxReconnectAttempts()).isEqualTo(4);
        assertThat(factory.getStartupTimeout()).isZero();
        assertThat(factory.getReconnectDelay()).isEqualTo(17);
        assertThat(factory.getReconnectBackOffMultiplier()).isEqualTo(1.5);
        assertThat(factory.getMaxReconnectDelay()).isEqualTo(18);
        assertThat(factory.getWarnAfterReconnectAttempts()).isZero();
        assertThat(factory.isRandomize()).isTrue();
    }

    @Test
    void shouldRefuseBadValuesAtOnce() {
        // given
        WinnowConnectionFactory factory = new WinnowConnectionFactory();

        // when, then
        assertThatThrownBy(() -> factory.setPrefetchMessages(0))
                .hasMessageContaining("prefetchMessages");
        assertThatThrownBy(() -> factory.setReconnectBackOffMultiplier(Double.NaN))
                .hasMessageContaining("reconnectBackOffMultiplier");
        assertThatThrownBy(() -> factory.setUrl("tcp://x")).hasMessageContaining("tcp://x");
        assertThatThrownBy(() -> new WinnowConnectionFactory("winnow://h?x=1"))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void shouldSurviveSerialisation() throws Exception {
        // given
        WinnowConnectionFactory factory = new WinnowConnectionFactory("winnow://h:1", "u", "p");
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(factory);
        }

        // when
        Object copy;
        try (ObjectInputStream in =
                new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            copy = in.readObject();
        }

        // then
        assertThat(copy)
                .isInstanceOfSatisfying(
                        WinnowConnectionFactory.class,
                        read -> {
                            assertThat(read.getUrl()).isEqualTo("winnow://h:1");
                            assertThat(read.getUsername()).isEqualTo("u");
                            assertThat(read.getPassword()).isEqualTo("p");
                        });
    }
}
