package winnow.wire.frame;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import winnow.wire.WireException;
import winnow.wire.WireReader;
import winnow.wire.WireWriter;

class PublishTest {
    private final WireWriter out = new WireWriter(16);

    private WireReader written() {
        return new WireReader().wrap(out.array(), 0, out.size());
    }

    @Test
    void shouldWriteANumberBeforeTheSession() {
        // when
        Publish.writeFlags(out, Publish.CONFIRM, 1L << 40, 9);

        // then
        WireReader in = written();
        int flags = Publish.readFlags(in);
        assertThat(flags).isEqualTo(Publish.CONFIRM | Publish.NUMBERED | Publish.TRANSACTED);
        assertThat(Publish.readNumber(in, flags)).isEqualTo(1L << 40);
        assertThat(in.readVarint()).isEqualTo(9);
        assertThat(in.remaining()).isZero();
    }

    @Test
    void shouldWriteOnlyTheFlagsOfAPlainMessage() {
        // when
        Publish.writeFlags(out, Publish.CONFIRM, 0, 0);

        // then
        WireReader in = written();
        int flags = Publish.readFlags(in);
        assertThat(flags).isEqualTo(Publish.CONFIRM);
        assertThat(Publish.readNumber(in, flags)).isZero();
        assertThat(in.remaining()).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {8, 255, Publish.NUMBERED, Publish.NUMBERED | Publish.TRANSACTED})
    void shouldRefuseFlagsWithoutAMeaning(int flags) {
        out.writeByte(flags);
        WireReader in = written();

        assertThatThrownBy(() -> Publish.readFlags(in))
                .isInstanceOf(WireException.class)
                .hasMessageContaining("found");
    }

    @Test
    void shouldRefuseNumberZero() {
        out.writeVarlong(0);
        WireReader in = written();

        assertThatThrownBy(() -> Publish.readNumber(in, Publish.CONFIRM | Publish.NUMBERED))
                .isInstanceOf(WireException.class)
                .hasMessageContaining("from 1");
    }
}
