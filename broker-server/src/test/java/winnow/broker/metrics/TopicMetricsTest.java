package winnow.broker.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TopicMetricsTest {
    private static final int TOPICS = 2_000;

    private final Random random = new Random(7);

    /// A topic to which messages are published whenever somebody looks.
    private final class BusyTopic implements TopicSource {
        private final String name;
        private final MatchCounters counters = new MatchCounters();

        BusyTopic(int number, long messages) {
            name = "topic" + number;
            counters.messages.add(messages);
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public String matching() {
            return "indexed";
        }

        @Override
        public MatchCounters matchCounters() {
            counters.messages.add(random.nextInt(1_000));
            return counters;
        }

        @Override
        public int subscriptionCount() {
            return 0;
        }

        @Override
        public int distinctSelectors() {
            return 0;
        }

        @Override
        public int indexTerms() {
            return 0;
        }

        @Override
        public boolean blocked() {
            return false;
        }

        @Override
        public int blockedProducers() {
            return 0;
        }

        @Override
        public List<Culprit> culprits(int limit) {
            return List.of();
        }

        @Override
        public List<SelectorCost> costliestSelectors() {
            return List.of();
        }
    }

    @Test
    void shouldShowTheBusiestTopicsWhileMessagesArePublished() {
        // given
        List<BusyTopic> topics =
                IntStream.range(0, TOPICS)
                        .mapToObj(i -> new BusyTopic(i, i == 5 ? 1L << 40 : 0))
                        .toList();

        // when
        Exposition.Page page =
                TopicMetrics.scrape(
                        topics,
                        1,
                        1,
                        new QueueFigures(List.of(), List.of()),
                        new ScrapeCosts(),
                        "");

        // then
        assertThat(page.text())
                .contains("winnow_topic_messages_total{matching=\"indexed\",topic=\"topic5\"}")
                .doesNotContain("topic=\"topic6\"");
    }
}
