package winnow.broker.shard;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import winnow.broker.fault.LogQuota;
import winnow.store.Durability;
import winnow.store.LogException;
import winnow.store.Table;

/// The time of a shard, in ms since 1970: it goes on as a clock does that nobody sets. When the
/// wall clock jumps, delays and times to live that have begun end when they would have ended, and
/// those of messages that come afterwards count by the wall clock as it is then. Owned by the
/// shard.
///
/// The log keeps how far the wall clock is ahead of the shard's time, so that the times of stored
/// messages mean the same after a restart. A shard that takes the place of one whose log has failed
/// has the time of that one, which may know of a jump that the log does not.
public final class ShardTime {
    static final byte[] KEY = "clock".getBytes(StandardCharsets.UTF_8);

    private static final Logger LOG = LoggerFactory.getLogger(ShardTime.class);

    /// The clocks are read one after the other, and to a millisecond: what is less is no
    /// difference.
    private static final long PRECISION_MILLIS = 10;

    /// A difference that came at once, and is told and kept.
    private static final long JUMP_MILLIS = 1000;

    private final LogQuota jumps = new LogQuota();
    private long nowMillis;
    private long steadyMillis;

    /// True if the time was told since it was made.
    private boolean told;

    private long aheadMillis;

    /// The same as the log has it.
    private long keptMillis;

    /// @param wallMillis the wall clock, which is the shard's time if no log says otherwise
    public ShardTime(long wallMillis) {
        this.nowMillis = wallMillis;
    }

    long nowMillis() {
        return nowMillis;
    }

    /// The wall clock now.
    long wallMillis() {
        return nowMillis + aheadMillis;
    }

    /// Takes the time of the clocks. It never goes back.
    ///
    /// @param wall in ms since 1970
    /// @param steady in ms, of a clock that nobody sets
    /// @param journal gets how far they are apart, where that has changed by much
    void onTime(long wall, long steady, Journal journal) {
        if (told) {
            nowMillis += Math.max(0, steady - steadyMillis);
        } else {
            nowMillis = Math.max(nowMillis, wall - aheadMillis);
        }
        told = true;
        steadyMillis = steady;
        long change = wall - nowMillis - aheadMillis;
        if (Math.abs(change) >= PRECISION_MILLIS) {
            aheadMillis += change;
        }
        if (Math.abs(change) >= JUMP_MILLIS) {
            tell(change);
        }
        if (Math.abs(aheadMillis - keptMillis) >= JUMP_MILLIS) {
            keptMillis = aheadMillis;
            byte[] row = ByteBuffer.allocate(Long.BYTES).putLong(keptMillis).array();
            journal.batch().put(Table.META, KEY, row);
            journal.demand(Durability.SYNCED);
        }
    }

    private void tell(long changeMillis) {
        jumps.log(before ->
                LOG.warn(
                        "The clock of this machine was set {} by {} ms. Delays and times to live of"
                                + " messages that are here end when they would have ended without"
                                + " that{}",
                        changeMillis > 0 ? "forward" : "back",
                        Math.abs(changeMillis),
                        before));
    }

    /// A time that the wall clock will show, in the shard's time.
    ///
    /// @param wall in ms since 1970, 0 for none
    /// @return 0 for none
    long ofWall(long wall) {
        if (wall == 0 || aheadMillis == 0) {
            return wall;
        }
        long shifted = wall - aheadMillis;
        // Only a far time can overflow.
        return aheadMillis < 0 && shifted < 0 ? Long.MAX_VALUE : Math.max(1, shifted);
    }

    /// Reads the row of the log, which says less than a shard did that was there before.
    ///
    /// @param row null if there is none
    /// @throws LogException if it is none
    void recover(byte @Nullable [] row) {
        if (row != null && row.length != Long.BYTES) {
            throw new LogException(
                    LogException.Reason.CORRUPT, "clock: expected 8 bytes, found " + row.length);
        }
        keptMillis = row == null ? 0 : ByteBuffer.wrap(row).getLong();
        if (!told) {
            aheadMillis = keptMillis;
            nowMillis -= keptMillis;
        }
    }
}
