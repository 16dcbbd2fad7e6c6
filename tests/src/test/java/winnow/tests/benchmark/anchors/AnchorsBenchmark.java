package winnow.tests.benchmark.anchors;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import winnow.tests.benchmark.rows.Anchor;
import winnow.tests.benchmark.rows.RowsBenchmark;
import winnow.tests.selector.ArtemisPeer;
import winnow.tests.selector.ClassicPeer;

/// [RowsBenchmark] with what other brokers and libraries need for the same workloads.
///
/// Usage: `AnchorsBenchmark [ROW[,ROW] [COUNT[,COUNT]]]`; the property `winnow.a-tree` names the
/// program of tests/a-tree, without which the A-Tree is left out.
public final class AnchorsBenchmark {
    private AnchorsBenchmark() {}

    public static void main(String[] arguments) throws Exception {
        List<Anchor> anchors = new ArrayList<>();
        anchors.add(new PeerAnchor<>(new ArtemisPeer()));
        anchors.add(new PeerAnchor<>(new ClassicPeer()));
        anchors.add(new LuceneAnchor());
        String program = System.getProperty("winnow.a-tree");
        if (program != null) {
            anchors.add(new ATreeAnchor(Path.of(program)));
        }
        new RowsBenchmark(anchors).run(arguments);
    }
}
