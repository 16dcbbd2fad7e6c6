package winnow.wire;

import java.security.SecureRandom;

/// The secret of one connection of an application, by which it comes back after a loss: 16 random
/// bytes, the same over all of its reconnects. Not shown anywhere.
public record ClientInstance(long high, long low) {
    private static final SecureRandom RANDOM = new SecureRandom();

    /// One that nobody has.
    public static ClientInstance create() {
        return new ClientInstance(RANDOM.nextLong(), RANDOM.nextLong());
    }

    /// Without the secret.
    @Override
    public String toString() {
        return "ClientInstance[]";
    }
}
