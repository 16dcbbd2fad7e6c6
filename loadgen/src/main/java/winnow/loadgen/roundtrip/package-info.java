/// Round trips between a producer and a reflector, layer by layer, as the papers on JXTA, jGMA and
/// NaradaBrokering measure them; one-way streams; bytes on the wire.
///
/// ```
/// producer (End) --> [WireRelay] --> broker or socket --> [WireRelay] --> Reflector (End)
/// ```
///
/// Read in this order: [Layer], [End] with [SocketEnd] and [JmsEnd], [Reflector] (the other side,
/// on a thread of its own), [Links] (opens both sides of a layer), [WireRelay] (counts bytes, or
/// delays them as a wide-area network does), [RoundTrips] (what is measured), [LayerResult],
/// [RoundTripFiles] and [RoundTripPage].
@NullMarked
package winnow.loadgen.roundtrip;

import org.jspecify.annotations.NullMarked;
