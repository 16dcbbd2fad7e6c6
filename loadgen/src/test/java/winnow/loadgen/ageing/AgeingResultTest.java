package winnow.loadgen.ageing;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import winnow.loadgen.ageing.AgeingRound.RoundValue;
import winnow.loadgen.machine.BrokerUsage;

class AgeingResultTest {

    private static final Instant BEGIN = Instant.parse("2026-03-01T00:00:00Z");

    @Test
    void shouldSayWhatDriftsAndWhatDoesNot() {
        // when
        var result = AgeingResult.of(rounds(28, day -> 1 + 0.012 * day, _ -> 5));

        // then
        assertThat(result.text().lines())
                .anyMatch(line -> line.startsWith("throughput falls 1.0 %"))
                .anyMatch(line -> line.startsWith("t_rcv: no drift: "))
                .anyMatch(line -> line.matches("t_fltr: nothing to say: .* or zero"))
                .anyMatch(line ->
                        line.matches("t_tx grows 1\\.0 % .* per day, 30 % after \\d+ days .*"))
                .noneMatch(line -> line.contains("restart"));
    }

    @Test
    void shouldNotBlameTheBrokerForTheMachine() {
        // given: a machine that gets slower
        var rounds = new ArrayList<AgeingRound>();
        for (var round : rounds(28, _ -> 1, _ -> 5)) {
            rounds.add(
                    new AgeingRound(
                            round.number(),
                            round.at(),
                            round.throughput(),
                            round.receive(),
                            round.filter(),
                            round.transmit(),
                            100.0 + round.number(),
                            round.broker(),
                            round.problems()));
        }

        // when
        var result = AgeingResult.of(rounds);

        // then
        assertThat(result.text()).contains("without the broker grows");
        assertThat(result.isWorseByMoreThan(0.01)).isFalse();
        assertThat(
                        AgeingResult.of(rounds(28, day -> 1 + 0.012 * day, _ -> 5))
                                .isWorseByMoreThan(0.01))
                .isTrue();
    }

    @Test
    void shouldNoticeARestart() {
        // when
        var result = AgeingResult.of(rounds(28, day -> 1, day -> day < 14 ? 5 : 1e6));

        // then
        assertThat(result.restarts())
                .singleElement()
                .satisfies(round -> assertThat(round.at()).isEqualTo("2026-03-15T00:00:00Z"));
        assertThat(result.text())
                .contains("the broker was restarted before round 57, 2026-03-15T00:00:00Z UTC");
    }

    @Test
    void shouldDrawRoundsRestartsAndThePaper(@TempDir Path directory) throws Exception {
        // given
        var result = AgeingResult.of(rounds(28, day -> 1 + 0.01 * day, day -> day < 14 ? 5 : 1e6));

        // when
        var page = AgeingPage.write(result, "winnow load ageing <here>", directory);

        // then
        assertThat(Files.readString(page))
                .contains("t_tx grows", "&lt;here&gt;", "days since the first round")
                .contains("Memory of the broker")
                .doesNotContain("NaN", "Infinity");
        assertThat(Files.readString(directory.resolve("ageing.svg")))
                .contains("paper: -30 % of throughput", "restart", "round 112")
                .doesNotContain("NaN");
    }

    @Test
    void shouldDrawOneRoundWithoutFigures(@TempDir Path directory) throws Exception {
        // given
        var failed =
                new AgeingRound(
                        1,
                        BEGIN.toString(),
                        null,
                        null,
                        null,
                        null,
                        null,
                        BrokerUsage.UNKNOWN,
                        List.of("failed r=1 n=0: nobody there"));

        // when
        var result = AgeingResult.of(List.of(failed));
        var page = AgeingPage.write(result, "", directory);

        // then
        assertThat(AgeingResult.line(failed)).isEqualTo("failed r=1 n=0: nobody there");
        assertThat(Files.readString(page)).contains("1 of 1 rounds had problems");
    }

    /// Four rounds a day, with a little noise that is always the same.
    private static List<AgeingRound> rounds(
            int days, DoubleUnaryOperator transmit, DoubleUnaryOperator startedSeconds) {
        var rounds = new ArrayList<AgeingRound>();
        for (var number = 1; number <= 4 * days; number++) {
            var day = (number - 1) / 4.0;
            var noise = 1 + 0.01 * Math.sin(number * 7.3);
            var cost = transmit.applyAsDouble(day);
            rounds.add(
                    new AgeingRound(
                            number,
                            BEGIN.plusSeconds(Math.round(day * 86_400)).toString(),
                            value(400_000 / cost * noise),
                            value(1e-7 * noise),
                            new RoundValue(0, null, null),
                            value(8e-8 * cost * noise),
                            100.0 + number % 3,
                            new BrokerUsage(
                                    startedSeconds.applyAsDouble(day),
                                    1e8,
                                    3e7,
                                    1e6,
                                    null,
                                    20.0,
                                    60.0),
                            List.of()));
        }
        return rounds;
    }

    private static RoundValue value(double value) {
        return new RoundValue(value, value * 0.98, value * 1.02);
    }
}
