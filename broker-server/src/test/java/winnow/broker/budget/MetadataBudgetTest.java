package winnow.broker.budget;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import winnow.broker.config.ByteSize;
import winnow.broker.matching.RefusedException;
import winnow.broker.memory.BrokerHeap;

class MetadataBudgetTest {
    private final MetadataBudget budget =
            new MetadataBudget(
                    new MetadataConfig(new ByteSize(1000), new ByteSize(600), new ByteSize(400)),
                    BrokerHeap.unlimited());

    @Test
    void shouldRefuseAboveEachLimitAndChargeNothingThen() {
        // given
        budget.charge("ann", 0, 400);
        budget.charge("ann", 0, 200);

        // then
        assertThatThrownBy(() -> budget.charge("bob", 300, 101))
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining("400 bytes of heap (session.metadata.connection), found 300");
        assertThatThrownBy(() -> budget.charge("ann", 200, 1))
                .hasMessageContaining("600 bytes of heap (session.metadata.user), found 600");
        budget.charge("bob", 0, 350);
        assertThatThrownBy(() -> budget.charge("bob", 0, 1))
                .hasMessageContaining("1000 bytes of heap (session.metadata.total, of which")
                .hasMessageContaining("found 950");
        assertThat(budget.usedBytes()).isEqualTo(950);

        // when
        budget.giveBack("ann", 400);

        // then
        budget.charge("ann", 200, 200);
        assertThat(budget.usedBytes()).isEqualTo(750);
    }

    @Test
    void shouldLeaveSomethingForTheNextAddress() {
        // given
        MetadataBudget all =
                new MetadataBudget(
                        new MetadataConfig(
                                new ByteSize(8000), new ByteSize(8000), new ByteSize(8000)),
                        BrokerHeap.unlimited());
        assertThatThrownBy(() -> all.charge("127.0.0.1", 0, 7001)).isNotNull();
        all.charge("127.0.0.1", 0, 7000);

        // when
        all.charge("127.0.0.2", 0, 875);

        // then
        assertThatThrownBy(() -> all.charge("127.0.0.1", 0, 1))
                .hasMessageContaining("session.metadata.total");
        all.charge("127.0.0.3", 0, 100);
        assertThat(all.usedBytes()).isEqualTo(7975);
    }

    @Test
    void shouldTakeItsDefaultsFromTheHeap() {
        // given
        MetadataConfig config = MetadataConfig.DEFAULTS;

        // then
        assertThat(config.effectiveTotalBytes()).isEqualTo(Runtime.getRuntime().maxMemory() / 8);
        assertThat(config.effectiveUserBytes()).isEqualTo(config.effectiveTotalBytes() / 4 * 3);
        assertThat(config.effectiveConnectionBytes()).isEqualTo(config.effectiveTotalBytes() / 2);
    }
}
