package winnow.selector;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import winnow.selector.engine.Matcher;
import winnow.selector.engine.Selector;
import winnow.selector.explain.MessageValues;
import winnow.selector.explain.UsedNames;
import winnow.selector.slot.SlotValues;
import winnow.selector.slot.Slots;

/// A selector that is ready to match; see [Selectors#parse]. Immutable; any number of threads may
/// match at once.
public final class CompiledSelector {

    private final String text;

    /// Null for a blank text, which every message matches; and so is the matcher.
    private final @Nullable Selector selector;

    private final @Nullable Matcher matcher;
    private final Slots slots = new Slots();
    private final String[] names;
    private final Scratches<SlotValues> scratches = new Scratches<>(SlotValues::new);

    CompiledSelector(String text, @Nullable Selector selector) {
        this.text = text;
        this.selector = selector;
        this.matcher = selector == null ? null : selector.bind(slots);
        this.names =
                selector == null
                        ? new String[0]
                        : UsedNames.of(selector.expression()).toArray(new String[0]);
    }

    /// The text as it was given.
    public String text() {
        return text;
    }

    /// True if the selector is TRUE for a message.
    ///
    /// @param message properties and header fields by name; see [PropertySource#property]
    public boolean matches(Map<String, ? extends @Nullable Object> message) {
        return matches(message, (properties, name) -> properties.get(name));
    }

    /// True if the selector is TRUE for a message. Asks for the properties that the selector names.
    /// Allocates nothing but the bytes of strings.
    public <M> boolean matches(M message, PropertySource<? super M> source) {
        if (matcher == null) {
            return true;
        }
        SlotValues values = scratches.take();
        values.reset(slots);
        for (String name : names) {
            MessageValues.set(values, slots, name, source.property(message, name));
        }
        boolean matches = matcher.matches(values);
        scratches.giveBack(values);
        return matches;
    }

    @Nullable Selector selector() {
        return selector;
    }

    String[] names() {
        return names;
    }

    @Override
    public String toString() {
        return text;
    }
}
