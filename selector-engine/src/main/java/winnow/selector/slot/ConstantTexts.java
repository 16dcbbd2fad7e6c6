package winnow.selector.slot;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Texts of constants, and how often they are used, by number. A constant of up to seven bytes
/// takes 12 bytes here, one of up to 15 bytes 20, and neither an object.
///
/// One writer, many readers without locks. A reader that has found a number sees at least what the
/// writer wrote here before it let the number be found. The number may have been given to another
/// constant since: a reader is then told that it says something else, or, if it asks for the new
/// one, that it says this.
///
/// The numbers are in chunks, so that growing copies little, and hardly more room is taken than is
/// needed.
final class ConstantTexts {

    private static final int CHUNK_BITS = 8;
    private static final int CHUNK = 1 << CHUNK_BITS;

    /// As long as the first chunk is the only one, it may be as short as this.
    private static final int MIN_CAPACITY = 4;

    private static final long[] NO_LONGS = {};

    private static final VarHandle WORDS = MethodHandles.arrayElementVarHandle(long[].class);
    private static final VarHandle TEXTS = MethodHandles.arrayElementVarHandle(byte[][].class);

    /// By the upper bits of numbers, and then by the lower ones.
    private volatile long[][] words = {new long[MIN_CAPACITY]};

    /// Likewise the first words of pairs; empty for a chunk that had no pair yet.
    private volatile long[][] firsts = {NO_LONGS};

    /// Likewise the bytes where the word is a hash, else null; null for a chunk that had no such
    /// word yet.
    private volatile byte[] @Nullable [] @Nullable [] texts = new byte[1][][];

    /// Likewise; 0 if the number is free. Writer only.
    private int[][] uses = {new int[MIN_CAPACITY]};

    private int capacity = MIN_CAPACITY;

    /// True if the constant of a number has a word that is not a hash. Any thread.
    boolean says(int number, long word) {
        return is(words, number, word);
    }

    /// The same for the first of two words. A reader has to make sure that the number was not given
    /// to another constant between its looks at the two.
    boolean saysFirst(int number, long first) {
        return is(firsts, number, first);
    }

    private static boolean is(long[][] current, int number, long word) {
        int chunk = number >>> CHUNK_BITS;
        // Unsigned, as the checks of the array accesses are, which then cost nothing.
        if (Integer.compareUnsigned(chunk, current.length) >= 0) {
            return false;
        }
        long[] ofChunk = current[chunk];
        int at = number & CHUNK - 1;
        return Integer.compareUnsigned(at, ofChunk.length) < 0
                && (long) WORDS.getAcquire(ofChunk, at) == word;
    }

    /// True if the constant of a number has these bytes and a word that is a hash. Any thread.
    boolean says(int number, byte[] bytes, int offset, int length) {
        byte[] @Nullable [] @Nullable [] current = texts;
        int chunk = number >>> CHUNK_BITS;
        byte @Nullable [] @Nullable [] ofChunk = chunk < current.length ? current[chunk] : null;
        int at = number & CHUNK - 1;
        if (ofChunk == null || at >= ofChunk.length) {
            return false;
        }
        byte[] text = (byte[]) TEXTS.getAcquire(ofChunk, at);
        return text != null && Arrays.equals(text, 0, text.length, bytes, offset, offset + length);
    }

    /// The word of a constant. Writer only.
    long word(int number) {
        return words[number >>> CHUNK_BITS][number & CHUNK - 1];
    }

    /// The first of two words, else 0. Writer only.
    long first(int number) {
        return StringWord.isPair(word(number))
                ? firsts[number >>> CHUNK_BITS][number & CHUNK - 1]
                : 0;
    }

    /// Writer only.
    boolean isUsed(int number) {
        return number < capacity && uses[number >>> CHUNK_BITS][number & CHUNK - 1] > 0;
    }

    /// Text of a constant that is used. Writer only.
    String text(int number) {
        byte @Nullable [] @Nullable [] ofChunk = texts[number >>> CHUNK_BITS];
        byte[] text = ofChunk == null ? null : ofChunk[number & CHUNK - 1];
        return text == null
                ? StringWord.text(word(number), first(number))
                : new String(text, UTF_8);
    }

    /// Gives a number to a constant, with one use. Writer only.
    void add(int number, long word, long first, byte[] utf8) {
        if (number >= capacity) {
            resize(capacity < CHUNK ? Math.min(CHUNK, 2 * capacity) : capacity + CHUNK);
        }
        int chunk = number >>> CHUNK_BITS;
        int at = number & CHUNK - 1;
        uses[chunk][at] = 1;
        if (StringWord.isPair(word)) {
            WORDS.setRelease(firsts(chunk), at, first);
        } else if (StringWord.isHashed(word)) {
            TEXTS.setRelease(texts(chunk), at, utf8.clone());
        }
        WORDS.setRelease(words[chunk], at, word);
    }

    private long[] firsts(int chunk) {
        long[] ofChunk = firsts[chunk];
        if (ofChunk.length == 0) {
            ofChunk = new long[words[chunk].length];
            long[][] more = firsts.clone();
            more[chunk] = ofChunk;
            firsts = more;
        }
        return ofChunk;
    }

    private byte[] @Nullable [] texts(int chunk) {
        byte[] @Nullable [] @Nullable [] current = texts;
        byte @Nullable [] @Nullable [] ofChunk = current[chunk];
        if (ofChunk == null) {
            ofChunk = new byte[words[chunk].length][];
            current = current.clone();
            current[chunk] = ofChunk;
            texts = current;
        }
        return ofChunk;
    }

    /// Counts a use. Writer only.
    void use(int number) {
        uses[number >>> CHUNK_BITS][number & CHUNK - 1]++;
    }

    /// Takes one use back and returns whether that was the last. Writer only.
    boolean release(int number) {
        return --uses[number >>> CHUNK_BITS][number & CHUNK - 1] == 0;
    }

    /// Forgets a constant that is not used and can no longer be found. Writer only.
    ///
    /// @param limit all numbers that are in use are below this
    void remove(int number, int limit) {
        byte @Nullable [] @Nullable [] ofChunk = texts[number >>> CHUNK_BITS];
        if (ofChunk != null) {
            TEXTS.setRelease(ofChunk, number & CHUNK - 1, null);
        }
        if (4 * limit < capacity && capacity > MIN_CAPACITY) {
            resize(2 * limit);
        }
    }

    /// @param needed room for so many numbers
    private void resize(int needed) {
        int count = Math.max(1, (needed + CHUNK - 1) / CHUNK);
        int length = count > 1 ? CHUNK : Math.max(MIN_CAPACITY, needed);
        long[][] newWords = Arrays.copyOf(words, count);
        long[][] newFirsts = Arrays.copyOf(firsts, count);
        int[][] newUses = Arrays.copyOf(uses, count);
        byte[] @Nullable [] @Nullable [] newTexts = Arrays.copyOf(texts, count);
        for (int i = words.length; i < count; i++) {
            newWords[i] = new long[length];
            newFirsts[i] = NO_LONGS;
            newUses[i] = new int[length];
        }
        if (newWords[0].length != length) {
            newWords[0] = Arrays.copyOf(newWords[0], length);
            newUses[0] = Arrays.copyOf(newUses[0], length);
            if (newFirsts[0].length > 0) {
                newFirsts[0] = Arrays.copyOf(newFirsts[0], length);
            }
            byte @Nullable [] @Nullable [] ofFirst = newTexts[0];
            newTexts[0] = ofFirst == null ? null : Arrays.copyOf(ofFirst, length);
        }
        words = newWords;
        firsts = newFirsts;
        uses = newUses;
        texts = newTexts;
        capacity = count > 1 ? count * CHUNK : length;
    }
}
