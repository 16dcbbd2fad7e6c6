package winnow.tests.floor;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import winnow.loadgen.machine.CpuClock;

/// Measures what draining a backlog takes at least: a [BacklogRelay] that reads a store, and a
/// plain socket with the two threads of a JMS client, of which one reads and copies messages, and
/// the other one takes them and acknowledges each; what it acknowledges of one read shares a frame.
/// Prints a table. Fails unless each message has come once, in order, and its acknowledgement is on
/// the disk.
///
/// Usage: `DrainBenchmark STORE_DIRECTORY MESSAGES`. Nothing is taken from the store.
public final class DrainBenchmark {
    private static final int LAST_REQUEST = 2;

    private final long messages;
    private final BlockingQueue<List<Message>> batches = new LinkedBlockingQueue<>();
    private List<Message> batch = new ArrayList<>();
    private long received;

    private DrainBenchmark(long messages) {
        this.messages = messages;
    }

    private static final class Message {
        final long delivery;
        final byte[] bytes;

        Message(long delivery, byte[] bytes) {
            this.delivery = delivery;
            this.bytes = bytes;
        }
    }

    public static void main(String[] args) throws Exception {
        if (args.length != 2) {
            System.err.println("usage: DrainBenchmark STORE_DIRECTORY MESSAGES");
            System.exit(2);
        }
        DrainBenchmark drain = new DrainBenchmark(Long.parseLong(args[1]));
        List<String> command = FloorBenchmark.java(BacklogRelay.class, args[0]);
        RawLoad.Result result;
        try (ServerProcess server = new ServerProcess(command)) {
            result = drain.run(server);
        }
        System.out.println("| messages | seconds | msg/s | broker us | client us |");
        System.out.println("|---|---|---|---|---|");
        System.out.printf(
                Locale.ROOT,
                "| %d | %.3f | %.0f | %.2f | %.2f |%n",
                result.messages(),
                result.seconds(),
                result.messagesPerSecond(),
                result.cpuMicrosPerMessage(),
                result.clientCpuMicrosPerMessage());
    }

    private RawLoad.Result run(ServerProcess server)
            throws IOException, InterruptedException, ExecutionException {
        CpuClock client = CpuClock.ofBroker(ProcessHandle.current().pid());
        double serverCpu = RawLoad.seconds(server.cpu());
        double clientCpu = RawLoad.seconds(client);
        long start = System.nanoTime();
        try (RawConnection connection = new RawConnection(server.address())) {
            FutureTask<Long> session = new FutureTask<>(() -> takeAll(connection));
            Thread.ofPlatform().daemon().name("session").start(session);
            connection.drain(this::onMessage);
            while (received < messages) {
                hand();
                connection.read();
            }
            hand();
            long end = session.get();
            serverCpu = RawLoad.seconds(server.cpu()) - serverCpu;
            clientCpu = RawLoad.seconds(client) - clientCpu;
            while (connection.accepted() < LAST_REQUEST) {
                connection.read();
            }
            return new RawLoad.Result(messages, (end - start) / 1e9, serverCpu, clientCpu);
        }
    }

    private void onMessage(long delivery, byte[] array, int start, int end) {
        received++;
        if (delivery != received || received > messages) {
            throw new IllegalStateException(
                    "expected delivery " + received + " of " + messages + ", found " + delivery);
        }
        batch.add(new Message(delivery, Arrays.copyOfRange(array, start, end)));
    }

    /// Hands over what one read has brought.
    private void hand() {
        if (!batch.isEmpty()) {
            batches.add(batch);
            batch = new ArrayList<>();
        }
    }

    /// Takes each message, as a listener does.
    ///
    /// @return when it had the last one, in ns
    private long takeAll(RawConnection connection) throws IOException, InterruptedException {
        long taken = 0;
        boolean complete = false;
        try {
            while (taken < messages) {
                List<Message> some = batches.take();
                long[] deliveries = new long[some.size()];
                for (int i = 0; i < deliveries.length; i++) {
                    Message message = some.get(i);
                    taken++;
                    if (message.delivery != taken || message.bytes.length == 0) {
                        throw new IllegalStateException(
                                "expected message " + taken + ", found " + message.delivery);
                    }
                    deliveries[i] = taken;
                }
                connection.acknowledge(taken < messages ? 0 : LAST_REQUEST, deliveries);
            }
            complete = true;
            return System.nanoTime();
        } finally {
            if (!complete) {
                // Ends the thread that reads.
                connection.close();
            }
        }
    }
}
