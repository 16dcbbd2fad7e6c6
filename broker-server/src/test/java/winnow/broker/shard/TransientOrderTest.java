package winnow.broker.shard;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import winnow.broker.shard.Blocks.Spec;

/// Messages that are not persistent, of which some wait for the log.
class TransientOrderTest extends ShardRig {
    @Test
    void shouldKeepTheOrderBehindAMessageInParts() {
        // given
        StoredDestination queue = shard.queue("q");
        StoredConsumer consumer =
                shard.attach(
                        queue.queue(),
                        null,
                        new NotingReceiver() {
                            @Override
                            public void onMessageInParts(
                                    StoredConsumer its,
                                    long sequence,
                                    int earlier,
                                    byte[] head,
                                    int maxNameId,
                                    LargeBody body) {
                                received.add("in parts");
                            }
                        });
        shard.onCredit(consumer, 100, 100_000);
        settle();

        // when
        Spec spec = Spec.transientOne(1);
        Upload upload = Parts.begin(shard, queue, spec, 5, Outcome.IGNORED);
        upload.add(Parts.part(1, 0, 5), Outcome.IGNORED);
        upload.complete(Outcome.IGNORED);
        send(queue, Spec.transientOne(2));
        shard.flush();
        send(queue, Spec.transientOne(3));
        settle();

        // then
        assertThat(received).containsExactly("in parts", "2", "3");
    }
}
