package winnow.loadgen.roundtrip;

/// One side of a link, which sends and receives messages of one size. Used by one thread; another
/// one may close it, which ends a wait.
interface End extends AutoCloseable {

    /// Makes the message that is sent from now on, and expects messages of the same size.
    void prepare(int bytes) throws Exception;

    /// Sends the message that was made, or the reflector the one that it has received.
    void send() throws Exception;

    /// Waits for a message.
    void receive() throws Exception;

    @Override
    void close();
}
