package winnow.loadgen.roundtrip;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;
import winnow.loadgen.worker.Provider;

/// Measures all layers, one after the other. Used by one thread.
public final class RoundTrips {

    private static final long LONGEST_NANOS = TimeUnit.MINUTES.toNanos(2);
    private static final int DIGITS = 3;
    private static final double NANOS_PER_MICRO = 1e3;

    /// Round trips whose bytes are counted: more for small messages, whose confirmations may come
    /// together.
    private static final int COUNTED_TRIPS = 200;

    private static final int COUNTED_BYTES = 1 << 22;
    private static final int LEAST_COUNTED = 3;

    /// The rate that the first messages of a stream are chosen for.
    private static final double FEW_PER_SECOND = 400;

    private final RoundTripSettings settings;
    private final Map<Layer, Provider> providers;
    private final String name;
    private final Consumer<String> progress;

    /// @param providers of the layers that need a broker
    /// @param name beginning of the names of destinations, unlike those of any other run
    /// @param progress gets a line now and then
    public RoundTrips(
            RoundTripSettings settings,
            Map<Layer, Provider> providers,
            String name,
            Consumer<String> progress) {
        this.settings = settings;
        this.providers = Map.copyOf(providers);
        this.name = name;
        this.progress = progress;
    }

    /// Keeps results.
    @FunctionalInterface
    public interface Keeping {
        void keep(List<LayerResult> soFar) throws Exception;
    }

    /// All layers and sizes, in their order.
    ///
    /// @param keeping gets all results so far after each of them
    public List<LayerResult> measure(Keeping keeping) throws Exception {
        var results = new ArrayList<LayerResult>();
        for (var provider : Set.copyOf(providers.values())) {
            // A relay would not say that nobody is there.
            provider.connect().close();
        }
        for (var layer : settings.layers()) {
            progress.accept(layer + ": counting bytes");
            var wire = count(layer);
            progress.accept(layer + ": warm-up");
            try (var wires = Wires.direct(settings.wan());
                    var link = open(layer, wires)) {
                warmUp(link);
                for (var size : settings.sizes()) {
                    progress.accept("%s: messages of %,d B".formatted(layer, size));
                    results.add(measure(layer, link, size, wire.get(size)));
                    keeping.keep(results);
                }
            }
        }
        return results;
    }

    private Link open(Layer layer, Wires wires) throws Exception {
        return Link.open(
                layer, wires, settings.sockets(), providers.get(layer), name + "." + layer.label());
    }

    /// Bytes of a message of each size on each of its connections.
    private Map<Integer, Double> count(Layer layer) throws Exception {
        var counts = new HashMap<Integer, Double>();
        try (var wires = Wires.counted();
                var link = open(layer, wires)) {
            // What a connection and a destination begin with does not count.
            repeat(link, 1, LEAST_COUNTED);
            for (var size : settings.sizes()) {
                var trips = Math.clamp(COUNTED_BYTES / size, LEAST_COUNTED, COUNTED_TRIPS);
                var before = wires.bytes();
                repeat(link, size, trips);
                var passes = 2.0 * trips * layer.connectionsPassed();
                counts.put(size, (wires.bytes() - before) / passes);
            }
        }
        return counts;
    }

    private static void repeat(Link link, int bytes, int trips) throws Exception {
        link.expectRoundTrips(bytes, trips);
        for (var i = 0; i < trips; i++) {
            link.roundTrip();
        }
    }

    /// Round trips and a stream of the smallest message.
    private void warmUp(Link link) throws Exception {
        if (settings.warmUp() > 0) {
            repeat(link, settings.sizes().getFirst(), settings.warmUp());
            var _ = stream(link, settings.sizes().getFirst());
        }
    }

    private LayerResult measure(Layer layer, Link link, int bytes, @Nullable Double wireBytes)
            throws Exception {
        var histogram = new Histogram(LONGEST_NANOS, DIGITS);
        var total = 0.0;
        var best = Double.POSITIVE_INFINITY;
        var worst = 0.0;
        for (var series = 0; series < settings.series(); series++) {
            link.expectRoundTrips(bytes, settings.trips());
            var sum = 0L;
            for (var i = 0; i < settings.trips(); i++) {
                var start = System.nanoTime();
                link.roundTrip();
                var nanos = System.nanoTime() - start;
                histogram.recordValue(Math.min(nanos, LONGEST_NANOS));
                sum += nanos;
            }
            var mean = sum / NANOS_PER_MICRO / settings.trips();
            total += mean;
            best = Math.min(best, mean);
            worst = Math.max(worst, mean);
        }
        return new LayerResult(
                layer,
                bytes,
                (long) settings.series() * settings.trips(),
                total / settings.series(),
                best,
                worst,
                histogram.getValueAtPercentile(50) / NANOS_PER_MICRO,
                histogram.getValueAtPercentile(99) / NANOS_PER_MICRO,
                stream(link, bytes),
                wireBytes);
    }

    /// Messages per second that are sent without waiting for answers: of a few, then of as many as
    /// these let expect.
    private @Nullable Double stream(Link link, int bytes) throws Exception {
        if (!link.canStream()) {
            return null;
        }
        var few = streamed(link, bytes, settings.streamed(bytes, FEW_PER_SECOND));
        return streamed(link, bytes, settings.streamed(bytes, few));
    }

    private static double streamed(Link link, int bytes, int messages) throws Exception {
        var start = System.nanoTime();
        link.stream(bytes, messages);
        return messages * (double) TimeUnit.SECONDS.toNanos(1) / (System.nanoTime() - start);
    }
}
