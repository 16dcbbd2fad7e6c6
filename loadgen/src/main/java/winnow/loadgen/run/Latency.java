package winnow.loadgen.run;

/// Latency of one point under a light load: the time from when a message was due to be sent to when
/// the first subscriber got it, in microseconds. Messages that are sent late, because a send before
/// them stalled, count from their due times too, so that a stall shows in all of them. Immutable.
///
/// @param ratePerSecond messages due in each second
/// @param messages number of messages measured: all that were due after the warm-up
/// @param p50Micros latency that half of the messages did not exceed
/// @param p99Micros latency that 99 % of the messages did not exceed
/// @param p999Micros latency that 99.9 % of the messages did not exceed
/// @param maxMicros highest latency of a message
/// @param machineBusyShare share of all processors in use meanwhile; not a number if unknown
public record Latency(
        double ratePerSecond,
        long messages,
        double p50Micros,
        double p99Micros,
        double p999Micros,
        double maxMicros,
        double machineBusyShare) {}
