package winnow.selector;

import org.jspecify.annotations.Nullable;

/// Source of the properties of a message of the caller's own type. Called by the threads that
/// match, for names that selectors use.
///
/// @param <M> the messages
@FunctionalInterface
public interface PropertySource<M> {

    /// The value of a property, or of a header field by its name such as `JMSPriority`: a [String],
    /// [Boolean], [Byte], [Short], [Integer], [Long], [Float] or [Double]. Null if the message has
    /// none. Anything else is present, but equal to nothing.
    @Nullable Object property(M message, String name);

    /// The names of the properties and header fields that a message has, each once. If they are
    /// known, an index asks for those of them that selectors use, so that a match costs as much as
    /// the message is large. Null, which is the default, makes it ask for every name that some
    /// selector uses.
    default @Nullable Iterable<String> names(M message) {
        return null;
    }
}
