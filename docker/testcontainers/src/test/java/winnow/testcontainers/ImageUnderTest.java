package winnow.testcontainers;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.command.CreateContainerCmd;
import com.github.dockerjava.api.command.InspectContainerResponse;
import com.github.dockerjava.api.model.Bind;
import com.github.dockerjava.api.model.HostConfig;
import com.github.dockerjava.api.model.PortBinding;
import com.github.dockerjava.api.model.Ports;
import com.github.dockerjava.api.model.Volume;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.Topic;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Arrays;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.output.OutputFrame;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.utility.DockerImageName;
import winnow.client.WinnowConnectionFactory;

/// The image that was built before: containers of it, whose ports are open on loopback only, and
/// what the tests do with them.
final class ImageUnderTest {
    static final String NAME = Objects.requireNonNull(System.getProperty("winnow.image"));

    private static final Pattern FIRST_START =
            Pattern.compile(
                    "winnow first start: made user '(.+)' with password '(.+)' in /data/users; .*");

    private static final int RECEIVE_MILLIS = 60_000;
    private static final Duration STARTUP = Duration.ofMinutes(3);

    private ImageUnderTest() {}

    static WinnowContainer container() {
        return local(
                new WinnowContainer(
                        DockerImageName.parse(NAME)
                                .asCompatibleSubstituteFor(WinnowContainer.IMAGE)));
    }

    /// As `docker run` has it: without a user and a password.
    static GenericContainer<?> plain() {
        GenericContainer<?> container =
                new GenericContainer<>(DockerImageName.parse(NAME))
                        .withExposedPorts(WinnowContainer.BROKER_PORT, WinnowContainer.HTTP_PORT)
                        .waitingFor(
                                Wait.forHttp("/health/ready").forPort(WinnowContainer.HTTP_PORT));
        return local(container);
    }

    private static <C extends GenericContainer<?>> C local(C container) {
        container.withImagePullPolicy(name -> false);
        // The processors that build this are few and busy.
        container.withEnv("WINNOW_TRANSPORT_HANDSHAKE_TIMEOUT", "1m");
        container.withStartupTimeout(STARTUP);
        container.withCreateContainerCmdModifier(command -> {
            HostConfig host = host(command);
            Ports open = host.getPortBindings();
            host.withPortBindings(
                    open.getBindings().keySet().stream()
                            .map(port -> new PortBinding(Ports.Binding.bindIp("127.0.0.1"), port))
                            .toList());
        });
        return container;
    }

    /// Changes how the engine runs a container.
    static <C extends GenericContainer<?>> C with(C container, Consumer<HostConfig> change) {
        container.withCreateContainerCmdModifier(command -> change.accept(host(command)));
        return container;
    }

    private static HostConfig host(CreateContainerCmd command) {
        return Objects.requireNonNull(command.getHostConfig());
    }

    static DockerClient engine() {
        return DockerClientFactory.instance().client();
    }

    /// A named volume, removed with what is in it when it is closed.
    record NamedVolume(String name) implements AutoCloseable {
        static NamedVolume create() {
            return new NamedVolume(engine().createVolumeCmd().exec().getName());
        }

        <C extends GenericContainer<?>> C mountedIn(C container) {
            return with(container, host -> host.withBinds(new Bind(name, new Volume("/data"))));
        }

        @Override
        public void close() {
            engine().removeVolumeCmd(name).exec();
        }
    }

    /// What a container says about the user that it made at its first start.
    record FirstUser(String name, String password) {
        static FirstUser of(GenericContainer<?> container) {
            String log = output(container);
            Matcher line =
                    log.lines()
                            .map(FIRST_START::matcher)
                            .filter(Matcher::matches)
                            .findFirst()
                            .orElseThrow(
                                    () -> new AssertionError("expected a password in: " + log));
            return new FirstUser(line.group(1), line.group(2));
        }
    }

    static String output(GenericContainer<?> container) {
        return container.getLogs(OutputFrame.OutputType.STDOUT);
    }

    static ConnectionFactory factory(GenericContainer<?> container, String user, String password) {
        return new WinnowConnectionFactory(
                "winnow://127.0.0.1:" + container.getMappedPort(WinnowContainer.BROKER_PORT),
                user,
                password);
    }

    /// What a consumer with a selector gets of two messages, one of which matches.
    static String exchange(ConnectionFactory factory) {
        try (JMSContext context = factory.createContext()) {
            Topic topic = context.createTopic("prices");
            JMSConsumer consumer = context.createConsumer(topic, "region = 'EU' AND price > 10");
            context.createProducer()
                    .setProperty("region", "EU")
                    .setProperty("price", 9)
                    .send(topic, "too cheap")
                    .setProperty("price", 11)
                    .send(topic, "right");
            return consumer.receiveBody(String.class, RECEIVE_MILLIS);
        }
    }

    static HttpResponse<String> get(GenericContainer<?> container, String path, String... headers)
            throws IOException, InterruptedException {
        URI uri =
                URI.create(
                        "http://127.0.0.1:"
                                + container.getMappedPort(WinnowContainer.HTTP_PORT)
                                + path);
        HttpRequest.Builder request = HttpRequest.newBuilder(uri);
        if (headers.length > 0) {
            request.headers(headers);
        }
        return HttpClient.newHttpClient()
                .send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    /// How a container ends when the engine stops it as `docker stop` does.
    static InspectContainerResponse.ContainerState stop(GenericContainer<?> container) {
        engine().stopContainerCmd(container.getContainerId()).withTimeout(10).exec();
        return state(container);
    }

    static InspectContainerResponse.ContainerState state(GenericContainer<?> container) {
        return engine().inspectContainerCmd(container.getContainerId()).exec().getState();
    }

    static String run(GenericContainer<?> container, String... command)
            throws IOException, InterruptedException {
        var result = container.execInContainer(command);
        if (result.getExitCode() != 0) {
            throw new AssertionError(
                    Arrays.toString(command)
                            + " ended with "
                            + result.getExitCode()
                            + ": "
                            + result.getStdout()
                            + result.getStderr());
        }
        return result.getStdout().strip();
    }
}
