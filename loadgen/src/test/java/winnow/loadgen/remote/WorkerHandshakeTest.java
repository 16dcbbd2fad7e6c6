package winnow.loadgen.remote;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import winnow.loadgen.run.LoadException;

/// The two sides of a connection, with a third party between them.
class WorkerHandshakeTest {

    private static final Duration LONG = Duration.ofSeconds(20);

    private final WorkerSecret secret = secret("s".repeat(32));

    private final ServerSocket listening;
    private Socket coordinator = new Socket();
    private Socket worker = new Socket();

    WorkerHandshakeTest() throws IOException {
        listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    }

    @BeforeEach
    void connect() throws IOException {
        coordinator = new Socket(listening.getInetAddress(), listening.getLocalPort());
        worker = listening.accept();
    }

    @AfterEach
    void close() throws IOException {
        coordinator.close();
        worker.close();
        listening.close();
    }

    @Test
    void shouldCarryLinesInBothDirectionsWithoutTheSecret() throws Exception {
        // given
        var links = links();

        // when
        links.ofCoordinator.send("order".getBytes(UTF_8));
        links.ofCoordinator.send("another".getBytes(UTF_8));
        links.ofWorker.send("report".getBytes(UTF_8));

        // then
        assertThat(links.ofWorker.receive()).asString(UTF_8).isEqualTo("order");
        assertThat(links.ofWorker.receive()).asString(UTF_8).isEqualTo("another");
        assertThat(links.ofCoordinator.receive()).asString(UTF_8).isEqualTo("report");
    }

    @Test
    void shouldRefuseACoordinatorWithAnotherSecret() throws Exception {
        // given
        var refused = ofWorker(LONG);

        // then
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> {
                    closeWhenDone(refused);
                    WorkerHandshake.ofCoordinator(coordinator, secret("t".repeat(32)), LONG);
                })
                .withMessageContaining("expected the same secret on both sides");
        assertThatThrownBy(refused::join)
                .isInstanceOf(CompletionException.class)
                .hasMessageContaining("found another secret");
    }

    @Test
    void shouldRefuseAWorkerThatDoesNotKnowTheSecret() throws Exception {
        // given: it takes the proof for right and makes one up
        var impostor =
                new FutureTask<>(() -> {
                    var input = new LineInput(worker.getInputStream());
                    worker.getOutputStream()
                            .write(("winnow-worker-1 " + "00".repeat(32) + "\n").getBytes(UTF_8));
                    input.read(1_000);
                    worker.getOutputStream().write(("11".repeat(32) + "\n").getBytes(UTF_8));
                    return true;
                });
        Thread.ofVirtual().start(impostor);

        // then
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> WorkerHandshake.ofCoordinator(coordinator, secret, LONG))
                .withMessageContaining("expected a worker with the same secret");
        assertThat(impostor.get()).isTrue();
    }

    @Test
    void shouldRefuseAProofThatIsSentBack() throws Exception {
        // given: somebody who only knows what the worker itself has sent
        var refused = ofWorker(LONG);
        var input = new LineInput(coordinator.getInputStream());
        var nonce = new String(input.read(1_000), UTF_8).replaceFirst(".* ", "");

        // when
        coordinator.getOutputStream().write((nonce + " " + nonce + "\n").getBytes(UTF_8));

        // then
        assertThatThrownBy(refused::join).hasMessageContaining("found another secret");
    }

    @Test
    void shouldNotWaitForASilentPeer() {
        // when: it sends nothing
        var refused = ofWorker(Duration.ofMillis(50));

        // then
        assertThatThrownBy(refused::join).isInstanceOf(CompletionException.class);
        assertThat(worker.isClosed()).isTrue();
    }

    @Test
    void shouldRefuseALineWithoutEnd() throws Exception {
        // given
        var refused = ofWorker(LONG);

        // when
        coordinator.getOutputStream().write("f".repeat(300).getBytes(UTF_8));

        // then
        assertThatThrownBy(refused::join).hasMessageContaining("at most 256 bytes, found more");
    }

    @Test
    void shouldRefuseAnOversizedOrder() throws Exception {
        // given
        var links = links();

        // when: written by whoever knows the secret
        var sending =
                new FutureTask<>(() -> {
                    links.ofCoordinator.send(new byte[WorkerLink.ORDER_BYTES + 1]);
                    return true;
                });
        Thread.ofVirtual().start(sending);

        // then
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(links.ofWorker::receive)
                .withMessageContaining("expected a line of at most 4,265,601 bytes, found more");
        assertThat(sending.get()).isTrue();
    }

    @Test
    void shouldRefuseALineThatIsRepeated() throws Exception {
        // given: a line as it was on the wire
        var links = links();
        links.ofCoordinator.send("start".getBytes(UTF_8));
        var line = new byte[64 + 1 + 5 + 1];
        assertThat(worker.getInputStream().read(line)).isEqualTo(line.length);

        // when: the third party passes it on twice
        var passed = throughThirdParty(links, line, line);

        // then
        assertThat(passed.receive()).asString(UTF_8).isEqualTo("start");
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(passed::receive)
                .withMessageContaining("changed, repeated or written by another");
    }

    @Test
    void shouldRefuseALineThatIsChanged() throws Exception {
        // given
        var links = links();
        links.ofCoordinator.send("start".getBytes(UTF_8));
        var line = new byte[64 + 1 + 5 + 1];
        assertThat(worker.getInputStream().read(line)).isEqualTo(line.length);
        var changed = Arrays.copyOf(line, line.length);
        changed[66] = 'p';

        // then
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(throughThirdParty(links, changed)::receive)
                .withMessageContaining("changed, repeated or written by another");
    }

    @Test
    void shouldRefuseALineThatFollowsOneLeftOut() throws Exception {
        // given
        var links = links();
        links.ofCoordinator.send("order".getBytes(UTF_8));
        links.ofCoordinator.send("start".getBytes(UTF_8));
        var lines = new byte[2 * (64 + 1 + 5 + 1)];
        assertThat(worker.getInputStream().readNBytes(lines, 0, lines.length))
                .isEqualTo(lines.length);
        var second = Arrays.copyOfRange(lines, lines.length / 2, lines.length);

        // then
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(throughThirdParty(links, second)::receive)
                .withMessageContaining("changed, repeated or written by another");
    }

    @Test
    void shouldRefuseALineOfSomebodyElse() throws Exception {
        // given
        var links = links();

        // when
        coordinator
                .getOutputStream()
                .write(("00".repeat(32) + " {\"type\":\"look\"}\n").getBytes(UTF_8));

        // then
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(links.ofWorker::receive)
                .withMessageContaining("changed, repeated or written by another");
    }

    @Test
    void shouldRefuseAReportThatIsSentBackAsAnOrder() throws Exception {
        // given: a line of the worker
        var links = links();
        links.ofWorker.send("start".getBytes(UTF_8));
        var line = new byte[64 + 1 + 5 + 1];
        assertThat(coordinator.getInputStream().read(line)).isEqualTo(line.length);

        // when
        coordinator.getOutputStream().write(line);

        // then
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(links.ofWorker::receive)
                .withMessageContaining("changed, repeated or written by another");
    }

    @Test
    void shouldCarryAGrantOfThousandsOfPublishers() throws Exception {
        // given
        var links = links();
        var grant = new WorkerOrder.Grant(1, Collections.nCopies(20_000, Long.MAX_VALUE));
        var order = new ObjectMapper().writerFor(WorkerOrder.class).writeValueAsBytes(grant);
        var received =
                CompletableFuture.supplyAsync(() -> {
                    try {
                        return links.ofWorker.receive();
                    } catch (IOException failed) {
                        throw new CompletionException(failed);
                    }
                });

        // when
        links.ofCoordinator.send(order);

        // then
        assertThat(received.get()).isEqualTo(order);
    }

    @Test
    void shouldSayThatTheConnectionEnded() throws Exception {
        // given
        var links = links();

        // when
        links.ofCoordinator.close();

        // then
        assertThatExceptionOfType(EOFException.class).isThrownBy(links.ofWorker::receive);
    }

    private record Links(WorkerLink ofCoordinator, WorkerLink ofWorker) {}

    private Links links() throws IOException {
        var accepted = ofWorker(LONG);
        return new Links(WorkerHandshake.ofCoordinator(coordinator, secret, LONG), accepted.join());
    }

    /// The worker's side, to which somebody in between passes other lines on.
    private WorkerLink throughThirdParty(Links links, byte[]... lines) throws IOException {
        for (var line : lines) {
            coordinator.getOutputStream().write(line);
        }
        return links.ofWorker;
    }

    private CompletableFuture<WorkerLink> ofWorker(Duration time) {
        return CompletableFuture.supplyAsync(() -> {
            try {
                return WorkerHandshake.ofWorker(worker, secret, time);
            } catch (IOException failed) {
                throw new CompletionException(failed.getMessage(), failed);
            }
        });
    }

    private void closeWhenDone(CompletableFuture<WorkerLink> handshake) {
        handshake.whenComplete((_, _) -> {
            try {
                worker.close();
            } catch (IOException alreadyGone) {
                // So it is closed.
            }
        });
    }

    private static WorkerSecret secret(String text) {
        try {
            return WorkerSecret.of(text, "test");
        } catch (LoadException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
