package winnow.loadgen.ageing;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import winnow.loadgen.ageing.AgeingRound.RoundValue;
import winnow.loadgen.machine.BrokerUsage;
import winnow.loadgen.run.LoadException;

class RoundFileTest {

    private static final Instant BEGIN = Instant.parse("2026-03-01T00:00:00Z");

    @TempDir private Path directory;

    private final List<String> warnings = new ArrayList<>();

    @Test
    void shouldGoOnWhereItStopped() throws Exception {
        // given
        try (var file = open()) {
            file.add(round(file.next()));
            file.add(round(file.next()));
        }

        // when
        try (var file = open()) {
            // then
            assertThat(file.started()).contains(BEGIN.plusSeconds(600));
            assertThat(file.rounds()).containsExactly(round(1), round(2));
            assertThat(file.next()).isEqualTo(3);
            assertThat(warnings).isEmpty();
        }
    }

    @Test
    void shouldDropALineThatWasCutOff() throws Exception {
        // given
        try (var file = open()) {
            file.add(round(1));
            file.add(round(2));
        }
        var path = directory.resolve(RoundFile.NAME);
        var whole = Files.readAllBytes(path);
        var kept = String.join("\n", Files.readAllLines(path).subList(0, 2)) + "\n";

        for (var length = kept.getBytes(UTF_8).length; length < whole.length; length += 7) {
            Files.write(path, Arrays.copyOf(whole, length));

            // when
            try (var file = open()) {
                assertThat(file.rounds()).containsExactly(round(1));
                file.add(round(file.next()));
            }

            // then
            try (var file = open()) {
                assertThat(file.rounds()).containsExactly(round(1), round(2));
            }
            assertThat(Files.readAllBytes(path)).isEqualTo(whole);
        }
        assertThat(warnings).isNotEmpty().allMatch(warning -> warning.contains("is cut off"));
    }

    @Test
    void shouldBeginAgainWhereTheFirstLineWasCutOff() throws Exception {
        // given
        Files.writeString(directory.resolve(RoundFile.NAME), "{\"load\":\"co");

        // when
        try (var file = open()) {
            // then
            assertThat(file.started()).isEmpty();
            assertThat(file.next()).isEqualTo(1);
        }
    }

    @Test
    void shouldRefuseRoundsOfAnotherLoad() throws Exception {
        // given
        open().close();

        // then
        assertThatExceptionOfType(LoadException.class)
                .isThrownBy(() -> RoundFile.open(directory, "other", warnings::add))
                .withMessageContaining("found [load], not [other]: choose another --out");
    }

    @Test
    void shouldRefuseASecondCommand() throws Exception {
        try (var file = open()) {
            assertThat(file.rounds()).isEmpty();
            assertThatExceptionOfType(LoadException.class)
                    .isThrownBy(this::open)
                    .withMessageContaining("no other command");
        }
    }

    @Test
    void shouldSayWhichLineIsNoRound() throws Exception {
        // given
        open().close();
        Files.writeString(
                directory.resolve(RoundFile.NAME), "{\"number\":1}\n", StandardOpenOption.APPEND);

        // then
        assertThatExceptionOfType(LoadException.class)
                .isThrownBy(this::open)
                .withMessageContaining("line 2: expected a round");
    }

    private RoundFile open() throws IOException, LoadException {
        return RoundFile.open(directory, "load", warnings::add);
    }

    private static AgeingRound round(int number) {
        return new AgeingRound(
                number,
                BEGIN.plusSeconds(600L * number).toString(),
                new RoundValue(412_345.6, 400_000.0, 420_000.0),
                new RoundValue(1e-7, null, null),
                new RoundValue(0, 0.0, 1e-9),
                null,
                133.5,
                BrokerUsage.UNKNOWN,
                List.of("a point failed: \"µ\""));
    }
}
