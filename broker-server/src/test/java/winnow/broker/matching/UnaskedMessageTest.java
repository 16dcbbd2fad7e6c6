package winnow.broker.matching;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import winnow.broker.metrics.MatchCounters;
import winnow.broker.subscription.Recipient;
import winnow.broker.subscription.StoredRecipient;
import winnow.selector.engine.Selector;
import winnow.wire.MessageBlock;
import winnow.wire.PropertyType;
import winnow.wire.WireException;
import winnow.wire.WireWriter;

/// What a message costs on a topic whose selectors ask for nothing: its values are neither reset
/// nor set, so that those of the message before are still there.
class UnaskedMessageTest {
    private static final int MAX_STRING_BYTES = 100;
    private static final int MAX_PROPERTIES = 16;
    private static final PropertyLimits LIMITS =
            new PropertyLimits(MAX_STRING_BYTES, MAX_PROPERTIES);

    private final NameDictionary names = new NameDictionary(16);
    private final MatchContext context = new MatchContext(names, done -> Integer.MAX_VALUE);
    private final IndexedSubscriptions asking = new IndexedSubscriptions();
    private final List<Recipient> matches = new ArrayList<>();
    private int lastId;

    private static SubscriptionSet newSet(MatchingMode mode) {
        return switch (mode) {
            case INDEXED -> new IndexedSubscriptions();
            case LINEAR -> new LinearSubscriptions();
        };
    }

    private Installed add(SubscriptionSet set, @Nullable String selector) {
        Recipient recipient = new StoredRecipient(++lastId, "", "", "");
        Installed installed = new Installed(recipient, SubscriptionFilter.NONE);
        Selector parsed = selector == null ? null : set.prepared(Selector.parse(selector));
        boolean more = true;
        while (more) {
            more = set.add(installed, parsed);
        }
        return installed;
    }

    private static void remove(SubscriptionSet set, Installed installed) {
        set.remove(installed);
        boolean more = true;
        while (more) {
            more = set.tidy();
        }
    }

    /// A message with a type and the property p = 7.
    private static MessageBlock message(String property) {
        return message(property, 1);
    }

    /// The same with the property several times.
    private static MessageBlock message(String property, int times) {
        WireWriter properties = new WireWriter(64);
        for (int i = 0; i < times; i++) {
            properties.writeVarint(0);
            properties.writeString(property);
            properties.writeByte(PropertyType.BYTE);
            properties.writeByte(7);
        }
        WireWriter out = new WireWriter(64);
        out.writeByte(MessageBlock.HAS_PROPERTIES);
        out.writeByte(MessageBlock.HAS_TYPE);
        out.writeString("type");
        out.writeVarint(properties.size());
        out.writeRaw(properties.array(), 0, properties.size());
        MessageBlock block = new MessageBlock();
        block.parseFields(out.array(), 0, out.size());
        return block;
    }

    private List<Recipient> match(SubscriptionSet set, MessageBlock block) {
        matches.clear();
        context.limits(LIMITS);
        assertThat(set.begin(block, context, matches::add)).isTrue();
        return List.copyOf(matches);
    }

    /// A message to another topic, whose two values are there then.
    private void matchAsking() {
        add(asking, "p = 7 AND JMSType = 'type'");
        assertThat(match(asking, message("p"))).isNotEmpty();
        assertThat(valuesUntouched()).isTrue();
    }

    private boolean valuesUntouched() {
        return context.values().areFor(asking.index().slots())
                && context.values().presentCount() == 2;
    }

    @ParameterizedTest
    @EnumSource(MatchingMode.class)
    void shouldTouchNoValuesWithoutSelectors(MatchingMode mode) {
        // given
        matchAsking();
        SubscriptionSet set = newSet(mode);
        Installed first = add(set, null);
        Installed second = add(set, null);

        // when
        List<Recipient> matched = match(set, message("p"));

        // then
        assertThat(matched).containsExactly(first.recipient, second.recipient);
        assertThat(valuesUntouched()).isTrue();
    }

    @Test
    void shouldTouchNoValuesWhereNoSelectorAsksForOne() {
        // given
        matchAsking();
        SubscriptionSet set = newSet(MatchingMode.INDEXED);
        Installed all = add(set, null);
        Installed alwaysTrue = add(set, "1 = 1 OR 2 > 3");
        add(set, "1 = 2");

        // when
        List<Recipient> matched = match(set, message("p"));

        // then
        assertThat(matched).containsExactly(all.recipient, alwaysTrue.recipient);
        assertThat(valuesUntouched()).isTrue();
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '"',
            value = {
                "INDEXED, p = 7",
                "LINEAR, p = 7",
                "LINEAR, p = 7 AND NOT (s LIKE '%1%2%' OR t LIKE '%3%4%' OR u LIKE '%5%6%'"
                        + " OR JMSType LIKE '%7%8%' OR JMSType LIKE '%9%' OR p IS NULL) OR p = 7"
            })
    void shouldLookAtValuesWhileASelectorAsks(MatchingMode mode, String selector) {
        // given
        SubscriptionSet set = newSet(mode);
        Installed all = add(set, null);
        Installed one = add(set, selector);
        matchAsking();

        // when, then
        assertThat(match(set, message("p")))
                .containsExactlyInAnyOrder(all.recipient, one.recipient);
        assertThat(match(set, message("q"))).containsExactly(all.recipient);
        assertThat(valuesUntouched()).isFalse();

        // and when the last selector goes
        remove(set, one);
        matchAsking();
        assertThat(match(set, message("p"))).containsExactly(all.recipient);
        assertThat(valuesUntouched()).isTrue();

        // and when one comes again
        Installed another = add(set, "JMSXDeliveryCount IS NULL");
        assertThat(match(set, message("p")))
                .containsExactlyInAnyOrder(all.recipient, another.recipient);
    }

    @ParameterizedTest
    @CsvSource({"INDEXED, p = 7", "LINEAR, p = 7", "INDEXED,", "LINEAR,"})
    void shouldRefuseAMessageWithTooManyProperties(MatchingMode mode, @Nullable String selector) {
        // given
        SubscriptionSet set = newSet(mode);
        add(set, selector);
        MessageBlock most = message("p", MAX_PROPERTIES);
        MessageBlock more = message("p", MAX_PROPERTIES + 1);

        // when, then
        assertThat(match(set, most)).hasSize(1);
        assertThatThrownBy(() -> match(set, more))
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining("at most 16 (destination.max-properties), found more");
        assertThat(matches).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(MatchingMode.class)
    void shouldCheckTheMessageAllTheSame(MatchingMode mode) {
        // given
        SubscriptionSet set = newSet(mode);
        add(set, null);
        int known = Objects.requireNonNull(names.intern("p", ""));
        byte[] unknown = {MessageBlock.HAS_PROPERTIES, 0, 3, 2, PropertyType.BYTE, 0};
        byte[] malformed = {MessageBlock.HAS_PROPERTIES, 0, 1, 99};
        byte[] longType = new byte[3 + MAX_STRING_BYTES + 1];
        longType[1] = (byte) MessageBlock.HAS_TYPE;
        longType[2] = MAX_STRING_BYTES + 1;
        byte[] right = {MessageBlock.HAS_PROPERTIES, 0, 3, 1, PropertyType.BYTE, 0};

        // when, then
        assertThat(known).isEqualTo(1);
        assertThatThrownBy(() -> match(set, block(unknown))).isInstanceOf(WireException.class);
        assertThatThrownBy(() -> match(set, block(malformed))).isInstanceOf(WireException.class);
        assertThatThrownBy(() -> match(set, block(longType))).isInstanceOf(RefusedException.class);
        assertThat(matches).isEmpty();
        assertThat(match(set, block(right))).hasSize(1);
        assertThat(context.maxNameId()).isEqualTo(1);
    }

    private static MessageBlock block(byte[] bytes) {
        MessageBlock block = new MessageBlock();
        block.parseFields(bytes, 0, bytes.length);
        return block;
    }

    @Test
    void shouldCountMatchesButNoProbes() {
        // given
        SubscriptionSet set = newSet(MatchingMode.INDEXED);
        add(set, null);
        MatchCounters topic = new MatchCounters();

        // when
        match(set, message("p"));
        context.matched(1);
        context.settle(topic, new MatchCounters());

        // then
        assertThat(topic.probes.sum()).isZero();
        assertThat(topic.candidates.sum()).isEqualTo(1);
        assertThat(topic.evaluations.sum()).isZero();
        assertThat(topic.matches.sum()).isEqualTo(1);
    }
}
