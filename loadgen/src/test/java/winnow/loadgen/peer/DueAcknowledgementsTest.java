package winnow.loadgen.peer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.junit.jupiter.api.Test;
import winnow.loadgen.peer.PeerLoad.Way;
import winnow.loadgen.run.LoadException;

class DueAcknowledgementsTest {

    @Test
    void shouldNotTakeADoubledAcknowledgementForALostOne() throws Exception {
        // given: two messages to two receivers
        var due = new DueAcknowledgements(load(Way.TOPIC));
        due.sent("ID:1", 0);
        due.sent("ID:2", 0);

        // when: as many come as were due, but one twice
        due.arrived("ID:1", 0);
        due.arrived("ID:1", 1);
        due.arrived("ID:1", 1);
        due.arrived("ID:2", 0);

        // then
        assertThat(due.missing()).isEqualTo(1);
        due.arrived("ID:2", 1);
        assertThat(due.missing()).isZero();
    }

    @Test
    void shouldExpectOneOfEachQueue() throws Exception {
        // given
        var due = new DueAcknowledgements(load(Way.QUEUES));
        due.sent("ID:1", 0);
        due.sent("ID:2", 1);

        // when: the second one by the wrong receiver
        due.arrived("ID:1", 0);
        due.arrived("ID:2", 0);

        // then
        assertThat(due.missing()).isEqualTo(1);
    }

    @Test
    void shouldNotListenForEver() throws Exception {
        // given
        var due = new DueAcknowledgements(load(Way.TOPIC));
        due.sent("ID:1", 0);
        for (var count = 0; count < 4; count++) {
            due.arrived("ID:0", 0);
        }

        // then
        assertThatExceptionOfType(LoadException.class)
                .isThrownBy(() -> due.arrived("ID:0", 0))
                .withMessageContaining("of which 2 are missing");
    }

    private static PeerLoad load(Way way) {
        return new PeerLoad(way, 2, 100, 2, false, 0, 1);
    }
}
