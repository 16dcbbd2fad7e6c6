package winnow.selector;

import winnow.selector.engine.Selector;

/// Entrance to selectors for programs of any kind; needs no broker.
///
/// ```java
/// CompiledSelector selector = Selectors.parse("price > 10 AND NOT test");
/// boolean wanted = selector.matches(Map.of("price", 11, "test", false));
/// ```
///
/// Any thread.
public final class Selectors {

    private Selectors() {}

    /// Parses a selector of Jakarta Messaging 3.1. A blank text matches every message.
    ///
    /// @throws winnow.selector.error.InvalidSelectorSyntaxException if the text is not a selector;
    ///   says where, why, and what to write instead
    public static CompiledSelector parse(String text) {
        return new CompiledSelector(text, text.isBlank() ? null : Selector.parse(text));
    }

    /// Makes an empty index of subscribers by their selectors.
    ///
    /// @param source finds the properties of messages
    public static <M, S> SubscriberIndex<M, S> index(PropertySource<? super M> source) {
        return new SubscriberIndex<>(source);
    }
}
