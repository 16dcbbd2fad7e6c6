package winnow.broker.admin;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import winnow.broker.transport.HttpServer;
import winnow.broker.transport.HttpServer.Request;
import winnow.broker.transport.HttpServer.Response;

class PacedPageTest {
    private static final Response MADE = new Response(200, "text/plain", "made");

    private final List<CompletableFuture<Response>> asked = new ArrayList<>();
    private final List<Runnable> tasks = new ArrayList<>();
    private boolean known = true;
    private final PacedPage page = new PacedPage(_ -> known, this::ask);

    private CompletionStage<Response> ask(Request request) {
        CompletableFuture<Response> answer = new CompletableFuture<>();
        asked.add(answer);
        return answer;
    }

    /// A client whose server runs tasks when the test says so.
    private final class Client implements HttpServer.Client {
        private boolean connected = true;

        @Override
        public boolean isConnected() {
            return connected;
        }

        @Override
        public void execute(Runnable command) {
            tasks.add(command);
        }
    }

    private CompletableFuture<Response> get(Client client) {
        return page.get(
                        new Request(
                                List.of(),
                                Map.of(),
                                new HttpServer.Headers("", "", ""),
                                "127.0.0.1",
                                true,
                                client))
                .toCompletableFuture();
    }

    private void serverTakesAnswers() {
        List<Runnable> now = List.copyOf(tasks);
        tasks.clear();
        now.forEach(Runnable::run);
    }

    @Test
    void shouldMakeTheNextAnswerWhenOneIsTaken() {
        // given
        for (int i = 0; i < PacedPage.AT_ONCE; i++) {
            get(new Client());
        }
        CompletableFuture<Response> next = get(new Client());
        assertThat(asked).hasSize(PacedPage.AT_ONCE);

        // when one is made
        asked.get(0).complete(MADE);
        assertThat(asked).hasSize(PacedPage.AT_ONCE);
        serverTakesAnswers();

        // then
        assertThat(asked).hasSize(PacedPage.AT_ONCE + 1);
        asked.getLast().complete(MADE);
        assertThat(next).isCompletedWithValue(MADE);
    }

    @Test
    void shouldRefuseWhoIsRemovedWhileTheRequestWaits() {
        // given
        for (int i = 0; i < PacedPage.AT_ONCE; i++) {
            get(new Client());
        }
        CompletableFuture<Response> next = get(new Client());

        // when
        known = false;
        asked.get(0).complete(MADE);
        serverTakesAnswers();

        // then
        assertThat(asked).hasSize(PacedPage.AT_ONCE);
        assertThat(next.join().status()).isEqualTo(401);
    }

    @Test
    void shouldGoOnAfterAnAnswerThatFails() {
        // given
        CompletableFuture<Response> first = get(new Client());
        get(new Client());
        get(new Client());

        // when
        asked.get(0).completeExceptionally(new IllegalStateException("made for this test"));
        serverTakesAnswers();

        // then
        assertThat(first).isCompletedExceptionally();
        assertThat(asked).hasSize(PacedPage.AT_ONCE + 1);
    }

    @Test
    void shouldGoOnAfterAPageThatCannotBeLinked() {
        // given
        PacedPage broken =
                new PacedPage(
                        _ -> true,
                        _ -> {
                            throw new NoClassDefFoundError("made for this test");
                        });
        Request request =
                new Request(
                        List.of(),
                        Map.of(),
                        new HttpServer.Headers("", "", ""),
                        "127.0.0.1",
                        true,
                        new Client());

        for (int i = 0; i < PacedPage.AT_ONCE + 1; i++) {
            // when
            CompletableFuture<Response> answer = broken.get(request).toCompletableFuture();
            serverTakesAnswers();

            // then
            assertThat(answer).isCompletedExceptionally();
        }
    }

    @Test
    void shouldMakeNothingForThoseWhoHaveGone() {
        // given
        for (int i = 0; i < PacedPage.AT_ONCE; i++) {
            get(new Client());
        }
        Client gone = new Client();
        get(gone);
        gone.connected = false;
        CompletableFuture<Response> next = get(new Client());

        // when
        asked.get(0).complete(MADE);
        serverTakesAnswers();
        asked.getLast().complete(MADE);

        // then
        assertThat(asked).hasSize(PacedPage.AT_ONCE + 1);
        assertThat(next).isCompletedWithValue(MADE);
    }

    @Test
    void shouldRefuseWhenManyWait() {
        // given
        List<Client> clients = new ArrayList<>();
        for (int i = 0; i < PacedPage.AT_ONCE + PacedPage.MAX_WAITING; i++) {
            clients.add(new Client());
            assertThat(get(clients.getLast())).isNotDone();
        }

        // when
        CompletableFuture<Response> oneTooMany = get(new Client());

        // then
        assertThat(oneTooMany.join().status()).isEqualTo(503);

        // when some of them have gone
        clients.forEach(client -> client.connected = false);

        // then
        assertThat(get(new Client())).isNotDone();
    }
}
