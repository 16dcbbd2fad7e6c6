package winnow.store.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import winnow.store.Batch;
import winnow.store.Completion;
import winnow.store.Durability;
import winnow.store.LogException;
import winnow.store.LogException.Reason;
import winnow.store.RecordingCompletion;

class CommitterTest {
    /// Keeps the groups; waits in the first until it is let go on; fails from one on.
    private static final class RecordingWriter implements Committer.GroupWriter {
        private final CountDownLatch first = new CountDownLatch(1);
        private final CountDownLatch goOn = new CountDownLatch(1);
        private final Semaphore idle = new Semaphore(0);
        private @Nullable RuntimeException idleFailure;
        private final List<Integer> groups = new ArrayList<>();
        private final List<Durability> durabilities = new ArrayList<>();
        private @Nullable RuntimeException failure;
        private int failingGroup = Integer.MAX_VALUE;

        @Override
        public void write(List<Batch> group, Durability durability) {
            groups.add(group.size());
            durabilities.add(durability);
            first.countDown();
            await(goOn);
            if (failure != null && groups.size() == failingGroup) {
                throw failure;
            }
        }

        @Override
        public void onIdle() {
            idle.release();
            if (idleFailure != null) {
                throw idleFailure;
            }
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(1, TimeUnit.MINUTES)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static final class Order implements Completion {
        private final List<String> events;
        private final int number;

        Order(List<String> events, int number) {
            this.events = events;
            this.number = number;
        }

        @Override
        public void onWritten() {
            events.add("written " + number);
        }

        @Override
        public void onFailed(LogException failure) {
            events.add("failed " + number + " " + failure.reason());
        }
    }

    private static Batch batch() {
        Batch batch = new Batch();
        batch.delete(winnow.store.Table.META, new byte[10]);
        return batch;
    }

    private final RecordingWriter writer = new RecordingWriter();

    private Committer start(int groupBytes) {
        Committer committer = new Committer(writer, Runnable::run, groupBytes, 1000);
        committer.start();
        return committer;
    }

    @Test
    void shouldWriteWhatCameMeanwhileAsOneGroup() {
        // given
        Committer committer = start(1 << 20);
        List<String> events = new ArrayList<>();
        committer.append(batch(), Durability.WRITTEN, new Order(events, 0));
        await(writer.first);

        // when
        for (int i = 1; i < 1000; i++) {
            Durability durability = i == 500 ? Durability.SYNCED : Durability.WRITTEN;
            committer.append(batch(), durability, new Order(events, i));
        }
        writer.goOn.countDown();
        boolean working = committer.close();

        // then
        assertThat(working).isTrue();
        assertThat(writer.groups).containsExactly(1, 999);
        assertThat(writer.durabilities).containsExactly(Durability.WRITTEN, Durability.SYNCED);
        assertThat(events).hasSize(1000).allMatch(event -> event.startsWith("written"));
        for (int i = 0; i < events.size(); i++) {
            assertThat(events.get(i)).isEqualTo("written " + i);
        }
    }

    @Test
    void shouldBoundTheBytesOfAGroup() {
        // given
        Committer committer = start(3 * batch().bytes());
        committer.append(batch(), Durability.SYNCED, new RecordingCompletion());
        await(writer.first);

        // when
        for (int i = 0; i < 7; i++) {
            committer.append(batch(), Durability.SYNCED, new RecordingCompletion());
        }
        writer.goOn.countDown();
        committer.close();

        // then
        assertThat(writer.groups).containsExactly(1, 3, 3, 1);
    }

    @Test
    void shouldFailEverythingAfterTheFirstFailureWithoutWritingAgain() {
        // given
        writer.failure = new LogException(Reason.NO_SPACE, "full");
        writer.failingGroup = 2;
        Committer committer = start(3 * batch().bytes());
        List<String> events = new ArrayList<>();
        committer.append(batch(), Durability.SYNCED, new Order(events, 0));
        await(writer.first);

        // when
        for (int i = 1; i < 6; i++) {
            committer.append(batch(), Durability.SYNCED, new Order(events, i));
        }
        writer.goOn.countDown();
        boolean working = committer.close();
        committer.append(batch(), Durability.SYNCED, new Order(events, 6));

        // then
        assertThat(working).isFalse();
        assertThat(writer.groups).containsExactly(1, 3);
        assertThat(events)
                .containsExactly(
                        "written 0",
                        "failed 1 NO_SPACE",
                        "failed 2 NO_SPACE",
                        "failed 3 NO_SPACE",
                        "failed 4 NO_SPACE",
                        "failed 5 NO_SPACE",
                        "failed 6 CLOSED");
    }

    @Test
    void shouldFailWhenTheWriterHasAnError() {
        // given
        writer.failure = new IllegalStateException("a bug");
        writer.failingGroup = 1;
        writer.goOn.countDown();
        Committer committer = start(1 << 20);
        RecordingCompletion completion = new RecordingCompletion();

        // when
        committer.append(batch(), Durability.SYNCED, completion);

        // then
        assertThatThrownBy(completion::await)
                .isInstanceOf(LogException.class)
                .hasMessageContaining("a bug");
        assertThat(committer.close()).isFalse();
    }

    @Test
    void shouldTellTheWriterAfterEachGroupThatNothingComes() throws InterruptedException {
        // given
        writer.goOn.countDown();
        Committer committer = start(1 << 20);

        // when / then
        for (int i = 0; i < 3; i++) {
            assertThat(writer.idle.tryAcquire(1, TimeUnit.MINUTES)).isTrue();
            append(committer).await();
        }
        assertThat(committer.close()).isTrue();
    }

    @Test
    void shouldFailWhenTheWriterFailsWhileNothingComes() throws InterruptedException {
        // given
        writer.idleFailure = new LogException(Reason.IO, "gone");
        writer.goOn.countDown();
        Committer committer = start(1 << 20);
        assertThat(writer.idle.tryAcquire(1, TimeUnit.MINUTES)).isTrue();

        // when
        RecordingCompletion next = append(committer);

        // then
        assertThatThrownBy(next::await).hasMessageContaining("gone");
        assertThat(writer.groups).isEmpty();
        assertThat(committer.close()).isFalse();
    }

    private static RecordingCompletion append(Committer committer) {
        RecordingCompletion completion = new RecordingCompletion();
        committer.append(batch(), Durability.SYNCED, completion);
        return completion;
    }

    @Test
    void shouldCompleteTheOthersWhenOneCompletionFails() {
        // given
        Committer committer = start(1 << 20);
        List<String> events = new ArrayList<>();
        committer.append(batch(), Durability.SYNCED, new Order(events, 0));
        await(writer.first);
        committer.append(
                batch(),
                Durability.SYNCED,
                new Completion() {
                    @Override
                    public void onWritten() {
                        throw new IllegalStateException("thrown by a completion");
                    }

                    @Override
                    public void onFailed(LogException failure) {
                        throw failure;
                    }
                });

        // when
        committer.append(batch(), Durability.SYNCED, new Order(events, 2));
        writer.goOn.countDown();

        // then
        assertThat(committer.close()).isTrue();
        assertThat(events).containsExactly("written 0", "written 2");
    }
}
