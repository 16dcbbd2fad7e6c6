package winnow.broker.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ClusterMetricsTest {
    private static String page(WaitTimes appends) {
        Exposition page = new Exposition();
        ClusterMetrics.addTo(
                page,
                new ClusterFigures(
                        true,
                        true,
                        7,
                        120,
                        125,
                        Map.of("b", 3L),
                        new TreeMap<>(Map.of("b", 20L, "c", 61_500L)),
                        appends,
                        1500));
        return page.page("").text();
    }

    @Test
    void shouldCountAppendsByTheirTime() {
        // given
        WaitTimes appends = new WaitTimes();

        // when
        appends.record(TimeUnit.MILLISECONDS.toNanos(1));
        appends.record(TimeUnit.MILLISECONDS.toNanos(4));
        appends.record(TimeUnit.SECONDS.toNanos(30));

        // then
        assertThat(page(appends))
                .contains(
                        "winnow_cluster_append_seconds_bucket{le=\"5.0E-4\"} 0\n",
                        "winnow_cluster_append_seconds_bucket{le=\"0.001\"} 1\n",
                        "winnow_cluster_append_seconds_bucket{le=\"0.002\"} 1\n",
                        "winnow_cluster_append_seconds_bucket{le=\"0.005\"} 2\n",
                        "winnow_cluster_append_seconds_bucket{le=\"10.0\"} 2\n",
                        "winnow_cluster_append_seconds_bucket{le=\"+Inf\"} 3\n",
                        "winnow_cluster_append_seconds_sum 30.005\n");
    }

    @Test
    void shouldTellThePlaceOfTheNode() {
        assertThat(page(new WaitTimes()))
                .contains(
                        "winnow_cluster_leads 1.0\n",
                        "winnow_cluster_has_leader 1.0\n",
                        "winnow_cluster_term 7.0\n",
                        "winnow_cluster_applied_entry 120.0\n",
                        "winnow_cluster_confirmed_entry 125.0\n",
                        "winnow_cluster_lag_entries{node=\"b\"} 3.0\n",
                        "winnow_cluster_silent_seconds{node=\"b\"} 0.02\n",
                        "winnow_cluster_silent_seconds{node=\"c\"} 61.5\n",
                        "winnow_cluster_append_seconds_count 0\n",
                        "winnow_cluster_snapshot_timestamp_seconds 1.5\n")
                .doesNotContain("winnow_cluster_lag_entries{node=\"c\"}");
    }
}
