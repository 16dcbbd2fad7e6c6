package winnow.broker.matching;

/// Way in which a message finds the subscriptions whose selectors it matches.
public enum MatchingMode {
    /// The message's values lead to the selectors they may match; the others cost nothing.
    INDEXED,

    /// Every selector of the topic is evaluated for every message, as the server of the FioranoMQ
    /// paper does (section 4.9: `n_fltr * t_fltr`).
    LINEAR
}
