package winnow.broker.shard;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import winnow.broker.shard.Blocks.Spec;
import winnow.store.Table;

/// Messages in parts that live subscriptions read.
class KeptUploadTest extends ShardRig {
    private final List<byte[]> parts = new ArrayList<>();
    private int gone;

    private int rows() {
        return log.tables().size(Table.PARTS);
    }

    private Upload upload(StoredDestination topic) {
        Upload upload = Parts.begin(shard, topic, Spec.persistent(1), 320, Outcome.IGNORED);
        upload.keep();
        upload.add(Parts.part(1, 0, 300), Outcome.IGNORED);
        upload.add(Parts.part(1, 1, 20), Outcome.IGNORED);
        upload.complete(Outcome.IGNORED);
        settle();
        return upload;
    }

    private void read(Upload upload, int part) {
        shard.bodies()
                .read(
                        upload,
                        part,
                        new LargeBodies.PartReceiver() {
                            @Override
                            public void onPart(byte[] bytes) {
                                parts.add(bytes);
                            }

                            @Override
                            public void onGone() {
                                gone++;
                            }
                        });
        settle();
    }

    @Test
    void shouldKeepThePartsUntilItIsCancelled() {
        // given
        Upload upload = upload(shard.topic("t"));

        // then only what has it counts it
        assertThat(shard.bodies().announced(shard.topic("t"))).isZero();

        // when
        read(upload, 0);
        read(upload, 1);

        // then
        assertThat(parts).containsExactly(Parts.part(1, 0, 300), Parts.part(1, 1, 20));

        // when
        upload.cancel();
        read(upload, 0);

        // then
        assertThat(gone).isOne();
        assertThat(rows()).isZero();
        assertThat(shard.bodies().heapBytes()).isZero();
    }

    @Test
    void shouldNotBeStoredForASubscriptionThatBeginsWhileItComes() {
        // given
        StoredDestination topic = shard.topic("t");
        Upload upload = Parts.begin(shard, topic, Spec.persistent(1), 300, Outcome.IGNORED);
        upload.keep();
        upload.add(Parts.part(1, 0, 300), Outcome.IGNORED);
        StoredSubscription late = shard.subscribe(topic, named("late"), Outcome.IGNORED);

        // when
        upload.complete(Outcome.IGNORED);
        upload.cancel();
        settle();

        // then: its part need not outlive the broker
        assertThat(late.messages()).isZero();
        assertThat(rows()).isZero();
    }

    @Test
    void shouldBeGoneWhenItIsDamaged() {
        // given
        Upload upload = upload(shard.topic("t"));

        // when
        read(upload, 2);

        // then
        assertThat(gone).isOne();
        assertThat(parts).isEmpty();
    }

    @Test
    void shouldDeleteThePartsAtTheNextStart() {
        // given
        upload(shard.topic("t"));
        assertThat(rows()).isEqualTo(2);

        // when
        restart();
        settle();

        // then
        assertThat(rows()).isZero();
    }
}
