package winnow.cluster;

/// Room for messages on the disk of a node.
public enum DiskRoom {
    /// Messages are refused, because the disk is nearly full.
    FULL,

    /// Messages are taken, and may be refused soon; or the room is not known.
    SCARCE,

    AMPLE
}
