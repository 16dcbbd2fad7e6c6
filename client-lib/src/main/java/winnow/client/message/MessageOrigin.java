package winnow.client.message;

import winnow.client.destination.WinnowDestination;

/// Properties that all messages of one consumer share. Immutable.
///
/// @param destination JMSDestination of the messages
/// @param names finds property names by number
/// @param acknowledgement what `acknowledge` does
/// @param allowedClasses which classes the body of an object message may name
public record MessageOrigin(
        WinnowDestination destination,
        NameTable names,
        Acknowledgement acknowledgement,
        AllowedClasses allowedClasses) {}
