package winnow.loadgen.worker;

/// Copies that one subscriber got. Immutable.
///
/// @param tally copies and their checksum
/// @param outOfSequence copies that did not follow their predecessor of the same publisher; counted
///   only for bodies that have room for a [Stamp]
public record Receipt(Tally tally, long outOfSequence) {}
