package winnow.loadgen.remote;

import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.concurrent.atomic.AtomicLong;

/// A connection whose two sides have proven that they know the secret. Every line has a code over
/// its number and its text, with a key of this connection and direction: a line that somebody else
/// wrote, or that was repeated, left out or changed, ends the connection.
///
/// A line is HMAC-SHA256(key, number as 8 bytes, big-endian, from 0, and the text) in 64
/// hexadecimal digits, a space, the text, which is JSON, and a line feed.
///
/// Thread-safe for senders; one thread receives.
final class WorkerLink implements AutoCloseable {

    /// Digits of a number and the comma after it.
    private static final int NUMBER_BYTES = 21;

    /// Longest order: the point and the provider, or a number for each publisher.
    static final int ORDER_BYTES = (64 << 10) + NUMBER_BYTES * WorkerService.MOST_PARTICIPANTS;

    /// Longest report: the receipts of all subscribers.
    static final int REPORT_BYTES = 32 << 20;

    /// Each side says something at least this often.
    static final Duration PULSE = Duration.ofMillis(500);

    /// Silence after which the other side counts as lost.
    static final Duration SILENCE = Duration.ofSeconds(10);

    private static final int CODE_DIGITS = 64;

    private static final HexFormat HEX = HexFormat.of();

    private final Socket socket;
    private final LineInput input;
    private final OutputStream output;
    private final WorkerSecret.Key sending;
    private final WorkerSecret.Key receiving;
    private final int mostBytes;

    /// Beginning of the write that has not come to its end; 0 without one.
    private final AtomicLong writingSince = new AtomicLong();

    private long sent;
    private long received;

    /// @param mostBytes of a line that comes
    WorkerLink(
            Socket socket,
            LineInput input,
            WorkerSecret.Key sending,
            WorkerSecret.Key receiving,
            int mostBytes)
            throws IOException {
        this.socket = socket;
        this.input = input;
        this.sending = sending;
        this.receiving = receiving;
        this.mostBytes = mostBytes;
        output = socket.getOutputStream();
        socket.setSoTimeout((int) SILENCE.toMillis());
    }

    /// Sends a line.
    ///
    /// @param text without a line feed
    synchronized void send(byte[] text) throws IOException {
        var code = sending.code(number(sent++), text);
        var line = new byte[CODE_DIGITS + 2 + text.length];
        for (var index = 0; index < code.length; index++) {
            line[2 * index] = (byte) HEX.toHighHexDigit(code[index]);
            line[2 * index + 1] = (byte) HEX.toLowHexDigit(code[index]);
        }
        line[CODE_DIGITS] = ' ';
        System.arraycopy(text, 0, line, CODE_DIGITS + 1, text.length);
        line[line.length - 1] = '\n';
        writingSince.set(System.nanoTime() | 1);
        output.write(line);
        writingSince.set(0);
    }

    /// The next line of the other side.
    ///
    /// @throws IOException if the connection ended or was silent, if the other side does not read,
    ///   or if the line is not its next one
    byte[] receive() throws IOException {
        byte[] line;
        try {
            line = input.read(CODE_DIGITS + 1 + mostBytes);
        } catch (SocketTimeoutException silent) {
            throw new IOException(
                    "nothing was heard of it for %d s".formatted(SILENCE.toSeconds()), silent);
        }
        var since = writingSince.get();
        if (since != 0 && System.nanoTime() - since > SILENCE.toNanos()) {
            throw new IOException("it has read nothing for %d s".formatted(SILENCE.toSeconds()));
        }
        if (line.length < CODE_DIGITS + 1 || line[CODE_DIGITS] != ' ') {
            throw new IOException("expected a line with a code, found another");
        }
        var text = Arrays.copyOfRange(line, CODE_DIGITS + 1, line.length);
        var code = receiving.code(number(received++), text);
        var expected = HEX.formatHex(code).getBytes(StandardCharsets.US_ASCII);
        if (!MessageDigest.isEqual(Arrays.copyOf(line, CODE_DIGITS), expected)) {
            throw new IOException("found a line that was changed, repeated or written by another");
        }
        return text;
    }

    /// Address of the other side.
    String peer() {
        return String.valueOf(socket.getRemoteSocketAddress()).replaceFirst("^.*/", "");
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException alreadyGone) {
            // So it is closed.
        }
    }

    private static byte[] number(long number) {
        return ByteBuffer.allocate(Long.BYTES).putLong(number).array();
    }
}
