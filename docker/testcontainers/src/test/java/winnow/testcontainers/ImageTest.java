package winnow.testcontainers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static winnow.testcontainers.ImageUnderTest.engine;
import static winnow.testcontainers.ImageUnderTest.exchange;
import static winnow.testcontainers.ImageUnderTest.factory;
import static winnow.testcontainers.ImageUnderTest.get;
import static winnow.testcontainers.ImageUnderTest.output;
import static winnow.testcontainers.ImageUnderTest.run;
import static winnow.testcontainers.ImageUnderTest.state;
import static winnow.testcontainers.ImageUnderTest.with;

import com.github.dockerjava.api.command.InspectContainerResponse;
import com.github.dockerjava.api.command.InspectImageResponse;
import com.github.dockerjava.api.model.Capability;
import com.github.dockerjava.api.model.HostConfig;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSProducer;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.Topic;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.output.OutputFrame;
import org.testcontainers.containers.wait.strategy.Wait;
import winnow.client.WinnowConnectionFactory;
import winnow.testcontainers.ImageUnderTest.FirstUser;
import winnow.testcontainers.ImageUnderTest.NamedVolume;

/// What `docker run` promises of the image (docs/DOCKER.md).
class ImageTest {
    private static final long MEBIBYTE = 1024 * 1024;
    private static final long MAX_IMAGE_BYTES = 160_000_000;

    /// A broker that is refused ends at once; then there is nothing to wait for.
    private static final Duration REFUSAL = Duration.ofSeconds(30);

    private static final int SEND_TIMEOUT_MILLIS = 10_000;
    private static final int BODY_BYTES = 32 * 1024;
    private static final int WAITING = 1000;

    /// So few that most messages wait in the broker, not in the client.
    private static final int PREFETCHED = 10;

    private static final int HEALTH_CHECKS = 5;

    /// As the strictest platforms run a container.
    private static HostConfig restrict(HostConfig host) {
        return host.withReadonlyRootfs(true)
                .withCapDrop(Capability.ALL)
                .withSecurityOpts(List.of("no-new-privileges"));
    }

    @Test
    void shouldMakeCredentialsOnceAndKeepThemInTheVolume() throws Exception {
        FirstUser user;
        try (NamedVolume volume = NamedVolume.create()) {
            // when
            try (GenericContainer<?> first = volume.mountedIn(ImageUnderTest.plain())) {
                first.start();
                user = FirstUser.of(first);

                // then
                assertThat(user.name()).isEqualTo("admin");
                assertThat(exchange(factory(first, "admin", user.password()))).isEqualTo("right");
                assertThatThrownBy(() -> exchange(factory(first, "admin", "admin")))
                        .isInstanceOf(JMSRuntimeException.class);
                assertThat(run(first, "cat", "/data/users")).doesNotContain(user.password());
                assertThat(run(first, "stat", "-c", "%a", "/data/users")).isEqualTo("600");
            }

            // when another container has the volume
            try (GenericContainer<?> second = volume.mountedIn(ImageUnderTest.plain())) {
                second.start();

                // then
                assertThat(output(second)).contains("winnow ready: ").doesNotContain("first start");
                assertThat(exchange(factory(second, "admin", user.password()))).isEqualTo("right");
            }
        }
    }

    @Test
    void shouldKeepMessagesInTheVolumeWhenKilled() throws Exception {
        try (NamedVolume volume = NamedVolume.create()) {
            FirstUser user;
            try (GenericContainer<?> first = volume.mountedIn(ImageUnderTest.plain())) {
                first.start();
                user = FirstUser.of(first);
                try (JMSContext context =
                        factory(first, user.name(), user.password()).createContext()) {
                    context.createProducer().send(context.createQueue("orders"), "one");
                    context.createProducer().send(context.createQueue("orders"), "two");
                }

                // when
                engine().killContainerCmd(first.getContainerId()).exec();
            }

            // then
            try (GenericContainer<?> second = volume.mountedIn(ImageUnderTest.plain())) {
                second.start();
                try (JMSContext context =
                        factory(second, user.name(), user.password()).createContext()) {
                    JMSConsumer consumer = context.createConsumer(context.createQueue("orders"));
                    assertThat(consumer.receiveBody(String.class, SEND_TIMEOUT_MILLIS))
                            .isEqualTo("one");
                    assertThat(consumer.receiveBody(String.class, SEND_TIMEOUT_MILLIS))
                            .isEqualTo("two");
                }
            }
        }
    }

    @Test
    void shouldRefuseAVolumeInUse() {
        try (NamedVolume volume = NamedVolume.create();
                GenericContainer<?> one = volume.mountedIn(ImageUnderTest.plain());
                GenericContainer<?> other = volume.mountedIn(ImageUnderTest.plain())) {
            one.start();
            String password = FirstUser.of(one).password();

            // when
            List<String> log = new CopyOnWriteArrayList<>();
            other.withStartupTimeout(REFUSAL);
            other.withLogConsumer(line -> log.add(line.getUtf8String()));
            assertThatThrownBy(other::start).isInstanceOf(RuntimeException.class);

            // then
            assertThat(log).anyMatch(line -> line.contains("is in use by"));
            assertThat(exchange(factory(one, "admin", password))).isEqualTo("right");
        }
    }

    @Test
    void shouldOpenHealthAndMetricsOnly() throws Exception {
        try (GenericContainer<?> broker = ImageUnderTest.plain()) {
            broker.start();
            FirstUser user = FirstUser.of(broker);

            // then
            assertThat(get(broker, "/health/live").statusCode()).isEqualTo(200);
            assertThat(get(broker, "/metrics").statusCode()).isEqualTo(200);
            assertThatThrownBy(() -> exchange(factory(broker, "", "")))
                    .isInstanceOf(JMSRuntimeException.class);
            for (String page : List.of("/metrics/detailed", "/api/v1/topics")) {
                HttpResponse<String> refused = get(broker, page, "Authorization", basic(user));
                assertThat(refused.statusCode()).isEqualTo(403);
                assertThat(refused.body())
                        .contains("tls.certificate")
                        .contains("security.allow-plain-text-passwords=true");
            }
        }
    }

    @Test
    void shouldTakePasswordsInClearTextOnlyIfToldTo() throws Exception {
        try (GenericContainer<?> broker =
                ImageUnderTest.plain()
                        .withEnv("WINNOW_SECURITY_ALLOW_PLAIN_TEXT_PASSWORDS", "true")) {
            broker.start();
            FirstUser user = FirstUser.of(broker);

            // then
            assertThat(get(broker, "/api/v1/topics").statusCode()).isEqualTo(401);
            assertThat(get(broker, "/api/v1/topics", "Authorization", basic(user)).statusCode())
                    .isEqualTo(200);
        }
    }

    private static String basic(FirstUser user) {
        String plain = user.name() + ":" + user.password();
        return "Basic "
                + Base64.getEncoder().encodeToString(plain.getBytes(StandardCharsets.UTF_8));
    }

    /// Neither user 1001 nor any other may write the image's files; `/tmp` is not there to write.
    @ParameterizedTest
    @CsvSource({"1001:0", "123456:0"})
    void shouldRunWithoutRightsOnAReadOnlyRootFileSystem(String user) throws Exception {
        try (NamedVolume volume = NamedVolume.create();
                GenericContainer<?> broker =
                        with(volume.mountedIn(ImageUnderTest.plain()), ImageTest::restrict)) {
            broker.withCreateContainerCmdModifier(command -> command.withUser(user));
            broker.start();

            // then
            FirstUser made = FirstUser.of(broker);
            assertThat(exchange(factory(broker, made.name(), made.password()))).isEqualTo("right");
            assertThat(run(broker, "id", "-u") + ":" + run(broker, "id", "-g")).isEqualTo(user);
            assertThat(run(broker, "cat", "/proc/1/maps"))
                    .as("native transport")
                    .contains("libnetty_transport_native_epoll");
            assertThat(run(broker, "stat", "-c", "%a", "/data/admin.sock")).isEqualTo("600");
            assertThat(run(broker, "winnow", "queue", "create", "orders"))
                    .isEqualTo("queue 'orders' is there");
            assertThat(run(broker, "winnow", "queue", "list")).contains("orders");
        }
    }

    @Test
    void shouldExitWithZeroWhenStopped() throws Exception {
        try (WinnowContainer broker = ImageUnderTest.container()) {
            broker.start();
            try (JMSContext context =
                    factory(broker, broker.getUser(), broker.getPassword()).createContext()) {
                context.createConsumer(context.createTopic("t"));

                // when
                var state = ImageUnderTest.stop(broker);

                // then
                assertThat(state.getExitCodeLong()).isZero();
                assertThat(state.getOOMKilled()).isFalse();
            }
            assertThat(broker.getLogs(OutputFrame.OutputType.STDERR))
                    .as("the log is on the standard output")
                    .isEmpty();
            assertThat(output(broker)).contains("Stopped");
        }
    }

    /// The broker's and the engine's own limits hold: 5 s for what waits, 10 s for all.
    @Test
    void shouldLetASlowConsumerTakeWhatWaitsWhenStopped() throws Exception {
        try (WinnowContainer broker = ImageUnderTest.container()) {
            broker.start();
            WinnowConnectionFactory factory =
                    new WinnowConnectionFactory(
                            broker.getBrokerUrl(), broker.getUser(), broker.getPassword());
            factory.setPrefetchMessages(PREFETCHED);
            try (JMSContext context = factory.createContext();
                    JMSContext other = factory.createContext()) {
                // given messages that wait
                JMSConsumer consumer = context.createConsumer(context.createTopic("waits"));
                JMSProducer producer = other.createProducer();
                for (int i = 0; i < WAITING; i++) {
                    producer.send(other.createTopic("waits"), "message " + i);
                }

                // when
                CompletableFuture<InspectContainerResponse.ContainerState> stopped =
                        CompletableFuture.supplyAsync(() -> ImageUnderTest.stop(broker));
                awaitNotReady(broker);

                // then
                for (int i = 0; i < WAITING; i++) {
                    assertThat(consumer.receiveBody(String.class, SEND_TIMEOUT_MILLIS))
                            .isEqualTo("message " + i);
                }
                assertThat(stopped.join().getExitCodeLong()).isZero();
            }
            assertThat(output(broker)).contains("Stopped").doesNotContain("drain-timeout");
        }
    }

    private static void awaitNotReady(WinnowContainer broker) throws Exception {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
        while (get(broker, "/health/ready").statusCode() == 200) {
            assertThat(System.nanoTime()).as("stops in time").isLessThan(deadline);
        }
    }

    @Test
    void shouldBecomeHealthyForTheEngine() throws Exception {
        try (WinnowContainer broker = ImageUnderTest.container()) {
            broker.waitingFor(Wait.forHealthcheck());
            broker.start();

            // then
            assertThat(state(broker).getHealth().getStatus()).isEqualTo("healthy");
            assertThat(run(broker, "winnow", "health")).isEqualTo("ready");
            assertThat(run(broker, "winnow", "top", "--help")).startsWith("Usage: winnow top");
        }
    }

    /// What may wait for a consumer that takes nothing is filled up, and health checks run beside
    /// the broker.
    @ParameterizedTest
    @CsvSource({"128", "512"})
    void shouldStayWithinTheContainersMemory(int mebibytes) throws Exception {
        try (WinnowContainer broker =
                with(
                        ImageUnderTest.container()
                                .withSetting("destination.slow-consumers", "*=block")
                                .withSetting("subscription.buffer", "1GiB"),
                        host ->
                                host.withMemory(mebibytes * MEBIBYTE)
                                        .withMemorySwap(mebibytes * MEBIBYTE))) {
            broker.start();
            WinnowConnectionFactory factory =
                    new WinnowConnectionFactory(
                            broker.getBrokerUrl(), broker.getUser(), broker.getPassword());
            factory.setSendTimeout(SEND_TIMEOUT_MILLIS);
            try (JMSContext context = factory.createContext();
                    JMSContext other = factory.createContext()) {
                JMSConsumer consumer = context.createConsumer(context.createTopic("waits"));

                // when
                int sent = publishUntilBlocked(other);

                // then
                for (int i = 0; i < HEALTH_CHECKS; i++) {
                    assertThat(run(broker, "winnow", "health")).isEqualTo("ready");
                }
                assertThat(sent).isPositive();
                for (int i = 0; i < sent; i++) {
                    assertThat(consumer.receive(SEND_TIMEOUT_MILLIS))
                            .as("message " + i)
                            .isNotNull();
                }
            }
            assertThat(exchange(factory)).isEqualTo("right");
            assertThat(ImageUnderTest.stop(broker).getExitCodeLong()).isZero();
            assertThat(state(broker).getOOMKilled()).isFalse();
        }
    }

    private static int publishUntilBlocked(JMSContext context) {
        Topic topic = context.createTopic("waits");
        JMSProducer producer = context.createProducer();
        byte[] body = new byte[BODY_BYTES];
        int sent = 0;
        while (true) {
            try {
                producer.send(topic, body);
                sent++;
            } catch (JMSRuntimeException e) {
                assertThat(e).hasMessageContaining("waits");
                return sent;
            }
        }
    }

    @Test
    void shouldBeSmallAndSayWhatItIs() {
        // when
        InspectImageResponse image = engine().inspectImageCmd(ImageUnderTest.NAME).exec();

        // then
        assertThat(image.getSize()).isLessThan(MAX_IMAGE_BYTES);
        Map<String, String> labels =
                Objects.requireNonNull(Objects.requireNonNull(image.getConfig()).getLabels());
        assertThat(labels)
                .containsEntry("org.opencontainers.image.title", "Winnow")
                .containsEntry("org.opencontainers.image.licenses", "Apache-2.0")
                .hasEntrySatisfying(
                        "org.opencontainers.image.version",
                        version -> assertThat(version).matches("\\d+\\.\\d+\\.\\d+.*"))
                .containsKey("org.opencontainers.image.revision");
        assertThat(image.getConfig().getUser()).isEqualTo("1001:0");
    }
}
