package winnow.client.transport;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;
import winnow.wire.FrameType;
import winnow.wire.Protocol;

/// The first bytes that a server sends, which tell what it is if it is no Winnow broker.
/// Thread-safe.
///
/// Not much is quoted of them: some servers send back what they got, which was a password.
final class Greeting {
    private static final int KEPT_BYTES = 16;
    private static final int MAX_QUOTED_CHARACTERS = 12;
    private static final int MAX_QUOTED_BYTES = 8;
    private static final int TYPE_OFFSET = Protocol.LENGTH_BYTES;

    private static final String TLS_SERVER = "a TLS server";

    /// First characters that a kind of server sends, a byte each.
    private static final String[][] BEGINNINGS = {
        {"HTTP/", "an HTTP server"},
        {"<", "an HTTP server"},
        {"-", "a Redis server"},
        {"220", "a mail or FTP server"},
        {"SSH-", "an SSH server"},
        {"+OK", "a POP3 server"},
        {"* OK", "an IMAP server"},
        {"INFO {", "a NATS server"},
        {"AMQP", "an AMQP broker"},
        {"ERROR\n", "a STOMP broker"},
        {"E\0\0\0", "a PostgreSQL server"},
        {"\u0015\u0003", TLS_SERVER},
    };

    private final byte[] kept = new byte[KEPT_BYTES];
    private int size;

    /// Takes what was read. Borrows `in`.
    synchronized void add(ByteBuf in) {
        int length = Math.min(in.readableBytes(), KEPT_BYTES - size);
        in.getBytes(in.readerIndex(), kept, size, length);
        size += length;
    }

    /// True if nothing came.
    synchronized boolean isEmpty() {
        return size == 0;
    }

    /// Sentence about "it" that says what there is instead of a Winnow broker; null if there may be
    /// one.
    synchronized @Nullable String otherServer() {
        if (mayBeginAFrame()) {
            return null;
        }
        String kind = kind();
        return kind == null
                ? "its answer begins with %s, which no Winnow broker sends".formatted(quoted())
                : "it answers as %s, not as a Winnow broker%s"
                        .formatted(kind, kind.equals(TLS_SERVER) ? ": use winnows://" : "");
    }

    /// True if this is, as far as it goes, the length and the type of a frame that a broker sends.
    private boolean mayBeginAFrame() {
        if (size < TYPE_OFFSET) {
            return size == 0 || (kept[0] == 0 && (size == 1 || kept[1] == 0));
        }
        int length = 0;
        for (int i = 0; i < Protocol.LENGTH_BYTES; i++) {
            length = (length << Byte.SIZE) | (kept[i] & 0xFF);
        }
        boolean plausible = length >= 0 && length <= Protocol.MAX_HANDSHAKE_FRAME_BYTES;
        return plausible && (size == TYPE_OFFSET || kept[TYPE_OFFSET] >= FrameType.WELCOME);
    }

    private @Nullable String kind() {
        String text = new String(kept, 0, size, StandardCharsets.ISO_8859_1);
        for (String[] beginning : BEGINNINGS) {
            if (text.startsWith(beginning[0])) {
                return beginning[1];
            }
        }
        if (text.startsWith("ActiveMQ", TYPE_OFFSET + 1)) {
            return "an OpenWire broker";
        }
        // Length in three bytes, number of the packet, version of the protocol.
        return text.startsWith("\0\n", 3) ? "a MySQL server" : null;
    }

    private String quoted() {
        int end = 0;
        while (end < Math.min(size, MAX_QUOTED_CHARACTERS) && isPrintable(kept[end])) {
            end++;
        }
        if (end > 0) {
            return "'" + new String(kept, 0, end, StandardCharsets.US_ASCII) + "'";
        }
        HexFormat hex = HexFormat.of().withUpperCase();
        return "0x" + hex.formatHex(kept, 0, Math.min(size, MAX_QUOTED_BYTES));
    }

    private static boolean isPrintable(byte character) {
        return character >= ' ' && character < 0x7F;
    }
}
