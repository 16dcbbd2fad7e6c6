package winnow.broker.admin;

import java.util.List;
import java.util.concurrent.CompletionStage;
import winnow.cluster.ClusterNodeView;

/// The cluster that the broker is a node of, and changes of it. Thread-safe.
public interface ClusterChanges {
    /// The outcome of a move of the lead.
    ///
    /// @param leader name of the node that leads now
    /// @param former name of the node that has led before
    record MovedLead(String leader, String former) {}

    /// All nodes, sorted by name.
    List<ClusterNodeView> nodes();

    /// Moves the lead to another node. Clients of this one are told to look for it.
    ///
    /// @param guard called when its turn has come; throws to leave the lead where it is
    /// @return fails with a [winnow.cluster.ClusterChangeException] if the other node does not
    ///   lead, and with what the guard throws
    CompletionStage<MovedLead> lead(String node, Runnable guard);

    /// Makes a broker that waits for it a node.
    ///
    /// @param address where other nodes reach it, `HOST:PORT`
    /// @return completed when it is a node, also if it was one; fails with a
    ///   [winnow.cluster.ClusterChangeException]
    /// @throws IllegalArgumentException if name or address cannot be used
    CompletionStage<Void> add(String node, String address);

    /// Makes a broker no node any more.
    ///
    /// @return completed when it is no node, also if it was none; fails with a
    ///   [winnow.cluster.ClusterChangeException]
    CompletionStage<Void> remove(String node);
}
