package winnow.broker.shard;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.roaringbitmap.longlong.LongIterator;
import org.roaringbitmap.longlong.PeekableLongIterator;
import org.roaringbitmap.longlong.Roaring64Bitmap;

class SequenceSetTest {
    private static final long SEED = Long.getLong("winnow.seed", System.nanoTime());

    @Test
    void shouldHaveLongRuns() {
        SequenceSet set = new SequenceSet();
        for (long sequence = 7; sequence < 10_007; sequence++) {
            assertThat(set.add(sequence)).isTrue();
        }
        assertThat(set.count()).isEqualTo(10_000);
        assertThat(set.first()).isEqualTo(7);

        for (long sequence = 7; sequence < 10_007; sequence++) {
            assertThat(set.first()).isEqualTo(sequence);
            assertThat(set.remove(sequence)).isTrue();
            assertThat(set.contains(sequence)).isFalse();
        }
        assertThat(set.isEmpty()).isTrue();
    }

    @Test
    void shouldHaveRunsThatGrowAboveAndShrinkBelow() {
        Random random = new Random(SEED);
        TreeSet<Long> expected = new TreeSet<>();
        SequenceSet set = new SequenceSet();
        long next = 50;
        for (int i = 0; i < 5000; i++) {
            switch (random.nextInt(9)) {
                case 0, 1, 2 -> {
                    next += random.nextInt(10) == 0 ? 1 + random.nextInt(3) : 0;
                    assertThat(set.add(next)).isEqualTo(expected.add(next));
                    next++;
                }
                case 3, 4, 5 -> {
                    long sequence = expected.isEmpty() ? next : expected.first();
                    assertThat(set.remove(sequence)).isEqualTo(expected.remove(sequence));
                }
                case 6 -> {
                    long sequence = next - random.nextInt(20);
                    assertThat(set.remove(sequence)).isEqualTo(expected.remove(sequence));
                }
                case 7 -> {
                    long sequence = next - 1 - random.nextInt(20);
                    assertThat(set.add(sequence)).isEqualTo(expected.add(sequence));
                }
                default -> {
                    long first = Math.max(0, next - random.nextInt(60));
                    long end = first + random.nextInt(30);
                    set.remove(first, end);
                    expected.subSet(first, end).clear();
                }
            }
            check(set, expected, next - random.nextInt(30));
            if (random.nextInt(1000) == 0) {
                set.clear();
                expected.clear();
            }
        }
    }

    @Test
    void shouldHaveLongRunsThatAreTakenFromBelowWithGapsAndReturns() {
        Random random = new Random(SEED);
        TreeSet<Long> expected = new TreeSet<>();
        SequenceSet set = new SequenceSet();
        long next = 60_000;
        for (int i = 0; i < 150; i++) {
            switch (random.nextInt(6)) {
                case 0 -> {
                    next += random.nextInt(3) == 0 ? random.nextInt(200) : 0;
                    for (int left = random.nextInt(20_000); left > 0; left--) {
                        assertThat(set.add(next)).isEqualTo(expected.add(next));
                        next++;
                    }
                }
                case 1, 2 -> {
                    for (int left = random.nextInt(9000); left > 0 && !set.isEmpty(); left--) {
                        assertThat(set.first())
                                .as("-Dwinnow.seed=" + SEED)
                                .isEqualTo(expected.first());
                        assertThat(set.remove(expected.removeFirst())).isTrue();
                    }
                }
                case 3 -> {
                    long sequence = expected.isEmpty() ? next : expected.first();
                    sequence += random.nextInt(5000);
                    assertThat(set.remove(sequence)).isEqualTo(expected.remove(sequence));
                }
                default -> {
                    long sequence = expected.isEmpty() ? next : expected.first();
                    sequence = Math.max(0, sequence + random.nextInt(200) - 100);
                    if (sequence < next) {
                        assertThat(set.add(sequence)).isEqualTo(expected.add(sequence));
                    }
                }
            }
            check(set, expected, (expected.isEmpty() ? next : expected.first()) + 50);
        }
    }

    @Test
    void shouldNeedNoBitmapForOneGap() {
        SequenceSet set = new SequenceSet();
        for (long sequence = 0; sequence < 40_000; sequence++) {
            set.add(sequence);
        }
        assertThat(set.bitmapBytes()).isZero();

        set.remove(20_000);

        assertThat(set.bitmapBytes()).isZero();
        assertThat(set.count()).isEqualTo(39_999);
        assertThat(set.next(20_000)).isEqualTo(20_001);
    }

    @Test
    void shouldNeedNoBitmapForWhatIsLeftOfARun() {
        SequenceSet set = new SequenceSet();
        for (long sequence = 0; sequence < 40_000; sequence++) {
            set.add(sequence);
        }
        Roaring64Bitmap first = new Roaring64Bitmap();
        first.addRange(0, 1000);

        Roaring64Bitmap taken = set.take(first);

        assertThat(taken.getLongCardinality()).isEqualTo(1000);
        assertThat(set.bitmapBytes()).isZero();
        assertThat(set.first()).isEqualTo(1000);
        assertThat(set.add(40_000)).isTrue();
        assertThat(set.count()).isEqualTo(39_001);
    }

    @Test
    void shouldAdvanceBehindTheBitmap() {
        SequenceSet set = new SequenceSet();
        set.add(65_500);
        set.add(65_510);
        for (long sequence = 70_000; sequence < 70_100; sequence++) {
            set.add(sequence);
        }
        PeekableLongIterator iterator = set.iterator();

        iterator.advanceIfNeeded(70_050);

        assertThat(iterator.peekNext()).isEqualTo(70_050);
    }

    @Test
    void shouldAdvanceBehindTheBitmapWhereTheLastRunIsGone() {
        SequenceSet set = new SequenceSet();
        set.add(131_068);
        set.add(140_000);
        set.remove(140_000);
        PeekableLongIterator iterator = set.iterator();

        iterator.advanceIfNeeded(135_000);

        assertThat(iterator.hasNext()).isFalse();
    }

    private static void check(SequenceSet set, NavigableSet<Long> expected, long place) {
        assertThat(set.count()).as("-Dwinnow.seed=" + SEED).isEqualTo(expected.size());
        assertThat(set.isEmpty()).isEqualTo(expected.isEmpty());
        assertThat(set.contains(place)).isEqualTo(expected.contains(place));
        Long next = expected.ceiling(place);
        assertThat(set.next(place)).isEqualTo(next == null ? SequenceSet.NONE : next);
        if (!expected.isEmpty()) {
            assertThat(set.first()).isEqualTo(expected.first());
        }
        assertThat(all(set.iterator())).isEqualTo(List.copyOf(expected));
        assertThat(all(set.iteratorFrom(place))).isEqualTo(List.copyOf(expected.tailSet(place)));
        PeekableLongIterator advanced = set.iterator();
        advanced.advanceIfNeeded(place);
        if (advanced.hasNext()) {
            assertThat(advanced.peekNext()).isEqualTo(expected.ceiling(place));
        }
        assertThat(all(advanced)).isEqualTo(List.copyOf(expected.tailSet(place)));
        assertThat(all(set.copy().iterator())).isEqualTo(List.copyOf(expected));
        List<Long> visited = new ArrayList<>();
        set.forEach(visited::add);
        assertThat(visited).isEqualTo(List.copyOf(expected));
    }

    private static List<Long> all(LongIterator iterator) {
        List<Long> found = new ArrayList<>();
        while (iterator.hasNext()) {
            found.add(iterator.next());
        }
        return found;
    }

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
