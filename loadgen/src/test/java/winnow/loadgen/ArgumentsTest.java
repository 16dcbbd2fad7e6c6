package winnow.loadgen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.TypeConversionException;
import winnow.loadgen.option.PropertyValue;
import winnow.loadgen.option.SavedCommand;
import winnow.loadgen.option.ShortDuration;

class ArgumentsTest {

    @Test
    void shouldReadShortDurations() {
        // given
        var duration = new ShortDuration();

        // then
        assertThat(duration.convert("500ms")).isEqualTo(Duration.ofMillis(500));
        assertThat(duration.convert("1.5s")).isEqualTo(Duration.ofMillis(1_500));
        assertThat(duration.convert("3m")).isEqualTo(Duration.ofMinutes(3));
        assertThatExceptionOfType(TypeConversionException.class)
                .isThrownBy(() -> duration.convert("3"))
                .withMessageContaining("found '3'");
    }

    @Test
    void shouldTypePropertyValuesAsSelectorsReadThem() {
        assertThat(PropertyValue.parse("5")).isEqualTo(5L);
        assertThat(PropertyValue.parse("-7")).isEqualTo(-7L);
        assertThat(PropertyValue.parse("5.0")).isEqualTo(5.0);
        assertThat(PropertyValue.parse("1.5e3")).isEqualTo(1_500.0);
        assertThat(PropertyValue.parse("true")).isEqualTo(true);
        assertThat(PropertyValue.parse("'5'")).isEqualTo("5");
        assertThat(PropertyValue.parse("#0")).isEqualTo("#0");
        assertThat(PropertyValue.parse("'")).isEqualTo("'");
    }

    @Test
    void shouldLeaveThePasswordOutOfReports() {
        // given
        var arguments =
                List.of("load", "run", "--password", "secret", "--password=secret", "--x", "a b");

        // when
        var saved = SavedCommand.of(arguments);

        // then
        assertThat(saved).isEqualTo("winnow load run --password *** --password=*** --x 'a b'");
    }

    @Test
    void shouldQuoteArgumentsForAShell() {
        assertThat(SavedCommand.of(List.of("--url=tcp://h:1?a=b", "it's", "$x", "*", "")))
                .isEqualTo("winnow '--url=tcp://h:1?a=b' 'it'\\''s' '$x' '*' ''");
    }
}
