package winnow.loadgen.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import winnow.loadgen.provider.PeerBroker.Places;
import winnow.loadgen.provider.ProviderFile.ClientLibrary;
import winnow.loadgen.provider.ProviderFile.StartedBroker;
import winnow.loadgen.run.LoadException;

/// A broker that is one file of Java.
class PeerBrokerTest {

    private static final List<String> LISTEN =
            List.of(
                    "void main() throws Exception {",
                    "    IO.println(java.nio.file.Path.of(\"\").toAbsolutePath());",
                    "    IO.println(Runtime.getRuntime().maxMemory());",
                    "    var server = new java.net.ServerSocket(${port}, 9,",
                    "            java.net.InetAddress.getLoopbackAddress());",
                    "    while (true) {",
                    "        server.accept().close();",
                    "    }",
                    "}");

    @TempDir private Path directory;

    private static ProviderFile running(List<String> source) {
        return new ProviderFile(
                "peer",
                "",
                "",
                "",
                List.of(),
                new StartedBroker(
                        List.of(),
                        List.of(),
                        List.of("java", "conf/Broker.java"),
                        Map.of("conf/Broker.java", source)),
                new ClientLibrary(List.of(), null, "F", "tcp://127.0.0.1:${port}", "", "", "load"));
    }

    @Test
    void shouldStartABrokerAndRemoveItsDirectory() throws Exception {
        // given
        var file = running(LISTEN);
        var places = Places.with(null, null);
        var log = directory.resolve("broker.log");

        // when
        try (var broker = PeerBroker.start(file, places, "64m", log)) {
            // then
            var port = Integer.parseInt(places.in("${port}"));
            assertThat(ProcessHandle.of(broker.pid())).isPresent();
            assertThat(places.provider(file).url()).isEqualTo("tcp://127.0.0.1:" + port);
            new Socket(InetAddress.getLoopbackAddress(), port).close();
            var printed = Files.readAllLines(log);
            assertThat(Path.of(printed.getFirst())).isDirectory();
            assertThat(Long.parseLong(printed.get(1))).isLessThan(70L << 20);
        }

        // then
        assertThat(Path.of(Files.readAllLines(log).getFirst())).doesNotExist();
    }

    @Test
    void shouldSayThatABrokerEnded() throws Exception {
        // given
        var file = running(List.of("void main() { IO.println(\"no\"); }"));
        var log = directory.resolve("broker.log");

        // then
        assertThatThrownBy(() -> PeerBroker.start(file, Places.with(null, null), "64m", log))
                .isInstanceOf(LoadException.class)
                .hasMessage("peer ended before it accepted connections, see " + log);
    }

    @Test
    void shouldWriteNoFileElsewhere() {
        // given
        var elsewhere =
                new ProviderFile(
                        "peer",
                        "",
                        "",
                        "",
                        List.of(),
                        new StartedBroker(
                                List.of(),
                                List.of(),
                                List.of("java", "Broker.java"),
                                Map.of("../Broker.java", LISTEN)),
                        running(LISTEN).client());

        // then
        assertThatThrownBy(() ->
                        PeerBroker.start(
                                elsewhere,
                                Places.with(null, null),
                                "64m",
                                directory.resolve("log")))
                .hasMessageContaining("found '../Broker.java'");
    }

    @Test
    void shouldReplaceJavaAndPlaces() throws Exception {
        // given
        var broker = Objects.requireNonNull(ProviderFile.of("openmq").broker());
        var places = Places.with(Path.of("/cache/jars"), null);

        // when
        var command = PeerBroker.command(broker, places, "2g");

        // then
        assertThat(command.getFirst()).endsWith("/bin/java");
        assertThat(command).contains("-Xms2g", "-Xmx2g", "-Dimq.home=/cache/jars/mq");
        assertThat(command).noneMatch(word -> word.contains("${"));
    }
}
