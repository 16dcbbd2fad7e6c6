package winnow.loadgen.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class Utf8LinesTest {

    @Test
    void shouldReadEachLine() throws IOException {
        // given
        var text = "käse ✓\n\nb\r\nlast";
        var lines = new Utf8Lines(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));

        // then
        assertThat(lines.next()).isEqualTo("käse ✓");
        assertThat(lines.next()).isEmpty();
        assertThat(lines.next()).isEqualTo("b");
        assertThat(lines.next()).isEqualTo("last");
        assertThat(lines.next()).isNull();
    }

    @Test
    void shouldRefuseOtherBytesWithTheNumberOfTheLine() throws IOException {
        // given
        var text = "a\nkäse\n";
        var lines =
                new Utf8Lines(new ByteArrayInputStream(text.getBytes(StandardCharsets.ISO_8859_1)));

        // when
        lines.next();

        // then
        assertThatIllegalArgumentException()
                .isThrownBy(lines::next)
                .withMessageContaining("found other bytes in line 2: 'k\uFFFDse'");
    }
}
