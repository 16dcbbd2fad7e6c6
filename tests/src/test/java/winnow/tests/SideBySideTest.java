package winnow.tests;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `winnow load compare` as a process, against two real brokers that run already.
class SideBySideTest {
    private static final long TIMEOUT_SECONDS = 120;

    @TempDir private Path directory;

    private String provider(String name, RunningBroker broker) throws Exception {
        Path file = directory.resolve(name + ".json");
        Files.writeString(
                file,
                "{\"client\": {\"factory\": \"winnow.client.WinnowConnectionFactory\","
                        + " \"url\": \"%s\"}}".formatted(broker.url()));
        return file.toString();
    }

    @Test
    void shouldCompareTwoBrokersThatRun() throws Exception {
        Path results = directory.resolve("results");
        try (RunningBroker one = new RunningBroker(Map.of());
                RunningBroker two = new RunningBroker(Map.of())) {
            // when
            Process process =
                    new ProcessBuilder(
                                    Path.of(System.getProperty("java.home"), "bin", "java")
                                            .toString(),
                                    "-cp",
                                    System.getProperty("java.class.path"),
                                    "winnow.loadgen.Main",
                                    "load",
                                    "compare",
                                    "--providers",
                                    provider("one", one) + "," + provider("two", two),
                                    "--scenarios=4.6",
                                    "--axis=groups=2",
                                    "--axis=topics=1",
                                    "--filter=correlation-id",
                                    "--duration=100ms",
                                    "--warmup=50ms",
                                    "--cooldown=0ms",
                                    "--first-warmup=0s",
                                    "--repetitions=1",
                                    "--worker-options=-Xmx128m",
                                    "--output=json",
                                    "--out=" + results)
                            .redirectOutput(directory.resolve("out").toFile())
                            .redirectError(directory.resolve("err").toFile())
                            .start();
            boolean ended = process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS);
            process.destroyForcibly();

            // then
            assertThat(ended).as("ended in time").isTrue();
            assertThat(process.exitValue()).as(Files.readString(directory.resolve("err"))).isZero();
        }
        JsonNode outcome = JsonMapper.builder().build().readTree(directory.resolve("out").toFile());
        JsonNode point = outcome.at("/scenarios/0/points/0/providers");
        assertThat(point.at("/0/overallPerSecond/mean").asDouble()).isPositive();
        assertThat(point.at("/1/rateRatio/ratio").asDouble()).isPositive();
        assertThat(outcome.at("/providers/1/name").asText()).isEqualTo("two");
        assertThat(results.resolve("report.html")).content().contains("Brokers side by side");
        assertThat(results.resolve("two/4.6/points.jsonl")).isNotEmptyFile();
    }
}
