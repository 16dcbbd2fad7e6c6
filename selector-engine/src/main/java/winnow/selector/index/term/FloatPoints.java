package winnow.selector.index.term;

import org.jspecify.annotations.Nullable;
import winnow.selector.index.structure.HashChains;
import winnow.selector.index.structure.Members;

/// Terms that are true for one float, and not for the double that it is. Neighbouring whole numbers
/// become one float: all times of two minutes in milliseconds do. So there may be many terms per
/// float, but only properties of type float look for them here. One writer, many readers.
public final class FloatPoints {

    private static final class Point {
        /// Content of [Members].
        private volatile @Nullable Object terms;
    }

    private final HashChains<Point> points = new HashChains<>();

    /// @param key of the float
    void add(long key, NumberTerm term) {
        Point known = find(key);
        Point point = known == null ? new Point() : known;
        point.terms = Members.with(point.terms, term);
        if (known == null) {
            points.add(key, point);
        }
    }

    /// @param term that is here under this key
    void remove(long key, NumberTerm term) {
        Point point = find(key);
        if (point == null) {
            throw new IllegalStateException("no such float");
        }
        Object left = Members.without(point.terms, term);
        point.terms = left;
        if (left == null) {
            points.remove(key, point);
        }
    }

    private @Nullable Point find(long key) {
        for (var link = points.bucket(key); link != null; link = link.next) {
            if (link.key == key) {
                return link.value;
            }
        }
        return null;
    }

    /// Any thread.
    void probe(long key, TermVisitor matching) {
        Point point = find(key);
        Object terms = point == null ? null : point.terms;
        if (terms != null) {
            matching.candidates(terms);
        }
    }
}
