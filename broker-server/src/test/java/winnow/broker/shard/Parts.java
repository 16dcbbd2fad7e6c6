package winnow.broker.shard;

import java.util.Arrays;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import winnow.broker.shard.Blocks.Spec;
import winnow.wire.MessageBlock;

/// Messages in parts for tests.
final class Parts {
    private Parts() {}

    /// Begins a message, null if it is refused.
    ///
    /// @param bodyBytes that are announced
    static @Nullable Upload tryBegin(
            Shard shard, StoredDestination destination, Spec spec, int bodyBytes, Outcome outcome) {
        byte[] head = head(spec);
        MessageBlock block = new MessageBlock();
        block.parse(head, 0, head.length);
        MessageHeaders headers =
                new MessageHeaders(
                        block.persistent(),
                        block.priority(),
                        block.expiration(),
                        block.deliveryTime(),
                        Recipients.NONE,
                        head.length + bodyBytes,
                        0,
                        true);
        return shard.bodies().begin(destination, head, headers, outcome);
    }

    /// Begins a message that is not refused.
    static Upload begin(
            Shard shard, StoredDestination destination, Spec spec, int bodyBytes, Outcome outcome) {
        return Objects.requireNonNull(tryBegin(shard, destination, spec, bodyBytes, outcome));
    }

    private static byte[] head(Spec spec) {
        byte[] all = Blocks.bytes(spec);
        MessageBlock block = new MessageBlock();
        block.parse(all, 0, all.length);
        return Arrays.copyOf(all, block.bodyIndex());
    }

    /// Sends a persistent message.
    ///
    /// @param lengths of the parts
    static ShardRig.Result send(
            Shard shard, StoredDestination destination, long id, int... lengths) {
        ShardRig.Result result = new ShardRig.Result();
        int sum = Arrays.stream(lengths).sum();
        Upload upload = begin(shard, destination, Spec.persistent(id), sum, result);
        for (int i = 0; i < lengths.length; i++) {
            upload.add(part(id, i, lengths[i]), Outcome.IGNORED);
        }
        upload.complete(result);
        return result;
    }

    static byte[] part(long id, int number, int length) {
        byte[] bytes = new byte[length];
        new Random(31 * id + number).nextBytes(bytes);
        return bytes;
    }
}
