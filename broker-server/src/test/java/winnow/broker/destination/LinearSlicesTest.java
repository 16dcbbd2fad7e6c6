package winnow.broker.destination;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import winnow.broker.subscription.Recipient;
import winnow.broker.subscription.StoredRecipient;
import winnow.selector.engine.Selector;
import winnow.wire.MessageBlock;
import winnow.wire.WireWriter;

/// Matches without an index that are stopped as often as they can be.
class LinearSlicesTest {
    private static final int SUBSCRIPTIONS = 100;
    private static final int STRING_BYTES = 16 * 1024;

    private final LinearSubscriptions subscriptions = new LinearSubscriptions();
    private final MatchContext context = new MatchContext(new NameDictionary(16), _ -> 0);
    private final List<Recipient> all = new ArrayList<>();
    private final List<Recipient> matches = new ArrayList<>();

    private void add(String selector) {
        Recipient recipient = new StoredRecipient(all.size(), "", "");
        all.add(recipient);
        subscriptions.add(
                new Installed(recipient, SubscriptionFilter.NONE), Selector.parse(selector));
    }

    private static MessageBlock message(String type) {
        WireWriter out = new WireWriter(64);
        out.writeByte(0);
        out.writeByte(MessageBlock.HAS_TYPE);
        out.writeString(type);
        MessageBlock block = new MessageBlock();
        block.parseFields(out.array(), 0, out.size());
        return block;
    }

    @Test
    void shouldStopAfterEachSelectorThatGoesThroughALongString() {
        // given
        for (int i = 0; i < SUBSCRIPTIONS; i++) {
            add("JMSType NOT LIKE '%abc" + i + "%'");
        }

        // when
        boolean ended =
                subscriptions.begin(message("x".repeat(STRING_BYTES)), context, matches::add);
        List<Integer> perSlice = new ArrayList<>();
        while (!ended) {
            perSlice.add(matches.size());
            ended = subscriptions.resume(context, matches::add);
        }

        // then
        assertThat(matches).isEqualTo(all);
        assertThat(perSlice).hasSize(SUBSCRIPTIONS - 1).doesNotHaveDuplicates();
    }
}
