package winnow.loadgen.run;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import org.jspecify.annotations.Nullable;

/// One line of `points.jsonl`: a [RunHeader], then the points of that run: a [Measurement] each, or
/// a [FailedPoint].
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
    @JsonSubTypes.Type(value = RunHeader.class, name = "run"),
    @JsonSubTypes.Type(value = Measurement.class, name = "point"),
    @JsonSubTypes.Type(value = FailedPoint.class, name = "failed")
})
public sealed interface ResultLine permits RunHeader, PointResult {

    /// Checks a component that every version writes.
    ///
    /// @param name of the component
    static void require(@Nullable Object value, String name) {
        if (value == null) {
            throw new IllegalArgumentException(
                    "found no %s: another version wrote this".formatted(name));
        }
    }
}
