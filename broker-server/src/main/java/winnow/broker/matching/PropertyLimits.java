package winnow.broker.matching;

/// Limits of the properties of a message. All properties are looked at for each message, on its
/// producer's event loop.
///
/// @param maxStringBytes of a string in a property, correlation ID or JMSType, in UTF-8
/// @param maxCount of properties
public record PropertyLimits(int maxStringBytes, int maxCount) {
    public static final PropertyLimits NONE =
            new PropertyLimits(Integer.MAX_VALUE, Integer.MAX_VALUE);
}
