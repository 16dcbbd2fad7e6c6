package winnow.loadgen.run;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.util.List;
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

    /// A list of which earlier versions wrote nothing.
    static <T> List<T> listed(@Nullable List<T> values) {
        return values == null ? List.of() : List.copyOf(values);
    }

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
