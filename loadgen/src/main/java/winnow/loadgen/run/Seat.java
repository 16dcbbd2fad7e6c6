package winnow.loadgen.run;

import java.util.ArrayList;
import winnow.loadgen.machine.WorkerMachine;
import winnow.loadgen.worker.Part;

/// A worker and what it plays in every point.
///
/// @param publishers its part of a point's publishers
/// @param subscribers its part of a point's subscribers
public record Seat(Worker worker, Part publishers, Part subscribers) {

    /// True if it publishes and subscribes.
    boolean isBoth() {
        return !publishers.isNone() && !subscribers.isNone();
    }

    WorkerMachine machine() {
        var roles = new ArrayList<String>();
        if (!publishers.isNone()) {
            roles.add("publishes");
        }
        if (!subscribers.isNone()) {
            roles.add("subscribes");
        }
        return new WorkerMachine(
                worker.name(), String.join(", ", roles), worker.machine(), worker.isHere());
    }
}
