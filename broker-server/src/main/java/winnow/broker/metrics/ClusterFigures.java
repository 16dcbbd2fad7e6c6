package winnow.broker.metrics;

import java.util.Map;

/// A node's place in its cluster, as of one moment.
///
/// @param leads whether this node does
/// @param hasLeader whether this node knows who does
/// @param term counts elections
/// @param applied last entry of the log that is in this node's tables
/// @param committed last entry that this node knows to be confirmed
/// @param lag entries that each other node is behind, by its name, where that is known; empty
///   unless this node leads
/// @param silentMillis time for which this node has not heard of each other one, by its name; empty
///   unless this node leads
/// @param appends times until entries of this node were confirmed, since its start
/// @param snapshotMillis when the newest snapshot was made, in ms since 1970; 0 if there is none
public record ClusterFigures(
        boolean leads,
        boolean hasLeader,
        long term,
        long applied,
        long committed,
        Map<String, Long> lag,
        Map<String, Long> silentMillis,
        WaitTimes appends,
        long snapshotMillis) {}
