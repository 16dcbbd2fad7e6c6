package winnow.client.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.JMSException;
import jakarta.jms.MessageFormatException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The table of Jakarta Messaging 3.1, 3.5.4: a row for each type that was set, and the types it
/// can be read as.
class PropertyConversionTest {
    private interface Getter {
        @Nullable Object get(WinnowMessage message) throws JMSException;
    }

    private static final Map<String, Getter> GETTERS = getters();

    private static Map<String, Getter> getters() {
        Map<String, Getter> getters = new LinkedHashMap<>();
        getters.put("boolean", message -> message.getBooleanProperty("p"));
        getters.put("byte", message -> message.getByteProperty("p"));
        getters.put("short", message -> message.getShortProperty("p"));
        getters.put("int", message -> message.getIntProperty("p"));
        getters.put("long", message -> message.getLongProperty("p"));
        getters.put("float", message -> message.getFloatProperty("p"));
        getters.put("double", message -> message.getDoubleProperty("p"));
        getters.put("String", message -> message.getStringProperty("p"));
        return getters;
    }

    static Stream<Arguments> table() {
        return Stream.of(
                Arguments.of(true, List.of("boolean", "String")),
                Arguments.of((byte) 5, List.of("byte", "short", "int", "long", "String")),
                Arguments.of((short) 5, List.of("short", "int", "long", "String")),
                Arguments.of(5, List.of("int", "long", "String")),
                Arguments.of(5L, List.of("long", "String")),
                Arguments.of(5f, List.of("float", "double", "String")),
                Arguments.of(5d, List.of("double", "String")),
                Arguments.of(
                        "5",
                        List.of(
                                "boolean", "byte", "short", "int", "long", "float", "double",
                                "String")));
    }

    @ParameterizedTest
    @MethodSource("table")
    void shouldConvertAsTheSpecificationSays(Object value, List<String> readable)
            throws JMSException {
        // given
        WinnowMessage message = new WinnowMessage();
        message.setObjectProperty("p", value);

        // when
        List<String> found = new ArrayList<>();
        for (Map.Entry<String, Getter> getter : GETTERS.entrySet()) {
            try {
                Object read = getter.getValue().get(message);
                assertThat(String.valueOf(read)).startsWith(expected(value, getter.getKey()));
                found.add(getter.getKey());
            } catch (MessageFormatException e) {
                assertThat(e).hasMessageContaining("expected a value that converts to");
            }
        }

        // then
        assertThat(found).isEqualTo(readable);
        assertThat(message.getObjectProperty("p")).isEqualTo(value);
    }

    private static String expected(Object value, String type) {
        if (type.equals("boolean") && value instanceof String) {
            return "false";
        }
        return value.toString();
    }

    @Test
    void shouldTreatAMissingPropertyAsANullString() throws JMSException {
        // given
        WinnowMessage message = new WinnowMessage();
        message.setStringProperty("nothing", null);

        // when, then
        for (String name : List.of("missing", "nothing")) {
            assertThat(message.getBooleanProperty(name)).isFalse();
            assertThat(message.getStringProperty(name)).isNull();
            assertThat(message.getObjectProperty(name)).isNull();
            assertThatThrownBy(() -> message.getIntProperty(name))
                    .isInstanceOf(NumberFormatException.class);
            assertThatThrownBy(() -> message.getFloatProperty(name))
                    .isInstanceOf(NullPointerException.class);
            assertThatThrownBy(() -> message.getDoubleProperty(name))
                    .isInstanceOf(NullPointerException.class);
        }
        assertThat(message.propertyExists("missing")).isFalse();
        assertThat(message.propertyExists("nothing")).isTrue();
    }

    @Test
    void shouldFailOnStringsThatAreNoNumbers() throws JMSException {
        // given
        WinnowMessage message = new WinnowMessage();
        message.setStringProperty("p", "five");

        // when, then
        assertThatThrownBy(() -> message.getLongProperty("p"))
                .isInstanceOf(NumberFormatException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a-b", "1a", "a b", "a.b", "NULL", "TRUE", "FALSE", "NOT", "BETWEEN", "ESCAPE"
            })
    void shouldRefuseNamesThatSelectorsCannotUse(String name) {
        // given
        WinnowMessage message = new WinnowMessage();

        // when, then
        assertThatThrownBy(() -> message.setIntProperty(name, 1))
                .isInstanceOf(JMSException.class)
                .hasMessageContaining(name);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            textBlock =
                    """
                    1x | expected a name that begins with a letter, _ or $, found '1'; name it '_1x'
                    -a | expected a name that begins with a letter, _ or $, found '-'; name it '_a'
                    x-tenant | expected a name of letters, digits, _ and $, found '-' at index 1\
                    ; name it 'x_tenant'
                    a.b/c | expected a name of letters, digits, _ and $, found '.' at index 1\
                    ; name it 'a_b_c'
                    NOT | expected a name, found a word of selectors; name it 'NOT_'
                    """)
    void shouldSayWhatANameMustNotHaveAndWhichToUse(String name, String message)
            throws JMSException {
        // when, then
        assertThatThrownBy(() -> new WinnowMessage().setIntProperty(name, 1))
                .isInstanceOf(JMSException.class)
                .hasMessage("property '" + name + "': " + message);
        String proposed = message.substring(message.lastIndexOf(" '") + 2, message.length() - 1);
        new WinnowMessage().setIntProperty(proposed, 1);
    }

    @Test
    void shouldRefuseMissingNamesAndOtherTypes() {
        // given
        WinnowMessage message = new WinnowMessage();

        // when, then
        assertThatThrownBy(() -> message.setIntProperty("", 1))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> message.setObjectProperty("p", 'c'))
                .isInstanceOf(MessageFormatException.class);
        assertThatThrownBy(() -> message.setObjectProperty("p", new byte[1]))
                .isInstanceOf(MessageFormatException.class);
        assertThatThrownBy(() -> message.setObjectProperty("p", java.math.BigDecimal.ONE))
                .isInstanceOf(MessageFormatException.class);
    }

    @Test
    void shouldAcceptVendorAndExtensionNames() throws JMSException {
        // given
        WinnowMessage message = new WinnowMessage();

        // when
        message.setStringProperty("JMSXGroupID", "g");
        message.setIntProperty("JMS_vendor", 1);
        message.setIntProperty("JMSXDeliveryCount", 5);
        message.setIntProperty("_$ä1", 2);

        // then
        assertThat(java.util.Collections.list(message.getPropertyNames()))
                .containsExactly("JMSXGroupID", "JMS_vendor", "_$ä1");
    }

    /// Other providers take such names, and libraries set them: Camel sets `JMSDeliveryMode`.
    @ParameterizedTest
    @ValueSource(strings = {"true", "Between", "null", "JMSDeliveryMode", "JMSType", "JMSFoo"})
    void shouldTakeNamesThatSelectorsCannotUseButOtherProvidersTake(String name)
            throws JMSException {
        // given
        WinnowMessage message = new WinnowMessage();

        // when
        message.setIntProperty(name, 1);

        // then
        message.prepare(new NameTable());
        assertThat(message.getIntProperty(name)).isEqualTo(1);
        assertThat(message.getJMSType()).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"JMS_WINNOW_DuplicateID", "JMS_WINNOW_Duplicate", "JMS_WINNOW_"})
    void shouldRefuseNamesThatLookLikeThoseOfTheBroker(String name) {
        // given
        WinnowMessage message = new WinnowMessage();

        // when, then
        assertThatThrownBy(() -> message.setStringProperty(name, "order 1"))
                .isInstanceOf(JMSException.class)
                .hasMessageContaining("'" + name + "': expected JMS_WINNOW_DuplicateId");
    }

    @Test
    void shouldTakeThePropertiesOfADeadLetter() throws JMSException {
        // given
        WinnowMessage message = new WinnowMessage();

        // when
        message.setStringProperty("JMS_WINNOW_DeadReason", "expired");
        message.setStringProperty("JMS_WINNOW_DeadFrom", "orders");
        message.setIntProperty("JMS_WINNOW_DeadDeliveries", 10);

        // then
        message.prepare(new NameTable());
        assertThat(message.getIntProperty("JMS_WINNOW_DeadDeliveries")).isEqualTo(10);
    }

    @Test
    void shouldNotSendAnIdentifierOfDuplicatesThatIsNoText() throws JMSException {
        // given
        WinnowMessage message = new WinnowMessage();

        // when, then
        message.setIntProperty("JMS_WINNOW_DuplicateId", 5);
        assertThatThrownBy(() -> message.prepare(new NameTable()))
                .isInstanceOf(MessageFormatException.class)
                .hasMessageContaining("expected a string that is not empty, found Integer '5'");
        message.setStringProperty("JMS_WINNOW_DuplicateId", "");
        assertThatThrownBy(() -> message.prepare(new NameTable()))
                .isInstanceOf(MessageFormatException.class)
                .hasMessageContaining("found String ''");
        message.setStringProperty("JMS_WINNOW_DuplicateId", null);
        assertThatThrownBy(() -> message.prepare(new NameTable()))
                .isInstanceOf(MessageFormatException.class)
                .hasMessageContaining("found null");
    }
}
