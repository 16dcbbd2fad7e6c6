package winnow.selector.index;

/// The handle to remove one subscriber from a [SelectorIndex].
///
/// @param <S> the subscribers
public interface Entry<S> {}
