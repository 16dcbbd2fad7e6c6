package winnow.wire;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PeerDescriptionTest {
    @Test
    void shouldBeReadAsItWasWritten() {
        // given
        PeerDescription description =
                new PeerDescription("winnow-client/1", "order-desk", "web-3.example.com");

        // when, then
        assertThat(PeerDescription.parse(description.text())).isEqualTo(description);
        assertThat(description.text()).startsWith("winnow-client/1\r\n").endsWith("\r\n\r\n");
    }

    @Test
    void shouldBeAProductAloneWhereNothingElseIsKnown() {
        // given
        PeerDescription description = new PeerDescription("winnow-client/1", "", " ");

        // when, then
        assertThat(description.text()).isEqualTo("winnow-client/1\r\n\r\n");
        assertThat(PeerDescription.parse(description.text())).isEqualTo(description);
        assertThat(PeerDescription.parse("")).isEqualTo(new PeerDescription("", "", ""));
    }

    @Test
    void shouldBeOneShortLineOfWhatTerminalsDoNotObey() {
        // when
        PeerDescription said =
                PeerDescription.parse(
                        "p\r\nhost: \u001b[31mred\nx\r\nelse: y\r\napplication: "
                                + "a".repeat(8000)
                                + "\r\n\r\n");

        // then
        assertThat(said.host()).isEqualTo("?[31mred?x");
        assertThat(said.application()).hasSizeLessThan(110).startsWith("aaa").endsWith("...");
    }

    @Test
    void shouldNotTakeALineOfANameForAnother() {
        // given
        PeerDescription description = new PeerDescription("p", "a\r\nhost: b", "c");

        // when, then
        assertThat(PeerDescription.parse(description.text()).host()).isEqualTo("c");
    }
}
