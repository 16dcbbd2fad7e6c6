package winnow.store;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Changes of rows that take effect together. One thread fills it, then it is not changed any more.
///
/// It is kept in the form in which a replicated log would store it: for each change the number of
/// the operation, the number of the table, and one or two byte strings with their lengths in 4
/// bytes each. Large values are beside it, not copied, and so is whose memory values take.
public final class Batch {
    private static final int PUT = 1;
    private static final int DELETE = 2;
    private static final int DELETE_RANGE = 3;
    private static final int PUT_WHOLE = 4;
    private static final int PUT_PASSING = 5;
    private static final int OWNER = 6;

    /// Values from this length on are kept apart: they are not copied again when the next ones need
    /// more room.
    private static final int LARGE_BYTES = 64 * 1024;

    private byte[] bytes;
    private int size;
    private int changes;

    /// Values that were not copied, in the order of their changes.
    private final List<byte[]> whole = new ArrayList<>(0);

    private int wholeBytes;

    /// In the order of their operations.
    private final List<@Nullable RowOwner> owners = new ArrayList<>(0);

    /// That of the next value, and of the last one.
    private @Nullable RowOwner owner;

    private @Nullable RowOwner lastOwner;

    public Batch() {
        this(256);
    }

    /// @param initialBytes room at the beginning
    public Batch(int initialBytes) {
        bytes = new byte[initialBytes];
    }

    private Batch(byte[] encoded) {
        bytes = encoded;
        size = encoded.length;
    }

    /// The changes that [#encoded] has written, which are not copied.
    ///
    /// @throws IllegalArgumentException if they are not whole, or not of this version
    public static Batch decoded(byte[] encoded) {
        Batch batch = new Batch(encoded);
        batch.changes = batch.countChanges();
        return batch;
    }

    private int countChanges() {
        int count = 0;
        int at = 0;
        while (at < size) {
            int strings =
                    switch (bytes[at]) {
                        case DELETE -> 1;
                        case PUT, DELETE_RANGE -> 2;
                        default ->
                                throw new IllegalArgumentException(
                                        "expected an operation of a batch, found " + bytes[at]);
                    };
            if (size - at < 2) {
                throw new IllegalArgumentException("expected a table behind an operation");
            }
            Table.ofNumber(bytes[at + 1]);
            at += 2;
            for (int i = 0; i < strings; i++) {
                int length = at > size - 4 ? -1 : length(at);
                if (length < 0 || length > size - 4 - at) {
                    throw new IllegalArgumentException(
                            "expected a string in a batch of " + size + " bytes, found its end");
                }
                at += 4 + length;
            }
            count++;
        }
        return count;
    }

    /// Takes the changes of a batch.
    public interface Visitor {
        /// The values that come next take the memory of this one; null if of nobody.
        default void onOwner(@Nullable RowOwner owner) {}

        void onPut(Table table, byte[] key, byte[] value);

        /// The same for a row that need not outlive the process.
        default void onPutPassing(Table table, byte[] key, byte[] value) {
            onPut(table, key, value);
        }

        void onDelete(Table table, byte[] key);

        /// @param from the first key
        /// @param to the first key that stays
        void onDeleteRange(Table table, byte[] from, byte[] to);
    }

    /// Sets whose memory the rows from now on take, where they are on the heap; null for nobody's.
    public void owner(@Nullable RowOwner newOwner) {
        owner = newOwner;
    }

    private void writeOwner() {
        if (!Objects.equals(owner, lastOwner)) {
            reserve(1);
            bytes[size++] = (byte) OWNER;
            owners.add(owner);
            lastOwner = owner;
        }
    }

    /// Sets a row.
    public void put(Table table, byte[] key, byte[] value) {
        put(table, key, value, 0, value.length);
    }

    /// Sets a row to the bytes from `start` to `end`, which are copied.
    public void put(Table table, byte[] key, byte[] array, int start, int end) {
        if (end - start > LARGE_BYTES) {
            putWhole(table, key, Arrays.copyOfRange(array, start, end));
            return;
        }
        writeOwner();
        begin(PUT, table);
        write(key, 0, key.length);
        write(array, start, end);
    }

    /// Sets a row to a value that is not copied: nobody may change it any more.
    public void putWhole(Table table, byte[] key, byte[] value) {
        putWhole(PUT_WHOLE, table, key, value);
    }

    /// The same for a row that need not outlive the process: it is not in the write-ahead log.
    public void putPassing(Table table, byte[] key, byte[] value) {
        putWhole(PUT_PASSING, table, key, value);
    }

    private void putWhole(int operation, Table table, byte[] key, byte[] value) {
        writeOwner();
        begin(operation, table);
        write(key, 0, key.length);
        whole.add(value);
        wholeBytes = Math.addExact(wholeBytes, value.length);
    }

    /// Removes a row, if it is there.
    public void delete(Table table, byte[] key) {
        begin(DELETE, table);
        write(key, 0, key.length);
    }

    /// Removes the rows from `from` to before `to`.
    public void deleteRange(Table table, byte[] from, byte[] to) {
        if (Arrays.compareUnsigned(from, to) > 0) {
            throw new IllegalArgumentException(
                    "table " + table + ": a range that ends before it begins");
        }
        begin(DELETE_RANGE, table);
        write(from, 0, from.length);
        write(to, 0, to.length);
    }

    public boolean isEmpty() {
        return changes == 0;
    }

    /// Number of changes that it has.
    public int changes() {
        return changes;
    }

    /// Its length.
    public int bytes() {
        return size + wholeBytes;
    }

    /// Writes the changes to a stream; those of several batches one after the other are one batch.
    /// Of each row it tells neither whose memory it takes nor that it need not outlive the process.
    public void encodeTo(ByteArrayOutputStream out) {
        if (whole.isEmpty() && owners.isEmpty()) {
            out.write(bytes, 0, size);
        } else {
            Batch plain = new Batch(bytes());
            forEach(plain.new Copier());
            out.write(plain.bytes, 0, plain.size);
        }
    }

    /// The same as an array.
    public byte[] encoded() {
        ByteArrayOutputStream out = new ByteArrayOutputStream(bytes());
        encodeTo(out);
        return out.toByteArray();
    }

    /// Adds changes to the batch, all values among its own bytes.
    private final class Copier implements Visitor {
        @Override
        public void onPut(Table table, byte[] key, byte[] value) {
            begin(PUT, table);
            write(key, 0, key.length);
            write(value, 0, value.length);
        }

        @Override
        public void onDelete(Table table, byte[] key) {
            delete(table, key);
        }

        @Override
        public void onDeleteRange(Table table, byte[] from, byte[] to) {
            deleteRange(table, from, to);
        }
    }

    /// Shows the changes in the order in which they were made.
    public void forEach(Visitor visitor) {
        int at = 0;
        int next = 0;
        int nextOwner = 0;
        while (at < size) {
            int operation = bytes[at];
            if (operation == OWNER) {
                visitor.onOwner(owners.get(nextOwner++));
                at++;
                continue;
            }
            Table table = Table.ofNumber(bytes[at + 1]);
            byte[] first = string(at + 2);
            at += 6 + first.length;
            if (operation == DELETE) {
                visitor.onDelete(table, first);
                continue;
            }
            if (operation == PUT_WHOLE) {
                visitor.onPut(table, first, whole.get(next++));
                continue;
            }
            if (operation == PUT_PASSING) {
                visitor.onPutPassing(table, first, whole.get(next++));
                continue;
            }
            byte[] second = string(at);
            at += 4 + second.length;
            if (operation == PUT) {
                visitor.onPut(table, first, second);
            } else {
                visitor.onDeleteRange(table, first, second);
            }
        }
    }

    private void begin(int operation, Table table) {
        reserve(2);
        bytes[size++] = (byte) operation;
        bytes[size++] = (byte) table.number();
        changes++;
    }

    private void write(byte[] array, int start, int end) {
        int length = end - start;
        reserve(4 + length);
        for (int shift = 24; shift >= 0; shift -= 8) {
            bytes[size++] = (byte) (length >>> shift);
        }
        System.arraycopy(array, start, bytes, size, length);
        size += length;
    }

    private void reserve(int more) {
        if (bytes.length - size < more) {
            bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, Math.addExact(size, more)));
        }
    }

    private byte[] string(int at) {
        return Arrays.copyOfRange(bytes, at + 4, at + 4 + length(at));
    }

    private int length(int at) {
        int length = 0;
        for (int i = 0; i < 4; i++) {
            length = length << 8 | (bytes[at + i] & 0xFF);
        }
        return length;
    }
}
