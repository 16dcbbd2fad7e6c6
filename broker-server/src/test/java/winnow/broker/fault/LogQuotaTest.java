package winnow.broker.fault;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LogQuotaTest {
    private long now = 7;

    @Test
    void shouldLeaveOutWhatIsTooMuchAndTellItLater() {
        // given
        LogQuota quota = new LogQuota(() -> now, 2, 100);

        // when, then
        assertThat(quota.take()).isZero();
        assertThat(quota.take()).isZero();
        assertThat(quota.take()).isEqualTo(-1);
        assertThat(quota.take()).isEqualTo(-1);
        now += 99;
        assertThat(quota.take()).isEqualTo(-1);
        now += 1;
        assertThat(quota.take()).isEqualTo(3);
        assertThat(quota.take()).isZero();
        assertThat(quota.take()).isEqualTo(-1);
    }
}
