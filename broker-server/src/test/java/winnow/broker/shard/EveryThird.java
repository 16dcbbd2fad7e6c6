package winnow.broker.shard;

import winnow.wire.MessageBlock;

/// Lets messages through whose priority has this remainder when divided by three.
record EveryThird(int remainder) implements MessageFilter {
    @Override
    public boolean matches(byte[] head) {
        MessageBlock parsed = new MessageBlock();
        parsed.parseFields(head, 0, head.length);
        return parsed.priority() % 3 == remainder;
    }
}
