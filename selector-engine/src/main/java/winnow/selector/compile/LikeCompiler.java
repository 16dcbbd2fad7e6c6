package winnow.selector.compile;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import winnow.selector.expression.LikePattern;
import winnow.selector.slot.SlotRegistry;
import winnow.selector.slot.SlotValues;

/// Chooses the cheapest predicate for a LIKE pattern.
///
/// ```
/// abc      -> equality            abc%     -> PrefixMatches
/// %        -> is a string         %abc%         -> TextContains
/// anything else -> LikeMatches: head % part % .. % tail
/// ```
final class LikeCompiler {

    /// `_` among code points.
    static final int ANY = -1;

    private LikeCompiler() {}

    static Predicate compile(LikePattern pattern, int slot, SlotRegistry slots) {
        if (pattern.isExact()) {
            byte[] utf8 = pattern.unescaped().getBytes(UTF_8);
            return new StringEquals(slot, slots.requireConstant(slot, utf8));
        }
        List<int[]> parts = split(pattern);
        int[] head = parts.getFirst();
        if (parts.size() == 1) {
            return new LikeMatches(slot, new AnchoredPart(head));
        }
        int[] tail = parts.getLast();
        List<int[]> floating =
                parts.subList(1, parts.size() - 1).stream()
                        .filter(part -> part.length > 0)
                        .toList();
        if (floating.isEmpty() && tail.length == 0) {
            if (head.length == 0) {
                return new KindIs(slot, SlotValues.STRING);
            }
            if (!hasAny(head)) {
                return new PrefixMatches(slot, utf8(head));
            }
        }
        FloatingPart[] searches =
                floating.stream().map(LikeCompiler::search).toArray(FloatingPart[]::new);
        if (searches.length == 1 && head.length == 0 && tail.length == 0) {
            return new TextContains(slot, searches[0]);
        }
        return new LikeMatches(slot, new AnchoredPart(head), searches, new AnchoredPart(tail));
    }

    private static FloatingPart search(int[] part) {
        if (hasAny(part)) {
            return new WildPart(part);
        }
        byte[] plain = utf8(part);
        return plain.length <= ShortPart.MAX_BYTES ? new ShortPart(plain) : new PlainPart(plain);
    }

    /// The parts between the `%`, as code points with [#ANY]; one part if there is no `%`.
    private static List<int[]> split(LikePattern pattern) {
        List<int[]> parts = new ArrayList<>();
        int[] codePoints = pattern.text().codePoints().toArray();
        int[] part = new int[codePoints.length];
        int length = 0;
        for (int i = 0; i < codePoints.length; i++) {
            switch (codePoints[i]) {
                case '%' -> {
                    parts.add(Arrays.copyOf(part, length));
                    length = 0;
                }
                case '_' -> part[length++] = ANY;
                case LikePattern.ESCAPE -> part[length++] = codePoints[++i];
                default -> part[length++] = codePoints[i];
            }
        }
        parts.add(Arrays.copyOf(part, length));
        return parts;
    }

    static boolean hasAny(int[] part) {
        for (int codePoint : part) {
            if (codePoint == ANY) {
                return true;
            }
        }
        return false;
    }

    static byte[] utf8(int[] plainPart) {
        return new String(plainPart, 0, plainPart.length).getBytes(UTF_8);
    }
}
