package winnow.broker.destination;

/// What the properties of a message may be at most. All of them are looked at for each message, on
/// its producer's event loop.
///
/// @param maxStringBytes of a string in a property, correlation ID or JMSType, in UTF-8
/// @param maxCount of properties
public record PropertyLimits(int maxStringBytes, int maxCount) {
    static final PropertyLimits NONE = new PropertyLimits(Integer.MAX_VALUE, Integer.MAX_VALUE);
}
