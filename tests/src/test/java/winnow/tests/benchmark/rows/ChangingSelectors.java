package winnow.tests.benchmark.rows;

import winnow.selector.engine.Selector;

/// Selectors that come and go one at a time, by number from 0. Used by one thread.
interface ChangingSelectors {

    /// How many come and go.
    int changing();

    /// One of them, parsed long ago.
    Selector selector(int i);

    boolean isThere(int i);

    /// Removes a selector if it is there, else adds it.
    ///
    /// @param selector equal to [#selector]
    /// @return whether it was added
    boolean change(int i, Selector selector);

    /// The same with the one that was parsed long ago.
    default boolean change(int i) {
        return change(i, selector(i));
    }
}
