package winnow.store.rocksdb;

import java.nio.file.Path;
import java.util.concurrent.ExecutorService;
import org.junit.jupiter.api.io.TempDir;
import winnow.store.ShardLog;
import winnow.store.ShardLogContract;

class RocksShardLogContractTest extends ShardLogContract {
    @TempDir private Path directory;

    @Override
    protected ShardLog open(ExecutorService executor) {
        return RocksShardLog.open(directory, executor, RocksSettings.defaults());
    }
}
