package winnow.loadgen.roundtrip;

import java.util.List;
import org.jspecify.annotations.Nullable;
import winnow.loadgen.machine.Machine;

/// Results with what somebody needs to repeat them. Immutable.
///
/// @param started ISO 8601, UTC
/// @param command what was typed, without the password
/// @param url where the broker listened; null without one
/// @param settings how it was measured
/// @param machine what producer, reflector, sockets and a broker of the command's own ran on
public record RoundTripRun(
        String started,
        String command,
        @Nullable String url,
        RoundTripSettings settings,
        Machine machine,
        List<LayerResult> results) {

    public RoundTripRun {
        results = List.copyOf(results);
    }

    /// The results of a layer, by size.
    List<LayerResult> of(Layer layer) {
        return results.stream().filter(one -> one.layer() == layer).toList();
    }
}
