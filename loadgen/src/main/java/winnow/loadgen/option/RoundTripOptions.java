package winnow.loadgen.option;

import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import winnow.loadgen.roundtrip.Layer;
import winnow.loadgen.roundtrip.RoundTripSettings;
import winnow.loadgen.roundtrip.SocketSettings;
import winnow.loadgen.roundtrip.Wan;

/// Options for sizes, numbers and sockets of round trips.
public final class RoundTripOptions {

    private static final int STREAM_BYTES = 1 << 26;
    private static final int QUICK_STREAM_BYTES = 1 << 22;
    private static final double NANOS = 1e9;
    private static final double USUAL_MBIT = 1000;
    private static final double BITS_PER_MBIT = 1e6;

    @Option(
            names = "--quick",
            description = "Sizes up to 1 MiB, fewer round trips: a first look in some seconds.")
    private boolean quick;

    @Option(
            names = "--sizes",
            paramLabel = "BYTES",
            split = ",",
            description =
                    "Sizes of messages; default: 1 to 16777216 in steps of four, as far as the"
                            + " papers go.")
    private List<Integer> sizes = List.of();

    @Option(
            names = "--warmup-trips",
            paramLabel = "N",
            description =
                    "Round trips before the first measurement of a layer; default: 1000, quick"
                            + " 300.")
    private @Nullable Integer warmUp;

    @Option(
            names = "--series",
            paramLabel = "N",
            description = "Time measurements of each size; default: 5, quick 3.")
    private @Nullable Integer series;

    @Option(
            names = "--trips",
            paramLabel = "N",
            description = "Round trips of each time measurement; default: 100.")
    private @Nullable Integer trips;

    @Option(
            names = "--tcp-no-delay",
            negatable = true,
            defaultValue = "true",
            fallbackValue = "true",
            description =
                    "TCP_NODELAY, without --url of brokers and their clients as well: small writes"
                            + " leave at once; default: yes.")
    private boolean noDelay = true;

    @Option(
            names = "--buffer-bytes",
            paramLabel = "BYTES",
            description =
                    "SO_SNDBUF and SO_RCVBUF, without --url of brokers and their clients as well,"
                            + " and what --wan-delay holds without a confirmation; default: as the"
                            + " kernel chooses.")
    private @Nullable Integer bufferBytes;

    @Option(
            names = "--wan-delay",
            paramLabel = "TIME",
            converter = TimeValue.class,
            description =
                    "Emulate a wide-area network before the reflector that adds so much to a round"
                            + " trip; the paper has 11.2ms.")
    private @Nullable Double wanDelay;

    @Option(
            names = "--wan-mbit",
            paramLabel = "N",
            description = "Bandwidth of that network in Mbit/s in each direction; default: 1000.")
    private @Nullable Double wanMbit;

    /// @throws IllegalArgumentException if a number is out of its range
    public RoundTripSettings settings(List<Layer> layers) {
        var usual = quick ? RoundTripSettings.QUICK_SIZES : RoundTripSettings.PAPER_SIZES;
        return new RoundTripSettings(
                layers,
                sizes.isEmpty() ? usual : sizes,
                chosen(warmUp, 1_000, 300),
                chosen(series, 5, 3),
                trips == null ? 100 : trips,
                quick ? QUICK_STREAM_BYTES : STREAM_BYTES,
                new SocketSettings(noDelay, bufferBytes == null ? 0 : bufferBytes),
                wan());
    }

    private int chosen(@Nullable Integer given, int full, int fast) {
        if (given != null) {
            return given;
        }
        return quick ? fast : full;
    }

    private @Nullable Wan wan() {
        if (wanDelay == null) {
            if (wanMbit != null) {
                throw new IllegalArgumentException(
                        "expected --wan-delay with --wan-mbit, found none");
            }
            return null;
        }
        var nanos = Math.round(wanDelay * NANOS);
        var bits = (wanMbit == null ? USUAL_MBIT : wanMbit) * BITS_PER_MBIT;
        return bufferBytes == null || bufferBytes == 0
                ? Wan.withoutWindow(nanos, bits)
                : new Wan(nanos, bits, bufferBytes);
    }
}
