package winnow.tests.queues;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/// Runs a program that measures a floor in a process of its own, and reads the tables that it
/// prints. What it says else goes to a file beside the results. Immutable.
///
/// @param options where its classes are
/// @param limit after which it is killed
record FloorProgram(BenchmarkOptions options, Duration limit) {

    /// Runs it.
    ///
    /// @param main its class
    /// @return the rows of its tables, each with its cells by their columns, in order
    /// @throws IOException if it fails
    List<Map<String, String>> run(String main, String... args)
            throws IOException, InterruptedException {
        List<String> command =
                new ArrayList<>(
                        List.of(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-Xmx512m",
                                "--enable-native-access=ALL-UNNAMED",
                                "--sun-misc-unsafe-memory-access=allow",
                                "-cp",
                                options.floor(),
                                main));
        Collections.addAll(command, args);
        File log = options.out().resolve("floor.log").toFile();
        Process process =
                new ProcessBuilder(command)
                        .redirectError(ProcessBuilder.Redirect.appendTo(log))
                        .start();
        Thread watch = Thread.ofVirtual().start(() -> killAfterLimit(process));
        try (BufferedReader out = process.inputReader()) {
            List<Map<String, String>> rows = rows(out);
            int status = process.waitFor();
            if (status != 0) {
                throw new IOException(
                        main
                                + " ended with status "
                                + status
                                + ", or was killed after "
                                + limit
                                + ", see "
                                + log);
            }
            return rows;
        } finally {
            watch.interrupt();
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly().waitFor();
        }
    }

    private void killAfterLimit(Process process) {
        try {
            TimeUnit.NANOSECONDS.sleep(limit.toNanos());
            process.destroyForcibly();
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }

    private static List<Map<String, String>> rows(BufferedReader out) throws IOException {
        List<Map<String, String>> rows = new ArrayList<>();
        List<String> header = List.of();
        String before = "";
        for (String line = out.readLine(); line != null; line = out.readLine()) {
            if (line.matches("\\|[-|]+\\|")) {
                header = cells(before);
            } else if (line.startsWith("|") && cells(line).size() == header.size()) {
                Map<String, String> row = new LinkedHashMap<>();
                for (int i = 0; i < header.size(); i++) {
                    row.put(header.get(i), cells(line).get(i));
                }
                rows.add(row);
            }
            before = line;
        }
        return rows;
    }

    private static List<String> cells(String line) {
        return List.of(line.replaceAll("^\\|\\s*|\\s*\\|$", "").split("\\s*\\|\\s*", -1));
    }
}
