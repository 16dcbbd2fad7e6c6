package winnow.selector.explain;

import org.jspecify.annotations.Nullable;

/// Something about a selector that may surprise whoever wrote it.
///
/// @param atom the part that is meant, in canonical form, or the whole selector
/// @param text one sentence, without a period
/// @param suggestion what to write instead of the part; null if that cannot be known
public record Warning(Kind kind, String atom, String text, @Nullable String suggestion) {

    /// Subject of a warning; the names are stable, for programs.
    public enum Kind {
        /// Matches every message.
        ALWAYS_TRUE,
        /// Matches no message.
        NEVER_TRUE,
        /// Compares what can never be of the same type, or leaves what a header field can hold.
        TYPE_TRAP,
        /// Does not match messages that lack the property.
        SKIPS_MISSING,
        /// Is TRUE for values of another type.
        OTHER_TYPES,
        /// Is UNKNOWN, and so is NOT of it, for values that are not numbers.
        NOT_A_NUMBER,
        /// Depends on what is only set when a message is received.
        SET_ON_RECEIVE,
        /// A float and a double that look equal are not.
        ROUNDING,
        /// Whole numbers divide to whole numbers.
        INTEGER_DIVISION,
        /// LIKE without a wildcard.
        LIKE_WITHOUT_WILDCARD,
        /// A value of this message is of another type than the selector compares it with.
        TYPE_HERE,
        /// Differs from a header field, or from a name of this message, by case only.
        NAME_CASE,
        /// Two names joined by a hyphen, which is a subtraction.
        HYPHEN,
        /// A backslash in a pattern that has no ESCAPE.
        BACKSLASH,
        /// A wildcard of another language, or one where it is an ordinary character.
        WILDCARD
    }

    /// The text and the suggestion on one line.
    public String message() {
        return suggestion == null ? text : text + "; try: " + suggestion;
    }
}
