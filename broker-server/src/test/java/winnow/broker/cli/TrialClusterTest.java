package winnow.broker.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A node in a process of its own.
class TrialClusterTest {
    private static final TrialCluster.Ports ANY = new TrialCluster.Ports(0, 0, 0);

    @TempDir private Path directory;

    private static void awaitText(StringWriter text) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (!text.toString().endsWith("\n")) {
            assertThat(System.nanoTime()).as("%s", text).isLessThan(deadline);
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }

    @Test
    void shouldSayWhichNodeHasEnded() throws Exception {
        // given
        Path path = directory.resolve("a 'trial'");
        StringWriter text = new StringWriter();
        StringWriter list = new StringWriter();
        try (TrialCluster cluster = TrialCluster.start(path, ANY, 1)) {
            cluster.reportEnds(new PrintWriter(text));
            cluster.print(new PrintWriter(list), false);
            String node = list.toString().lines().skip(2).findFirst().orElseThrow();
            String[] columns = node.strip().split(" +", 6);

            // when
            ProcessHandle.of(Long.parseLong(columns[1])).orElseThrow().destroyForcibly();

            // then
            awaitText(text);
            String quoted = "'--data=" + path.toString().replace("'", "'\\''") + "/a'";
            assertThat(text.toString())
                    .startsWith("Node a was ended by signal 9; its log is " + path + "/a.log.")
                    .contains(" To start it again: ./winnow broker " + quoted + " ")
                    .contains(" --port=" + columns[2] + " --http-port=" + columns[3] + " ")
                    .endsWith("--set=cluster.node=a\n");
        }
    }

    @Test
    void shouldRefuseADirectoryInUse() throws Exception {
        // given
        StringWriter text = new StringWriter();
        try (TrialCluster cluster = TrialCluster.start(directory, ANY, 1)) {
            cluster.reportEnds(new PrintWriter(text));

            // when, then
            assertThatThrownBy(() -> TrialCluster.start(directory, ANY, 1))
                    .isInstanceOf(IOException.class)
                    .hasMessageStartingWith(
                            directory + " is in use by another 'winnow cluster try': end that");

            // when its command is gone and it is not
            Path moved = directory.resolveSibling(directory.getFileName() + "-other");
            Files.createDirectories(moved);
            Files.createSymbolicLink(moved.resolve("a"), directory.resolve("a"));

            // then
            assertThatThrownBy(() -> TrialCluster.start(moved, ANY, 1))
                    .isInstanceOf(IOException.class)
                    .hasMessageStartingWith(moved + "/a is in use by a broker that runs");
        }
        assertThat(text.toString()).isEmpty();
        TrialCluster.start(directory, ANY, 1).close();
    }
}
