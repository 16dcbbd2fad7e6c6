package winnow.broker.session;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import winnow.broker.matching.RefusedException;
import winnow.wire.ErrorCode;
import winnow.wire.Protocol;

/// Things that a client has named by numbers of its choice, handles or subscription ids. Numbers
/// that are small for how many there are index an array; a few large ones go to a map. So memory
/// follows how many there are, and an ordinary client's are found by an array read. Owned by the
/// connection's event loop.
final class ById<E> {
    private static final int MIN_LENGTH = 4;

    /// Numbers up to so many above twice the count are small.
    private static final int SLACK = 16;

    private @Nullable E[] dense = newArray(MIN_LENGTH);

    /// Elements beyond the array.
    private Map<Integer, E> sparse = Map.of();

    private int size;

    @SuppressWarnings("unchecked") // An array of a type variable cannot be made otherwise.
    private static <E> @Nullable E[] newArray(int length) {
        return (E[]) new Object[length];
    }

    int size() {
        return size;
    }

    /// Null if nothing has that number.
    @Nullable E get(int id) {
        if (id >= 0 && id < dense.length) {
            return dense[id];
        }
        return sparse.isEmpty() ? null : sparse.get(id);
    }

    /// Adds what has a number that nothing else has.
    ///
    /// @param id not negative
    void add(int id, E element) {
        size++;
        if (id >= dense.length && id <= 2 * size + SLACK) {
            resize(Math.max(id + 1, 2 * dense.length));
        }
        put(id, element);
    }

    private void put(int id, E element) {
        if (id < dense.length) {
            dense[id] = element;
            return;
        }
        if (sparse.isEmpty()) {
            sparse = new HashMap<>();
        }
        sparse.put(id, element);
    }

    /// Removes what has the number; does nothing if there is none.
    void remove(int id) {
        if (get(id) == null) {
            return;
        }
        size--;
        if (id < dense.length) {
            dense[id] = null;
        } else {
            sparse.remove(id);
        }
        if (size == 0) {
            clear();
        } else if (8 * size < dense.length && dense.length > SLACK) {
            resize(Math.max(MIN_LENGTH, dense.length / 4));
        }
    }

    /// A shorter array leaves what is beyond it to the map, a longer one takes it from there.
    private void resize(int length) {
        @Nullable E[] before = dense;
        Map<Integer, E> beyond = sparse;
        dense = newArray(length);
        sparse = Map.of();
        System.arraycopy(before, 0, dense, 0, Math.min(length, before.length));
        for (int id = length; id < before.length; id++) {
            E element = before[id];
            if (element != null) {
                put(id, element);
            }
        }
        beyond.forEach(this::put);
    }

    void forEach(Consumer<? super E> action) {
        for (E element : dense) {
            if (element != null) {
                action.accept(element);
            }
        }
        sparse.values().forEach(action);
    }

    /// Removes what fits, and returns it.
    List<E> removeWhere(Predicate<? super E> fits) {
        List<E> removed = new ArrayList<>();
        for (int id = 0; id < dense.length; id++) {
            E element = dense[id];
            if (element != null && fits.test(element)) {
                dense[id] = null;
                removed.add(element);
            }
        }
        for (Iterator<E> rest = sparse.values().iterator(); rest.hasNext(); ) {
            E element = rest.next();
            if (fits.test(element)) {
                rest.remove();
                removed.add(element);
            }
        }
        size -= removed.size();
        return removed;
    }

    /// Empties the table and returns what was in it.
    List<E> removeAll() {
        List<E> all = new ArrayList<>(size);
        forEach(all::add);
        clear();
        return all;
    }

    private void clear() {
        dense = newArray(MIN_LENGTH);
        sparse = Map.of();
        size = 0;
    }

    /// Places taken, used or not; tells that memory follows the count.
    int capacity() {
        return dense.length + sparse.size();
    }

    @Override
    public String toString() {
        return Arrays.toString(dense) + sparse;
    }

    /// A number that a client has chosen must be small enough.
    ///
    /// @param what the number is of, for people
    static void checkId(String what, int number) {
        if (number < 1 || number > Protocol.MAX_ID) {
            throw new RefusedException(
                    ErrorCode.LIMIT_EXCEEDED,
                    what + ": expected 1 to " + Protocol.MAX_ID + ", found " + number);
        }
    }
}
