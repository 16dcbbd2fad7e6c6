package winnow.selector;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import winnow.selector.explain.MessageValues;
import winnow.selector.index.MatchScratch;
import winnow.selector.index.SelectorIndex;
import winnow.selector.index.api.SubscriberHandle;
import winnow.selector.slot.SlotValues;

/// Finds the subscribers whose selectors match a message, without trying all selectors; see
/// [Selectors#index].
///
/// Thread-safe. Any number of threads match at once, without locks; [#add] and [#remove] wait for
/// each other only. A match that begins after [#add] returned finds the new subscriber, and one
/// that begins after [#remove] returned does not find the removed one.
///
/// @param <M> the messages
/// @param <S> the subscribers, whatever they are
public final class SubscriberIndex<M, S> {

    private static final long TUNE_NANOS = 100_000_000;
    private static final int TUNED_AT_ONCE = 64;

    /// A subscriber with its selector, as the index has it.
    public static final class Registration<S> {

        private final SubscriberHandle<S> entry;
        private final CompiledSelector selector;

        /// Guarded by the lock of the index.
        private boolean removed;

        private Registration(SubscriberHandle<S> entry, CompiledSelector selector) {
            this.entry = entry;
            this.selector = selector;
        }
    }

    private record Scratch(SlotValues values, MatchScratch matching) {}

    private final SelectorIndex<S> index = new SelectorIndex<>();
    private final PropertySource<? super M> source;
    private final Scratches<Scratch> scratches =
            new Scratches<>(() -> new Scratch(new SlotValues(), new MatchScratch()));

    /// Held by the one thread that changes the index.
    private final ReentrantLock lock = new ReentrantLock();

    /// The names that registrations use, changed under the lock.
    private final CountedNames names = new CountedNames();

    private volatile long tunedNanos = System.nanoTime();

    SubscriberIndex(PropertySource<? super M> source) {
        this.source = source;
    }

    /// Adds a subscriber; one that is added twice is found twice.
    ///
    /// @return what [#remove] needs
    public Registration<S> add(CompiledSelector selector, S subscriber) {
        lock.lock();
        try {
            // Before the index has it, so that no match looks at values that were not asked for.
            for (String name : selector.names()) {
                names.add(name);
            }
            SubscriberHandle<S> entry = index.add(selector.selector(), subscriber);
            return new Registration<>(entry, selector);
        } finally {
            lock.unlock();
        }
    }

    /// Removes what [#add] of this index returned. Does nothing the second time.
    public void remove(Registration<S> registration) {
        lock.lock();
        try {
            if (registration.removed) {
                return;
            }
            registration.removed = true;
            index.remove(registration.entry);
            for (String name : registration.selector.names()) {
                names.remove(name);
            }
        } finally {
            lock.unlock();
        }
    }

    /// Calls the consumer once for each subscriber whose selector is TRUE for the message, on this
    /// thread. Asks the property source for the names that selectors use, see
    /// [PropertySource#names]. Allocates hardly more than the bytes of strings.
    public void match(M message, Consumer<? super S> consumer) {
        Scratch scratch = scratches.take();
        SlotValues values = scratch.values();
        values.reset(index.slots());
        Consumer<String> setter =
                name ->
                        MessageValues.set(
                                values, index.slots(), name, source.property(message, name));
        Iterable<String> ofMessage = source.names(message);
        if (ofMessage == null) {
            names.forEach(setter);
        } else {
            ofMessage.forEach(name -> {
                if (MessageValues.isUsed(index.slots(), name)) {
                    setter.accept(name);
                }
            });
        }
        index.match(values, scratch.matching(), consumer::accept);
        boolean sampled = values.isSampled();
        // Does not keep the caller's consumer.
        scratch.matching().abandon();
        scratches.giveBack(scratch);
        if (sampled) {
            tune();
        }
    }

    /// The subscribers whose selectors are TRUE for the message.
    public List<S> match(M message) {
        List<S> found = new ArrayList<>();
        match(message, found::add);
        return found;
    }

    /// Now and then a thread that matches spends some hundred microseconds on keeping matching
    /// fast.
    private void tune() {
        long now = System.nanoTime();
        if (now - tunedNanos < TUNE_NANOS || !lock.tryLock()) {
            return;
        }
        try {
            tunedNanos = now;
            index.tune(TUNED_AT_ONCE);
        } finally {
            lock.unlock();
        }
    }
}
