package winnow.broker.session;

import winnow.broker.routing.MatchQueue;
import winnow.wire.MessageBlock;

/// Takes the messages and the credit of one client whose connection is open, whatever its protocol.
/// Owned by the connection's event loop.
public final class ClientMessages {
    private final MatchQueue matches;
    private final Producers producers;
    private final PartsProducers parts;
    private final Consumers consumers;
    private final SessionChannels sessions;
    private final ReadTurns turns;
    private final Runnable touched;

    /// @param touched called when something was routed
    ClientMessages(
            Producers producers,
            PartsProducers parts,
            Consumers consumers,
            SessionChannels sessions,
            ReadTurns turns,
            Runnable touched) {
        this.matches = sessions.matches();
        this.producers = producers;
        this.parts = parts;
        this.consumers = consumers;
        this.sessions = sessions;
        this.turns = turns;
        this.touched = touched;
    }

    /// Takes a message.
    ///
    /// @param handle number of the destination
    /// @param confirm whether the client waits for a confirmation
    /// @param again the number that it had on an earlier connection, 0 if it is new, as in a
    ///   transaction
    /// @param session whose transaction it belongs to, 0 for none
    /// @param block its fields are parsed; borrowed
    /// @param creditBytes that it takes of the credit of its handle
    /// @throws winnow.wire.WireException if there is no credit, or the number is none of those
    public void publish(
            int handle,
            boolean confirm,
            long again,
            int session,
            MessageBlock block,
            int creditBytes) {
        producers.publish(handle, confirm, again, session, block, creditBytes);
        if (!matches.isBusy() && !producers.isBusy()) {
            turns.onRouted();
        }
        touched.run();
    }

    /// Takes the beginning of a message whose body follows in parts, as [#publish].
    ///
    /// @param bodyBytes of all its parts
    /// @param block up to the body
    public void publishInParts(
            int handle,
            boolean confirm,
            long again,
            int session,
            int bodyBytes,
            MessageBlock block,
            int creditBytes) {
        parts.begin(handle, confirm, again, session, bodyBytes, block, creditBytes);
        onRouted();
    }

    /// Takes the next part of a body: bytes of an array from `start` to `end`.
    ///
    /// @param own whether the array belongs to nobody else; any other is used again
    /// @param creditBytes that it takes of the credit of its handle
    /// @throws winnow.wire.WireException if there is no credit, or no such part is expected
    public void publishPart(
            int handle, byte[] array, int start, int end, boolean own, int creditBytes) {
        parts.part(handle, array, start, end, own, creditBytes);
        onRouted();
    }

    /// True if a large message may come now: one of a client that only produces may have to wait.
    ///
    /// @param handle number of the destination
    public boolean accepts(int handle) {
        return consumes() || producers.accepts(handle);
    }

    /// Gives a subscription, or a consumer of a session, credit.
    ///
    /// @throws winnow.wire.WireException if the id can be none of these
    public void credit(int id, int messages, int bytes) {
        consumers.onCredit(id, messages, bytes);
    }

    boolean consumes() {
        return !consumers.isEmpty() || sessions.consumers().count() > 0;
    }

    /// True if something that came before is not routed yet, or finds no memory. Any thread.
    boolean isMatching() {
        return producers.isBusy() || sessions.isBusy();
    }

    /// Lets others have their turn, if this one's is over.
    void onRouted() {
        if (!isMatching()) {
            turns.onRouted();
        }
    }
}
