package winnow.loadgen.workload;

import java.util.ArrayList;
import java.util.List;

/// An experiment with a name. Immutable.
///
/// @param name as on the command line
/// @param title one line for people
/// @param source which part of the paper it repeats
/// @param filter what subscribers filter on
/// @param sending which ids are sent
/// @param crowd how subscribers are set up that do not match
/// @param publishers the numbers of publishers, each combined with the whole grid
/// @param full the combinations of a full run
/// @param quick fewer combinations, about a minute for the two scenarios of section 4.9
public record Scenario(
        String name,
        String title,
        String source,
        FilterKind filter,
        Sending sending,
        Crowd crowd,
        List<Integer> publishers,
        Grid full,
        Grid quick) {

    public Scenario {
        publishers = List.copyOf(publishers);
    }

    /// Every point once: the product without what is held out, then what is held out.
    public List<Point> points(Grid grid) {
        var points = new ArrayList<Point>();
        for (var count : publishers) {
            for (var matching : grid.matching()) {
                for (var others : grid.others()) {
                    if (!grid.heldOut().contains(new Grid.Combination(matching, others))) {
                        points.add(point(count, matching, others, PointUse.FIT));
                    }
                }
            }
            for (var combination : grid.heldOut()) {
                points.add(
                        point(
                                count,
                                combination.matching(),
                                combination.others(),
                                PointUse.HELD_OUT));
            }
        }
        return List.copyOf(points);
    }

    /// The same experiment with another kind of filter, and said to be another than the paper's.
    public Scenario withFilter(FilterKind other) {
        if (other == filter) {
            return this;
        }
        var filters = other == FilterKind.NONE ? "without filters" : "with " + other + " filters";
        return new Scenario(
                name,
                title + ", but " + filters,
                "like " + source + ", but " + filters,
                other,
                sending,
                crowd,
                publishers,
                full,
                quick);
    }

    /// The same experiment with other numbers of publishers.
    public Scenario withPublishers(List<Integer> others) {
        return new Scenario(name, title, source, filter, sending, crowd, others, full, quick);
    }

    private Point point(int publisherCount, int matching, int others, PointUse use) {
        return new Point(filter, sending, publisherCount, matching, others, crowd, use);
    }
}
