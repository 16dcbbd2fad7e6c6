package winnow.broker.identity;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Checks tokens with the keys that are known. Thread-safe.
public final class Tokens implements AutoCloseable {
    private final TokenVerifier verifier;
    private final TokenKeys keys;
    private final LongSupplier wallMillis;

    /// True if the keys are read no more when this is closed.
    private final boolean owner;

    private Tokens(TokenVerifier verifier, TokenKeys keys, LongSupplier wallMillis, boolean owner) {
        this.verifier = verifier;
        this.keys = keys;
        this.wallMillis = wallMillis;
        this.owner = owner;
    }

    /// Checks for tokens of an issuer.
    ///
    /// @param config with an issuer
    /// @param wallMillis tells the time in ms since 1970
    /// @throws IOException naming the setting and the file if the keys are in one that cannot be
    ///   used
    public static Tokens open(TokenConfig config, LongSupplier wallMillis) throws IOException {
        return open(config, wallMillis, TokenKeys.PAUSE);
    }

    /// The same with another pause between two reads of the keys.
    public static Tokens open(TokenConfig config, LongSupplier wallMillis, Duration pause)
            throws IOException {
        try {
            return new Tokens(
                    new TokenVerifier(config),
                    TokenKeys.open(config.source(), config.refreshInterval(), pause),
                    wallMillis,
                    true);
        } catch (IOException e) {
            throw problem(e);
        }
    }

    /// The same with the same keys, for a part of the broker that ends before they do.
    public Tokens lent() {
        return new Tokens(verifier, keys, wallMillis, false);
    }

    private static IOException problem(IOException failure) {
        return new IOException("security.tokens.keys: " + failure.getMessage(), failure);
    }

    /// Checks the file of the keys, if they are in one.
    ///
    /// @throws IOException naming the setting and the file if it cannot be used
    public static void requireKeys(TokenConfig config) throws IOException {
        if (config.source() instanceof KeyFile file) {
            try {
                IssuerKeys.parseSome(file.read(), file.name());
            } catch (IOException e) {
                throw problem(e);
            }
        }
    }

    /// Verifies a token, which takes less than a millisecond.
    ///
    /// @throws UnknownKey if its key is not known; [#refresh] may help
    /// @throws RefusedIdentity if it does not prove a user for any other reason
    public ProvenUser check(String token) throws RefusedIdentity {
        return verifier.verify(token, keys.current(), wallMillis.getAsLong());
    }

    /// True if the keys could not be read the last time.
    public boolean keysFailed() {
        return keys.failed();
    }

    /// Has the keys read again, soon.
    ///
    /// @return done when they were, or could not be
    public CompletionStage<Void> refresh() {
        return keys.refresh();
    }

    /// Reads a file of keys again.
    ///
    /// @return puts them into force, or asks the server of the keys for others
    ///
    /// @throws IOException naming the setting and the file if the keys are in one that cannot be
    ///   used
    public Runnable prepareReload() throws IOException {
        try {
            @Nullable IssuerKeys found = keys.readFile();
            return () -> {
                if (found == null) {
                    var _ = keys.refresh();
                } else {
                    keys.use(found);
                }
            };
        } catch (IOException e) {
            throw problem(e);
        }
    }

    @Override
    public void close() {
        if (owner) {
            keys.close();
        }
    }
}
