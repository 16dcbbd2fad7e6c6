package winnow.broker.shard;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import winnow.store.Batch;
import winnow.store.LogException;
import winnow.store.Table;
import winnow.wire.WireWriter;

/// A stored message that cannot be read or is not what was written, and what was found of its rows.
final class Damage {
    private static final byte[] NONE = {};

    final long sequence;
    final String reason;
    private final byte[] headers;
    private final byte[] body;

    /// @param cause says what is wrong
    /// @param headers,body as far as they could be read
    static Damage of(
            long sequence, LogException cause, byte @Nullable [] headers, byte @Nullable [] body) {
        return new Damage(sequence, String.valueOf(cause.getMessage()), headers, body);
    }

    /// @param headers its row in [Table#HEADERS], null if there is none
    /// @param body its row in [Table#BODIES], null if there is none
    Damage(long sequence, String reason, byte @Nullable [] headers, byte @Nullable [] body) {
        this.sequence = sequence;
        this.reason = reason;
        this.headers = headers == null ? NONE : headers;
        this.body = body == null ? NONE : body;
    }

    /// Bytes of the message, 0 if its headers cannot tell.
    int bytes() {
        try {
            return MessageRows.head(Keys.of(0, sequence), headers).headers().blockBytes();
        } catch (LogException e) {
            return 0;
        }
    }

    /// Moves the rows to [Table#QUARANTINED]: reason, header's row and body's row, each with its
    /// length.
    void putAside(Batch batch, StoredDestination destination) {
        WireWriter out = new WireWriter(headers.length + body.length + 64);
        out.writeBytes(reason.getBytes(StandardCharsets.UTF_8));
        out.writeBytes(headers);
        out.writeBytes(body);
        byte[] key = Keys.of(destination.id(), sequence);
        batch.put(Table.QUARANTINED, key, out.array(), 0, out.size());
        batch.delete(Table.HEADERS, key);
        batch.delete(Table.BODIES, key);
    }
}
