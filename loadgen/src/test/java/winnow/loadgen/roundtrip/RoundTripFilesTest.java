package winnow.loadgen.roundtrip;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jsoup.Jsoup;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import winnow.loadgen.machine.Machine;

class RoundTripFilesTest {

    @TempDir private Path directory;

    @Test
    void shouldWriteTheSameFiguresForPeopleAndPrograms() throws Exception {
        // given
        var run = run("winnow load round-trip --url winnow://<host>");

        // when
        var page = RoundTripFiles.write(run, directory);

        // then
        assertThat(directory.resolve("round-trips.csv"))
                .content()
                .endsWith(
                        "echo,1,500,20.000,19.000,22.000,18.000,40.000,0.100,,,1.000\n"
                                + "topic,1,500,50.000,45.000,60.000,48.000,90.000,0.040,"
                                + "1000000.000,1.000,28.500\n");
        var json = new ObjectMapper().readTree(directory.resolve("round-trips.json").toFile());
        assertThat(json.at("/results/1/wireBytes").doubleValue()).isEqualTo(28.5);
        assertThat(json.at("/settings/trips").intValue()).isEqualTo(10);
        var document = Jsoup.parse(Files.readString(page));
        assertThat(document.title()).isEqualTo("Winnow round trips");
        assertThat(document.select("svg")).hasSize(5);
        assertThat(document.select("script, link, img, [src]")).isEmpty();
        assertThat(document.text())
                .contains("Netty echo: 18.0 µs for a round trip of 1 byte each way")
                .contains("of 1 byte each way; 29 B on the wire")
                .contains("JXTA pipe 877")
                .contains("winnow://<host>");
    }

    private static RoundTripRun run(String command) throws Exception {
        var settings =
                RoundTripsTest.settings(
                        List.of(Layer.ECHO, Layer.TOPIC),
                        List.of(1),
                        new SocketSettings(true, 0),
                        Wan.withoutWindow(1_000, 1e9));
        return new RoundTripRun(
                "2026-11-28T02:00:00Z",
                command,
                null,
                settings,
                Machine.current(),
                List.of(
                        new LayerResult(Layer.ECHO, 1, 500, 20, 19, 22, 18, 40, null, 1.0),
                        new LayerResult(Layer.TOPIC, 1, 500, 50, 45, 60, 48, 90, 1e6, 28.5)));
    }
}
