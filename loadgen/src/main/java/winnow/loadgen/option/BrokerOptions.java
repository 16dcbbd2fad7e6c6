package winnow.loadgen.option;

import java.io.IOException;
import java.net.URI;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import winnow.loadgen.machine.BrokerProbe;
import winnow.loadgen.machine.BrokerUsage;
import winnow.loadgen.machine.CpuClock;
import winnow.loadgen.machine.ThreadProbe;
import winnow.loadgen.machine.TopicMatching;
import winnow.loadgen.worker.Provider;

/// Options that say where the broker's own figures come from.
public final class BrokerOptions {

    @Option(
            names = "--broker-pid",
            paramLabel = "PID",
            converter = ProcessId.class,
            description = "Process of the broker on this machine; its CPU time is measured.")
    private @Nullable Long pid;

    @Option(
            names = "--metrics-url",
            paramLabel = "URL",
            converter = HttpAddress.class,
            description =
                    "Prometheus page of the broker: tells how it matches selectors, and its CPU"
                            + " time without --broker-pid.")
    private @Nullable URI metrics;

    /// Probes of the broker while it is measured.
    ///
    /// @param isLoadHere true if publishers or subscribers are on this machine
    public BrokerProbe probe(Provider provider, boolean isLoadHere) {
        return new BrokerProbe(
                cpu(),
                pid == null ? ThreadProbe.unavailable() : ThreadProbe.ofProcess(pid),
                metrics == null ? TopicMatching.unknown() : TopicMatching.ofMetrics(metrics),
                isLoadHere && (pid != null || provider.isOnThisMachine()));
    }

    /// Its memory, threads and files, now.
    public BrokerUsage usage() throws IOException {
        var known = metrics == null ? BrokerUsage.UNKNOWN : BrokerUsage.ofMetrics(metrics);
        return pid == null ? known : known.or(BrokerUsage.ofProcess(pid));
    }

    private CpuClock cpu() {
        if (pid != null) {
            return CpuClock.ofBroker(pid);
        }
        return metrics == null ? CpuClock.unavailable() : CpuClock.ofMetrics(metrics);
    }
}
