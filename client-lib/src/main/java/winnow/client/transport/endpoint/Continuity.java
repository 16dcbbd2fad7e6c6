package winnow.client.transport.endpoint;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import winnow.wire.ClientInstance;
import winnow.wire.Resumption;

/// Everything that goes on when a connection to the broker is replaced by another one after a loss
/// (docs/PROTOCOL, section 6): the secret by which the broker knows the client again, and the
/// counts of messages, confirmed publishes and transactions. Thread-safe.
public final class Continuity {
    private static final int NAME_BYTES = 16;

    private final ClientInstance instance = ClientInstance.create();
    private final String transactions = hashOf(instance);
    private final AtomicInteger attempts = new AtomicInteger();
    private final AtomicLong lastMessage = new AtomicLong();
    private final AtomicLong lastTransaction = new AtomicLong();

    /// Number of the last confirmed publish.
    private final AtomicLong lastPublish = new AtomicLong();

    /// A value that nobody can guess who does not know the secret, and that does not tell it.
    private static String hashOf(ClientInstance instance) {
        String text = "transactions %x %x".formatted(instance.high(), instance.low());
        try {
            byte[] hash =
                    MessageDigest.getInstance("SHA-256")
                            .digest(text.getBytes(StandardCharsets.US_ASCII));
            return HexFormat.of().formatHex(hash, 0, NAME_BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this JDK has no SHA-256", e);
        }
    }

    /// Says who comes, with the next Hello.
    public Resumption nextAttempt() {
        return new Resumption(instance, attempts.incrementAndGet(), lastPublish.get());
    }

    /// The longest that [#nextAttempt] returns.
    public Resumption longestAttempt() {
        return new Resumption(instance, Integer.MAX_VALUE, Long.MAX_VALUE);
    }

    /// Number of the next message, for its id.
    public long nextMessage() {
        return lastMessage.incrementAndGet();
    }

    /// Name of the next transaction, which others cannot guess.
    public String nextTransaction() {
        return transactions + "-" + lastTransaction.incrementAndGet();
    }

    /// Number of the last confirmed publish, 0 for none.
    public long lastPublish() {
        return lastPublish.get();
    }

    /// A confirmed publish has got that number.
    public void onPublish(long number) {
        lastPublish.accumulateAndGet(number, Math::max);
    }

    /// Without the secret.
    @Override
    public String toString() {
        return "Continuity[]";
    }
}
