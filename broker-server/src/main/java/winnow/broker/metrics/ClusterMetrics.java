package winnow.broker.metrics;

import static winnow.broker.metrics.Metric.gauge;

import java.util.List;
import winnow.broker.metrics.Metric.Kind;

/// The metrics of `/metrics` about a node of a cluster. A broker that is alone has none of them.
final class ClusterMetrics {
    static final Metric LEADS =
            gauge(
                    "winnow_cluster_leads",
                    "1 on the node that leads and serves clients, else 0.",
                    "when the sum over the nodes is not 1 for longer than a takeover.");
    static final Metric HAS_LEADER =
            gauge(
                    "winnow_cluster_has_leader",
                    "1 if the node knows a leader, else 0.",
                    "when it is 0 for longer than a takeover: fewer nodes than a majority reach"
                            + " each other.");
    static final Metric TERM =
            gauge(
                    "winnow_cluster_term",
                    "Number of the present lead, which grows with each election.",
                    "when it grows often: nodes stand still or lose each other.");
    static final Metric APPLIED =
            gauge(
                    "winnow_cluster_applied_entry",
                    "Last entry of the log that is in the tables of the node.",
                    "");
    static final Metric COMMITTED =
            gauge(
                    "winnow_cluster_confirmed_entry",
                    "Last entry of the log that the node knows to be on a majority's disks.",
                    "when it stands still while messages are sent.");
    static final Metric LAG =
            gauge(
                    "winnow_cluster_lag_entries",
                    "Entries of the log that another node is behind; told by the leader, and"
                            + " missing for a node of which it has not heard since it leads.",
                    "when it grows steadily: the node is away, or its disk is slow.",
                    "node");
    static final Metric SILENT =
            gauge(
                    "winnow_cluster_silent_seconds",
                    "Time for which the leader has not heard of another node, at most since it"
                            + " leads; told by the leader.",
                    "when it exceeds some election time-outs: the node is away, or cut off.",
                    "node");
    static final Metric APPEND =
            Metric.of(
                    Kind.HISTOGRAM,
                    "winnow_cluster_append_seconds",
                    "Time from giving a batch of changes to the log until it was on a majority's"
                            + " disks and in the tables of the node that leads, waiting for earlier"
                            + " batches included; nothing is added on the others.",
                    "when the 99th percentile exceeds what your producers accept: the network"
                            + " between the nodes or their disks are slow.");
    static final Metric SNAPSHOT =
            gauge(
                    "winnow_cluster_snapshot_timestamp_seconds",
                    "When the node made its newest snapshot; 0 if there is none. One is made after"
                            + " 256 MiB or 200,000 entries of the log.",
                    "");

    static final List<Metric> ALL =
            List.of(LEADS, HAS_LEADER, TERM, APPLIED, COMMITTED, LAG, SILENT, APPEND, SNAPSHOT);

    private static final double MILLIS_PER_SECOND = 1000;

    private ClusterMetrics() {}

    static void addTo(Exposition page, ClusterFigures figures) {
        page.value(LEADS, figures.leads() ? 1 : 0);
        page.value(HAS_LEADER, figures.hasLeader() ? 1 : 0);
        page.value(TERM, figures.term());
        page.value(APPLIED, figures.applied());
        page.value(COMMITTED, figures.committed());
        figures.lag().forEach((node, entries) -> page.value(LAG, entries, node));
        figures.silentMillis()
                .forEach((node, millis) -> page.value(SILENT, millis / MILLIS_PER_SECOND, node));
        page.histogram(APPEND, List.of(figures.appends().nanos), BrokerMetrics.NANOS_PER_SECOND);
        page.value(SNAPSHOT, figures.snapshotMillis() / MILLIS_PER_SECOND);
    }
}
