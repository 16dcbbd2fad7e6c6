package winnow.loadgen.remote;

import java.io.EOFException;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.concurrent.atomic.AtomicBoolean;

/// Mutual proof that both sides know the secret, before anything else is said.
///
/// ```
/// worker      -> "winnow-worker-1 " W                      W, C: 32 random bytes each
/// coordinator -> C " " HMAC(secret, "coordinator" W C)
/// worker      -> HMAC(secret, "worker" W C)
/// ```
///
/// All in hexadecimal digits. Each direction gets a key of its own, HMAC(secret, "orders" W C) and
/// HMAC(secret, "reports" W C): see [WorkerLink]. HMAC is HMAC-SHA256.
final class WorkerHandshake {

    /// Time for all of it.
    static final Duration TIME = Duration.ofSeconds(5);

    private static final String GREETING = "winnow-worker-1 ";

    private static final int NONCE_BYTES = 32;

    private static final int LINE_BYTES = 256;

    private static final HexFormat HEX = HexFormat.of();

    private static final SecureRandom RANDOM = new SecureRandom();

    private WorkerHandshake() {}

    /// On the side of the worker.
    ///
    /// @throws IOException if the other side does not know the secret or takes too long
    static WorkerLink ofWorker(Socket socket, WorkerSecret secret, Duration time)
            throws IOException {
        socket.setTcpNoDelay(true);
        try (var limit = new HandshakeTimer(socket, time)) {
            var link = ofWorker(socket, secret);
            limit.finish();
            return link;
        }
    }

    private static WorkerLink ofWorker(Socket socket, WorkerSecret secret) throws IOException {
        var input = new LineInput(socket.getInputStream());
        var own = nonce();
        send(socket, GREETING + HEX.formatHex(own));
        var proof = text(input).split(" ", -1);
        if (proof.length != 2) {
            throw new IOException("expected a proof of the secret, found something else");
        }
        var other = bytes(proof[0]);
        if (!MessageDigest.isEqual(bytes(proof[1]), code(secret, "coordinator", own, other))) {
            throw new IOException("found another secret");
        }
        send(socket, HEX.formatHex(code(secret, "worker", own, other)));
        return new WorkerLink(
                socket,
                input,
                secret.derive(label("reports"), own, other),
                secret.derive(label("orders"), own, other),
                WorkerLink.ORDER_BYTES);
    }

    /// On the side of the coordinator.
    ///
    /// @throws IOException if the other side does not know the secret or takes too long
    static WorkerLink ofCoordinator(Socket socket, WorkerSecret secret, Duration time)
            throws IOException {
        socket.setTcpNoDelay(true);
        try (var limit = new HandshakeTimer(socket, time)) {
            var link = ofCoordinator(socket, secret);
            limit.finish();
            return link;
        }
    }

    private static WorkerLink ofCoordinator(Socket socket, WorkerSecret secret) throws IOException {
        var input = new LineInput(socket.getInputStream());
        var greeting = text(input);
        if (!greeting.startsWith(GREETING)) {
            throw new IOException("expected a worker of this version, found another program");
        }
        var other = bytes(greeting.substring(GREETING.length()));
        var own = nonce();
        send(
                socket,
                HEX.formatHex(own) + " " + HEX.formatHex(code(secret, "coordinator", other, own)));
        byte[] proof;
        try {
            proof = bytes(text(input));
        } catch (EOFException refused) {
            throw new IOException("expected the same secret on both sides, was refused", refused);
        }
        if (!MessageDigest.isEqual(proof, code(secret, "worker", other, own))) {
            throw new IOException("expected a worker with the same secret, found another");
        }
        return new WorkerLink(
                socket,
                input,
                secret.derive(label("orders"), other, own),
                secret.derive(label("reports"), other, own),
                WorkerLink.REPORT_BYTES);
    }

    /// Closes the connection when the time is over, however many bytes come meanwhile.
    private static final class HandshakeTimer implements AutoCloseable {

        private final AtomicBoolean finished = new AtomicBoolean();
        private final Thread waiting;

        HandshakeTimer(Socket socket, Duration time) {
            waiting =
                    Thread.ofVirtual()
                            .name("handshake limit")
                            .start(() -> {
                                try {
                                    Thread.sleep(time);
                                    if (finished.compareAndSet(false, true)) {
                                        socket.close();
                                    }
                                } catch (InterruptedException | IOException ended) {
                                    Thread.currentThread().interrupt();
                                }
                            });
        }

        void finish() throws IOException {
            if (!finished.compareAndSet(false, true)) {
                throw new IOException("the handshake took too long");
            }
        }

        @Override
        public void close() {
            waiting.interrupt();
        }
    }

    private static byte[] nonce() {
        var nonce = new byte[NONCE_BYTES];
        RANDOM.nextBytes(nonce);
        return nonce;
    }

    private static byte[] code(WorkerSecret secret, String label, byte[] ofWorker, byte[] other) {
        return secret.code(label(label), ofWorker, other);
    }

    private static byte[] label(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private static void send(Socket socket, String line) throws IOException {
        socket.getOutputStream().write((line + "\n").getBytes(StandardCharsets.US_ASCII));
    }

    private static String text(LineInput input) throws IOException {
        return new String(input.read(LINE_BYTES), StandardCharsets.US_ASCII);
    }

    /// 32 bytes: nonces and codes have the same length, so that no other split of them is another
    /// message.
    private static byte[] bytes(String digits) throws IOException {
        try {
            var bytes = HEX.parseHex(digits);
            if (bytes.length == NONCE_BYTES) {
                return bytes;
            }
        } catch (IllegalArgumentException malformed) {
            throw new IOException("expected hexadecimal digits in the handshake", malformed);
        }
        throw new IOException("expected %d bytes in the handshake".formatted(NONCE_BYTES));
    }
}
