package winnow.broker.shard;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import winnow.wire.PropertyCursor;
import winnow.wire.PropertyType;

/// Finds the identifier by which a message is recognised when its producer sends it again: the
/// property [#PROPERTY], which holds for one destination. Owned by the shard.
final class DuplicateIdFinder implements PropertyFinder.Visitor {
    /// A string that the producer sets, the same whenever it sends the message.
    static final String PROPERTY = "JMS_WINNOW_DuplicateId";

    /// 128 bits: two identifiers that are in use at the same time never have the same.
    private static final int DIGEST_BYTES = 16;

    private final PropertyFinder properties;
    private final MessageDigest digest;
    private @Nullable String value;
    private boolean found;

    /// @param names of properties by their numbers, from 1
    DuplicateIdFinder(IntFunction<String> names) {
        properties = new PropertyFinder(names, List.of(PROPERTY));
        try {
            digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    /// The identifier of a message that is sent to a destination, of a fixed length.
    ///
    /// @param headers read from the block
    /// @return empty if it has none
    /// @throws IllegalArgumentException if it is no string, or empty
    String find(StoredDestination destination, byte[] block, MessageHeaders headers) {
        if (!headers.special()) {
            return "";
        }
        found = false;
        properties.find(block, headers.maxNameId(), this);
        if (!found) {
            return "";
        }
        String its = value;
        if (its == null || its.isEmpty()) {
            throw new IllegalArgumentException(
                    "expected a string as the property %s, found %s"
                            .formatted(PROPERTY, its == null ? "another type" : "an empty one"));
        }
        digest.update(destination.kind().name().getBytes(StandardCharsets.UTF_8));
        digest.update(destination.name().getBytes(StandardCharsets.UTF_8));
        digest.update((byte) 0);
        byte[] sum = digest.digest(its.getBytes(StandardCharsets.UTF_8));
        return Base64.getEncoder()
                .withoutPadding()
                .encodeToString(Arrays.copyOf(sum, DIGEST_BYTES));
    }

    /// Refuses a message whose identifier is no string, or empty.
    boolean refuses(
            StoredDestination destination, byte[] block, MessageHeaders headers, Outcome outcome) {
        try {
            find(destination, block, headers);
            return false;
        } catch (IllegalArgumentException e) {
            outcome.onRefused(String.valueOf(e.getMessage()));
            return true;
        }
    }

    @Override
    public void onProperty(int which, PropertyCursor property) {
        found = true;
        value = property.type() == PropertyType.STRING ? property.string() : null;
    }
}
