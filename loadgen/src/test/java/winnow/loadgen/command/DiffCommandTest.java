package winnow.loadgen.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import winnow.loadgen.fake.FakeConnectionFactory;

class DiffCommandTest {

    private static final String RUN =
            "load run --scenario 4.9-property --matching 1,3 --others 2 --duration 100ms"
                    + " --warmup 50ms --cooldown 0ms --first-warmup 0s --repeat-budget 0s"
                    + " --worker-options=-Xmx128m --url fake://127.0.0.1/none --provider "
                    + FakeConnectionFactory.class.getName();

    @TempDir private Path directory;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void shouldCompareRunsPointByPoint() throws Exception {
        // given: a run, and the same with everything ten times slower and another duration
        var a = directory.resolve("a");
        var b = directory.resolve("b");
        execute(RUN + " --out " + a);
        Files.createDirectory(b);
        var slower =
                Pattern.compile("\"seconds\":([0-9.E-]+)")
                        .matcher(Files.readString(a.resolve("points.jsonl")))
                        .replaceAll(seconds ->
                                "\"seconds\":" + 10 * Double.parseDouble(seconds.group(1)))
                        .replace("\"duration\":\"PT0.1S\"", "\"duration\":\"PT0.7S\"");
        Files.writeString(b.resolve("points.jsonl"), slower);

        // when
        var codes =
                new int[] {
                    execute("load diff %s %s --fail-above 10%%".formatted(a, b)),
                    execute("load diff %s %s --fail-above 10%%".formatted(b, a)),
                    execute("load diff %s %s --fail-above 0%%".formatted(a, a))
                };

        // then
        assertThat(out.toString())
                .contains("4.9-property: property r=1 n=2", "0.100", "10.000", "3, 3")
                .contains("settings.duration: PT0.1S / PT0.7S")
                .contains("B is slower", "B is faster", "no difference shows: B / A is 1.000");
        assertThat(codes).containsExactly(1, 0, 0);
    }

    @Test
    void shouldFailWithoutAPointOfTheFirst() throws Exception {
        // given
        var results = "{\"results\":[{\"layer\":\"socket\",\"bytes\":1,\"meanMicros\":3}%s]}";
        var more = ",{\"layer\":\"topic\",\"bytes\":1,\"meanMicros\":80}";
        var a = Files.createDirectory(directory.resolve("a"));
        var b = Files.createDirectory(directory.resolve("b"));
        Files.writeString(a.resolve("round-trips.json"), results.formatted(more));
        Files.writeString(b.resolve("round-trips.json"), results.formatted(""));

        // when
        var codes =
                new int[] {
                    execute("load diff %s %s".formatted(a, b)),
                    execute("load diff %s %s --fail-above 10%%".formatted(a, b)),
                    execute("load diff %s %s --fail-above 10%%".formatted(b, a))
                };

        // then
        assertThat(codes).containsExactly(0, 1, 0);
        assertThat(err.toString())
                .contains("expected all points of A in B, found none for topic, 1 B");
    }

    @Test
    void shouldCompareAllStepsThatTwoPapersHave() throws Exception {
        // given
        for (var step : new String[] {"a/trips", "a/wan", "a/alone", "b/trips", "b/wan"}) {
            var folder = Files.createDirectories(directory.resolve(step));
            var micros = step.equals("b/wan") ? 6 : 3;
            Files.writeString(
                    folder.resolve("round-trips.json"),
                    "{\"results\":[{\"layer\":\"socket\",\"bytes\":1,\"meanMicros\":%d}]}"
                            .formatted(micros));
        }
        var a = directory.resolve("a");
        var b = directory.resolve("b");

        // when
        var codes =
                new int[] {
                    execute("load diff %s %s".formatted(a, b)),
                    execute("load diff %s %s --fail-above 10%%".formatted(a, b)),
                    execute("load diff %s %s --fail-above 10%%".formatted(b, b))
                };

        // then
        assertThat(codes).as(err.toString()).containsExactly(0, 1, 0);
        assertThat(out.toString())
                .containsSubsequence("== trips", "B / A is 1.000", "== wan", "B / A is 0.500");
        assertThat(err.toString())
                .contains("expected all results of A in B, found none in [alone]");
    }

    @Test
    void shouldCompareRatesAsTheyWereAskedFor() throws Exception {
        // given: a part of the capacity, and a small rate
        var rates =
                "{\"load\":{},\"goals\":[\"70%%\",\"0.25\"],\"runs\":["
                        + "{\"ratePerSecond\":%s,\"latency\":{\"p99Micros\":9}},"
                        + "{\"ratePerSecond\":0.25,\"latency\":{\"p99Micros\":9}}]}";
        var a = Files.createDirectory(directory.resolve("a"));
        var b = Files.createDirectory(directory.resolve("b"));
        Files.writeString(a.resolve("rate.json"), rates.formatted("7123.4"));
        Files.writeString(b.resolve("rate.json"), rates.formatted("6987.1"));

        // when
        var code = execute("load diff %s %s --fail-above 1%%".formatted(a, b));

        // then
        assertThat(code).as(err.toString()).isZero();
        assertThat(out.toString()).contains("70% of the capacity", " 0.25 messages/s");
    }

    @Test
    void shouldWarnOfOtherMachinesOfWorkersAndBearACutLine() throws Exception {
        // given
        var worker =
                "{\"worker\":\"w:1\",\"roles\":\"publishes\",\"machine\":{\"processor\":\"P\","
                        + "\"processors\":%d,\"memoryBytes\":1,\"system\":\"\",\"jvm\":\"\"}}";
        var a = directory.resolve("a");
        execute(RUN + " --out " + a);
        var points = Files.readString(a.resolve("points.jsonl"));
        var machines = "\"workerMachines\":[%s]";
        var b = Files.createDirectory(directory.resolve("b"));
        var more = machines.formatted(worker.formatted(4));
        var less = machines.formatted(worker.formatted(2));
        var none = machines.formatted("");
        Files.writeString(a.resolve("points.jsonl"), points.replace(none, more));
        Files.writeString(
                b.resolve("points.jsonl"), points.replace(none, less) + "{\"type\":\"run\",\"id");

        // when
        var code = execute("load diff %s %s".formatted(a, b));

        // then
        assertThat(code).as(err.toString()).isZero();
        assertThat(out.toString()).contains("machine that publishes.processors: 4 / 2");
        assertThat(err.toString()).contains("is cut off and left out");
    }

    @Test
    void shouldCompareRoundTripsForPrograms() throws Exception {
        // given
        var a = Files.createDirectory(directory.resolve("a"));
        var b = Files.createDirectory(directory.resolve("b"));
        var trips =
                "{\"settings\":{\"trips\":5},\"machine\":{\"jvm\":\"%s\"},\"results\":["
                        + "{\"layer\":\"socket\",\"bytes\":1,\"meanMicros\":%s},"
                        + "{\"layer\":\"topic\",\"bytes\":1,\"meanMicros\":80}]}";
        Files.writeString(a.resolve("round-trips.json"), trips.formatted("25", "20"));
        Files.writeString(b.resolve("round-trips.json"), trips.formatted("26", "40"));

        // when
        var code = execute("load diff %s %s --output json".formatted(a, b));

        // then
        assertThat(code).isZero();
        var json = new ObjectMapper().readTree(out.toString());
        assertThat(json.at("/points/0/ratio").asDouble()).isCloseTo(0.5, within(1e-9));
        assertThat(json.at("/points/0/low").isNull()).isTrue();
        assertThat(json.at("/points/1/ratio").asDouble()).isCloseTo(1, within(1e-9));
        assertThat(json.at("/settings/0").asText()).isEqualTo("machine.jvm: 25 / 26");
    }

    @Test
    void shouldTellMisuseFromFailure() throws Exception {
        // given
        var rates = directory.resolve("rate.json");
        Files.writeString(
                rates,
                "{\"load\":{},\"runs\":[{\"ratePerSecond\":5,\"voidReason\":\"\",\"latency\":"
                        + "{\"p99Micros\":9}}]}");
        var trips = Files.createDirectory(directory.resolve("trips"));
        Files.writeString(
                trips.resolve("round-trips.json"),
                "{\"results\":[{\"layer\":\"socket\",\"bytes\":1,\"meanMicros\":3}]}");

        // then
        assertThat(execute("load diff " + rates)).isEqualTo(2);
        assertThat(execute("load diff %s %s".formatted(rates, trips))).isEqualTo(2);
        assertThat(execute("load diff %s %s --fail-above 5".formatted(rates, rates))).isEqualTo(2);
        assertThat(execute("load diff %s %s".formatted(rates, directory.resolve("no"))))
                .isEqualTo(1);
        assertThat(execute("load diff %s %s".formatted(rates, directory))).isZero();
        assertThat(err.toString())
                .contains("expected results of the same command")
                .contains("expected points.jsonl, rate.json or round-trips.json");
    }

    private int execute(String arguments) {
        return CommandTree.commandLine()
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(arguments.split(" ", -1));
    }
}
