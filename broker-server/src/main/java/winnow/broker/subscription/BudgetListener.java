package winnow.broker.subscription;

/// Learns when a subscription exceeds its byte budget and when it is relieved. Called on the
/// subscription's event loop; the two calls alternate.
public interface BudgetListener {
    void onOverBudget(Subscription subscription);

    void onRelieved(Subscription subscription);
}
