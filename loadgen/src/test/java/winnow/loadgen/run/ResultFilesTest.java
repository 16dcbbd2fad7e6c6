package winnow.loadgen.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import winnow.loadgen.model.PaperTable;

class ResultFilesTest {

    @TempDir private Path directory;

    private final List<String> warnings = new ArrayList<>();

    @Test
    void shouldReadBackSeveralRunsOfOneFile() throws Exception {
        // given
        var run = RunSamples.exactRun(PaperTable.PROPERTY);
        RunSamples.store(run, directory);
        RunSamples.store(run, directory);

        // when
        var stored = ResultFiles.read(directory.resolve("points.jsonl"), warnings::add);

        // then
        assertThat(stored).containsExactly(run, run);
    }

    @Test
    void shouldReadRunsThatDoNotSayHowManyPointsWerePlanned() throws Exception {
        // given: as versions wrote them that did not know
        var run = RunSamples.exactRun(PaperTable.PROPERTY);
        RunSamples.store(run, directory);
        var file = directory.resolve("points.jsonl");
        Files.writeString(file, Files.readString(file).replace("\"plannedPoints\":null,", ""));

        // then
        assertThat(ResultFiles.read(file, warnings::add)).containsExactly(run);
        assertThat(run.isComplete()).isTrue();
    }

    @Test
    void shouldReadRunsThatDoNotNameMachinesOfTheLoad() throws Exception {
        // given: as versions wrote them that had no others
        var run = RunSamples.exactRun(PaperTable.PROPERTY);
        RunSamples.store(run, directory);
        var file = directory.resolve("points.jsonl");
        var older =
                Files.readString(file)
                        .replace(",\"machines\":[]", "")
                        .replace(",\"workerMachines\":[]", "");
        Files.writeString(file, older);

        // then
        assertThat(older).doesNotContain("achines");
        assertThat(ResultFiles.read(file, warnings::add)).containsExactly(run);
    }

    @Test
    void shouldKeepTheMachinesOfTheLoad() throws Exception {
        // given
        var run = RunSamples.onWorkers(RunSamples.exactRun(PaperTable.PROPERTY));

        // when
        RunSamples.store(run, directory);

        // then
        assertThat(ResultFiles.read(directory.resolve("points.jsonl"), warnings::add))
                .containsExactly(run);
    }

    @Test
    void shouldReadWhatIsBeforeEachCutOfTheLastLine() throws Exception {
        // given
        var run = RunSamples.exactRun(PaperTable.PROPERTY);
        RunSamples.store(run, directory);
        var file = directory.resolve("points.jsonl");
        var whole = Files.readString(file);
        var last = whole.lastIndexOf("{\"type\"");
        var others = run.measurements().subList(0, run.points() - 1);

        for (var cut = last + 1; cut < whole.length() - 1; cut++) {
            // when
            Files.writeString(file, whole.substring(0, cut));

            // then
            assertThat(ResultFiles.read(file, warnings::add).getFirst().measurements())
                    .isEqualTo(others);
        }
        assertThat(warnings)
                .hasSize(whole.length() - 2 - last)
                .containsOnly(file + " line " + (run.points() + 1) + " is cut off and left out");
    }

    @Test
    void shouldAddToFilesWhoseLastLinesWereCutOff() throws Exception {
        // given
        var run = RunSamples.exactRun(PaperTable.PROPERTY);
        RunSamples.store(run, directory);
        var file = directory.resolve("points.jsonl");
        var table = directory.resolve("points.csv");
        Files.writeString(file, Files.readString(file).stripTrailing().replaceAll(".{9}$", ""));
        Files.writeString(table, Files.readString(table).stripTrailing().replaceAll(".{9}$", ""));

        // when
        RunSamples.store(run, directory);

        // then
        var stored = ResultFiles.read(file, warnings::add);
        assertThat(stored).hasSize(2).last().isEqualTo(run);
        assertThat(stored.getFirst().measurements()).hasSize(run.points() - 1);
        assertThat(warnings).hasSize(1);
        assertThat(Files.readAllLines(table)).hasSize(1 + 2 * run.points());
    }

    @Test
    void shouldKeepUnknownFiguresUnknown() throws Exception {
        // given
        var header = RunSamples.exactRun(PaperTable.PROPERTY).header();
        var unknown = RunSamples.withoutBrokerCpu();
        try (var files = new ResultFiles(directory)) {
            files.write(header);
            files.write(header, unknown);
        }

        // when
        var stored = ResultFiles.read(directory.resolve("points.jsonl"), warnings::add);

        // then
        assertThat(stored.getFirst().measurements()).containsExactly(unknown);
        assertThat(ResultFiles.csvLine(header, unknown)).contains(",100000,,,");
    }

    @Test
    void shouldTellRunsApartInATable() {
        // given
        var header = RunSamples.exactRun(PaperTable.PROPERTY).header();

        // when: 0.0419 us of 100,000 received and as many dispatched messages
        var line = ResultFiles.csvLine(header, RunSamples.withBrokerCpu(0.0083801));

        // then
        assertThat(line)
                .contains(",0.083801,0.0419005,2.5,")
                .endsWith(",linear,42,2026-11-21T12:00:00Z,20261121-120000.1.1,cached,valid,\n");
    }

    @Test
    void shouldKeepAPointThatFailedWithItsReason() throws Exception {
        // given
        var run =
                RunSamples.withFailure(
                        RunSamples.exactRun(PaperTable.PROPERTY), "worker \"1\",\nended");
        RunSamples.store(run, directory);

        // when
        var stored = ResultFiles.read(directory.resolve("points.jsonl"), warnings::add);

        // then
        assertThat(stored).containsExactly(run);
        var rows = Files.readAllLines(directory.resolve("points.csv"));
        assertThat(rows).hasSize(1 + run.points());
        assertThat(rows.getLast())
                .endsWith(",cached,failed,\"worker \"\"1\"\", ended\"")
                .startsWith("4.9-property,%d,2,fit,".formatted(run.points()));
        assertThat(rows.getLast().replace("\"\"1\"\", ended", "").split(",", -1))
                .hasSameSizeAs(rows.getFirst().split(",", -1));
    }

    @Test
    void shouldSayWhyAPointIsInvalid() {
        // given
        var run = RunSamples.unsaturated(RunSamples.exactRun(PaperTable.PROPERTY), 0);

        // then
        assertThat(ResultFiles.csvLine(run.header(), run.measurements().getFirst()))
                .contains(",1.0,1.0,1.0,nothing,")
                .contains(",invalid,\"not saturated: expected a busy broker");
    }

    @Test
    void shouldNotAddToATableWithOtherColumns() throws IOException {
        // given
        Files.writeString(directory.resolve("points.csv"), "scenario,position\n4.6,1\n");

        // then
        assertThatExceptionOfType(LoadException.class)
                .isThrownBy(() -> new ResultFiles(directory).close())
                .withMessageContaining("found scenario,position: choose another --out");
    }

    @Test
    void shouldLeaveOutWhatCannotBeDivided() {
        // given: nothing was sent
        var header = RunSamples.exactRun(PaperTable.PROPERTY).header();

        // then
        assertThat(ResultFiles.csvLine(header, RunSamples.withoutMessages()))
                .doesNotContain("NaN", "Infinity");
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void shouldSayWhichFilesTheDiskHasNoRoomFor() throws IOException {
        // given
        Files.createSymbolicLink(directory.resolve("points.jsonl"), Path.of("/dev/full"));

        // then
        assertThatExceptionOfType(LoadException.class)
                .isThrownBy(
                        () -> RunSamples.store(RunSamples.exactRun(PaperTable.PROPERTY), directory))
                .withMessageContaining("cannot write results to " + directory);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"type\":\"other\"} | 'other'",
                "null | found null",
                "text | Unrecognized token 'text'",
                "{\"type\":\"run\"} | found no id: another version wrote this",
                "{\"type\":\"failed\"} | found no point: another version wrote this"
            })
    void shouldNameTheLineThatItCannotRead(String line, String reason) throws IOException {
        // given
        var file = Files.writeString(directory.resolve("bad.jsonl"), line + "\n");

        // then
        assertThatExceptionOfType(LoadException.class)
                .isThrownBy(() -> ResultFiles.read(file, warnings::add))
                .withMessageStartingWith(file + " line 1: expected a result, ")
                .withMessageContaining(reason)
                .withMessageNotContainingAny("REDACTED", "\n", "winnow.loadgen");
    }
}
