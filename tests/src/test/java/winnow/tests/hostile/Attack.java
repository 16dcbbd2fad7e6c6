package winnow.tests.hostile;

/// What a hostile client may try. Each attack is bounded in connections, bytes and time.
enum Attack {
    /// The largest numbers for destinations and subscriptions, on many connections.
    LARGE_NUMBERS(MemoryAttacks::largeNumbers),
    /// 40,000 subscriptions without credit and one byte for each.
    NO_CREDIT(MemoryAttacks::noCredit),
    /// A large message for many consumers without credit.
    LARGE_MESSAGE(MemoryAttacks::largeMessage),
    /// 60,000 selectors that are all different.
    MANY_SELECTORS(SelectorAttacks::manySelectors),
    /// Selectors with thousands of property names each; then all go at once.
    WIDE_SELECTORS(SelectorAttacks::wideSelectors),
    /// A selector of 64 KiB full of patterns, and a property of 1 MiB.
    COSTLY_PATTERNS(SelectorAttacks::costlyPatterns),
    /// 120,000 producers of one blocked topic; then all go at once.
    BLOCKED_PRODUCERS(MemoryAttacks::blockedProducers),
    /// Consumers with credit that never read.
    UNREAD_DELIVERIES(SocketAttacks::unreadDeliveries),
    /// Requests whose answers are never read.
    UNREAD_ANSWERS(SocketAttacks::unreadAnswers),
    /// Property names without end.
    NAMES(MemoryAttacks::names),
    /// Long frames that never end.
    PARTIAL_FRAMES(SocketAttacks::partialFrames),
    /// Random bytes, with and without a handshake.
    GARBAGE(SocketAttacks::garbage),
    /// Connections that never say hello.
    SILENCE(SocketAttacks::silence),
    /// HTTP connections that send nothing, or half a request.
    IDLE_HTTP(SocketAttacks::idleHttp);

    private final Harm harm;

    Attack(Harm harm) {
        this.harm = harm;
    }

    private interface Harm {
        void run(Intruders intruders) throws InterruptedException;
    }

    /// Does the harm; the connections stay open.
    void run(Intruders intruders) throws InterruptedException {
        harm.run(intruders);
    }
}
