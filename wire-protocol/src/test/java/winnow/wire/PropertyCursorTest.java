package winnow.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PropertyCursorTest {
    private final WireWriter out = new WireWriter(64);
    private final List<String> expected = new ArrayList<>();
    private final List<Integer> ends = new ArrayList<>();

    /// Names with a number of one byte, of two, and inline; strings of a length of one byte and of
    /// two.
    private byte[] entries() {
        for (int name : new int[] {1, 127, 128, 300, 0}) {
            string(name, "");
            string(name, "value");
            string(name, "x".repeat(127));
            string(name, "y".repeat(128));
            number(name, PropertyType.BYTE, 1, -5);
            number(name, PropertyType.SHORT, 2, -300);
            number(name, PropertyType.INT, 4, -70_000);
            number(name, PropertyType.LONG, 8, Long.MIN_VALUE + 1);
            number(name, PropertyType.TRUE, 0, 0);
            number(name, PropertyType.NULL, 0, 0);
        }
        return out.toByteArray();
    }

    private String name(int number) {
        out.writeVarint(number);
        if (number == 0) {
            out.writeString("inline");
        }
        return number == 0 ? "inline" : "#" + number;
    }

    private void string(int number, String value) {
        String name = name(number);
        out.writeByte(PropertyType.STRING);
        out.writeString(value);
        expected.add(name + "=" + value);
        ends.add(out.size());
    }

    private void number(int number, int type, int bytes, long value) {
        String name = name(number);
        out.writeByte(type);
        for (int i = bytes - 1; i >= 0; i--) {
            out.writeByte((int) (value >> (Byte.SIZE * i)));
        }
        expected.add(name + "=" + type + ":" + value);
        ends.add(out.size());
    }

    private static List<String> read(byte[] array, int start, int end) {
        PropertyCursor cursor = new PropertyCursor();
        cursor.start(array, start, end);
        List<String> read = new ArrayList<>();
        while (cursor.next()) {
            String name = cursor.nameId() == 0 ? cursor.inlineName() : "#" + cursor.nameId();
            String value =
                    switch (cursor.type()) {
                        case PropertyType.STRING -> cursor.string();
                        case PropertyType.TRUE, PropertyType.NULL -> cursor.type() + ":0";
                        default -> cursor.type() + ":" + cursor.integer();
                    };
            read.add(name + "=" + value);
        }
        return read;
    }

    @Test
    void shouldReadEntriesOfEveryForm() {
        byte[] bytes = entries();

        assertThat(read(bytes, 0, bytes.length)).isEqualTo(expected);
    }

    @Test
    void shouldRefuseEveryEntryThatIsCutShortAndNeverReadBeyondTheEnd() {
        byte[] bytes = entries();

        for (int end = 0; end < bytes.length; end++) {
            int cut = end;
            if (end == 0 || ends.contains(end)) {
                int whole = ends.indexOf(end) + 1;
                assertThat(read(bytes, 0, cut)).isEqualTo(expected.subList(0, whole));
            } else {
                assertThatThrownBy(() -> read(bytes, 0, cut))
                        .as("cut at " + cut)
                        .isInstanceOf(WireException.class);
            }
        }
    }

    @Test
    void shouldRefuseAnUnknownType() {
        for (int type : new int[] {12, 127, 128, 255}) {
            byte[] bytes = {1, (byte) type, 0, 0};

            assertThatThrownBy(() -> read(bytes, 0, bytes.length))
                    .isInstanceOf(WireException.class)
                    .hasMessage("expected a property type 0 to 11, found " + type);
        }
    }
}
