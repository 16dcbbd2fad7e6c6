package winnow.broker.transport;

import winnow.broker.matching.NameDictionary;
import winnow.broker.session.Output;
import winnow.wire.frame.ControlFrame;

/// The property names that the client of a connection has been told, in the order of their numbers.
/// Owned by the connection's event loop.
final class AnnouncedNames {
    /// Of at most [NameDictionary#MAX_NAME_BYTES] each: a frame of Names takes 8 KiB at most.
    private static final int NAMES_PER_FRAME = 32;

    private final NameDictionary names;
    private int told;

    AnnouncedNames(NameDictionary names) {
        this.names = names;
    }

    /// Tells those up to this number, as far as the socket takes them.
    ///
    /// @return whether the client has been told all of them
    boolean announce(Output output, int maxNameId) {
        while (told < maxNameId && output.writable()) {
            int from = told + 1;
            told = Math.min(maxNameId, told + NAMES_PER_FRAME);
            output.write(new ControlFrame.Names(from, names.names(from, told)));
        }
        return told >= maxNameId;
    }
}
