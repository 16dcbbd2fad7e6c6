package winnow.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import winnow.loadgen.roundtrip.Layer;
import winnow.loadgen.roundtrip.LayerResult;
import winnow.loadgen.roundtrip.RoundTripSettings;
import winnow.loadgen.roundtrip.RoundTrips;
import winnow.loadgen.roundtrip.SocketSettings;
import winnow.loadgen.worker.Provider;

/// Round trips through a real broker.
class RoundTripTest {
    private static final List<Layer> LAYERS =
            List.of(Layer.TOPIC, Layer.QUEUE, Layer.STORED, Layer.REQUEST);

    @TempDir private Path directory;

    @Test
    void shouldPassEveryLayerOfABroker() throws Exception {
        try (RunningBroker broker =
                new RunningBroker(Map.of("storage.directory", directory.toString()))) {
            // when
            List<LayerResult> results = measure(broker.url(), LAYERS, List.of(1, 100_000));

            // then
            assertThat(results).hasSize(8);
            for (LayerResult one : results) {
                assertThat(one.trips()).as("%s", one).isEqualTo(10);
                assertThat(one.streamPerSecond()).as("%s", one).isPositive();
                // A header each, and confirmations: a tenth of what the papers found.
                assertThat(one.overheadBytes()).as("%s", one).isBetween(10.0, 400.0);
            }
            assertThat(results.get(0).overheadBytes()).as("topic").isLessThan(60);
        }
    }

    @Test
    void shouldSayThatNobodyIsThere() {
        assertThatThrownBy(() ->
                        measure(
                                "winnow://127.0.0.1:1?startupMaxReconnectAttempts=0",
                                List.of(Layer.TOPIC),
                                List.of(1)))
                .hasMessageContaining("127.0.0.1:1");
    }

    private static List<LayerResult> measure(String url, List<Layer> layers, List<Integer> sizes)
            throws Exception {
        Map<Layer, Provider> providers = new EnumMap<>(Layer.class);
        for (Layer layer : layers) {
            providers.put(layer, new Provider(Provider.WINNOW_FACTORY, url, "", ""));
        }
        RoundTripSettings settings =
                new RoundTripSettings(
                        layers, sizes, 5, 1, 10, 1_000, new SocketSettings(true, 0), null);
        return new RoundTrips(settings, providers, "round-trip", _ -> {}).measure(_ -> {});
    }
}
