package winnow.client.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.JMSException;
import jakarta.jms.MessageFormatException;
import jakarta.jms.ObjectMessage;
import java.io.Serializable;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZonedDateTime;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Currency;
import java.util.Date;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.GregorianCalendar;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import winnow.client.destination.WinnowTopic;
import winnow.wire.WireWriter;

/// Bodies that are objects: which classes a receiver takes, and what a stranger may make it do.
class ObjectMessageTest {
    private enum Side {
        BUY,
        SELL {
            @Override
            public String toString() {
                return "sell";
            }
        }
    }

    private record Order(Side side, List<Side> history) implements Serializable {}

    private static ObjectMessage received(@Nullable Object body, String... allowed)
            throws JMSException {
        WinnowObjectMessage message = new WinnowObjectMessage();
        message.setObject((Serializable) body);
        NameTable names = new NameTable();
        message.prepare(names);
        WireWriter out = new WireWriter(16);
        message.writeBlock(out);
        MessageOrigin origin =
                new MessageOrigin(
                        WinnowTopic.parse("t"),
                        names,
                        () -> {},
                        new AllowedClasses(List.of(allowed)));
        return (ObjectMessage) ReceivedMessages.of(out.toByteArray(), origin, 99, 1);
    }

    @SuppressWarnings("JavaUtilDate") // Messages hold it.
    static Stream<Object> values() {
        return Stream.of(
                "text",
                5,
                new Integer[] {1, 2},
                new long[][] {{1}, {2, 3}},
                new UUID(1, 7),
                new BigDecimal("1.50"),
                BigInteger.TEN.pow(100),
                URI.create("https://example.com/a"),
                new Date(5),
                new GregorianCalendar(2026, 1, 2),
                Locale.GERMANY,
                Currency.getInstance("EUR"),
                LocalDate.of(2026, 1, 2),
                Instant.EPOCH,
                Duration.ofMillis(5),
                ZonedDateTime.parse("2026-01-02T03:04:05+01:00[Europe/Berlin]"),
                DayOfWeek.MONDAY,
                EnumSet.of(DayOfWeek.MONDAY),
                new EnumMap<>(Map.of(DayOfWeek.MONDAY, 1)));
    }

    @SuppressWarnings("JdkObsolete") // Messages hold it.
    static Stream<Object> collections() {
        List<Object> some = List.of("a", 1, new UUID(1, 2));
        return Stream.of(
                some,
                List.of(1),
                Set.of(1, 2, 3),
                Map.of("a", 1, "b", List.of(2)),
                new ArrayList<>(some),
                new LinkedList<>(some),
                new HashSet<>(some),
                new LinkedHashSet<>(some),
                new TreeSet<>(List.of("b", "a")),
                new TreeMap<>(Map.of("x", 1)),
                new HashMap<>(Map.of("x", new LinkedHashMap<>(Map.of(LocalDate.EPOCH, some)))),
                Arrays.asList(1, null, 2),
                Collections.emptyList(),
                Collections.singletonMap("a", "b"),
                Collections.unmodifiableList(new ArrayList<>(some)),
                Collections.unmodifiableMap(new HashMap<>(Map.of("a", 1))));
    }

    @ParameterizedTest
    @MethodSource({"values", "collections"})
    void shouldTakeValuesOfTheJdk(Object body) throws Exception {
        // when
        ObjectMessage message = received(body);

        // then
        assertThat(message.getObject()).isEqualTo(body);
        assertThat(message.getBody(Serializable.class)).isEqualTo(body);
    }

    @Test
    void shouldTakeWhatIsNotEqualToItself() throws Exception {
        assertThat(received(null).getObject()).isNull();
        assertThat(received(new ArrayDeque<>(List.of(1))).getObject()).hasToString("[1]");
    }

    @Test
    void shouldRefuseClassesOfOthersAndElementsThatAre() throws Exception {
        // given
        Order order = new Order(Side.SELL, List.of(Side.BUY));
        List<Object> refused =
                List.of(
                        order,
                        Side.BUY,
                        List.of(order),
                        new HashMap<>(Map.of("a", order)),
                        new Order[0],
                        new java.util.Random(1),
                        new java.util.concurrent.atomic.AtomicLong());

        // when, then
        for (Object body : refused) {
            assertThatThrownBy(received(body)::getObject)
                    .isInstanceOf(MessageFormatException.class)
                    .hasMessageMatching(
                            "object message: .*\\S+ is not allowed by the connection"
                                    + " \\(option allowedClasses\\).*");
        }
    }

    @Test
    void shouldTakeClassesAndEnumsOfAllowedPackages() throws Exception {
        // given
        Order order = new Order(Side.SELL, List.of(Side.BUY, Side.SELL));
        List<Object> bodies =
                List.of(
                        order,
                        Side.BUY,
                        EnumSet.of(Side.BUY, Side.SELL),
                        new EnumMap<>(Map.of(Side.BUY, order)));

        // when, then
        for (Object body : bodies) {
            assertThat(received(body, "winnow.client.message.*").getObject()).isEqualTo(body);
            assertThat(received(body, "*").getObject()).isEqualTo(body);
        }
    }

    /// Each level has two sets that hold both sets of the level below: 2^60 hash codes.
    @Test
    @Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void shouldRefuseSetsWhoseHashCodesTakeForEver() throws Exception {
        // given: from the top, where the sets below are still empty
        HashSet<Object> top = new HashSet<>();
        Set<Object> first = top;
        Set<Object> second = new HashSet<>();
        for (int i = 0; i < 60; i++) {
            Set<Object> left = new HashSet<>(List.of("left"));
            Set<Object> right = new HashSet<>(List.of("right"));
            first.addAll(List.of(left, right));
            second.addAll(List.of(left, right));
            first = left;
            second = right;
        }
        ObjectMessage bomb = received(top);

        // when, then
        assertThatThrownBy(bomb::getObject)
                .isInstanceOf(MessageFormatException.class)
                .hasMessageContaining("allowedClasses");
    }

    @Test
    void shouldTakeAMapOfAHundredThousandEntriesAndAList() throws Exception {
        // given
        Map<String, Object> body = new HashMap<>();
        for (int i = 0; i < 100_000; i++) {
            body.put("k" + i, List.of(i));
        }

        // then
        assertThat(received(body).getObject()).isEqualTo(body);
    }

    @Test
    void shouldRefuseWhatIsTooLargeOrTooDeep() throws Exception {
        // given
        List<Object> deep = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            deep = new ArrayList<>(Arrays.asList((Object) deep));
        }

        // then
        assertThatThrownBy(received(new byte[16 * 1024 * 1024 + 1])::getObject)
                .isInstanceOf(MessageFormatException.class);
        assertThatThrownBy(received(deep)::getObject)
                .isInstanceOf(MessageFormatException.class)
                .hasMessageContaining("its size or nesting");
    }
}
