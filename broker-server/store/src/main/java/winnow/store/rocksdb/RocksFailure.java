package winnow.store.rocksdb;

import org.rocksdb.RocksDBException;
import org.rocksdb.Status;
import winnow.store.LogException;
import winnow.store.LogException.Reason;

/// Tells failures of files and of RocksDB as those of a log.
final class RocksFailure {
    private RocksFailure() {}

    /// @param doing what was being done, as in "reading the store /data"
    static LogException of(String doing, Exception cause) {
        if (cause instanceof LogException e) {
            return e;
        }
        Reason reason = reason(cause);
        String advice =
                switch (reason) {
                    case NO_SPACE ->
                            ". Make room: a broker that runs continues by itself, one that has"
                                    + " ended is to be started again";
                    case CORRUPT ->
                            ". Restore the store from a copy, and keep this one to examine it";
                    case IO, FENCED, CLOSED -> "";
                };
        return new LogException(reason, doing + " failed: " + cause.getMessage() + advice, cause);
    }

    private static Reason reason(Exception cause) {
        if (cause instanceof RocksDBException e && e.getStatus() != null) {
            Status status = e.getStatus();
            if (status.getSubCode() == Status.SubCode.NoSpace) {
                return Reason.NO_SPACE;
            }
            // The log has removed no file that it needs.
            if (String.valueOf(e.getMessage()).contains("No such file or directory")) {
                return Reason.CORRUPT;
            }
            return switch (status.getCode()) {
                // RocksDB calls a file that is missing or of another form an invalid argument.
                case Corruption, InvalidArgument, NotFound, NotSupported -> Reason.CORRUPT;
                default -> Reason.IO;
            };
        }
        // Only files that are opened, moved or made tell the reason apart from the message.
        boolean full = String.valueOf(cause.getMessage()).contains("No space left on device");
        return full ? Reason.NO_SPACE : Reason.IO;
    }
}
