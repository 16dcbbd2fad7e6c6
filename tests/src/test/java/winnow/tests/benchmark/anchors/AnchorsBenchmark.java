package winnow.tests.benchmark.anchors;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import winnow.tests.benchmark.rows.Anchor;
import winnow.tests.benchmark.rows.RowsBenchmark;
import winnow.tests.selector.ArtemisPeer;
import winnow.tests.selector.ClassicPeer;

/// [RowsBenchmark] with what other brokers and libraries need for the same workloads.
///
/// Usage: `AnchorsBenchmark [ROW[,ROW] [COUNT[,COUNT]]]`; the properties `winnow.a-tree` and
/// `winnow.be-tree` name the programs of tests/a-tree and tests/be-tree, without which these are
/// left out. With `winnow.be-tree-alone=true` all others are.
public final class AnchorsBenchmark {
    private AnchorsBenchmark() {}

    public static void main(String[] arguments) throws Exception {
        List<Anchor> anchors = new ArrayList<>();
        if (!Boolean.getBoolean("winnow.be-tree-alone")) {
            anchors.add(new PeerAnchor<>(new ArtemisPeer()));
            anchors.add(new PeerAnchor<>(new ClassicPeer()));
            anchors.add(new LuceneAnchor());
            addProgram("winnow.a-tree", ATreeAnchor::new, anchors);
        }
        addProgram("winnow.be-tree", BeTreeAnchor::new, anchors);
        new RowsBenchmark(anchors).run(arguments);
    }

    private static void addProgram(
            String property, Function<Path, Anchor> anchor, List<Anchor> anchors) {
        String program = System.getProperty(property);
        if (program != null) {
            anchors.add(anchor.apply(Path.of(program)));
        }
    }
}
