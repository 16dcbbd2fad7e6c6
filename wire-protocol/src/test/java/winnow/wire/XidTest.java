package winnow.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class XidTest {
    private static final Xid XID = new Xid(-7, new byte[] {1, (byte) 0xAB}, new byte[] {0});

    @Test
    void shouldBeTheSameWithTheSameParts() {
        assertThat(new Xid(-7, XID.global(), XID.branch())).isEqualTo(XID).hasSameHashCodeAs(XID);
        assertThat(new Xid(7, XID.global(), XID.branch())).isNotEqualTo(XID);
        assertThat(new Xid(-7, XID.branch(), XID.global())).isNotEqualTo(XID);
    }

    @Test
    void shouldComeBackFromItsBytesAndItsText() {
        assertThat(Xid.ofBytes(XID.bytes())).isEqualTo(XID);
        assertThat(XID).hasToString("-7:01ab:00");
        assertThat(Xid.parse(XID.toString())).isEqualTo(XID);
        assertThat(Xid.parse("0::")).isEqualTo(new Xid(0, new byte[0], new byte[0]));
    }

    @Test
    void shouldBeOrderedByItsBytes() {
        Xid next = new Xid(-7, new byte[] {1, (byte) 0xAC}, new byte[0]);

        assertThat(XID).isLessThan(next).isEqualByComparingTo(Xid.ofBytes(XID.bytes()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "1:2", "1:a:00", "x:00:00", "1:00:00:00", "1:zz:00"})
    void shouldRefuseWhatIsNoTransaction(String text) {
        assertThatThrownBy(() -> Xid.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void shouldRefusePartsThatAreTooLong() {
        byte[] longest = new byte[Xid.MAX_PART_BYTES];
        byte[] tooLong = new byte[Xid.MAX_PART_BYTES + 1];
        WireWriter bytes = new WireWriter(16);
        bytes.writeInt(1);
        bytes.writeBytes(longest);
        bytes.writeBytes(tooLong);

        assertThat(new Xid(1, longest, longest).bytes()).hasSize(4 + 2 * 65);
        assertThatThrownBy(() -> new Xid(1, tooLong, longest))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Xid(1, longest, tooLong))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Xid.ofBytes(bytes.toByteArray()))
                .isInstanceOf(WireException.class)
                .hasMessageContaining("at most 64 bytes, found 65");
    }
}
