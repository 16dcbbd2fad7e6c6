package winnow.broker.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import winnow.broker.BrokerConfig;
import winnow.broker.shard.Backlog;
import winnow.broker.shard.Policy;
import winnow.broker.shard.Redelivery;
import winnow.wire.DestinationKind;

class PolicyRulesTest {
    private static Policy policy(Map<String, String> settings, String name) {
        return BrokerConfig.of(settings)
                .queue()
                .shardConfig(1)
                .policies()
                .of(DestinationKind.QUEUE, name);
    }

    @Test
    void shouldTakeTheSettingsForAllWhereNoRuleFits() {
        // when
        Policy policy =
                policy(
                        Map.of(
                                "queue.max-messages", "7",
                                "queue.max-bytes", "2KiB",
                                "queue.overflow", "drop-oldest",
                                "queue.time-to-live", "3s",
                                "queue.bury-expired", "true",
                                "queue.max-message-bytes", "5MiB",
                                "queue.max-deliveries", "4",
                                "queue.redelivery-delay", "5s",
                                "queue.max-redelivery-delay", "6s",
                                "queue.policies", "b=max-messages:1"),
                        "a");

        // then
        assertThat(policy)
                .isEqualTo(
                        new Policy(
                                new Redelivery(4, 5000, 2, 6000),
                                new Backlog(7, 2048, Backlog.Overflow.DROP_OLDEST),
                                3000,
                                5 << 20,
                                true));
    }

    @Test
    void shouldApplyTheFirstRuleThatFits() {
        // when
        Policy policy =
                policy(
                        Map.of(
                                "queue.max-messages", "7",
                                "queue.max-deliveries", "4",
                                "queue.policies",
                                        "orders-*=max-bytes:2KiB;max-message-bytes:5MiB;"
                                                + " overflow:bury-oldest;"
                                                + "time-to-live:3s;bury-expired:true;"
                                                + "redelivery-delay:5s;max-redelivery-delay:6s,"
                                                + "*=max-messages:1"),
                        "orders-eu");

        // then
        assertThat(policy)
                .isEqualTo(
                        new Policy(
                                new Redelivery(4, 5000, 2, 6000),
                                new Backlog(7, 2048, Backlog.Overflow.BURY_OLDEST),
                                3000,
                                5 << 20,
                                true));
    }
}
