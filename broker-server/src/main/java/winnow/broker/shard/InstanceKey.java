package winnow.broker.shard;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import winnow.store.LogException;
import winnow.wire.ClientInstance;

/// Names an instance of a client of one user, and does not tell its secret.
public record InstanceKey(long high, long low) {
    /// Begins the keys of instances in the log.
    static final int TABLE_PART = 1;

    private static final int BYTES = Integer.BYTES + 2 * Long.BYTES;

    /// @param user whose instance it is, empty where clients have no users: the same instance of
    ///   another user is another one
    public static InstanceKey of(ClientInstance instance, String user) {
        byte[] secret =
                ByteBuffer.allocate(2 * Long.BYTES)
                        .putLong(instance.high())
                        .putLong(instance.low())
                        .array();
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(secret);
            digest.update(user.getBytes(StandardCharsets.UTF_8));
            ByteBuffer hash = ByteBuffer.wrap(digest.digest());
            return new InstanceKey(hash.getLong(), hash.getLong());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    byte[] row() {
        return ByteBuffer.allocate(BYTES).putInt(TABLE_PART).putLong(high).putLong(low).array();
    }

    /// @throws LogException if it is none
    static InstanceKey read(byte[] key) {
        if (key.length != BYTES) {
            throw new LogException(
                    LogException.Reason.CORRUPT,
                    "an instance: expected a key of " + BYTES + " bytes, found " + key.length);
        }
        ByteBuffer bytes = ByteBuffer.wrap(key, Integer.BYTES, 2 * Long.BYTES);
        return new InstanceKey(bytes.getLong(), bytes.getLong());
    }
}
