package winnow.loadgen.worker;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LoadPublisherTest {

    @Test
    void shouldKeepTheIdsInTurnWhereTheRingCloses() {
        assertThat(LoadPublisher.ringSize(1, 0)).isEqualTo(1_024);
        assertThat(LoadPublisher.ringSize(160, 0)).isEqualTo(960);
        assertThat(LoadPublisher.ringSize(5_000, 0)).isEqualTo(5_000);
    }

    @Test
    void shouldMakeFewerMessagesOfLargeBodies() {
        assertThat(LoadPublisher.ringSize(1, 256 << 10)).isEqualTo(64);
        assertThat(LoadPublisher.ringSize(1, 64 << 20)).isEqualTo(1);
    }
}
