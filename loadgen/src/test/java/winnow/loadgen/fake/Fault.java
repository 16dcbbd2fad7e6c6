package winnow.loadgen.fake;

/// How a [FakeConnectionFactory] misbehaves; its URL is `fake:` and one of these in lower case.
public enum Fault {
    NONE,
    /// Every 50th copy vanishes.
    LOSE,
    /// Every 50th copy arrives twice.
    DOUBLE,
    /// One copy vanishes, and much later another arrives twice.
    MISTAKE,
    /// Copies 50 and 51 arrive in the wrong order.
    REORDER,
    /// The 50th send fails.
    FAIL,
    /// A connection reports an error of its own at its 50th send, which succeeds.
    BREAK,
    /// The 50th copy is delivered 400 ms late, and its send returns after that.
    STALL,
    /// The process ends when a message has two copies.
    HALT,
    /// No connection can be made.
    REFUSE,
    /// Nobody can subscribe with a selector.
    CROWDED
}
