package winnow.loadgen.machine;

/// Questions to the broker itself while it is measured. Used by one thread.
///
/// @param cpu its CPU time
/// @param threads what its threads have done
/// @param matching how it matches selectors
/// @param sharesMachine whether it runs on this machine
public record BrokerProbe(
        CpuClock cpu, ThreadProbe threads, TopicMatching matching, boolean sharesMachine) {}
