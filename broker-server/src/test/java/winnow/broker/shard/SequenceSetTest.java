package winnow.broker.shard;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.roaringbitmap.longlong.Roaring64Bitmap;

class SequenceSetTest {
    private static final long SEED = Long.getLong("winnow.seed", System.nanoTime());

    @Test
    void shouldHaveWhatWasAddedAndNotTaken() {
        Random random = new Random(SEED);
        TreeSet<Long> expected = new TreeSet<>();
        SequenceSet set = new SequenceSet();
        for (int i = 0; i < 20_000; i++) {
            // Several containers, which come and go.
            long sequence = random.nextLong(300) * 1000;
            switch (random.nextInt(3)) {
                case 0 -> assertThat(set.add(sequence)).isEqualTo(expected.add(sequence));
                case 1 -> assertThat(set.remove(sequence)).isEqualTo(expected.remove(sequence));
                default -> {
                    Roaring64Bitmap taken = set.take(Roaring64Bitmap.bitmapOf(sequence, 1));
                    assertThat(taken.contains(sequence)).isEqualTo(expected.remove(sequence));
                }
            }
            assertThat(set.count()).as("-Dwinnow.seed=" + SEED).isEqualTo(expected.size());
            assertThat(set.isEmpty()).isEqualTo(expected.isEmpty());
            assertThat(set.contains(sequence)).isEqualTo(expected.contains(sequence));
            if (!expected.isEmpty()) {
                assertThat(set.first()).isEqualTo(expected.first());
            }
        }
        List<Long> found = new ArrayList<>();
        set.copy().forEach(found::add);
        assertThat(found).containsExactlyElementsOf(expected);
    }
}
