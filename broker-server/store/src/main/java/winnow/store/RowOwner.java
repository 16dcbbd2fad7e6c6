package winnow.store;

/// Owner of the memory that rows on the heap take.
public interface RowOwner {
    /// Rows have come or gone.
    ///
    /// @param changeBytes below 0 if they have gone
    void onRows(long changeBytes);
}
