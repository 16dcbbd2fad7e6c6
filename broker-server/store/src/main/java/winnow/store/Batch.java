package winnow.store;

import java.util.Arrays;

/// Changes of rows that take effect together. One thread fills it, then it is not changed any more.
///
/// It is kept in the form in which a replicated log would store it: for each change the number of
/// the operation, the number of the table, and one or two byte strings with their lengths in 4
/// bytes each.
public final class Batch {
    private static final int PUT = 1;
    private static final int DELETE = 2;
    private static final int DELETE_RANGE = 3;

    private byte[] bytes;
    private int size;
    private int changes;

    public Batch() {
        this(256);
    }

    /// @param initialBytes room at the beginning
    public Batch(int initialBytes) {
        bytes = new byte[initialBytes];
    }

    /// Takes the changes of a batch.
    public interface Visitor {
        void onPut(Table table, byte[] key, byte[] value);

        void onDelete(Table table, byte[] key);

        /// @param from the first key
        /// @param to the first key that stays
        void onDeleteRange(Table table, byte[] from, byte[] to);
    }

    /// Sets a row.
    public void put(Table table, byte[] key, byte[] value) {
        put(table, key, value, 0, value.length);
    }

    /// Sets a row to the bytes from `start` to `end`, which are copied.
    public void put(Table table, byte[] key, byte[] array, int start, int end) {
        begin(PUT, table);
        write(key, 0, key.length);
        write(array, start, end);
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

    /// How many changes it has.
    public int changes() {
        return changes;
    }

    /// Its length.
    public int bytes() {
        return size;
    }

    /// Shows the changes in the order in which they were made.
    public void forEach(Visitor visitor) {
        int at = 0;
        while (at < size) {
            int operation = bytes[at];
            Table table = Table.ofNumber(bytes[at + 1]);
            byte[] first = string(at + 2);
            at += 6 + first.length;
            if (operation == DELETE) {
                visitor.onDelete(table, first);
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
        int length = 0;
        for (int i = 0; i < 4; i++) {
            length = length << 8 | (bytes[at + i] & 0xFF);
        }
        return Arrays.copyOfRange(bytes, at + 4, at + 4 + length);
    }
}
