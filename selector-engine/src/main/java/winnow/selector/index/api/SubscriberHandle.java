package winnow.selector.index.api;

/// The handle to remove one subscriber from a [winnow.selector.index.SelectorIndex].
///
/// @param <S> the subscribers
public interface SubscriberHandle<S> {}
