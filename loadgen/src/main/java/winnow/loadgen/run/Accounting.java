package winnow.loadgen.run;

import java.util.ArrayList;
import java.util.List;
import winnow.loadgen.worker.Receipt;
import winnow.loadgen.worker.Tally;
import winnow.loadgen.workload.Point;

/// Check that every copy that should have arrived did, once. Immutable.
///
/// @param expected copies that the filters of the subscribers select out of what was sent
/// @param delivered copies that arrived
/// @param lost copies that are missing, summed over subscribers
/// @param doubled copies too many, summed over subscribers
/// @param mistaken subscribers with the right number of copies, but not of the right messages
/// @param outOfSequence copies that did not follow their predecessor from the same publisher
public record Accounting(
        long expected, long delivered, long lost, long doubled, long mistaken, long outOfSequence) {

    /// Compares what was sent, indexed by target, with what each subscriber got.
    static Accounting of(Point point, List<Tally> sent, List<Receipt> receipts) {
        var expected = 0L;
        var delivered = 0L;
        var lost = 0L;
        var doubled = 0L;
        var mistaken = 0L;
        var outOfSequence = 0L;
        for (var subscriber = 0; subscriber < point.subscribers(); subscriber++) {
            var due = due(point, sent, subscriber);
            var receipt = receipts.get(subscriber);
            var got = receipt.tally();
            expected += due.count();
            delivered += got.count();
            lost += Math.max(0, due.count() - got.count());
            doubled += Math.max(0, got.count() - due.count());
            mistaken += due.count() == got.count() && due.checksum() != got.checksum() ? 1 : 0;
            outOfSequence += receipt.outOfSequence();
        }
        return new Accounting(expected, delivered, lost, doubled, mistaken, outOfSequence);
    }

    /// Copies that one subscriber should get.
    static Tally due(Point point, List<Tally> sent, int subscriber) {
        return point.selectedTargets(subscriber)
                .mapToObj(sent::get)
                .reduce(Tally.NONE, Tally::plus);
    }

    /// Problems, in sentences; empty if there are none.
    public List<String> problems() {
        var problems = new ArrayList<String>();
        if (lost > 0) {
            problems.add("%,d of %,d copies were lost".formatted(lost, expected));
        }
        if (doubled > 0) {
            problems.add("%,d copies arrived that nobody expected".formatted(doubled));
        }
        if (mistaken > 0) {
            problems.add(
                    "%,d subscribers got as many copies as expected, but not of the messages sent"
                            .formatted(mistaken));
        }
        if (outOfSequence > 0) {
            problems.add(
                    "%,d copies did not follow their predecessor of the same publisher"
                            .formatted(outOfSequence));
        }
        return problems;
    }
}
