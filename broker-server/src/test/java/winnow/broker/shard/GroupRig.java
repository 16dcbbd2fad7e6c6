package winnow.broker.shard;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import winnow.wire.MessageBlock;
import winnow.wire.PropertyType;
import winnow.wire.WireWriter;

/// A shard with messages of groups, for tests to extend.
abstract class GroupRig extends ShardRig {
    final List<String> first = new ArrayList<>();

    final List<String> second = new ArrayList<>();

    private long sent;

    /// @param number of the group's name, 0 for inline
    static byte[] block(String text, String group, int number, int place) {
        WireWriter properties = new WireWriter(64);
        properties.writeVarint(number);
        if (number == 0) {
            properties.writeString("JMSXGroupID");
        }
        properties.writeByte(PropertyType.STRING);
        properties.writeString(group);
        properties.writeVarint(0);
        properties.writeString("JMSXGroupSeq");
        properties.writeByte(PropertyType.INT);
        properties.writeInt(place);
        WireWriter out = new WireWriter(64);
        out.writeByte(MessageBlock.PERSISTENT | MessageBlock.HAS_PROPERTIES);
        out.writeByte(0);
        out.writeBytes(properties.toByteArray());
        out.writeString(text);
        return out.toByteArray();
    }

    void send(String group, int place) {
        byte[] block = block(group + ++sent, group, 0, place);
        MessageBlock parsed = new MessageBlock();
        parsed.parse(block, 0, block.length);
        MessageHeaders headers = MessageHeaders.of(parsed, Recipients.NONE, 0);
        shard.append(shard.queue("q"), block, headers, "", Outcome.IGNORED);
    }

    StoredConsumer consumer(List<String> texts, int credit) {
        return consumer(texts, credit, null);
    }

    StoredConsumer consumer(List<String> texts, int credit, @Nullable MessageFilter filter) {
        StoredConsumer consumer =
                shard.attach(
                        shard.queue("q").queue(),
                        filter,
                        (its, sequence, earlier, block, maxNameId) -> {
                            MessageBlock parsed = new MessageBlock();
                            parsed.parse(block, 0, block.length);
                            int start = parsed.bodyIndex() + 1;
                            texts.add(
                                    new String(
                                            block,
                                            start,
                                            parsed.end() - start,
                                            StandardCharsets.UTF_8));
                        });
        shard.onCredit(consumer, credit, 1_000_000);
        return consumer;
    }

    StoredConsumer owner(long group) {
        Lane all = shard.queue("q").queue().lanes().list().getLast();
        return Objects.requireNonNull(all.groups.owner(group));
    }
}
