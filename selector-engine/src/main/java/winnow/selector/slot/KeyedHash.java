package winnow.selector.slot;

/// Hashes that nobody can foresee who does not know their seed. Clients choose names, strings and
/// numbers, and must not be able to choose many with one hash.
public final class KeyedHash {

    private static final long MIX = 0x9E37_79B9_7F4A_7C15L;
    private static final int CHARS_PER_WORD = Long.SIZE / Character.SIZE;

    private KeyedHash() {}

    /// Mixes a number: each bit of the result depends on all of its bits.
    public static long mixed(long hash) {
        return fold(hash, MIX);
    }

    /// Mixes all bits of both, by their full product of 128 bits (the construction of wyhash).
    static long fold(long a, long b) {
        return a * b ^ Math.unsignedMultiplyHigh(a, b);
    }

    /// The hash of a text.
    ///
    /// @param seed secret, or the hash of something secret and of what goes before the text
    public static long of(long seed, String text) {
        long hash = mixed(seed ^ text.length());
        long word = 0;
        for (int i = 0; i < text.length(); i++) {
            word = word << Character.SIZE | text.charAt(i);
            if (i % CHARS_PER_WORD == CHARS_PER_WORD - 1) {
                hash = mixed(hash ^ word);
                word = 0;
            }
        }
        return mixed(hash ^ word);
    }
}
