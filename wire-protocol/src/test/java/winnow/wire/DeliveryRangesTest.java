package winnow.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import winnow.wire.frame.EndBranch;

class DeliveryRangesTest {
    private static DeliveryRanges read(long... varlongs) {
        WireWriter out = new WireWriter(16);
        out.writeVarint(varlongs.length / 2);
        for (long value : varlongs) {
            out.writeVarlong(value);
        }
        return DeliveryRanges.read(new WireReader().wrap(out.array(), 0, out.size()));
    }

    @Test
    void shouldContainWhatItWasMadeOf() {
        Random random = new Random();
        for (int round = 0; round < 200; round++) {
            Set<Long> ids = new TreeSet<>();
            for (int i = random.nextInt(40); i > 0; i--) {
                ids.add(1L + random.nextInt(60));
            }
            long[] array = ids.stream().mapToLong(Long::longValue).toArray();

            DeliveryRanges ranges = DeliveryRanges.of(array);

            for (long id = 0; id < 63; id++) {
                assertThat(ranges.contains(id)).as(ids + " " + id).isEqualTo(ids.contains(id));
            }
        }
    }

    @Test
    void shouldJoinNeighbours() {
        DeliveryRanges ranges = DeliveryRanges.of(7, 3, 1, 2, 9);

        assertThat(ranges.count()).isEqualTo(3);
        assertThat(ranges.first(0)).isEqualTo(1);
        assertThat(ranges.last(0)).isEqualTo(3);
        assertThat(ranges.first(2)).isEqualTo(9);
    }

    @Test
    void shouldRefuseRangesThatDoNotAscend() {
        assertThat(read(1, 0, 2, 3)).isEqualTo(DeliveryRanges.of(1, 3, 4, 5, 6));
        assertThatThrownBy(() -> read(0, 1)).isInstanceOf(WireException.class);
        assertThatThrownBy(() -> read(5, 1, 0, 1)).isInstanceOf(WireException.class);
        assertThatThrownBy(() -> read(5, Long.MAX_VALUE)).isInstanceOf(WireException.class);
        assertThatThrownBy(() -> read(Long.MAX_VALUE, 0)).isInstanceOf(WireException.class);
    }

    @Test
    void shouldLimitTheRangesOfAFrame() {
        long[] odd =
                LongStream.range(0, DeliveryRanges.MAX_RANGES + 1).map(i -> 2 * i + 1).toArray();
        DeliveryRanges tooMany = DeliveryRanges.of(odd);

        assertThat(tooMany.parts()).hasSize(2);
        assertThat(tooMany.parts().get(0).count()).isEqualTo(DeliveryRanges.MAX_RANGES);
        assertThat(tooMany.parts().get(1)).isEqualTo(DeliveryRanges.of(odd[odd.length - 1]));
        assertThat(written(tooMany.parts().get(0))).isEqualTo(tooMany.parts().get(0));
        assertThatThrownBy(() -> written(tooMany))
                .isInstanceOf(WireException.class)
                .hasMessageContaining("at most 65536 ranges");
    }

    @Test
    void shouldLimitTheRangesOfABranch() {
        Xid xid = new Xid(1, new byte[] {1}, new byte[] {2});
        long[] odd = LongStream.range(0, 40_000).map(i -> 2 * i + 1).toArray();
        EndBranch.Part part = new EndBranch.Part(1, DeliveryRanges.of(odd));
        WireWriter out = new WireWriter(16);
        new EndBranch(1, BranchEnd.COMMIT, xid, 0, List.of(part, part)).writeFields(out);

        assertThatThrownBy(() -> EndBranch.read(new WireReader().wrap(out.array(), 0, out.size())))
                .isInstanceOf(WireException.class)
                .hasMessageContaining("at most 25536 ranges");
    }

    private static DeliveryRanges written(DeliveryRanges ranges) {
        WireWriter out = new WireWriter(16);
        ranges.write(out);
        return DeliveryRanges.read(new WireReader().wrap(out.array(), 0, out.size()));
    }

    @Test
    void shouldRefuseMoreRangesThanTheFrameCanHave() {
        WireWriter out = new WireWriter(16);
        out.writeVarint(Integer.MAX_VALUE);
        out.writeVarlong(1);

        assertThatThrownBy(() ->
                        DeliveryRanges.read(new WireReader().wrap(out.array(), 0, out.size())))
                .isInstanceOf(WireException.class)
                .hasMessageContaining("ranges of delivery ids");
    }
}
