package winnow.loadgen.roundtrip;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.tuple;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RoundTripsTest {

    private static final SocketSettings SOCKETS = new SocketSettings(true, 0);
    private static final List<Layer> BARE = List.of(Layer.SOCKET, Layer.ECHO);

    @Test
    void shouldMeasureEachLayerAndSize() throws Exception {
        // given
        var steps = new ArrayList<String>();
        var settings = settings(BARE, List.of(1, 70_000), SOCKETS, null);

        // when
        var kept = new ArrayList<Integer>();
        var results =
                new RoundTrips(settings, Map.of(), "test", steps::add)
                        .measure(soFar -> kept.add(soFar.size()));

        // then: each as it comes
        assertThat(kept).containsExactly(1, 2, 3, 4);
        assertThat(results)
                .extracting(LayerResult::layer, LayerResult::bytes, LayerResult::trips)
                .containsExactly(
                        tuple(Layer.SOCKET, 1, 20L),
                        tuple(Layer.SOCKET, 70_000, 20L),
                        tuple(Layer.ECHO, 1, 20L),
                        tuple(Layer.ECHO, 70_000, 20L));
        assertThat(results)
                .allSatisfy(one -> {
                    assertThat(one.p99Micros()).isGreaterThanOrEqualTo(one.p50Micros());
                    assertThat(one.meanMicros()).isBetween(one.bestMicros(), one.worstMicros());
                    // Nothing but the payload is sent.
                    assertThat(one.overheadBytes()).isZero();
                });
        assertThat(results.get(0).streamPerSecond()).isPositive();
        assertThat(results.get(2).streamPerSecond()).isNull();
        assertThat(steps)
                .contains("plain socket: counting bytes", "Netty echo: messages of 70,000 B");
    }

    @Test
    void shouldCountTheHeadersOfFrames() throws Exception {
        // given
        var settings = settings(List.of(Layer.FRAMES), List.of(1, 70_000), SOCKETS, null);

        // when
        var results = new RoundTrips(settings, Map.of(), "test", _ -> {}).measure(_ -> {});

        // then: length, type, destination, flags, and those of the block, id and time
        assertThat(results)
                .hasSize(2)
                .allSatisfy(one -> {
                    assertThat(one.overheadBytes()).isBetween(26.0, 28.0);
                    assertThat(one.streamPerSecond()).isPositive();
                });
    }

    @Test
    void shouldTakeOptionsOfSockets() throws Exception {
        // given
        var settings = settings(BARE, List.of(100), new SocketSettings(false, 4_096), null);

        // when
        var results = new RoundTrips(settings, Map.of(), "test", _ -> {}).measure(_ -> {});

        // then
        assertThat(results).hasSize(2);
    }

    /// No message can be faster than the network is.
    @Test
    void shouldDelayAndLimitAsAWideAreaNetworkDoes() throws Exception {
        // given: 8 ms, and 100,000 bytes take 10 ms in each direction
        var wan = Wan.withoutWindow(TimeUnit.MILLISECONDS.toNanos(8), 80e6);
        var settings = settings(BARE, List.of(1, 100_000), SOCKETS, wan);

        // when
        var results = new RoundTrips(settings, Map.of(), "test", _ -> {}).measure(_ -> {});

        // then
        assertThat(results).allMatch(one -> one.p50Micros() >= (one.bytes() == 1 ? 7_990 : 27_900));
        assertThat(Objects.requireNonNull(results.get(1).streamMegabytesPerSecond()))
                .isLessThan(10);
    }

    @Test
    void shouldHoldBackWhatTheWindowDoesNotTake() throws Exception {
        // given: 10,000 bytes in 8 ms are 1.25 MB/s
        var wan = new Wan(TimeUnit.MILLISECONDS.toNanos(8), 1e9, 10_000);
        var settings = settings(List.of(Layer.SOCKET), List.of(50_000), SOCKETS, wan);

        // when
        var results = new RoundTrips(settings, Map.of(), "test", _ -> {}).measure(_ -> {});

        // then
        assertThat(Objects.requireNonNull(results.getFirst().streamMegabytesPerSecond()))
                .isLessThan(1.4);
    }

    @Test
    void shouldTakeTheWindowFromBandwidthAndDelay() {
        // 1.2 times 1 Gbit/s times 11.2 ms
        assertThat(Wan.withoutWindow(11_200_000, 1e9).windowBytes()).isEqualTo(1_680_000);
    }

    @Test
    void shouldRefuseWhatCannotBe() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> settings(BARE, List.of(0, 5), SOCKETS, null))
                .withMessage("expected sizes from 1 to 268435456 bytes, found 0 to 5");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> settings(List.of(), List.of(1), SOCKETS, null))
                .withMessage("expected at least one layer and one size");
    }

    static RoundTripSettings settings(
            List<Layer> layers, List<Integer> sizes, SocketSettings sockets, @Nullable Wan wan) {
        return new RoundTripSettings(layers, sizes, 5, 2, 10, 200_000, sockets, wan);
    }
}
