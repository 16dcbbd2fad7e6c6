package winnow.broker.transport;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.epoll.EpollDomainSocketChannel;
import io.netty.channel.socket.nio.NioDomainSocketChannel;
import io.netty.channel.unix.DomainSocketChannel;
import java.io.IOException;
import java.net.ConnectException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import winnow.broker.config.FileProblem;
import winnow.broker.identity.ProvenUser;

/// A Unix domain socket with the pages of the HTTP port, for the broker's account and root alone:
/// they may read and change the broker's files, so no credentials are asked for. It is bound in a
/// private directory and moved to its place when only its owner may open it. Owned by the thread
/// that starts and stops the broker.
final class AdminSocket {
    private static final Logger LOG = LoggerFactory.getLogger(AdminSocket.class);

    /// The smallest limit of the systems is 103 bytes, and the private name is 3 bytes longer.
    static final int MAX_PATH_BYTES = 100;

    private static final int STOP_SECONDS = 5;

    private static final Set<PosixFilePermission> OWNERS =
            PosixFilePermissions.fromString("rw-------");

    private static final FileAttribute<?> PRIVATE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

    /// Bits of a file's mode that say its type, and their value for sockets (inode(7)).
    private static final int FILE_TYPE = 0170000;

    private static final int SOCKET_TYPE = 0140000;

    private final Path path;
    private final Channel channel;

    /// Identifies the file: it may be another broker's by the time of the close.
    private final Object key;

    private AdminSocket(Path path, Channel channel, Object key) {
        this.path = path;
        this.channel = channel;
        this.key = key;
    }

    /// Binds the socket. Without one the log says why: the broker serves its clients all the same.
    ///
    /// @param path empty for none
    /// @param bootstrap accepts connections
    /// @return null if there is none
    static @Nullable AdminSocket open(Path path, ServerBootstrap bootstrap) {
        if (path.toString().isEmpty()) {
            return null;
        }
        try {
            requireShort(path);
            requireFree(path);
            AdminSocket made = bind(path, bootstrap);
            LOG.info("Commands on this machine use the socket {}", path);
            warnOfOthers(path);
            return made;
        } catch (IOException e) {
            warn(FileProblem.of(path, e).getMessage());
        } catch (UnsupportedOperationException e) {
            warn(path + ": expected a file system with owners and permissions, found none");
        }
        return null;
    }

    private static void warn(@Nullable String problem) {
        LOG.warn(
                "No socket for commands on this machine (http.socket): {}. The broker goes on"
                        + " without it; commands can ask the HTTP port",
                problem);
    }

    /// Another account could listen in the place of a broker that has stopped.
    private static void warnOfOthers(Path path) throws IOException {
        Path directory = Objects.requireNonNull(path.toAbsolutePath().getParent());
        if (Files.getPosixFilePermissions(directory).contains(PosixFilePermission.OTHERS_WRITE)) {
            LOG.warn(
                    "The socket for commands (http.socket) is in {}, where every account may put a"
                            + " socket of its own: choose a directory that the broker's account"
                            + " alone can write",
                    directory);
        }
    }

    private static void requireShort(Path path) throws IOException {
        int bytes = path.toString().getBytes(StandardCharsets.UTF_8).length;
        if (bytes > MAX_PATH_BYTES) {
            throw new IOException(
                    "expected a path of at most %d bytes, the limit of sockets, found %d: set"
                                    .formatted(MAX_PATH_BYTES, bytes)
                            + " http.socket to a shorter one");
        }
    }

    /// Demands that there is nothing, or what a broker has left that did not stop in order.
    private static void requireFree(Path path) throws IOException {
        int mode;
        try {
            mode = (Integer) Files.getAttribute(path, "unix:mode", LinkOption.NOFOLLOW_LINKS);
        } catch (NoSuchFileException e) {
            return;
        }
        if ((mode & FILE_TYPE) != SOCKET_TYPE) {
            throw new IOException("expected a socket or nothing, found another file");
        }
        if (isInUse(path)) {
            throw new IOException("another process listens there, perhaps a broker");
        }
    }

    /// True unless the system knows that nobody listens; a process that hangs does.
    private static boolean isInUse(Path path) throws IOException {
        try (SocketChannel probe = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            probe.configureBlocking(false);
            probe.connect(UnixDomainSocketAddress.of(path));
            return true;
        } catch (ConnectException e) {
            return false;
        }
    }

    private static AdminSocket bind(Path path, ServerBootstrap bootstrap) throws IOException {
        Path directory = path.resolveSibling("." + path.getFileName());
        Path made = directory.resolve("s");
        delete(directory, made);
        Files.createDirectory(directory, PRIVATE);
        try {
            return bind(path, made, bootstrap);
        } finally {
            delete(directory, made);
        }
    }

    private static AdminSocket bind(Path path, Path made, ServerBootstrap bootstrap)
            throws IOException {
        Channel channel = bound(bootstrap, made);
        boolean moved = false;
        try {
            Files.setPosixFilePermissions(made, OWNERS);
            Set<PosixFilePermission> found = Files.getPosixFilePermissions(made);
            if (!found.equals(OWNERS)) {
                throw new IOException(
                        "expected a file system that keeps permissions, found %s for a new socket"
                                .formatted(PosixFilePermissions.toString(found)));
            }
            AdminSocket socket = new AdminSocket(path, channel, key(made));
            Files.move(made, path, StandardCopyOption.ATOMIC_MOVE);
            moved = true;
            return socket;
        } finally {
            if (!moved) {
                channel.close().awaitUninterruptibly(STOP_SECONDS, TimeUnit.SECONDS);
            }
        }
    }

    private static Channel bound(ServerBootstrap bootstrap, Path path) throws IOException {
        try {
            return bootstrap.bind(EventLoops.domainAddress(path)).syncUninterruptibly().channel();
        } catch (Exception e) {
            throw new IOException("cannot listen there: " + e.getMessage(), e);
        }
    }

    private static Object key(Path file) throws IOException {
        return Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                .fileKey();
    }

    private static void delete(Path directory, Path made) throws IOException {
        if (Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
            Files.deleteIfExists(made);
            Files.delete(directory);
        }
    }

    /// Removes the file, unless another broker has replaced it, and accepts nothing more.
    void close() {
        try {
            if (key.equals(key(path))) {
                Files.delete(path);
            }
        } catch (NoSuchFileException e) {
            LOG.debug("Somebody has removed {}", path, e);
        } catch (IOException e) {
            LOG.warn("The socket could not be removed: {}", FileProblem.of(path, e).getMessage());
        }
        channel.close().awaitUninterruptibly(STOP_SECONDS, TimeUnit.SECONDS);
    }

    /// True for a connection to such a socket.
    static boolean isPeer(Channel channel) {
        return channel instanceof DomainSocketChannel || channel instanceof NioDomainSocketChannel;
    }

    /// The user of a request, as far as its connection proves one.
    static ProvenUser user(Channel channel) {
        return isPeer(channel) ? ProvenUser.local() : ProvenUser.nobody();
    }

    /// The account of a peer in place of its address, where the system says it.
    static String address(Channel channel) {
        if (channel instanceof EpollDomainSocketChannel peer) {
            try {
                return "socket, uid " + peer.peerCredentials().uid();
            } catch (IOException e) {
                LOG.debug("The peer has gone", e);
            }
        }
        return "socket";
    }
}
