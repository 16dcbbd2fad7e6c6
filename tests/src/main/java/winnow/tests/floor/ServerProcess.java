package winnow.tests.floor;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import winnow.loadgen.machine.CpuClock;

/// A server under test in a process of its own: started, found by its ready line, stopped by its
/// id.
final class ServerProcess implements AutoCloseable {
    private static final Pattern READY = Pattern.compile("jms=127\\.0\\.0\\.1:(\\d+)");

    private final Process process;
    private final InetSocketAddress address;
    private final CpuClock cpu;

    ServerProcess(List<String> command) throws IOException {
        process =
                new ProcessBuilder(command)
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
                        .start();
        address = awaitReady();
        cpu = CpuClock.ofBroker(process.pid());
    }

    private InetSocketAddress awaitReady() throws IOException {
        BufferedReader out =
                new BufferedReader(
                        new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        for (String line = out.readLine(); line != null; line = out.readLine()) {
            Matcher ready = READY.matcher(line);
            if (ready.find()) {
                return new InetSocketAddress(
                        InetAddress.getLoopbackAddress(), Integer.parseInt(ready.group(1)));
            }
        }
        throw new IOException("the server ended before it was ready");
    }

    InetSocketAddress address() {
        return address;
    }

    /// Its processor time, as the load generator takes a broker's.
    CpuClock cpu() {
        return cpu;
    }

    @Override
    public void close() {
        process.destroy();
        process.onExit().orTimeout(10, TimeUnit.SECONDS).exceptionally(_ -> kill()).join();
    }

    private Process kill() {
        return process.destroyForcibly().onExit().join();
    }
}
