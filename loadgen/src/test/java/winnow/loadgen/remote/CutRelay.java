package winnow.loadgen.remote;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;

/// A cable between a coordinator and a worker, which can be cut.
final class CutRelay implements AutoCloseable {

    private final ServerSocket listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();
    private final AtomicLong passed = new AtomicLong();
    private final CountDownLatch enough = new CountDownLatch(1);
    private volatile long wanted = Long.MAX_VALUE;

    CutRelay(int port) throws IOException {
        Thread.ofVirtual()
                .start(() -> {
                    try {
                        var one = listening.accept();
                        var other = new Socket(InetAddress.getLoopbackAddress(), port);
                        sockets.addAll(List.of(one, other));
                        Thread.ofVirtual().start(() -> pass(one, other));
                        pass(other, one);
                    } catch (IOException cut) {
                        // As it is meant to be.
                    }
                });
    }

    int port() {
        return listening.getLocalPort();
    }

    /// Waits until so many bytes have passed.
    void awaitBytes(long bytes) throws InterruptedException {
        wanted = bytes;
        enough.await();
    }

    @Override
    public void close() throws IOException {
        cut();
    }

    /// Closes the connection on both sides.
    void cut() throws IOException {
        listening.close();
        for (var socket : sockets) {
            socket.close();
        }
    }

    private void pass(Socket from, Socket to) {
        try {
            var buffer = new byte[8_192];
            for (var read = from.getInputStream().read(buffer);
                    read >= 0;
                    read = from.getInputStream().read(buffer)) {
                to.getOutputStream().write(buffer, 0, read);
                if (passed.addAndGet(read) >= wanted) {
                    enough.countDown();
                }
            }
        } catch (IOException cut) {
            // As it is meant to be.
        }
    }
}
