package winnow.broker.storage;

import java.nio.file.Path;
import java.time.Duration;
import winnow.broker.config.Ranges;
import winnow.broker.config.Setting;

/// Brokers that keep the same messages, of which one serves clients at a time.
public record ClusterConfig(
        @Setting(
                        "the brokers of the cluster and where they reach each other, as"
                                + " `a=host:61617,b=host:61617,c=host:61617`, the same on each;"
                                + " empty: this broker is alone")
                String nodes,
        @Setting("name of this broker in `cluster.nodes`") String node,
        @Setting(
                        "`HOST:PORT` at which clients reach this broker, which the others tell"
                                + " them while it leads; empty: the host of this node in"
                                + " `cluster.nodes` and `transport.port`")
                String advertisedAddress,
        @Setting(
                        value =
                                "shortest time without a sign of the leader after which another"
                                        + " node stands for election; the longest is twice that",
                        min = "100ms",
                        max = "60s")
                Duration electionTimeout,
        @Setting(
                        "whether this broker is new in a cluster that runs: it waits until `winnow"
                                + " cluster add` makes it a node; without effect once it was one")
                boolean join,
        @Setting(
                        value =
                                "this node's certificate for the other nodes, followed by those of"
                                        + " its issuers, a PEM file; needed with `cluster.key` and"
                                        + " `cluster.authority` unless all nodes are on loopback",
                        unit = "file")
                Path certificate,
        @Setting(value = "the key of that certificate in PKCS#8, a PEM file", unit = "file")
                Path key,
        @Setting(
                        value =
                                "certificates that those of all nodes must be signed by, a PEM"
                                        + " file; who has such a certificate may take part",
                        unit = "file")
                Path authority) {
    private static final Path NONE = Path.of("");

    public static final ClusterConfig DEFAULTS =
            new ClusterConfig("", "", "", Duration.ofSeconds(1), false, NONE, NONE, NONE);

    public ClusterConfig {
        Ranges.check(
                ClusterConfig.class,
                nodes,
                node,
                advertisedAddress,
                electionTimeout,
                join,
                certificate,
                key,
                authority);
    }

    /// Tells if this broker is one of several.
    public boolean enabled() {
        return !nodes.isEmpty();
    }

    /// Tells if the nodes prove to each other who they are.
    public boolean secured() {
        return !certificate.toString().isEmpty()
                || !key.toString().isEmpty()
                || !authority.toString().isEmpty();
    }
}
