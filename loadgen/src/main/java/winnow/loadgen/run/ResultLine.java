package winnow.loadgen.run;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;

/// One line of `points.jsonl`: a [RunHeader], then the [Measurement]s of that run.
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
    @JsonSubTypes.Type(value = RunHeader.class, name = "run"),
    @JsonSubTypes.Type(value = Measurement.class, name = "point")
})
public sealed interface ResultLine permits RunHeader, Measurement {}
