package winnow.selector.diagnose;

import java.util.function.Consumer;

/// Knows some mistakes. None of them is a part of any valid selector.
@FunctionalInterface
interface MistakeRule {

    void find(Pieces pieces, Consumer<Mistake> found);
}
