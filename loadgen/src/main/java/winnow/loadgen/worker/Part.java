package winnow.loadgen.worker;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.util.stream.IntStream;

/// The publishers, or the subscribers, of a point that one worker plays: those of a number, and
/// from there on in equal steps. So every worker gets its share of subscribers that match and of
/// those that do not. Immutable.
///
/// @param first the lowest number
/// @param step number of workers that they are dealt out to; 0 if this worker plays none
public record Part(int first, int step) {

    /// Everybody.
    public static final Part ALL = new Part(0, 1);

    /// Nobody.
    public static final Part NONE = new Part(0, 0);

    public Part {
        if (step < 0) {
            throw new IllegalArgumentException("expected steps of at least 0, found " + step);
        }
        if (first < 0 || first > Math.max(0, step - 1)) {
            throw new IllegalArgumentException(
                    "expected a part from 0 to below %d, found %d".formatted(step, first));
        }
    }

    /// The numbers of those that it has.
    ///
    /// @param all number of those in all parts
    public IntStream numbers(int all) {
        return step == 0
                ? IntStream.empty()
                : IntStream.iterate(
                        first,
                        // A sum beyond all numbers is negative.
                        number -> number >= 0 && number < all,
                        number -> number + step);
    }

    /// True if it has nobody, however many there are.
    @JsonIgnore
    public boolean isNone() {
        return step == 0;
    }
}
