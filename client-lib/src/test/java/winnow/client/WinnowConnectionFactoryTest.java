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
        assertThat(factory.getConnectTimeout()).isEqualTo(15_000);
        assertThat(factory.getRequestTimeout()).isEqualTo(30_000);
        assertThat(factory.getSendTimeout()).isEqualTo(60_000);
        assertThat(factory.getCloseTimeout()).isEqualTo(15_000);
        assertThat(factory.getHeartbeat()).isEqualTo(15_000);
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

        // then
        assertThat(factory.getSendTimeout()).isEqualTo(10);
        assertThat(factory.getUsername()).isEqualTo("y");
        assertThat(factory.getPassword()).isEqualTo("secret");
        assertThat(factory.getClientID()).isEqualTo("me");
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
    }

    @Test
    void shouldRefuseBadValuesAtOnce() {
        // given
        WinnowConnectionFactory factory = new WinnowConnectionFactory();

        // when, then
        assertThatThrownBy(() -> factory.setPrefetchMessages(0))
                .hasMessageContaining("prefetchMessages");
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
