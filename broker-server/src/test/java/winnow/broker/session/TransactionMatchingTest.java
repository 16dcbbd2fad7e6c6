package winnow.broker.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import winnow.broker.budget.MetadataAccount;
import winnow.broker.destination.Topic;
import winnow.broker.routing.MatchQueue;
import winnow.broker.subscription.BacklogMemory;
import winnow.wire.MessageBlock;
import winnow.wire.WireException;

class TransactionMatchingTest {
    private static final byte[] MALFORMED = {MessageBlock.HAS_PROPERTIES, 0, 1, 99};

    private final FakeSessionLoop loop = new FakeSessionLoop(new BacklogMemory(1 << 20));
    private final SessionContext context = loop.context(1 << 20);
    private final FakeOutput output = new FakeOutput(loop);
    private final List<SessionChannel.Transaction> released = new ArrayList<>();

    /// A fault of one transaction ends its connection, which lets go of all that it has.
    @Test
    void shouldReleaseATransactionOnceIfItsMatchFails() {
        // given
        MatchQueue matches =
                new MatchQueue(
                        context.destinations().work(loop),
                        loop.router(),
                        output,
                        MatchQueue.Reading.NONE);
        StorageCommands commands =
                new StorageCommands(
                        context,
                        output,
                        new MetadataAccount(context.metadata(), context.destinations()),
                        new ReadingPauses(output));
        TransactionMatching matching =
                new TransactionMatching(context, output, commands, matches, released::add);
        output.onFault = matching::close;
        Topic topic = context.destinations().acquireTopic("t");
        SessionChannel session = new SessionChannel(1, true, context.transactions(), "ann");
        session.add(new TransactedMessage(topic, MALFORMED, 0, null, 0));

        // when
        matching.find(1, session.take(), false, effects -> {});

        // then
        assertThat(released).hasSize(1);
        assertThat(output.faults).singleElement().isInstanceOf(WireException.class);
        assertThat(output.frames).isEmpty();
    }
}
