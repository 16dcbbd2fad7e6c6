package winnow.tests.benchmark.rows;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import winnow.selector.index.MatchScratch;
import winnow.selector.index.SelectorIndex;
import winnow.selector.slot.SlotValues;

/// Matches messages while selectors come and go, and checks the answers of some: a selector that is
/// true and was there all the time is told once, one that was away all the time or is not true is
/// not told. Used by one thread until it is told to stop.
final class ChurnReader implements Callable<ChurnReader.Result> {
    /// Messages from one that is checked to the next.
    private static final int CHECK_PERIOD = 16;

    /// Shorter than a broker's, so that selectors move to better keys meanwhile.
    private static final int SAMPLE_PERIOD = 16;

    private final SelectorIndex<Integer> index;
    private final ChurnPopulation population;
    private final SlottedMessages messages;
    private final List<int[]> trueSelectors;
    private final SlotValues values = new SlotValues(SAMPLE_PERIOD);
    private final MatchScratch matching = new MatchScratch();

    /// How often each selector was told for the message.
    private final byte[] told;

    private final List<Integer> found = new ArrayList<>();
    private volatile boolean stopped;
    private long matched;
    private long checked;
    private long wrong;
    private @Nullable String firstWrong;

    /// @param messages that were matched
    /// @param checked answers
    /// @param wrong answers among them
    /// @param firstWrong says what was wrong in the first of these
    record Result(long messages, long checked, long wrong, @Nullable String firstWrong) {}

    /// @param trueSelectors of each message that is checked, in their order
    ChurnReader(
            SelectorIndex<Integer> index,
            ChurnPopulation population,
            Workload workload,
            List<int[]> trueSelectors) {
        this.index = index;
        this.population = population;
        this.trueSelectors = trueSelectors;
        messages = new SlottedMessages(workload.messages(), index.slots());
        told = new byte[workload.count()];
    }

    /// The selectors that are true for each message that a reader checks, by the generator's own
    /// tests.
    static List<int[]> reference(Workload workload) {
        return IntStream.range(0, Row.MESSAGES / CHECK_PERIOD)
                .mapToObj(i -> workload.messages().get(i * CHECK_PERIOD))
                .map(message ->
                        IntStream.range(0, workload.count())
                                .filter(i -> workload.selectors().get(i).test(message))
                                .toArray())
                .toList();
    }

    void stop() {
        stopped = true;
    }

    @Override
    public Result call() {
        while (!stopped) {
            matchNext();
        }
        return result();
    }

    void matchNext() {
        int message = (int) (matched % Row.MESSAGES);
        if (message % CHECK_PERIOD == 0) {
            check(message, trueSelectors.get(message / CHECK_PERIOD));
        } else {
            messages.read(message, values);
            index.match(values, matching, _ -> {});
        }
        matched++;
    }

    /// Once it has ended.
    Result result() {
        return new Result(matched, checked, wrong, firstWrong);
    }

    private void check(int message, int[] expected) {
        int[] before = states(expected);
        found.clear();
        messages.read(message, values);
        index.match(values, matching, found::add);
        int[] after = states(expected);

        found.forEach(selector -> told[selector]++);
        String fault = null;
        for (int i = 0; i < expected.length; i++) {
            fault = fault == null ? fault(expected[i], before[i], after[i]) : fault;
            told[expected[i]] = 0;
        }
        for (int selector : found) {
            fault = told[selector] == 0 ? fault : "selector " + selector + " is not true";
            told[selector] = 0;
        }
        checked++;
        if (fault != null) {
            wrong++;
            firstWrong = firstWrong == null ? "message " + message + ": " + fault : firstWrong;
        }
    }

    private int[] states(int[] selectors) {
        return Arrays.stream(selectors).map(population::state).toArray();
    }

    private @Nullable String fault(int selector, int before, int after) {
        int times = told[selector];
        if (times > 1) {
            return "selector " + selector + " was told " + times + " times";
        }
        boolean unchanged = before == after;
        if (unchanged && ChurnPopulation.isPresent(before) && times == 0) {
            return "selector " + selector + " was not told";
        }
        return unchanged && ChurnPopulation.isAbsent(before) && times == 1
                ? "selector " + selector + " was told and is not there"
                : null;
    }
}
