package winnow.tests.floor;

import io.netty.channel.EventLoop;
import java.io.IOException;
import java.nio.file.Path;

/// What a relay stores messages in before it confirms them.
interface RelayLog {

    /// What stores, and which thread does that.
    enum Kind {
        /// A bare file; the event loop writes and syncs.
        FILE("sockets and bare file"),
        /// A bare file; a thread apart writes and syncs, so that no disk holds the loop.
        FILE_APART("sockets and bare file, threads apart"),
        /// The log of Winnow's store, which has a thread of its own.
        STORE("sockets and store's log, threads apart");

        final String title;

        Kind(String title) {
            this.title = title;
        }

        /// @param path of a new file or directory
        RelayLog open(Path path) throws IOException {
            return this == STORE ? new RelayStore(path) : new RelayFile(path, this == FILE_APART);
        }
    }

    /// Appends a message. Called by the loop.
    ///
    /// @param loop the caller's
    /// @param stored called by the loop when the message is on the disk
    void append(byte[] message, EventLoop loop, Runnable stored);
}
