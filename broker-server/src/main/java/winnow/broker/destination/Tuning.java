package winnow.broker.destination;

import java.util.Collections;
import java.util.Iterator;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import winnow.broker.matching.SlicedWork;

/// Lets the topics of a loop learn from what they observed, one after the other and each in steps,
/// so that neither many topics nor large selectors hold the loop. Owned by the loop.
public final class Tuning implements SlicedWork.Work {
    private final SlicedWork work;
    private final Supplier<Iterator<? extends Tunable>> all;
    private Iterator<? extends Tunable> next = Collections.emptyIterator();

    /// The one that is learning.
    private @Nullable Tunable current;

    private boolean running;

    /// Something that learns. Used by one loop.
    public interface Tunable {
        /// Returns whether there is anything to learn from.
        boolean startTuning();

        /// Does a little, about 0.1 ms.
        ///
        /// @return whether there is more to do
        boolean tuneSome();
    }

    /// @param all what learns on the loop, now
    public Tuning(SlicedWork work, Supplier<Iterator<? extends Tunable>> all) {
        this.work = work;
        this.all = all;
    }

    /// Begins soon, unless it is still going on.
    public void start() {
        if (!running) {
            running = true;
            next = all.get();
            work.add(this);
        }
    }

    @Override
    public boolean step() {
        try {
            advance();
        } catch (Throwable fault) {
            current = null;
            work.faults().onFault(fault);
        }
        running = current != null || next.hasNext();
        return running;
    }

    private void advance() {
        Tunable learning = current;
        if (learning != null) {
            current = learning.tuneSome() ? learning : null;
        } else if (next.hasNext()) {
            Tunable first = next.next();
            current = first.startTuning() ? first : null;
        }
    }
}
