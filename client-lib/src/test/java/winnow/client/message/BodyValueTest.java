package winnow.client.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Values of map and stream bodies that are null, or arrays.
class BodyValueTest {
    @Test
    void shouldGiveOutCopiesOfTheArraysOfAMap() throws Exception {
        // given
        WinnowMapMessage message = new WinnowMapMessage();
        message.setBytes("b", new byte[] {1, 2});

        // when
        change(Objects.requireNonNull(message.getBody(Map.class)).get("b"));
        change(message.getObject("b"));
        change(message.getBytes("b"));

        // then
        assertThat(message.getBytes("b")).containsExactly(1, 2);
    }

    private static void change(@Nullable Object array) {
        ((byte[]) Objects.requireNonNull(array))[0] = 9;
    }

    /// 3.11.3: null reads as `valueOf(null)` of the type says, which differs by type.
    @Test
    void shouldReadNullNumbersOfABodyAsTheJdkDoes() throws Exception {
        // given
        WinnowMapMessage map = new WinnowMapMessage();
        map.setObject("n", null);
        WinnowStreamMessage stream = new WinnowStreamMessage();
        stream.writeObject(null);
        stream.reset();

        // when, then
        for (ThrowingCallable read :
                List.<ThrowingCallable>of(
                        () -> map.getFloat("n"),
                        () -> map.getDouble("n"),
                        () -> map.getFloat("missing"),
                        () -> map.getDouble("missing"),
                        stream::readFloat,
                        stream::readDouble)) {
            assertThatThrownBy(read).isInstanceOf(NullPointerException.class);
        }
        assertThatThrownBy(() -> map.getLong("n")).isInstanceOf(NumberFormatException.class);
        assertThatThrownBy(stream::readInt).isInstanceOf(NumberFormatException.class);
        assertThat(stream.readObject()).isNull();
    }
}
