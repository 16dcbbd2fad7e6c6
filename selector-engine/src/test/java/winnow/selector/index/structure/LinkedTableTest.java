package winnow.selector.index.structure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class LinkedTableTest {

    private final LinkedTable<Element> table = new LinkedTable<>();

    private static final class Element implements LinkedTable.Linked<Element> {
        final int hash;
        @Nullable Element next;

        Element(int hash) {
            this.hash = hash;
        }

        @Override
        public int tableHash() {
            return hash;
        }

        @Override
        public @Nullable Element next() {
            return next;
        }

        @Override
        public void next(@Nullable Element newNext) {
            next = newNext;
        }
    }

    private boolean isFound(Element element) {
        for (Element each = table.chain(element.hash); each != null; each = each.next()) {
            if (each == element) {
                return true;
            }
        }
        return false;
    }

    @Test
    void shouldFindWhatIsThereWhileItGrowsAndShrinks() {
        Random random = new Random(1);
        List<Element> there = new ArrayList<>();
        List<Element> gone = new ArrayList<>();
        for (int i = 0; i < 40_000; i++) {
            boolean grows = i % 20_000 < 10_000;
            if (there.isEmpty() || random.nextInt(10) < (grows ? 9 : 1)) {
                // Every hash twice, and low bits that are all the same.
                Element element = new Element(random.nextInt(5_000) << 18);
                table.add(element);
                there.add(element);
            } else {
                Element element = there.remove(random.nextInt(there.size()));
                table.remove(element);
                gone.add(element);
            }
            if (i % 100 == 0) {
                assertThat(there).allMatch(this::isFound);
            }
            assertThat(table.size()).isEqualTo(there.size());
        }
        assertThat(gone).noneMatch(this::isFound);
    }

    @Test
    void shouldGiveNoChainForMostAbsentHashes() {
        Random random = new Random(2);
        List<Element> there = new ArrayList<>();
        for (int i = 0; i < 10_000; i++) {
            there.add(new Element(random.nextInt()));
            table.add(there.getLast());
        }
        assertThat(shareWithChain(random)).isLessThan(0.2);

        // About the same when all have been replaced many times.
        for (int i = 0; i < 300_000; i++) {
            Element element = new Element(random.nextInt());
            table.remove(there.set(random.nextInt(there.size()), element));
            table.add(element);
        }
        assertThat(shareWithChain(random)).isLessThan(0.3);
    }

    /// The share of random hashes, of which the table has hardly any, that get a chain.
    private double shareWithChain(Random random) {
        int chains = 0;
        for (int i = 0; i < 10_000; i++) {
            chains += table.chain(random.nextInt()) == null ? 0 : 1;
        }
        return chains / 10_000.0;
    }

    @Test
    void shouldComeToAllElementsInTurn() {
        Set<Element> all = new HashSet<>();
        for (int i = 0; i < 1_000; i++) {
            Element element = new Element(31 * i);
            table.add(element);
            all.add(element);
        }
        // Takes over what is still in the former table.
        all.forEach(element -> table.chain(element.hash));

        Set<Element> visited = new HashSet<>();
        for (int turn = Integer.MAX_VALUE - 1_000; turn != Integer.MIN_VALUE + 1_024; turn++) {
            table.forEachOfChain(turn, visited::add);
        }

        assertThat(visited).isEqualTo(all);
    }

    @Test
    void shouldRefuseToRemoveWhatIsNotThere() {
        table.add(new Element(1));

        assertThatIllegalStateException().isThrownBy(() -> table.remove(new Element(1)));
        assertThat(table.size()).isEqualTo(1);
    }
}
