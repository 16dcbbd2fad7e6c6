package winnow.broker.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import winnow.broker.memory.HeapPart;

class FlightMemoryTest {
    private static final int KIB = 1024;
    private static final int ROUNDS = 100_000;

    private final FlightMemory memory = new FlightMemory(HeapPart.alone(1024 * KIB));
    private final Flight flight = new Flight(memory, () -> "ann");

    @Test
    void shouldTellOfRoomWheneverSomebodyWaits() throws InterruptedException {
        // given
        AtomicInteger begun = new AtomicInteger();
        AtomicInteger ended = new AtomicInteger();
        boolean[] told = new boolean[ROUNDS + 1];
        Thread other =
                Thread.ofPlatform()
                        .start(() -> {
                            for (int round = 1; round <= ROUNDS; round++) {
                                while (begun.get() < round) {
                                    Thread.onSpinWait();
                                }
                                told[round] = memory.onGivenBack();
                                ended.set(round);
                            }
                        });
        int untold = 0;

        // when
        for (int round = 1; round <= ROUNDS; round++) {
            begun.set(round);
            memory.await(flight);
            while (ended.get() < round) {
                Thread.onSpinWait();
            }
            boolean toldNow = memory.onGivenBack();
            untold += told[round] || toldNow ? 0 : 1;
        }
        other.join();

        // then
        assertThat(untold).isZero();
    }
}
