package winnow.tests.hostile;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import winnow.wire.FrameType;
import winnow.wire.Protocol;
import winnow.wire.WireWriter;

/// Attacks by what is sent, not sent, or not read.
final class SocketAttacks {
    private static final int MUCH = 1 << 30;

    private SocketAttacks() {}

    static void unreadDeliveries(Intruders intruders) throws InterruptedException {
        intruders.each(
                100,
                (peer, _) -> {
                    for (int id = 1; id <= 10; id++) {
                        peer.subscribe(id, "hostile-unread", "", MUCH);
                    }
                    peer.awaitAnswers(10);
                    peer.stopReading();
                });
        intruders.each(
                2,
                (peer, _) -> {
                    peer.open(1, "hostile-unread");
                    for (int i = 0; i < 5_000 && peer.publish(1, "", 4 * 1024); i++) {}
                });
    }

    static void unreadLarge(Intruders intruders) throws InterruptedException {
        int count = 60;
        intruders.each(
                count,
                (peer, number) -> {
                    peer.subscribe(1, "hostile-large-" + number, "", MUCH);
                    peer.awaitAnswers(1);
                    peer.stopReading();
                });
        intruders.each(
                count,
                (peer, number) -> {
                    peer.open(1, "hostile-large-" + number);
                    for (int i = 0; i < 3 && peer.publish(1, "", 1024 * 1024); i++) {}
                });
        TimeUnit.SECONDS.sleep(1);
    }

    static void unreadAnswers(Intruders intruders) throws InterruptedException {
        intruders.each(
                50,
                (peer, _) -> {
                    peer.stopReading();
                    for (int i = 0; i < 50_000; i++) {
                        peer.unsubscribe(1 + i % Protocol.MAX_ID);
                    }
                });
    }

    static void partialFrames(Intruders intruders) throws InterruptedException {
        byte[] piece = new byte[64 * 1024];
        intruders.each(
                40,
                (peer, _) -> {
                    WireWriter start = new WireWriter(16);
                    start.writeInt(peer.maxFrameBytes());
                    start.writeByte(FrameType.PUBLISH);
                    peer.write(start.toByteArray());
                    long most = peer.maxFrameBytes() * 3L / 4;
                    for (int sent = 0; sent < most; sent += piece.length) {
                        peer.write(piece);
                    }
                });
    }

    static void garbage(Intruders intruders) throws InterruptedException {
        long seed = Long.getLong("winnow.seed", System.nanoTime());
        System.out.println("garbage: -Dwinnow.seed=" + seed);
        intruders.each(100, (peer, number) -> sendRandom(peer, new Random(seed + number)));
        intruders.eachSilent(
                intruders.broker().address(),
                200,
                (peer, number) -> sendRandom(peer, new Random(seed - number)));
    }

    private static void sendRandom(RawPeer peer, Random random) throws IOException {
        byte[] bytes = new byte[8 * 1024];
        for (int i = 0; i < 16; i++) {
            random.nextBytes(bytes);
            if (random.nextBoolean()) {
                // A length and a type that the broker knows, so that it reads what follows.
                WireWriter start = new WireWriter(16);
                start.writeInt(1 + random.nextInt(200));
                start.writeByte(1 + random.nextInt(10));
                System.arraycopy(start.array(), 0, bytes, 0, start.size());
            }
            peer.write(bytes);
        }
    }

    static void silence(Intruders intruders) throws InterruptedException {
        intruders.eachSilent(intruders.broker().address(), 1_000, (_, _) -> {});
        TimeUnit.SECONDS.sleep(1);
    }

    static void shortConnections(Intruders intruders) throws InterruptedException {
        intruders.eachSilent(intruders.broker().address(), 5_000, (peer, _) -> peer.close());
    }

    static void pipelinedPages(Intruders intruders) throws InterruptedException {
        byte[] requests =
                "GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n"
                        .repeat(16)
                        .getBytes(StandardCharsets.US_ASCII);
        intruders.eachSilent(
                intruders.broker().httpAddress(),
                200,
                (peer, number) -> {
                    peer.write(requests);
                    if (number % 20 == 0 && intruders.broker().status("/health/live") != 200) {
                        throw new IllegalStateException("the broker says that it is not alive");
                    }
                });
    }

    static void idleHttp(Intruders intruders) throws InterruptedException {
        byte[] half = "GET /metrics HTTP/1.1\r\nHost: ".getBytes(StandardCharsets.US_ASCII);
        intruders.eachSilent(
                intruders.broker().httpAddress(),
                300,
                (peer, number) -> {
                    if (number % 2 == 0) {
                        peer.write(half);
                    }
                });
    }

    /// With as many connections to list as take some memory, and as many requests on each of those
    /// to the HTTP port as it lets wait.
    static void longLists(Intruders intruders) throws InterruptedException {
        intruders.each(1_000, (_, _) -> {});
        byte[] requests =
                "GET /api/v1/connections?limit=10000 HTTP/1.1\r\nHost: localhost\r\n\r\n"
                        .repeat(16)
                        .getBytes(StandardCharsets.US_ASCII);
        intruders.eachSilent(
                intruders.broker().httpAddress(),
                90,
                (peer, _) -> {
                    peer.write(requests);
                    peer.readToTheEnd();
                });
    }
}
