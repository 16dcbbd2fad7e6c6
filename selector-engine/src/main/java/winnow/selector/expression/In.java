package winnow.selector.expression;

import java.util.LinkedHashSet;
import java.util.List;

/// `identifier IN ('a', 'b')`: UNKNOWN for NULL, FALSE for anything that is not a string. Duplicate
/// values are dropped, the order of the rest is kept.
public record In(Identifier identifier, List<String> values) implements Atom {

    public In {
        values = List.copyOf(new LinkedHashSet<>(values));
        if (values.isEmpty()) {
            throw new IllegalArgumentException("IN needs a value");
        }
    }
}
