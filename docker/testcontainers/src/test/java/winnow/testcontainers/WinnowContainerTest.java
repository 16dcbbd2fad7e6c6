package winnow.testcontainers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static winnow.testcontainers.ImageUnderTest.exchange;
import static winnow.testcontainers.ImageUnderTest.factory;

import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSRuntimeException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;
import org.testcontainers.utility.DockerImageName;
import winnow.client.WinnowConnectionFactory;

class WinnowContainerTest {
    @Test
    void shouldDeliverBySelector() throws Exception {
        // given
        try (WinnowContainer broker = ImageUnderTest.container()) {
            broker.start();

            // when
            ConnectionFactory factory =
                    new WinnowConnectionFactory(
                            broker.getBrokerUrl(), broker.getUser(), broker.getPassword());

            // then
            assertThat(exchange(factory)).isEqualTo("right");
            HttpRequest metrics =
                    HttpRequest.newBuilder(URI.create(broker.getHttpUrl() + "/metrics")).build();
            assertThat(
                            HttpClient.newHttpClient()
                                    .send(metrics, HttpResponse.BodyHandlers.ofString())
                                    .body())
                    .contains("winnow_");
        }
    }

    @Test
    void shouldTakeAUserAndSettings() {
        // given
        try (WinnowContainer broker =
                ImageUnderTest.container()
                        .withUser("ann", "her secret")
                        .withSetting("transport.max-connections", "1")) {
            broker.start();
            assertThat(broker.getUser()).isEqualTo("ann");

            // then
            assertThat(exchange(factory(broker, "ann", "her secret"))).isEqualTo("right");
            assertThatThrownBy(() -> exchange(factory(broker, "ann", "another")))
                    .isInstanceOf(JMSRuntimeException.class);
            try (JMSContext first = factory(broker, "ann", "her secret").createContext()) {
                first.start();
                assertThatThrownBy(() -> exchange(factory(broker, "ann", "her secret")))
                        .as("the only connection is in use")
                        .isInstanceOf(JMSRuntimeException.class);
            }
            assertThat(ImageUnderTest.output(broker)).doesNotContain("first start");
        }
    }

    @Test
    void shouldRefuseAnotherImage() {
        assertThatThrownBy(() -> new WinnowContainer(DockerImageName.parse("postgres:18")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("winnow/broker");
    }
}
