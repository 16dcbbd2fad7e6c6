package winnow.tests.benchmark.hold;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/// The floor for how long an event loop is held: one thread that reads memory for as long as a
/// broker matches in one iteration, writes to one of some sockets, and begins again. There is no
/// broker in it, so whatever an iteration takes longer than these two comes from the machine. Used
/// by one thread.
final class BareLoop implements AutoCloseable {
    /// As `MatchTurn.READ_NANOS` and `SlicedWork.SLICE_NANOS` of the broker together.
    private static final long WORK_NANOS = 300_000;

    /// What a broker writes at a time with a million selectors of 3 to 6 components.
    private static final int WRITE_BYTES = 5_500;

    /// 64 MiB, more than the caches hold.
    private static final int LONGS = 1 << 23;

    private static final int READS_PER_LOOK = 64;
    private static final int READ_BYTES = 64 * 1024;

    private final long[] memory = new Random(1).longs(LONGS).toArray();
    private final List<Socket> sockets = new ArrayList<>();
    private final List<OutputStream> outputs = new ArrayList<>();
    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private long sum;

    /// @param readers how many sockets there are, each with a thread that reads it
    BareLoop(int readers) throws IOException {
        try (ServerSocket server = new ServerSocket(0, readers, InetAddress.getLoopbackAddress())) {
            for (int i = 0; i < readers; i++) {
                Socket reader = new Socket(server.getInetAddress(), server.getLocalPort());
                Socket writer = server.accept();
                writer.setTcpNoDelay(true);
                sockets.add(reader);
                sockets.add(writer);
                outputs.add(writer.getOutputStream());
                Thread.ofPlatform().name("bare-reader").daemon().start(() -> readAll(reader));
            }
        }
    }

    private static void readAll(Socket socket) {
        byte[] buffer = new byte[READ_BYTES];
        try (InputStream in = socket.getInputStream()) {
            int read = 0;
            while (read >= 0) {
                read = in.read(buffer);
            }
        } catch (IOException e) {
            // Closed: the measurement is over.
        }
    }

    /// Runs for so long.
    LoopProbe.Times run(long millis) throws IOException {
        LoopProbe.Times times = new LoopProbe.Times();
        byte[] bytes = new byte[WRITE_BYTES];
        long now = System.nanoTime();
        long end = now + millis * 1_000_000;
        long due = now;
        long processor = threads.getCurrentThreadCpuTime();
        for (int i = 0; now - end < 0; i++) {
            long begin = now;
            work(begin);
            outputs.get(i % outputs.size()).write(bytes);
            long processorBefore = processor;
            processor = threads.getCurrentThreadCpuTime();
            now = System.nanoTime();
            due = times.add(begin, now, processor - processorBefore, due);
        }
        return times;
    }

    private void work(long begin) {
        while (System.nanoTime() - begin < WORK_NANOS) {
            for (int i = 0; i < READS_PER_LOOK; i++) {
                sum += memory[(int) sum & LONGS - 1];
            }
        }
    }

    @Override
    public void close() throws IOException {
        for (Socket socket : sockets) {
            socket.close();
        }
    }
}
