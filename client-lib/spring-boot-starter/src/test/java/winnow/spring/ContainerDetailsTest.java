package winnow.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Constructor;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.service.connection.ConnectionDetails;
import org.springframework.boot.autoconfigure.service.connection.ConnectionDetailsFactories;
import org.springframework.boot.docker.compose.core.ConnectionPorts;
import org.springframework.boot.docker.compose.core.ImageReference;
import org.springframework.boot.docker.compose.core.RunningService;
import org.springframework.boot.docker.compose.service.connection.DockerComposeConnectionSource;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.testcontainers.service.connection.ServiceConnection;
import org.springframework.boot.testcontainers.service.connection.ServiceConnectionAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.core.env.StandardEnvironment;
import winnow.testcontainers.WinnowContainer;

/// Containers that are described and not run.
class ContainerDetailsTest {
    private static WinnowConnectionDetails ofService(Map<String, String> environment)
            throws ReflectiveOperationException {
        return ofService(environment, Map.of());
    }

    private static WinnowConnectionDetails ofService(
            Map<String, String> environment, Map<String, String> labels)
            throws ReflectiveOperationException {
        Constructor<DockerComposeConnectionSource> constructor =
                DockerComposeConnectionSource.class.getDeclaredConstructor(
                        RunningService.class, Environment.class);
        constructor.setAccessible(true);
        DockerComposeConnectionSource source =
                constructor.newInstance(
                        new BrokerService(environment, labels), new StandardEnvironment());
        Map<Class<?>, ConnectionDetails> found =
                new ConnectionDetailsFactories(ContainerDetailsTest.class.getClassLoader())
                        .getConnectionDetails(source, true);
        return (WinnowConnectionDetails)
                Objects.requireNonNull(found.get(WinnowConnectionDetails.class));
    }

    @Test
    void shouldConnectToABrokerOfCompose() throws Exception {
        // when
        WinnowConnectionDetails details =
                ofService(Map.of("WINNOW_USER", "u", "WINNOW_PASSWORD", "p"));

        // then
        assertThat(details.getUrl()).isEqualTo("winnow://127.0.0.1:55001");
        assertThat(details.getUser()).isEqualTo("u");
        assertThat(details.getPassword()).isEqualTo("p");
    }

    @Test
    void shouldLeaveTheUserToThePropertiesIfThePasswordIsUnknown() throws Exception {
        assertThat(ofService(Map.of("WINNOW_USER", "u")).getUser()).isNull();
    }

    @Test
    void shouldConnectByTlsWithTheBundleOfTheLabels() throws Exception {
        // when
        WinnowConnectionDetails details =
                ofService(
                        Map.of(),
                        Map.of(
                                "org.springframework.boot.sslbundle.jks.truststore.location",
                                "trust.p12"));

        // then
        assertThat(details.getUrl()).isEqualTo("winnows://127.0.0.1:55001");
        assertThat(details.getSslBundle()).isNotNull();
    }

    @Test
    void shouldConnectToABrokerOfTestcontainers() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(ServiceConnectionAutoConfiguration.class))
                .withUserConfiguration(Container.class)
                .run(context -> assertThat(context).hasSingleBean(WinnowConnectionDetails.class));
    }

    @Configuration(proxyBeanMethods = false)
    static class Container {
        @Bean
        @ServiceConnection
        WinnowContainer broker() {
            return new WinnowContainer().withUser("u", "p");
        }
    }

    /// As Docker Compose describes one.
    private record BrokerService(Map<String, String> env, Map<String, String> labels)
            implements RunningService {
        @Override
        public String name() {
            return "broker";
        }

        @Override
        public ImageReference image() {
            return ImageReference.of("winnow/broker:1");
        }

        @Override
        public String host() {
            return "127.0.0.1";
        }

        @Override
        public ConnectionPorts ports() {
            return new Ports();
        }
    }

    private record Ports() implements ConnectionPorts {
        @Override
        public int get(int containerPort) {
            return containerPort - 61616 + 55001;
        }

        @Override
        public List<Integer> getAll() {
            return getAll(null);
        }

        @Override
        public List<Integer> getAll(@Nullable String protocol) {
            return List.of(55001);
        }
    }
}
