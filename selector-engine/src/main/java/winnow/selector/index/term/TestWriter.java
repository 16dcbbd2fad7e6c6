package winnow.selector.index.term;

/// Writes down how terms are tested without them. Each method adds one test; what cannot be written
/// is left to the term. Writer only.
public interface TestWriter {

    /// A longer list of constants is not written: its term is tested once per message.
    int MAX_CONSTANTS = 6;

    /// A test that cannot be written down.
    void ask();

    /// A string is a constant.
    void equal(int slot, int constant);

    /// A string differs from a constant.
    void differs(int slot, int constant);

    /// A string is one of some constants.
    ///
    /// @param constants at most [#MAX_CONSTANTS]
    void oneOf(int slot, int[] constants);

    /// There is a value, and it is none of some constants.
    ///
    /// @param constants at most [#MAX_CONSTANTS]
    void noneOf(int slot, int[] constants);

    /// A number is in a range.
    ///
    /// @param closed whether the floats themselves are in the range
    void range(int slot, float low, float high, boolean closed);

    /// There is a value, and it is no number of a range.
    ///
    /// @param closed whether the floats themselves are in the range
    void notInRange(int slot, float low, float high, boolean closed);

    /// There is no value.
    void missing(int slot);

    /// A term is true.
    ///
    /// @param term its number among [AskedTerms]
    void asked(int term);
}
