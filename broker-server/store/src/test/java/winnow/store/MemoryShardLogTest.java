package winnow.store;

import java.util.concurrent.ExecutorService;

class MemoryShardLogTest extends ShardLogContract {
    @Override
    protected ShardLog open(ExecutorService executor) {
        return new MemoryShardLog(executor);
    }
}
