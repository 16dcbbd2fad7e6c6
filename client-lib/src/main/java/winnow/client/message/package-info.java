/// The Jakarta Messaging message types over the protocol's message block.
///
/// [WinnowMessage] holds headers and properties and is the plain message; [HeaderAccess] is its
/// header half, [WinnowTextMessage], [WinnowBytesMessage], [WinnowMapMessage],
/// [WinnowStreamMessage] and [WinnowObjectMessage] add a body. [ReceivedMessages] makes one from a
/// block that arrived, [ForeignMessages] copies one of another provider. [ValueConversion] is the
/// specification's conversion table, [ValueCoding] the wire form of values, [NameTable] the numbers
/// that the broker gives to property names.
///
/// ```
///  application -> setters -> prepare(names): parts that stay the same, cached
///                            writeBlock(out): headers of this send + cached parts
///  block -> ReceivedMessages -> message, decoded when the application first looks
/// ```
///
/// A message belongs to one thread at a time, as the specification demands; [NameTable] is
/// thread-safe.
@NullMarked
package winnow.client.message;

import org.jspecify.annotations.NullMarked;
