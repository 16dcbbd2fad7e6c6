package winnow.loadgen.option;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class ReceivedTextTest {

    @Test
    void shouldEscapeWhatATerminalWouldObey() {
        assertThat(ReceivedText.visible("a\nb\r\tc\u001b[2J\u009b31m\u202ed"))
                .isEqualTo("a\\nb\\r\\tc\\u001b[2J\\u009b31m\\u202ed");
        assertThat(ReceivedText.visible("Ähren für 5 €, C:\\x")).isEqualTo("Ähren für 5 €, C:\\x");
    }

    @Test
    void shouldLeaveJsonTheSame() throws IOException {
        // given
        var json = new ObjectMapper();
        var text = "a\u009b31m\u2028\u001b\nb";

        // when
        var shown = ReceivedText.visible(json.writeValueAsString(text));

        // then
        assertThat(shown).matches("\\p{ASCII}+");
        assertThat(json.readValue(shown, String.class)).isEqualTo(text);
    }
}
