package winnow.store.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RocksSettingsTest {
    private static final long MIB = 1 << 20;

    @ParameterizedTest
    @ValueSource(longs = {10, 16, 64, 100, 640, 10_000})
    void shouldStayWithinTheMemory(long mebibytes) {
        RocksSettings settings = RocksSettings.within(mebibytes * MIB);

        assertThat(2 * settings.writeBufferBytes() + settings.blockCacheBytes())
                .isBetween(mebibytes * MIB / 20, mebibytes * MIB);
    }

    @Test
    void shouldBeTheDefaultsWhereThereIsMemory() {
        assertThat(RocksSettings.within(640 * MIB)).isEqualTo(RocksSettings.defaults());
    }

    @Test
    void shouldTakeWhatItNeedsAtLeast() {
        RocksSettings least = RocksSettings.within(0);

        assertThat(2 * least.writeBufferBytes() + least.blockCacheBytes()).isEqualTo(10 * MIB);
    }

    @Test
    void shouldRefuseSizesThatRocksDbWouldRaise() {
        assertThatThrownBy(() -> new RocksSettings(1, 8 * MIB, MIB, 4096, 1, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("writeBufferBytes: expected at least 1048576, found 1");
    }
}
