package winnow.broker.transport;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import winnow.broker.metrics.BrokerCounters;
import winnow.broker.metrics.LoopCounters;
import winnow.wire.FrameSplitter;

class ReadSizeTest {
    private final LoopCounters counters = new LoopCounters(new BrokerCounters(), 0);
    private final ReadSize size = new ReadSize(counters.iterations());

    @Test
    void shouldGrowWithFullReadsOfMessages() {
        // when
        int reads = 0;
        while (size.bytes() < FrameSplitter.SCRATCH_BYTES && reads < 100) {
            size.onRead(size.bytes(), 0);
            reads++;
        }
        size.onRead(size.bytes(), 0);

        // then
        assertThat(size.bytes()).isEqualTo(FrameSplitter.SCRATCH_BYTES);
        assertThat(size.newHandle().guess()).isEqualTo(FrameSplitter.SCRATCH_BYTES);
    }

    @Test
    void shouldStaySmallWhileRequestsCome() {
        for (int i = 0; i < 100; i++) {
            // when
            size.onRead(size.bytes(), 20);

            // then
            assertThat(size.bytes()).isEqualTo(ReadSize.SMALL_BYTES);
        }
    }

    @Test
    void shouldShrinkWhenARequestFloodFollowsMessages() {
        // given
        for (int i = 0; i < 10; i++) {
            size.onRead(size.bytes(), 0);
        }

        // when
        size.onRead(size.bytes(), ReadSize.MANY_REQUESTS + 1);

        // then
        assertThat(size.bytes()).isEqualTo(ReadSize.SMALL_BYTES);
    }

    @Test
    void shouldNotShrinkForARequestAmongMessages() {
        // given
        size.onRead(size.bytes(), 0);
        int grown = size.bytes();

        // when
        size.onRead(grown, 1);

        // then
        assertThat(size.bytes()).isGreaterThanOrEqualTo(grown);
    }
}
