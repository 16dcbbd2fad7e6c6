package winnow.broker.shard;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class ShardSimulationTest {
    private static final int STEPS = 3000;

    /// `-Dwinnow.seed=N` repeats one run, `-Dwinnow.shard.runs=N` makes more of them.
    @Test
    void shouldKeepItsPromisesWhateverHappensWhen() {
        Long seed = Long.getLong("winnow.seed");
        int runs = seed == null ? Integer.getInteger("winnow.shard.runs", 200) : 1;
        long first = seed == null ? RandomGenerator.getDefault().nextLong() : seed;
        long deliveries = 0;
        long crashes = 0;
        long collected = 0;

        for (int i = 0; i < runs; i++) {
            ShardSimulation simulation = new ShardSimulation(first + i);
            try {
                for (int step = 0; step < STEPS; step++) {
                    simulation.step();
                }
                simulation.drain();
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("-Dwinnow.seed=" + (first + i) + ": " + e.getMessage(), e);
            }
            deliveries += simulation.deliveries();
            crashes += simulation.crashes;
            collected += simulation.collected;
            assertThat(simulation.shard().catalog().subscriptions())
                    .allSatisfy(one -> assertThat(one.messages()).isZero())
                    .allSatisfy(one -> assertThat(one.bytes()).isZero())
                    .allSatisfy(one -> assertThat(one.availableMessages()).isZero());
        }

        assertThat(deliveries).isGreaterThan(100L * runs);
        assertThat(crashes).isGreaterThan(runs);
        if (runs > 100) {
            assertThat(collected).isPositive();
        }
    }
}
