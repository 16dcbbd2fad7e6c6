package winnow.broker.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import winnow.broker.config.ByteSize;
import winnow.broker.destination.RefusedException;

class MetadataBudgetTest {
    private final MetadataBudget budget =
            new MetadataBudget(
                    new MetadataConfig(new ByteSize(1000), new ByteSize(600), new ByteSize(400)));

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
        budget.charge("bob", 0, 400);
        assertThatThrownBy(() -> budget.charge("", 0, 1))
                .hasMessageContaining("1000 bytes of heap (session.metadata.total), found 1000");
        assertThat(budget.usedBytes()).isEqualTo(1000);

        // when
        budget.giveBack("ann", 400);

        // then
        budget.charge("ann", 200, 200);
        budget.charge("", 0, 200);
        assertThat(budget.usedBytes()).isEqualTo(1000);
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
