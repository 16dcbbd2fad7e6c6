package winnow.loadgen.command;

import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import winnow.loadgen.option.RateProvider;
import winnow.loadgen.option.ResultOptions;
import winnow.loadgen.peer.PeerLoad;
import winnow.loadgen.peer.PeerLoad.Way;
import winnow.loadgen.peer.PeerResult;
import winnow.loadgen.peer.PeerRun;
import winnow.loadgen.run.LoadException;

/// `winnow load peers`: how long it takes until all receivers have acknowledged a message.
@Command(
        name = "peers",
        description = {
            "Sends to several receivers at once, and times when the last of them has acknowledged.",
            "As in the PAWN evaluation: messages of several sizes to 2 and 20 peers, or by --burst"
                    + " many at once, by a topic and by a queue for each peer."
        },
        sortOptions = false,
        footer = {
            "",
            "--out gets peers.json and peers.svg.",
            "",
            "Examples: winnow load peers --out peers",
            "          winnow load peers --receivers 20 --body-bytes 1000 --burst 1000"
        })
final class PeerCommand implements Callable<Integer> {

    @Spec private @Nullable CommandSpec spec;

    @Mixin private final RateProvider provider = new RateProvider();

    @Option(
            names = "--receivers",
            paramLabel = "N",
            split = ",",
            defaultValue = "2,20",
            description = "Each with a connection; default: ${DEFAULT-VALUE}.")
    private List<Integer> receivers = List.of();

    @Option(
            names = "--body-bytes",
            paramLabel = "N",
            split = ",",
            defaultValue = "1000,5000,10000,50000,100000",
            description = "Sizes of bodies; default: ${DEFAULT-VALUE}.")
    private List<Integer> bodyBytes = List.of();

    @Option(
            names = "--by",
            paramLabel = "WAY",
            split = ",",
            defaultValue = "topic,queues",
            description =
                    "One topic, or a queue for each receiver: ${COMPLETION-CANDIDATES}; default:"
                            + " ${DEFAULT-VALUE}.")
    private List<Way> ways = List.of();

    @Option(
            names = "--burst",
            paramLabel = "N",
            defaultValue = "1",
            description =
                    "Messages to each receiver that are sent without waiting; default:"
                            + " ${DEFAULT-VALUE}.")
    private int burst = 1;

    @Option(
            names = "--persistent",
            negatable = true,
            description =
                    "Delivery mode PERSISTENT, or without it; default: persistent by queues, not by"
                            + " a topic.")
    private @Nullable Boolean persistent;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            defaultValue = "100",
            description = "Rounds that count; default: ${DEFAULT-VALUE}.")
    private int rounds = 100;

    @Option(
            names = "--warmup",
            paramLabel = "N",
            defaultValue = "200",
            description = "Rounds before that; default: ${DEFAULT-VALUE}.")
    private int warmup = 200;

    @Mixin private final ResultOptions results = new ResultOptions();

    @Override
    public Integer call() throws IOException, LoadException {
        var loads = loads();
        var chosen = provider.provider();
        var _ = results.directory();
        var found = new ArrayList<PeerResult>();
        PrintStream errors = System.err;
        for (var load : loads) {
            var name =
                    "winnow.peers.%d.%d"
                            .formatted(ProcessHandle.current().pid(), System.nanoTime());
            var result = PeerRun.of(load, chosen, name);
            found.add(result);
            results.keep("peers", json(found), PeerChart.of(found));
            errors.printf(
                    Locale.ROOT,
                    "%d/%d  %,d receivers by %s, %,d B%n",
                    found.size(),
                    loads.size(),
                    load.receivers(),
                    load.way(),
                    load.bodyBytes());
        }
        results.print(
                json(found),
                found.stream()
                        .map(result -> PeerChart.text(result) + "\n")
                        .collect(Collectors.joining()));
        return 0;
    }

    private List<PeerLoad> loads() {
        var loads = new ArrayList<PeerLoad>();
        try {
            for (var way : ways) {
                for (var count : receivers) {
                    for (var bytes : bodyBytes) {
                        var kept = persistent == null ? way == Way.QUEUES : persistent;
                        loads.add(new PeerLoad(way, count, bytes, burst, kept, warmup, rounds));
                    }
                }
            }
        } catch (IllegalArgumentException misused) {
            throw new ParameterException(
                    Objects.requireNonNull(spec).commandLine(),
                    String.valueOf(misused.getMessage()));
        }
        return loads;
    }

    private static String json(List<PeerResult> found) throws IOException {
        return RateText.json(Map.of("peers", found));
    }
}
