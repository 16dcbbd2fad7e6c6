package winnow.broker.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import winnow.broker.destination.HeldProducer;
import winnow.broker.metrics.BlockReason;
import winnow.broker.subscription.BacklogMemory;
import winnow.wire.MessageBlock;
import winnow.wire.WireWriter;

/// Messages of senders whose clocks are not the broker's.
class SenderClockTest {
    private static final long NOW = 1_000_000_000;
    private static final long HOUR = 3_600_000;

    private final FakeSessionLoop loop = new FakeSessionLoop(new BacklogMemory(1 << 20));
    private final SessionContext context = loop.context(1 << 20);
    private final List<String> told = new ArrayList<>();
    private final SenderClock clock = new SenderClock(context, (limit, since) -> sender());
    private final MessageBlock block = new MessageBlock();

    private HeldProducer sender() {
        told.add("told");
        return new HeldProducer("1", "", "", "", BlockReason.LOOP_LAG, Instant.EPOCH);
    }

    /// A message that is sent now, as its sender's clock says.
    ///
    /// @param ahead by which the broker's clock is ahead of the sender's
    private void receive(long ahead, boolean timestamp, long timeToLive, long delay) {
        WireWriter out = new WireWriter(64);
        out.writeByte(0);
        out.writeByte(
                (timestamp ? MessageBlock.HAS_TIMESTAMP : 0)
                        | (timeToLive > 0 ? MessageBlock.HAS_EXPIRATION : 0)
                        | (delay > 0 ? MessageBlock.HAS_DELIVERY_TIME : 0));
        if (timestamp) {
            out.writeLong(NOW - ahead);
        }
        if (timeToLive > 0) {
            out.writeLong(NOW - ahead + timeToLive);
        }
        if (delay > 0) {
            out.writeLong(NOW - ahead + delay);
        }
        byte[] bytes = out.toByteArray();
        block.parse(bytes, 0, bytes.length);
        loop.nowMillis = NOW;
        clock.onMessage(block);
    }

    /// Expiration that a receiver reads.
    private long carriedExpiration() {
        MessageBlock other = new MessageBlock();
        other.parse(block.array(), block.start(), block.end());
        return other.expiration();
    }

    @Test
    void shouldCountFromTheArrivalWhereTheSenderIsAnHourSlow() {
        receive(HOUR, true, 60_000, 30_000);

        assertThat(block.expiration()).isEqualTo(NOW + 60_000);
        assertThat(carriedExpiration()).isEqualTo(NOW + 60_000);
        assertThat(block.deliveryTime()).isEqualTo(NOW + 30_000);
        assertThat(block.timestamp()).isEqualTo(NOW - HOUR);
    }

    @Test
    void shouldCountFromTheArrivalWhereTheSenderIsAnHourAhead() {
        receive(-HOUR, true, 60_000, 30_000);

        assertThat(block.expiration()).isEqualTo(NOW + 60_000);
        assertThat(block.deliveryTime()).isEqualTo(NOW + 30_000);
        // Receivers may have the sender's clock.
        assertThat(carriedExpiration()).isEqualTo(NOW + HOUR + 60_000);
    }

    @Test
    void shouldLeaveTimesOfASenderWithinTheBound() {
        receive(9000, true, 60_000, 30_000);

        assertThat(block.expiration()).isEqualTo(NOW + 51_000);
        assertThat(block.deliveryTime()).isEqualTo(NOW + 21_000);
        assertThat(told).isEmpty();
    }

    @Test
    void shouldTakeAMessageWithoutTimestampForOneOfTheSameClock() {
        receive(HOUR, true, 60_000, 0);
        receive(HOUR, false, 1000, 0);

        assertThat(block.expiration()).isEqualTo(NOW + 1000);
    }

    @Test
    void shouldTellOnceForAConnection() {
        receive(HOUR, true, 60_000, 0);
        receive(HOUR, true, 60_000, 0);

        assertThat(told).hasSize(1);
    }

    @Test
    void shouldNotOverflow() {
        receive(HOUR, true, Long.MAX_VALUE - NOW + HOUR, 0);
        assertThat(block.expiration()).isEqualTo(Long.MAX_VALUE);

        receive(-HOUR, true, 60_000, Long.MAX_VALUE - NOW - HOUR);
        assertThat(block.deliveryTime()).isEqualTo(Long.MAX_VALUE - HOUR);
    }
}
