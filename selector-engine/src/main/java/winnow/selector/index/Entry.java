package winnow.selector.index;

/// One subscriber in a [SelectorIndex]; the handle to remove it.
public interface Entry<S> {

    S subscriber();
}
