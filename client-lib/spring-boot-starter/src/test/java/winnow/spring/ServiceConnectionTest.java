package winnow.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.testcontainers.service.connection.ServiceConnection;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jms.core.JmsTemplate;
import org.testcontainers.utility.DockerImageName;
import winnow.testcontainers.WinnowContainer;

/// An application whose broker is a real container. `tests/image` runs it with the image that it
/// has built.
@Tag("container")
class ServiceConnectionTest {
    @Test
    void shouldSendAndReceiveThroughTheContainer() {
        SpringApplication application = new SpringApplication(WithBroker.class);
        application.setDefaultProperties(Map.of("spring.jms.template.receive-timeout", "20s"));
        try (ConfigurableApplicationContext context = application.run()) {
            JmsTemplate template = context.getBean(JmsTemplate.class);

            // when
            template.convertAndSend("orders", "order 1");

            // then
            assertThat(template.receiveAndConvert("orders")).isEqualTo("order 1");
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class WithBroker {
        @Bean
        @ServiceConnection
        WinnowContainer broker() {
            return new WinnowContainer(
                    DockerImageName.parse(
                                    Objects.requireNonNull(System.getProperty("winnow.image")))
                            .asCompatibleSubstituteFor("winnow/broker"));
        }
    }
}
