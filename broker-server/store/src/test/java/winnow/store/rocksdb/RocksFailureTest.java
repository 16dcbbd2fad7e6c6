package winnow.store.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileSystemException;
import org.junit.jupiter.api.Test;
import winnow.store.LogException;
import winnow.store.LogException.Reason;

class RocksFailureTest {
    @Test
    void shouldTellAFullDiskFromOtherFailures() {
        assertThat(reason(new IOException("No space left on device"))).isEqualTo(Reason.NO_SPACE);
        assertThat(reason(new FileSystemException("f", null, "No space left on device")))
                .isEqualTo(Reason.NO_SPACE);
        assertThat(reason(new IOException("Input/output error"))).isEqualTo(Reason.IO);
        assertThat(reason(new IOException())).isEqualTo(Reason.IO);
    }

    private static Reason reason(IOException cause) {
        return RocksFailure.of("testing", cause).reason();
    }

    @Test
    void shouldSayWhatToDoWhetherTheBrokerRunsOrNot() {
        LogException failure =
                RocksFailure.of("opening the store s", new IOException("No space left on device"));

        assertThat(failure)
                .hasMessage(
                        "opening the store s failed: No space left on device. Make room: a broker"
                                + " that runs continues by itself, one that has ended is to be"
                                + " started again");
    }
}
