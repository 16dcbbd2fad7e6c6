package winnow.loadgen.roundtrip;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// Layers, sizes and numbers of round trips. Immutable.
///
/// @param layers in the order in which they are measured
/// @param sizes of messages in bytes, ascending
/// @param warmUp round trips before the first measurement of a layer, of its smallest message
/// @param series time measurements for each size
/// @param trips round trips of each
/// @param streamBytes how much a one-way stream sends for each size at most, but for a few messages
/// @param sockets options of the layers without a broker
/// @param wan network between the server and the reflector; null for none
public record RoundTripSettings(
        List<Layer> layers,
        List<Integer> sizes,
        int warmUp,
        int series,
        int trips,
        int streamBytes,
        SocketSettings sockets,
        @Nullable Wan wan) {

    /// As in the papers, in steps of four.
    public static final List<Integer> PAPER_SIZES =
            List.of(
                    1, 4, 16, 64, 256, 1 << 10, 1 << 12, 1 << 14, 1 << 16, 1 << 18, 1 << 20,
                    1 << 22, 1 << 24);

    /// For a first look.
    public static final List<Integer> QUICK_SIZES =
            List.of(1, 64, 1 << 10, 1 << 14, 1 << 18, 1 << 20);

    private static final int LARGEST = 1 << 28;
    private static final int LEAST_STREAMED = 10;
    private static final double STREAM_SECONDS = 0.5;

    public RoundTripSettings {
        layers = List.copyOf(layers);
        sizes = sizes.stream().distinct().sorted().toList();
        if (layers.isEmpty() || sizes.isEmpty()) {
            throw new IllegalArgumentException("expected at least one layer and one size");
        }
        if (sizes.getFirst() < 1 || sizes.getLast() > LARGEST) {
            throw new IllegalArgumentException(
                    "expected sizes from 1 to %d bytes, found %d to %d"
                            .formatted(LARGEST, sizes.getFirst(), sizes.getLast()));
        }
        if (warmUp < 0 || series < 1 || trips < 1) {
            throw new IllegalArgumentException(
                    "expected a warm-up from 0, series and round trips from 1, found %d, %d, %d"
                            .formatted(warmUp, series, trips));
        }
    }

    /// Messages of a one-way stream, which is to last half a second.
    ///
    /// @param perSecond the rate that is expected
    int streamed(int bytes, double perSecond) {
        var most = Math.max(LEAST_STREAMED, streamBytes / bytes);
        return (int) Math.clamp(perSecond * STREAM_SECONDS, LEAST_STREAMED, most);
    }
}
