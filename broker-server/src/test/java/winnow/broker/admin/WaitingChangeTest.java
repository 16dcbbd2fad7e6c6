package winnow.broker.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import winnow.broker.admin.request.ProblemException;
import winnow.broker.admin.request.Verb;
import winnow.broker.destination.DestinationConfig;
import winnow.broker.fault.FaultBarrier;
import winnow.broker.identity.ProvenUser;
import winnow.broker.matching.NameDictionary;
import winnow.broker.permission.AccessControl;
import winnow.broker.permission.PermissionFile;
import winnow.broker.routing.DestinationRegistry;
import winnow.broker.shard.ShardConfig;
import winnow.broker.storage.Storage;
import winnow.broker.storage.StorageConfig;
import winnow.broker.transport.HttpServer;
import winnow.broker.transport.HttpServer.Request;
import winnow.broker.transport.HttpServer.Response;

/// A change that waits for the thread of the storage while its user is removed, or loses a right.
class WaitingChangeTest {
    private static final HttpServer.Client CLIENT =
            new HttpServer.Client() {
                @Override
                public boolean isConnected() {
                    return true;
                }

                @Override
                public void execute(Runnable command) {
                    command.run();
                }
            };

    private final Storage storage =
            Storage.open(
                    StorageConfig.DEFAULTS,
                    ShardConfig.DEFAULTS,
                    _ -> "",
                    new FaultBarrier(new LongAdder()));

    private final CountDownLatch held = new CountDownLatch(1);
    private final AccessControl control = AccessControl.none();
    private volatile boolean proven = true;

    @BeforeEach
    void start() {
        storage.start();
        storage.execute(shard -> {
            var _ = shard.queue("orders");
        });
    }

    @AfterEach
    void stop() {
        held.countDown();
        storage.close();
    }

    private CompletionStage<Response> ask(
            Verb verb, ProvenUser user, Map<String, List<String>> parameters, String... path)
            throws IOException {
        List<Route> routes = new ArrayList<>();
        ShardQuestions questions = new ShardQuestions(storage);
        DestinationRegistry registry =
                new DestinationRegistry(DestinationConfig.DEFAULTS, List.of());
        new QueuePages(questions, registry).addTo(routes);
        MessagePages messages =
                new MessagePages(
                        questions,
                        new NameDictionary(16),
                        DestinationConfig.DEFAULTS.selectorLimits());
        new QueueMessagePages(messages, registry).addTo(routes);
        Request request =
                new Request(
                                Stream.concat(Stream.of("api", "v1", "queues"), Stream.of(path))
                                        .toList(),
                                parameters,
                                new HttpServer.Headers("", "", ""),
                                "127.0.0.1",
                                true,
                                CLIENT)
                        .by(user);
        return new Routes(routes, control, _ -> proven).answer(verb, request);
    }

    private CompletionStage<Response> removeQueue() throws IOException {
        return ask(Verb.DELETE, ProvenUser.nobody(), Map.of(), "orders");
    }

    private void hold() {
        storage.execute(_ -> {
            try {
                assertThat(held.await(20, TimeUnit.SECONDS)).isTrue();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }

    /// Gives ann these rights for all queues.
    private void allow(String rights) throws IOException {
        control.use(
                PermissionFile.parse(
                        "rules: [{who: root, may: admin}, {who: ann, may: [%s], queues: '*'}]"
                                .formatted(rights),
                        "test"));
    }

    private void refused(CompletionStage<Response> answer, String why) {
        assertThatThrownBy(() -> answer.toCompletableFuture().get(20, TimeUnit.SECONDS))
                .hasRootCauseInstanceOf(ProblemException.class)
                .rootCause()
                .hasMessageStartingWith(why);
    }

    private boolean hasQueue() throws Exception {
        return hasQueue("orders");
    }

    private boolean hasQueue(String name) throws Exception {
        CompletableFuture<Boolean> found = new CompletableFuture<>();
        storage.execute(shard -> found.complete(shard.catalog().findQueue(name).isPresent()));
        return found.get(10, TimeUnit.SECONDS);
    }

    @Test
    void shouldChangeNothingForWhoIsRemovedMeanwhile() throws Exception {
        // given
        hold();
        CompletionStage<Response> answer = removeQueue();

        // when
        proven = false;
        held.countDown();

        // then
        refused(
                answer,
                "expected a user of this broker, found that '' was removed or has another"
                        + " password");
        assertThat(hasQueue()).isTrue();
    }

    /// Rights that the route alone can check, of what it makes or moves to.
    @Test
    void shouldChangeNothingForWhoLosesARightMeanwhile() throws Exception {
        // given
        ProvenUser ann = ProvenUser.byPassword("ann");
        allow("create, view, edit, send");
        hold();
        CompletionStage<Response> made = ask(Verb.POST, ann, Map.of(), "new");
        CompletionStage<Response> moved =
                ask(Verb.POST, ann, Map.of("to", List.of("other")), "orders", "move");

        // when
        allow("view, edit");
        held.countDown();

        // then
        refused(made, "user 'ann' may not create queue 'new'");
        refused(moved, "user 'ann' may not send to queue 'other'");
        assertThat(hasQueue("new")).isFalse();
        assertThat(hasQueue("other")).isFalse();
    }

    @Test
    void shouldChangeWhatAUserAsksFor() throws Exception {
        assertThat(removeQueue().toCompletableFuture().get(20, TimeUnit.SECONDS).status())
                .isEqualTo(200);
        assertThat(hasQueue()).isFalse();
    }
}
