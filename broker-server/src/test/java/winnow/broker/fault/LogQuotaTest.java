package winnow.broker.fault;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
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

    @Test
    void shouldSayNothingOfNothingLeftOut() {
        // given
        LogQuota quota = new LogQuota(() -> now, 1, 100);
        List<String> lines = new ArrayList<>();

        // when
        quota.log(leftOut -> lines.add("a" + leftOut));
        quota.log(leftOut -> lines.add("b" + leftOut));
        now += 100;
        quota.log(leftOut -> lines.add("c" + leftOut));

        // then
        assertThat(lines).containsExactly("a", "c (1 more were not logged)");
    }
}
