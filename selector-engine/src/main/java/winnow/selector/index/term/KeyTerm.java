package winnow.selector.index.term;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;
import winnow.selector.index.lookup.SlotProbe;
import winnow.selector.index.structure.Release;

/// A term that messages come to before they come to its nodes, so that it holds these itself. The
/// cluster is volatile, because readers follow it.
abstract class KeyTerm extends SharedTerm {

    private static final VarHandle CLUSTER = Release.of(MethodHandles.lookup(), "cluster");

    private volatile @Nullable Object cluster;

    KeyTerm(SlotProbe probe, int number) {
        super(probe, number);
    }

    @Override
    public final @Nullable Object cluster() {
        return cluster;
    }

    @Override
    public final void cluster(@Nullable Object content) {
        CLUSTER.setRelease(this, content);
    }
}
