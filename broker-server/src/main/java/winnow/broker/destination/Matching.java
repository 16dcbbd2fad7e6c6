package winnow.broker.destination;

/// How a message finds the subscriptions whose filters it matches.
public enum Matching {
    /// Every filter of the topic is evaluated, as the server of the FioranoMQ paper does (section
    /// 4.9: `n_fltr * t_fltr`).
    LINEAR
}
