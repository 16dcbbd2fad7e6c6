package winnow.broker;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Map;
import picocli.CommandLine;

/// A node of a cluster that confirms what it has only proposed to the others: a checker of what
/// clients get must find what that loses.
public final class EarlyNode {
    private EarlyNode() {}

    /// Starts one, which runs until it is killed.
    ///
    /// @param args as of `winnow broker`
    public static void main(String[] args) throws IOException, InterruptedException {
        SettingOptions options = CommandLine.populateCommand(new SettingOptions(), args);
        RunningConfig.Source source = () -> options.sources(Map.of());
        options.makeDirectory();
        BrokerConfig config = source.read().read(BrokerConfig.class);
        ClusterBroker broker =
                new ClusterBroker(
                        config,
                        StartCheck.address(config.transport().bind()),
                        config.transport().port(),
                        config.http().port(),
                        source,
                        log -> completions -> new EarlyLog(log.open(completions), completions));
        System.out.printf(
                "winnow ready: jms=%s http=%s%n",
                text(broker.address()), text(broker.httpAddress()));
        Thread.currentThread().join();
    }

    private static String text(InetSocketAddress address) {
        return address.getHostString() + ":" + address.getPort();
    }
}
