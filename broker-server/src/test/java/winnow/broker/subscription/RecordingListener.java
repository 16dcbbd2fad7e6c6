package winnow.broker.subscription;

import java.util.ArrayList;
import java.util.List;

/// Keeps what subscriptions say of their budgets, as `over id` and `relieved id`.
public final class RecordingListener implements BudgetListener {
    public final List<String> calls = new ArrayList<>();

    @Override
    public void onOverBudget(Subscription subscription) {
        calls.add("over " + subscription.id());
    }

    @Override
    public void onRelieved(Subscription subscription) {
        calls.add("relieved " + subscription.id());
    }
}
