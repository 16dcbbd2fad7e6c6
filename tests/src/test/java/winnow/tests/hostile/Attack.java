package winnow.tests.hostile;

/// What a hostile client may try. Each attack is bounded in connections, bytes and time.
enum Attack {
    /// The largest numbers for destinations and subscriptions, on many connections.
    LARGE_NUMBERS,
    /// 40,000 subscriptions without credit and one byte for each.
    NO_CREDIT,
    /// A large message for many consumers without credit.
    LARGE_MESSAGE,
    /// 60,000 selectors that are all different.
    MANY_SELECTORS,
    /// Selectors with thousands of property names each; then all go at once.
    WIDE_SELECTORS,
    /// A selector of 64 KiB full of patterns, and a property of 1 MiB.
    COSTLY_PATTERNS,
    /// 120,000 producers of one blocked topic; then all go at once.
    BLOCKED_PRODUCERS,
    /// Consumers with credit that never read.
    UNREAD_DELIVERIES,
    /// Large messages, each for one consumer with credit that never reads.
    UNREAD_LARGE,
    /// Requests whose answers are never read.
    UNREAD_ANSWERS,
    /// Property names without end.
    NAMES,
    /// Long frames that never end.
    PARTIAL_FRAMES,
    /// Random bytes, with and without a handshake.
    GARBAGE,
    /// Connections that never say hello.
    SILENCE,
    /// Connections that end at once.
    SHORT_CONNECTIONS,
    /// HTTP connections that send nothing, or half a request.
    IDLE_HTTP,
    /// Pages of metrics, asked for one behind the other on many connections; health is asked for
    /// beside them.
    PIPELINED_PAGES,
    /// Long lists of the API, asked for on many connections at a time.
    LONG_LISTS;

    /// Does the harm; the connections stay open.
    void run(Intruders intruders) throws InterruptedException {
        switch (this) {
            case LARGE_NUMBERS -> MemoryAttacks.largeNumbers(intruders);
            case NO_CREDIT -> MemoryAttacks.noCredit(intruders);
            case LARGE_MESSAGE -> MemoryAttacks.largeMessage(intruders);
            case MANY_SELECTORS -> SelectorAttacks.manySelectors(intruders);
            case WIDE_SELECTORS -> SelectorAttacks.wideSelectors(intruders);
            case COSTLY_PATTERNS -> SelectorAttacks.costlyPatterns(intruders);
            case BLOCKED_PRODUCERS -> MemoryAttacks.blockedProducers(intruders);
            case UNREAD_DELIVERIES -> SocketAttacks.unreadDeliveries(intruders);
            case UNREAD_LARGE -> SocketAttacks.unreadLarge(intruders);
            case UNREAD_ANSWERS -> SocketAttacks.unreadAnswers(intruders);
            case NAMES -> MemoryAttacks.names(intruders);
            case PARTIAL_FRAMES -> SocketAttacks.partialFrames(intruders);
            case GARBAGE -> SocketAttacks.garbage(intruders);
            case SILENCE -> SocketAttacks.silence(intruders);
            case SHORT_CONNECTIONS -> SocketAttacks.shortConnections(intruders);
            case PIPELINED_PAGES -> SocketAttacks.pipelinedPages(intruders);
            case IDLE_HTTP -> SocketAttacks.idleHttp(intruders);
            case LONG_LISTS -> SocketAttacks.longLists(intruders);
        }
    }
}
