package winnow.loadgen.run;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;

/// One line of `points.jsonl`: a [RunHeader], then the points of that run: a [Measurement] each, or
/// a [FailedPoint].
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
    @JsonSubTypes.Type(value = RunHeader.class, name = "run"),
    @JsonSubTypes.Type(value = Measurement.class, name = "point"),
    @JsonSubTypes.Type(value = FailedPoint.class, name = "failed")
})
public sealed interface ResultLine permits RunHeader, PointResult {}
