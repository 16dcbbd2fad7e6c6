package winnow.loadgen.worker;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PublisherTest {

    @Test
    void shouldKeepTheIdsInTurnWhereTheRingCloses() {
        assertThat(Publisher.ringSize(1, 0)).isEqualTo(1_024);
        assertThat(Publisher.ringSize(160, 0)).isEqualTo(960);
        assertThat(Publisher.ringSize(5_000, 0)).isEqualTo(5_000);
    }

    @Test
    void shouldMakeFewerMessagesOfLargeBodies() {
        assertThat(Publisher.ringSize(1, 256 << 10)).isEqualTo(64);
        assertThat(Publisher.ringSize(1, 64 << 20)).isEqualTo(1);
    }
}
