package winnow.broker.subscription;

/// Learns when a subscription is behind, because more waits for it than its budget allows, and when
/// it holds producers back for that or because all together keep too much. Called on the
/// subscription's event loop; the two calls of a pair alternate.
public interface BudgetListener {
    /// True if a subscription that is behind holds producers back. Does not change.
    default boolean holdsBack() {
        return true;
    }

    /// It is behind from now on.
    default void onBehind(Subscription subscription) {}

    /// It is not behind any more: less than half of its budget waits.
    default void onCaughtUp(Subscription subscription) {}

    /// It holds producers back from now on.
    void onOverBudget(Subscription subscription);

    void onRelieved(Subscription subscription);

    /// Messages that waited for it cannot be read any more.
    ///
    /// @param why for people
    default void onLost(Subscription subscription, String why) {
        throw new IllegalStateException(subscription + ": " + why);
    }
}
