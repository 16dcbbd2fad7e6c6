package winnow.broker.matching;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import winnow.broker.subscription.Recipient;
import winnow.broker.subscription.StoredRecipient;
import winnow.selector.CompiledSelector;
import winnow.selector.Selectors;
import winnow.selector.engine.Selector;
import winnow.selector.slot.SlotValues;
import winnow.selector.slot.ValueCode;
import winnow.wire.MessageBlock;
import winnow.wire.PropertyType;
import winnow.wire.WireWriter;

/// Matches with `matching=linear` that are stopped as often as they can be.
class LinearSlicesTest {
    private static final int SUBSCRIPTIONS = 100;
    private static final int STRING_BYTES = 16 * 1024;

    private final LinearSubscriptions subscriptions = new LinearSubscriptions();
    private final MatchContext context = new MatchContext(new NameDictionary(16), _ -> 0);
    private final Map<Installed, String> installed = new LinkedHashMap<>();
    private final List<Recipient> matches = new ArrayList<>();
    private final List<Long> scannedPerSlice = new ArrayList<>();
    private int lastId;

    private Installed add(String selector) {
        Recipient recipient = new StoredRecipient(++lastId, "", "", "");
        Installed added = new Installed(recipient, SubscriptionFilter.NONE);
        Selector prepared =
                selector.isEmpty() ? null : subscriptions.prepared(Selector.parse(selector));
        boolean more = true;
        while (more) {
            more = subscriptions.add(added, prepared);
        }
        installed.put(added, selector);
        return added;
    }

    private void remove(Installed leaving) {
        installed.remove(leaving);
        subscriptions.remove(leaving);
        boolean more = true;
        while (more) {
            more = subscriptions.tidy();
        }
    }

    private List<Recipient> all() {
        return installed.keySet().stream().map(one -> one.recipient).toList();
    }

    private static MessageBlock message(Map<String, String> values) {
        WireWriter properties = new WireWriter(64);
        values.forEach((name, value) -> {
            properties.writeVarint(0);
            properties.writeString(name);
            properties.writeByte(PropertyType.STRING);
            properties.writeString(value);
        });
        WireWriter out = new WireWriter(64);
        out.writeByte(MessageBlock.HAS_PROPERTIES);
        out.writeByte(0);
        out.writeVarint(properties.size());
        out.writeRaw(properties.array(), 0, properties.size());
        MessageBlock block = new MessageBlock();
        block.parseFields(out.array(), 0, out.size());
        return block;
    }

    /// @param between is run after each slice but the last
    /// @return how many matches were found before the end of each slice but the last
    private List<Integer> match(MessageBlock block, Runnable between) {
        List<Integer> perSlice = new ArrayList<>();
        boolean ended = false;
        for (boolean begun = false; !ended; begun = true) {
            long scanned = context.values().scratch().scannedBytes;
            ended =
                    begun
                            ? subscriptions.resume(context, matches::add)
                            : subscriptions.begin(block, context, matches::add);
            scannedPerSlice.add(context.values().scratch().scannedBytes - scanned);
            if (!ended) {
                perSlice.add(matches.size());
                between.run();
            }
        }
        return perSlice;
    }

    @Test
    void shouldStopAfterEachSelectorThatGoesThroughALongString() {
        // given
        for (int i = 0; i < SUBSCRIPTIONS; i++) {
            add("s NOT LIKE '%abc" + i + "%'");
        }

        // when
        List<Integer> perSlice = match(message(Map.of("s", "x".repeat(STRING_BYTES))), () -> {});

        // then
        assertThat(matches).isEqualTo(all());
        assertThat(perSlice).hasSize(SUBSCRIPTIONS - 1).doesNotHaveDuplicates();
    }

    /// Else a selector that is removed meanwhile could match by a string of another.
    @Test
    void shouldLookStringsUpBeforeSelectors() {
        // given
        add("t = 'x' AND s = 'x'");

        // when
        match(message(Map.of("s", "x", "t", "y")), () -> {});

        // then
        int slot = subscriptions.index().slots().slotOf("s");
        assertThat(context.values().codes()[slot]).isNotEqualTo(ValueCode.NOT_LOOKED_UP);
        assertThat(matches).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"s NOT LIKE '%ab_c{0}%'", "s NOT LIKE '%abc{0}%' AND t <> '{0}'"})
    void shouldStopBetweenThePatternsOfASelectorThatMayTakeLong(String pattern) {
        // given
        int patterns = 120;
        add("t = 'x'");
        add(joined(patterns, pattern, " AND "));
        add("");

        // when
        match(message(Map.of("s", "x".repeat(STRING_BYTES), "t", "x")), () -> {});

        // then
        assertThat(matches).containsExactlyInAnyOrderElementsOf(all());
        assertThat(scannedPerSlice).allMatch(bytes -> bytes <= 4L * STRING_BYTES);
    }

    @Test
    void shouldStopBetweenTheComparisonsOfASelectorThatMayTakeLong() {
        // given
        int count = 1000;
        Map<String, String> values = new TreeMap<>();
        for (int i = 0; i <= count; i++) {
            values.put("a" + i, "x".repeat(100) + i);
        }
        values.put("long", "x".repeat(STRING_BYTES));
        add(joined(count, "a{0} <> long", " AND "));

        // when
        int slices = match(message(values), () -> {}).size();

        // then
        assertThat(matches).isEqualTo(all());
        assertThat(slices).isGreaterThan(count / 2);
    }

    @Test
    void shouldLookUpSomeLongStringsAmongConstantsInEachSlice() {
        // given
        int count = 150;
        String string = "x".repeat(STRING_BYTES);
        Map<String, String> values = new TreeMap<>();
        add(joined(count, "a{0} <> 'x'", " AND "));
        for (int i = 0; i < count; i++) {
            values.put("a" + i, string);
            add("a" + i + " = '" + string + "'");
        }
        List<Long> lookedUp = new ArrayList<>(List.of(0L));

        // when
        match(message(values), () -> lookedUp.add(lookedUp()));
        lookedUp.add(lookedUp());

        // then
        assertThat(matches).isEqualTo(all());
        assertThat(lookedUp.getLast()).isEqualTo(count);
        for (int slice = 1; slice < lookedUp.size(); slice++) {
            assertThat(lookedUp.get(slice) - lookedUp.get(slice - 1)).isLessThanOrEqualTo(5);
        }
    }

    /// How many strings that are constants of their slot were looked up among these.
    private long lookedUp() {
        SlotValues values = context.values();
        return IntStream.range(0, values.presentCount())
                .filter(i -> ValueCode.constant(values.codes()[values.presentSlots()[i]]) >= 0)
                .count();
    }

    /// @param operand with {0} for its number
    private static String joined(int count, String operand, String operator) {
        return IntStream.range(0, count)
                .mapToObj(i -> operand.replace("{0}", "" + i))
                .collect(Collectors.joining(operator));
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '"',
            value = {
                "s LIKE '%a{0}%', 4",
                "s NOT LIKE '%a{0}_b', 1000",
                "s LIKE '%a{0}_b%', 4",
                "s LIKE 'a{0}%', 1000",
                "s = 'a{0}', 1000",
                "NOT (s{0} = t OR n = 1), 64"
            })
    void shouldEvaluateInOneGoWhatIsShort(String operand, int most) {
        // given
        add(joined(most, operand, " OR "));
        assertThat(subscriptions.index().size()).isZero();

        // when
        Installed longer = add(joined(most == 1000 ? 2000 : most + 1, operand, " OR "));

        // then
        assertThat(subscriptions.index().size()).isEqualTo(most == 1000 ? 0 : 1);

        // and when
        remove(longer);

        // then
        assertThat(subscriptions.index().size()).isZero();
        assertThat(subscriptions.index().terms()).isZero();
    }

    /// Selectors of all kinds and lengths, which come and go between the slices: who stays is
    /// called once if the selector, evaluated on its own, is TRUE, and else never.
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void shouldCallThoseWhoseSelectorIsTrueWhileOthersComeAndGo(long seed) {
        // given
        Random random = new Random(seed);
        for (int i = 0; i < 60; i++) {
            add(selector(random));
        }
        int slices = 0;
        int inIndex = 0;

        for (int round = 0; round < 100; round++) {
            // when
            Map<String, String> values = values(random);
            Set<Installed> there = new HashSet<>(installed.keySet());
            Map<Recipient, Boolean> expected = new LinkedHashMap<>();
            installed.forEach((one, text) -> expected.put(one.recipient, isTrue(text, values)));
            matches.clear();
            slices += match(message(values), () -> change(random)).size();
            inIndex += subscriptions.index().size();

            // then
            assertThat(matches).as("seed %d", seed).doesNotHaveDuplicates();
            Set<Recipient> called = new HashSet<>(matches);
            assertThat(called).allMatch(one -> expected.getOrDefault(one, true));
            for (Installed one : there) {
                if (installed.containsKey(one)) {
                    assertThat(called.contains(one.recipient))
                            .as("seed %d, %s for %s", seed, installed.get(one), values)
                            .isEqualTo(expected.get(one.recipient));
                }
            }
            tune();
        }

        // then
        assertThat(slices).isGreaterThan(1000);
        assertThat(inIndex).isGreaterThan(1000);
    }

    private void change(Random random) {
        if (random.nextInt(4) == 0) {
            add(selector(random));
            remove(new ArrayList<>(installed.keySet()).get(random.nextInt(installed.size())));
        }
    }

    private void tune() {
        boolean more = subscriptions.startTuning();
        while (more) {
            more = subscriptions.tuneSome();
        }
    }

    private static boolean isTrue(String text, Map<String, String> values) {
        CompiledSelector alone = Selectors.parse(text);
        return alone.matches(values);
    }

    private static Map<String, String> values(Random random) {
        Map<String, String> values = new TreeMap<>();
        for (String name : List.of("s", "t", "u")) {
            if (random.nextInt(5) > 0) {
                values.put(name, "x".repeat(random.nextInt(2) * STRING_BYTES) + word(random));
            }
        }
        return values;
    }

    private static String word(Random random) {
        return random.ints(3, 0, 3)
                .mapToObj(i -> "xyz".substring(i, i + 1))
                .collect(Collectors.joining());
    }

    private static String selector(Random random) {
        if (random.nextInt(20) == 0) {
            return "";
        }
        int atoms = random.nextInt(3) == 0 ? 1 + random.nextInt(3) : 6 + random.nextInt(30);
        StringBuilder text = new StringBuilder(atom(random));
        for (int i = 1; i < atoms; i++) {
            text.append(random.nextInt(3) == 0 ? " OR " : " AND ").append(atom(random));
        }
        return text.toString();
    }

    private static String atom(Random random) {
        String name = "stu".substring(random.nextInt(3)).substring(0, 1);
        String not = random.nextInt(3) == 0 ? "" : "NOT ";
        return switch (random.nextInt(8)) {
            case 0 -> name + (not.isEmpty() ? " = '" : " <> '") + word(random) + "'";
            case 1 -> name + (not.isEmpty() ? " = " : " <> ") + "stu".charAt(random.nextInt(3));
            case 2 -> name + " IS " + not + "NULL";
            case 3 -> name + " " + not + "LIKE '%" + word(random) + "_" + word(random) + "%'";
            default -> name + " " + not + "LIKE '%" + word(random) + random.nextInt(3) + "%'";
        };
    }
}
