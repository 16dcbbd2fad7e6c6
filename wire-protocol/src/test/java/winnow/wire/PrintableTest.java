package winnow.wire;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import winnow.wire.frame.ControlFrame;

class PrintableTest {
    /// Whoever sends names as long as a frame must not cost more than who sends short ones.
    @Test
    @Timeout(10)
    void shouldLookAtTheBeginningOfALongNameOnly() {
        // given
        String name = "\n" + "x".repeat(20_000_000);

        // when
        for (int i = 0; i < 2000; i++) {
            assertThat(Printable.of(name)).hasSize(103);
        }

        // then
        assertThat(Printable.of(name)).isEqualTo("?" + "x".repeat(99) + "...");
        assertThat(Printable.of("\ud83d\ude00".repeat(600)))
                .isEqualTo("\ud83d\ude00".repeat(100) + "...");
        assertThat(Printable.of("\ud83d\ude00".repeat(100))).isEqualTo("\ud83d\ude00".repeat(100));
    }

    @Test
    void shouldLeaveAMessageAsItIsThatQuotesTwoNames() {
        // given
        String name = "n".repeat(1024);
        String message = "subscription '" + name + "' of topic '" + name + "' has a consumer";

        // then
        assertThat(Printable.message(message)).isSameAs(message);
    }

    @Test
    void shouldLeaveOutTheMiddleOfAMessageThatQuotesAFrame() {
        // given
        String message = "there is no subscription '" + "x".repeat(2_900_000) + "': make one";

        // when
        String shown = Printable.message(message);

        // then
        assertThat(shown)
                .hasSizeLessThanOrEqualTo(4096)
                .startsWith("there is no subscription 'xxx")
                .contains("x... (2896005 characters left out) ...x")
                .endsWith("xxx': make one");
    }

    @Test
    void shouldNotCutAMessageTwice() {
        // given
        String once = Printable.message("x".repeat(Integer.MAX_VALUE / 64));

        // then
        assertThat(Printable.message(once)).isSameAs(once);
    }

    @Test
    void shouldSendAndReadNoLongerMessages() {
        // given
        WireWriter out = new WireWriter(16);
        ControlFrame.Refused refused = new ControlFrame.Refused(1, 2, "x".repeat(100_000));

        // when
        refused.writeFields(out);

        // then
        assertThat(out.size()).isLessThan(4300);

        // given
        out.clear();
        out.writeString("y".repeat(100_000));

        // when
        String read = new WireReader().wrap(out.array(), 0, out.size()).readMessage();

        // then
        assertThat(read).hasSizeLessThan(4200);
    }
}
