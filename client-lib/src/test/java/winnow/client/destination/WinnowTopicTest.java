package winnow.client.destination;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.InvalidDestinationException;
import jakarta.jms.Queue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WinnowTopicTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = ' ',
            value = {
                "prices ''",
                "prices?correlationId=[#7;#13] [#7;#13]",
                "prices?correlationId=%5B%237;%2313%5D [#7;#13]",
                "prices?correlationId=a?b*|c=d a?b*|c=d",
                "prices?correlationId=50%|x%2 50%|x%2",
                "prices?correlationId=a%26b a&b",
                "prices?correlationId=%C3%A4 ä"
            })
    void shouldReadNameAndFilter(String text, String filter) throws Exception {
        // when
        WinnowTopic topic = WinnowTopic.parse(text);

        // then
        assertThat(topic.name()).isEqualTo("prices");
        assertThat(topic.correlationIdFilter()).isEqualTo(filter);
        assertThat(WinnowTopic.parse(topic.getTopicName())).isEqualTo(topic);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "  ",
                "?correlationId=x",
                "t?",
                "t?correlationId",
                "t?correlationId=",
                "t?correlationID=x",
                "t?colour=red",
                "t?correlationId=x&correlationId=y",
                "t?correlationId=x&"
            })
    void shouldRefuseOtherTexts(String text) {
        // when, then
        assertThatThrownBy(() -> WinnowTopic.parse(text))
                .isInstanceOf(InvalidDestinationException.class)
                .hasMessageContaining("expected");
    }

    @Test
    void shouldBeEqualByNameAndFilter() throws Exception {
        // given
        WinnowTopic filtered = WinnowTopic.parse("t?correlationId=x");

        // when, then
        assertThat(filtered).isEqualTo(WinnowTopic.parse("t?correlationId=%78"));
        assertThat(filtered).hasSameHashCodeAs(WinnowTopic.parse("t?correlationId=x"));
        assertThat(filtered).isNotEqualTo(WinnowTopic.parse("t?correlationId=y"));
        assertThat(filtered).isNotEqualTo(WinnowTopic.parse("t"));
        assertThat(filtered.withoutFilter()).isEqualTo(WinnowTopic.parse("t"));
        assertThat(WinnowQueue.parse("t")).isNotEqualTo(WinnowTopic.parse("t"));
    }

    @Test
    void shouldAdoptDestinationsOfOtherProvidersByName() throws Exception {
        // given
        Queue foreign = () -> "orders";

        // when, then
        assertThat(WinnowDestination.adopt(foreign)).isEqualTo(WinnowQueue.parse("orders"));
        assertThatThrownBy(() -> WinnowDestination.adopt(null))
                .isInstanceOf(InvalidDestinationException.class);
        assertThatThrownBy(() -> WinnowDestination.adopt(new jakarta.jms.Destination() {}))
                .isInstanceOf(InvalidDestinationException.class);
    }
}
