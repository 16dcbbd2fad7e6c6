package winnow.tests.benchmark.anchors;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import org.apache.lucene.analysis.core.KeywordAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.IntPoint;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.Term;
import org.apache.lucene.monitor.MatchingQueries;
import org.apache.lucene.monitor.Monitor;
import org.apache.lucene.monitor.MonitorQuery;
import org.apache.lucene.monitor.QueryMatch;
import org.apache.lucene.monitor.TermFilteredPresearcher;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.apache.lucene.search.PrefixQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermQuery;
import winnow.tests.benchmark.rows.Anchor;
import winnow.tests.benchmark.rows.Atom;
import winnow.tests.benchmark.rows.Evaluator;
import winnow.tests.benchmark.rows.MatchClock;
import winnow.tests.benchmark.rows.Message;
import winnow.tests.benchmark.rows.Row;
import winnow.tests.benchmark.rows.Workload;

/// Lucene Monitor with the presearcher that its documentation begins with: each selector is a
/// stored query, each message a document.
///
/// A field has strings or numbers, so a value of another type is told by the field `there` alone,
/// which names all attributes that have a value. Strings are terms, ranges of numbers are points;
/// the presearcher looks a query up by its terms only.
final class LuceneAnchor implements Anchor {
    private static final int COMPARED = 64;
    private static final int MAX_SELECTORS = 100_000;
    private static final int BATCH = 1_000;
    private static final long BUILD_NANOS = 60_000_000_000L;
    private static final long WARM_UP_NANOS = 4_000_000_000L;
    private static final long NANOS = 2_000_000_000L;
    private static final String THERE = "there";

    /// All selectors of a workload.
    private record Stored(Monitor monitor, List<Document> messages) implements Evaluator {

        @Override
        public void match(int message, IntConsumer sink) {
            try {
                MatchingQueries<QueryMatch> found =
                        monitor.match(messages.get(message), QueryMatch.SIMPLE_MATCHER);
                found.getMatches()
                        .forEach(match -> sink.accept(Integer.parseInt(match.getQueryId())));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    @Override
    public String name() {
        return "Lucene Monitor";
    }

    @Override
    public OptionalDouble microsPerMessage(Workload workload, Evaluator reference)
            throws Exception {
        if (workload.count() > MAX_SELECTORS) {
            return OptionalDouble.empty();
        }
        try (Monitor monitor = new Monitor(new KeywordAnalyzer(), new TermFilteredPresearcher())) {
            if (!isBuilt(monitor, workload.selectors())) {
                return OptionalDouble.empty();
            }
            List<Document> messages =
                    workload.messages().stream()
                            .map(message -> document(workload.row(), message))
                            .toList();
            Stored stored = new Stored(monitor, messages);
            for (int message = 0; message < COMPARED; message++) {
                stored.compare(message, reference);
            }
            MatchClock clock = new MatchClock(stored);
            clock.warmUp(WARM_UP_NANOS, () -> {});
            return OptionalDouble.of(clock.microsPerMessage(NANOS));
        }
    }

    /// @return false if it takes too long
    private static boolean isBuilt(Monitor monitor, List<Row.Generated> selectors)
            throws IOException {
        long begin = System.nanoTime();
        for (int from = 0; from < selectors.size(); from += BATCH) {
            List<MonitorQuery> batch = new ArrayList<>();
            for (int i = from; i < Math.min(from + BATCH, selectors.size()); i++) {
                batch.add(new MonitorQuery(Integer.toString(i), query(selectors.get(i))));
            }
            monitor.register(batch);
            if (System.nanoTime() - begin > BUILD_NANOS) {
                return false;
            }
        }
        return true;
    }

    private static Document document(Row row, Message message) {
        Document document = new Document();
        for (int attribute = 0; attribute < row.attributes(); attribute++) {
            int value = message.value(attribute);
            String name = Atom.nameOf(attribute);
            if (value != Message.MISSING) {
                document.add(new StringField(THERE, name, Field.Store.NO));
            }
            if (value >= 0) {
                document.add(
                        row.isText(attribute)
                                ? new StringField(name, Atom.textOf(value), Field.Store.NO)
                                : new IntPoint(name, value));
            }
        }
        return document;
    }

    private static Query query(Row.Generated selector) {
        List<Query> conjunctions =
                selector.conjunctions().stream().map(LuceneAnchor::conjunction).toList();
        return any(conjunctions);
    }

    private static Query conjunction(List<Atom> atoms) {
        BooleanQuery.Builder all = new BooleanQuery.Builder();
        atoms.forEach(atom -> add(atom, all));
        return all.build();
    }

    private static void add(Atom atom, BooleanQuery.Builder all) {
        String name = Atom.nameOf(atom.attribute());
        int[] operands = atom.operands();
        Query there = new TermQuery(new Term(THERE, name));
        switch (atom.kind()) {
            case ONE_OF -> all.add(oneOf(atom), Occur.MUST);
            case NONE_OF -> {
                all.add(atom.isTrueOfOtherTypes() ? there : anyText(name), Occur.MUST);
                all.add(oneOf(atom), Occur.MUST_NOT);
            }
            case RANGE -> all.add(range(name, operands), Occur.MUST);
            case OUTSIDE -> {
                all.add(there, Occur.MUST);
                all.add(range(name, operands), Occur.MUST_NOT);
            }
            case PREFIX -> all.add(new PrefixQuery(new Term(name, atom.prefix())), Occur.MUST);
            case MISSING -> {
                all.add(new MatchAllDocsQuery(), Occur.MUST);
                all.add(there, Occur.MUST_NOT);
            }
        }
    }

    private static Query anyText(String name) {
        return new PrefixQuery(new Term(name, ""));
    }

    private static Query range(String name, int[] ends) {
        return IntPoint.newRangeQuery(name, ends[0], ends[1]);
    }

    private static Query oneOf(Atom atom) {
        String name = Atom.nameOf(atom.attribute());
        return any(
                IntStream.of(atom.operands())
                        .<Query>mapToObj(value -> new TermQuery(new Term(name, Atom.textOf(value))))
                        .toList());
    }

    private static Query any(List<Query> queries) {
        if (queries.size() == 1) {
            return queries.getFirst();
        }
        BooleanQuery.Builder any = new BooleanQuery.Builder();
        queries.forEach(query -> any.add(query, Occur.SHOULD));
        return any.build();
    }
}
