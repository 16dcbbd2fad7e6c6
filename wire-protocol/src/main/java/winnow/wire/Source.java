package winnow.wire;

/// Source that a subscription reads: a destination and the filters over it.
///
/// @param selector message selector, empty if none
/// @param correlationIdFilter correlation-ID filter, empty if none
public record Source(
        DestinationKind kind, String destination, String selector, String correlationIdFilter) {
    public void write(WireWriter out) {
        out.writeByte(kind.number());
        out.writeString(destination);
        out.writeString(selector);
        out.writeString(correlationIdFilter);
    }

    public static Source read(WireReader in) {
        return new Source(
                DestinationKind.read(in), in.readString(), in.readString(), in.readString());
    }
}
