package winnow.broker.identity;

import java.io.IOException;

/// Place of the issuer's public keys.
sealed interface KeySource extends AutoCloseable permits KeyFile, KeyServer {
    /// Most bytes of the keys: some hundred keys with their certificates.
    int MAX_BYTES = 512 * 1024;

    /// Reads the text of the keys, a JWK set.
    ///
    /// @throws IOException naming the place if that is not possible in bounded time and memory
    String read() throws IOException, InterruptedException;

    /// The place, for people.
    String name();

    @Override
    default void close() {}
}
