package winnow.broker.storage;

import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import winnow.cluster.DiskRoom;
import winnow.store.LogException;

/// Room for messages on the disk of a node's store, whether the node serves clients or not: by the
/// reserve that a [DiskWatch] of a broker keeps. Owned by the thread that asks.
public final class StoreRoom implements Supplier<DiskRoom> {
    private static final Logger LOG = LoggerFactory.getLogger(StoreRoom.class);

    private final Path directory;
    private final DiskReserve reserve;

    public StoreRoom(StorageConfig config) {
        directory = config.directory();
        reserve = new DiskReserve(config.diskReserve().bytes());
    }

    /// The room now. Blocks.
    @Override
    public DiskRoom get() {
        try {
            reserve.look(DiskSpace.of(directory), 0);
        } catch (IOException | LogException e) {
            LOG.debug("What is free on the disk of {} is not known", directory, e);
            return DiskRoom.SCARCE;
        }
        if (reserve.low()) {
            return DiskRoom.FULL;
        }
        return reserve.near() ? DiskRoom.SCARCE : DiskRoom.AMPLE;
    }
}
