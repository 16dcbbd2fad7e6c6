package winnow.broker.shard;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import winnow.broker.shard.Blocks.Spec;
import winnow.store.LogException;

class BrowserTest extends ShardRig {
    private static final long MIB = 1 << 20;

    private final List<Long> shown = new ArrayList<>();
    private final List<Integer> bodies = new ArrayList<>();
    private boolean ended;

    private Browser browse(@Nullable MessageFilter filter, long maxMessages) {
        return shard.browse(
                shard.queue("q").queue(),
                filter,
                maxMessages,
                new Browser.Receiver() {
                    @Override
                    public void onMessage(long sequence, int earlier, byte[] block, int maxNameId) {
                        assertThat(ended).isFalse();
                        shown.add(Blocks.id(block));
                    }

                    @Override
                    public void onMessageInParts(
                            long sequence, int earlier, byte[] head, int maxNameId, int bytes) {
                        bodies.add(bytes);
                    }

                    @Override
                    public void onEnd() {
                        assertThat(ended).isFalse();
                        ended = true;
                    }

                    @Override
                    public void onFailed(LogException cause) {
                        throw new AssertionError(cause);
                    }
                });
    }

    @Test
    void shouldShowTheLengthOfABodyInParts() {
        // given
        send(2);
        Parts.send(shard, shard.queue("q"), 7, 300, 200);
        settle();

        // when
        browse(null, 100).onCredit(100, 1000);
        settle();

        // then
        assertThat(shown).hasSize(2);
        assertThat(bodies).containsExactly(500);
        assertThat(ended).isTrue();
    }

    private void send(int count) {
        for (int i = 0; i < count; i++) {
            send(shard.queue("q"), new Spec(i, true, i % 10, 0, 0, 8 + i % 2 * 600));
        }
        settle();
    }

    private static List<Long> expected(int count, int onlyRemainder) {
        List<Long> expected = new ArrayList<>();
        for (int priority = 9; priority >= 0; priority--) {
            if (onlyRemainder < 0 || priority % 3 == onlyRemainder) {
                for (long id = priority; id < count; id += 10) {
                    expected.add(id);
                }
            }
        }
        return expected;
    }

    @Test
    void shouldShowAllInTheOrderOfDeliveryAndLeaveThemThere() {
        send(300);

        browse(null, 1000).onCredit(1000, 1_000_000);
        settle();

        assertThat(shown).isEqualTo(expected(300, -1));
        assertThat(ended).isTrue();
        assertThat(shard.queue("q").queue().availableMessages()).isEqualTo(300);
    }

    @Test
    void shouldShowWhatIsInTheLogOnly() {
        send(300);
        restart();

        browse(new EveryThird(2), 1000).onCredit(1000, 1_000_000);
        settle();

        assertThat(shown).isEqualTo(expected(300, 2));
        assertThat(ended).isTrue();
        assertThat(shard.window().bytes()).isZero();
    }

    @Test
    void shouldShowNoMoreThanItsCreditAndItsLimitSay() {
        send(100);
        Browser browser = browse(null, 7);

        browser.onCredit(5, 1_000_000);
        settle();
        assertThat(shown).hasSize(5);
        assertThat(ended).isFalse();

        browser.onCredit(5, 1_000_000);
        settle();
        assertThat(shown).hasSize(7);
        assertThat(ended).isTrue();
    }

    @Test
    void shouldPassOverWhatHasGoneMeanwhileAndNotShowWhatCame() {
        send(6);
        Browser browser = browse(null, 100);
        StoredConsumer consumer = consumer(shard.queue("q").queue());
        settle();
        acknowledge(consumer, 0, 2);
        shard.release(consumer, new long[] {1, 3}, Return.UNSEEN);
        shard.detach(consumer, sequence -> sequence > 3);
        send(shard.queue("q"), Spec.persistent(9));
        settle();

        browser.onCredit(100, 1_000_000);
        settle();

        assertThat(shown).containsExactly(3L, 1L);
        assertThat(ended).isTrue();
    }

    @Test
    void shouldKeepNoMessageWhileItHasNoCredit() {
        sendLong(6);
        Browser browser = browse(null, 100);
        for (int shownBefore = 0; shownBefore < 6; shownBefore++) {
            log.forgetReads();
            browser.onCredit(1, 2_000_000);
            settle();

            assertThat(shown).hasSize(shownBefore + 1);
            assertThat(log.bytesRead()).isLessThan(2 * MIB);
        }
    }

    @Test
    void shouldReadNoMoreAtOnceThanALimit() {
        sendLong(6);

        browse(new EveryThird(1), 100).onCredit(100, 1_000_000_000);
        settle();

        assertThat(shown).containsExactly(0L, 1L, 2L, 3L, 4L, 5L);
        assertThat(ended).isTrue();
        assertThat(log.mostRead()).isLessThan(5 * MIB);
    }

    private void sendLong(int count) {
        for (int i = 0; i < count; i++) {
            send(shard.queue("q"), new Spec(i, true, 4, 0, 0, (int) (MIB * 3 / 2)));
        }
        settle();
        restart();
    }

    @Test
    void shouldShowNothingAfterItsEnd() {
        send(100);
        Browser browser = browse(null, 100);
        browser.onCredit(5, 1_000_000);
        browser.close();
        settle();
        browser.onCredit(5, 1_000_000);
        settle();

        assertThat(shown).isEmpty();
        assertThat(ended).isFalse();
    }

    @Test
    void shouldSayThatThereIsNothing() {
        shard.queue("q");

        browse(null, 100).onCredit(1, 1);
        settle();

        assertThat(ended).isTrue();
    }
}
