package winnow.loadgen.command;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import winnow.cli.Credentials;
import winnow.loadgen.machine.Machine;
import winnow.loadgen.option.LayerName;
import winnow.loadgen.option.LoadSession;
import winnow.loadgen.option.OutputFormat;
import winnow.loadgen.option.ProviderJars;
import winnow.loadgen.option.ReceivedText;
import winnow.loadgen.option.RoundTripOptions;
import winnow.loadgen.option.SavedCommand;
import winnow.loadgen.roundtrip.Layer;
import winnow.loadgen.roundtrip.LayerResult;
import winnow.loadgen.roundtrip.RoundTripFiles;
import winnow.loadgen.roundtrip.RoundTripRun;
import winnow.loadgen.roundtrip.RoundTripSettings;
import winnow.loadgen.roundtrip.RoundTrips;
import winnow.loadgen.roundtrip.SocketSettings;
import winnow.loadgen.run.LoadException;
import winnow.loadgen.worker.Provider;

/// `winnow load round-trip`: producer and reflector, layer by layer, over sizes.
@Command(
        name = "round-trip",
        description =
                "Measures round trips between a producer and a reflector, one-way streams and bytes"
                        + " on the wire, for each layer and size of message, as the papers on JXTA,"
                        + " jGMA and NaradaBrokering do.",
        sortOptions = false,
        footer = {
            "",
            "Without --url it starts brokers of its own, with a store in --out for the layer"
                    + " 'stored', and removes them. Without --quick that layer writes more than"
                    + " 20 GB.",
            "",
            "Examples:",
            "  winnow load round-trip --quick --layers socket,topic",
            "  winnow load round-trip --quick --url tcp://localhost:61617 --classpath lib"
                    + " --provider org.apache.activemq.ActiveMQConnectionFactory"
        })
final class RoundTripCommand implements Callable<Integer> {

    /// Environment variable that the launcher sets.
    private static final String HOME = "WINNOW_HOME";

    @Spec private @Nullable CommandSpec spec;

    @Option(
            names = "--url",
            paramLabel = "URL",
            description = "Broker to measure; default: Winnow brokers of its own.")
    private @Nullable String url;

    @Option(
            names = "--provider",
            paramLabel = "CLASS",
            defaultValue = Provider.WINNOW_FACTORY,
            description =
                    "ConnectionFactory with a constructor (String url) of another provider, for"
                            + " --url; default: ${DEFAULT-VALUE}.")
    private String factory = Provider.WINNOW_FACTORY;

    @Option(
            names = "--classpath",
            paramLabel = "DIR",
            description =
                    "Directory with the jars of that provider; not for Winnow's own, which needs"
                            + " none.")
    private @Nullable Path classpath;

    @Mixin private final Credentials credentials = new Credentials();

    @Option(
            names = "--layers",
            paramLabel = "LAYER",
            split = ",",
            converter = LayerName.class,
            completionCandidates = LayerName.class,
            description = "Which, in their order: ${COMPLETION-CANDIDATES}; default: all.")
    private List<Layer> layers = List.of(Layer.values());

    @Mixin private final RoundTripOptions options = new RoundTripOptions();

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "Where results go; default: reports/<time>-round-trip.")
    private @Nullable Path out;

    @Option(
            names = "--output",
            paramLabel = "FORMAT",
            defaultValue = "text",
            description = "${COMPLETION-CANDIDATES}; default: ${DEFAULT-VALUE}.")
    private OutputFormat output = OutputFormat.TEXT;

    /// Of the broker that stores; null if there is none.
    private volatile @Nullable Path store;

    @Override
    public Integer call() throws Exception {
        var command = Objects.requireNonNull(spec).commandLine();
        RoundTripSettings settings;
        try {
            settings = options.settings(layers);
            chooseProvider();
        } catch (IllegalArgumentException misused) {
            throw new ParameterException(command, String.valueOf(misused.getMessage()));
        }
        var directory = out == null ? LoadSession.defaultDirectory("round-trip") : out;
        LoadSession.make(directory);
        var run = measure(settings, directory);
        var page = RoundTripFiles.write(run, directory);
        switch (output) {
            case TEXT -> {
                command.getOut().print(RoundTripText.of(run.results()));
                command.getOut().println("report: " + page.toUri());
            }
            case JSON -> command.getOut().println(ReceivedText.visible(RoundTripFiles.json(run)));
        }
        command.getOut().flush();
        return 0;
    }

    /// Threads of this command find the provider's classes from now on.
    ///
    /// @throws IllegalArgumentException if options contradict each other
    private void chooseProvider() {
        if (url == null && !factory.equals(Provider.WINNOW_FACTORY)) {
            throw new IllegalArgumentException(
                    "expected --url with --provider " + factory + ", found none");
        }
        if (classpath != null) {
            Thread.currentThread().setContextClassLoader(ProviderJars.loader(classpath));
        }
    }

    private RoundTripRun measure(RoundTripSettings settings, Path directory) throws Exception {
        var root = Objects.requireNonNull(spec).root().commandLine();
        var err = root.getErr();
        var started = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
        var providers = new EnumMap<Layer, Provider>(Layer.class);
        var brokers = new CopyOnWriteArrayList<BrokerProcess>();
        var atInterrupt = new Thread(() -> cleanUp(brokers), "interrupted");
        Runtime.getRuntime().addShutdownHook(atInterrupt);
        try {
            connect(settings, directory, providers, brokers);
            var machine = Machine.current();
            Function<List<LayerResult>, RoundTripRun> run =
                    results ->
                            new RoundTripRun(
                                    started,
                                    SavedCommand.of(root.getParseResult().originalArgs()),
                                    url == null ? null : url.replaceAll("[?].*", ""),
                                    settings,
                                    machine,
                                    results);
            var trips =
                    new RoundTrips(
                            settings,
                            providers,
                            // Process ids come again.
                            "winnow.round-trip." + UUID.randomUUID(),
                            step -> {
                                err.println(ReceivedText.visible(step));
                                err.flush();
                            });
            return run.apply(
                    trips.measure(soFar -> RoundTripFiles.write(run.apply(soFar), directory)));
        } finally {
            try {
                Runtime.getRuntime().removeShutdownHook(atInterrupt);
                cleanUp(brokers);
            } catch (IllegalStateException stopped) {
                // The hook does it.
            }
        }
    }

    /// Nothing of brokers that this command has started stays behind, at Ctrl-C neither.
    private void cleanUp(List<BrokerProcess> brokers) {
        brokers.forEach(BrokerProcess::close);
        try {
            removeStore();
        } catch (IOException left) {
            System.err.println("the store " + store + " is left behind: " + left.getMessage());
        }
    }

    /// Finds or starts what the layers need.
    private void connect(
            RoundTripSettings settings,
            Path directory,
            Map<Layer, Provider> providers,
            List<BrokerProcess> brokers)
            throws IOException, LoadException, InterruptedException {
        var inMemory = (Provider) null;
        for (var layer : settings.layers()) {
            if (!layer.needsBroker()) {
                continue;
            }
            if (url != null) {
                providers.put(layer, provider(url));
            } else if (layer == Layer.STORED) {
                providers.put(layer, started(settings.sockets(), directory, "store", brokers));
            } else {
                inMemory =
                        inMemory == null
                                ? started(settings.sockets(), directory, "memory", brokers)
                                : inMemory;
                providers.put(layer, inMemory);
            }
        }
    }

    /// A broker whose sockets, and those of its clients, have the options of those without a
    /// broker.
    private Provider started(
            SocketSettings sockets, Path directory, String name, List<BrokerProcess> brokers)
            throws IOException, LoadException, InterruptedException {
        var home = System.getenv(HOME);
        if (home == null) {
            throw new LoadException(
                    HOME + " is not set: start it with ./winnow load round-trip, or give --url");
        }
        var settings = new ArrayList<String>();
        settings.add("transport.socket-buffer=" + sockets.bufferBytes() + "B");
        settings.add("transport.tcp-no-delay=" + sockets.noDelay());
        if (name.equals("store")) {
            store = Files.createTempDirectory(directory.toAbsolutePath(), "store-");
            settings.add("storage.directory=" + store);
        }
        var log = directory.resolve("broker-" + name + ".log");
        var broker = BrokerProcess.start(Path.of(home), settings, log);
        brokers.add(broker);
        return new Provider(Provider.WINNOW_FACTORY, clientUrl(broker, sockets), "", "");
    }

    private static String clientUrl(BrokerProcess broker, SocketSettings sockets) {
        return "winnow://%s?socketBufferBytes=%d&tcpNoDelay=%s"
                .formatted(broker.jmsAddress(), sockets.bufferBytes(), sockets.noDelay());
    }

    /// Removes what the broker of this run has stored, and nothing else.
    private void removeStore() throws IOException {
        var folder = store;
        if (folder == null) {
            return;
        }
        try (var files = Files.walk(folder)) {
            for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    private Provider provider(String address) {
        return new Provider(factory, address, credentials.user(), credentials.password());
    }
}
