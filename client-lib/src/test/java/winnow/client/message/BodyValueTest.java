package winnow.client.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/// Values of map and stream bodies that are null, or arrays.
class BodyValueTest {
    @Test
    void shouldGiveOutCopiesOfTheArraysOfAMap() throws Exception {
        // given
        WinnowMapMessage message = new WinnowMapMessage();
        message.setBytes("b", new byte[] {1, 2});

        // when
        ((byte[]) message.getBody(Map.class).get("b"))[0] = 9;
        ((byte[]) message.getObject("b"))[0] = 9;
        message.getBytes("b")[0] = 9;

        // then
        assertThat(message.getBytes("b")).containsExactly(1, 2);
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
