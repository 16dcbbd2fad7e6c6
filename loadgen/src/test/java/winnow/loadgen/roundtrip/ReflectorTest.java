package winnow.loadgen.roundtrip;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import winnow.loadgen.run.LoadException;

class ReflectorTest {

    /// Receives what it is given and notes what it sends.
    private static final class ScriptedEnd implements End {
        private final LinkedBlockingQueue<String> incoming = new LinkedBlockingQueue<>();
        private final LinkedBlockingQueue<String> sent = new LinkedBlockingQueue<>();
        private String last = "";

        @Override
        public void prepare(int bytes) throws IOException {
            if (bytes == 13) {
                throw new IOException("no messages of 13 bytes");
            }
        }

        @Override
        public void send() {
            sent.add(last);
        }

        @Override
        public void receive() throws InterruptedException {
            last = incoming.take();
        }

        @Override
        public void close() {
            incoming.add("closed");
        }
    }

    private final ScriptedEnd end = new ScriptedEnd();

    @Test
    void shouldAnswerEachMessageOrTheLastAlone() throws Exception {
        try (var reflector = new Reflector(end)) {
            // when
            reflector.expect(1, 2, true);
            end.incoming.addAll(List.of("a", "b"));
            reflector.expect(1, 3, false);
            end.incoming.addAll(List.of("c", "d", "e"));

            // then
            var sent = new ArrayList<String>();
            for (var i = 0; i < 3; i++) {
                sent.add(end.sent.poll(10, TimeUnit.SECONDS));
            }
            assertThat(sent).containsExactly("a", "b", "e");
        }
    }

    @Test
    void shouldKeepTheReasonForItsEnd() throws Exception {
        try (var reflector = new Reflector(end)) {
            // when
            assertThatThrownBy(() -> reflector.expect(13, 1, true))
                    .isInstanceOf(LoadException.class)
                    .hasMessageContaining("the reflector failed: no messages of 13 bytes");

            // then
            assertThatThrownBy(() -> reflector.expect(1, 1, true))
                    .isInstanceOf(LoadException.class)
                    .hasMessageContaining("no messages of 13 bytes");
        }
    }
}
