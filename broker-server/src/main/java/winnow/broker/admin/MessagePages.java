package winnow.broker.admin;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import winnow.broker.admin.request.Asked;
import winnow.broker.admin.request.JsonPage;
import winnow.broker.admin.request.Listing;
import winnow.broker.admin.request.Operator;
import winnow.broker.admin.request.Parameter;
import winnow.broker.admin.request.ProblemException;
import winnow.broker.matching.NameDictionary;
import winnow.broker.matching.SelectorFilter;
import winnow.broker.matching.SubscriptionFilter;
import winnow.broker.shard.Browser;
import winnow.broker.shard.MessageFilter;
import winnow.broker.shard.Operation;
import winnow.broker.shard.Selection;
import winnow.broker.shard.Shard;
import winnow.broker.shard.StoredSubscription;
import winnow.broker.transport.HttpServer.Response;
import winnow.selector.check.SelectorLimits;
import winnow.selector.engine.Selector;
import winnow.store.LogException;

/// The messages that wait in a queue or a stored subscription: shown, removed, moved. Thread-safe.
final class MessagePages {
    /// Time after which an operation stops; who wants the rest asks again.
    private static final int OPERATION_SECONDS = 5;

    /// Bytes of message blocks that are looked at for one answer.
    private static final int MAX_SHOWN_BYTES = 8 * 1024 * 1024;

    private final ShardQuestions questions;
    private final NameDictionary names;
    private final SelectorLimits limits;

    MessagePages(ShardQuestions questions, NameDictionary names, SelectorLimits limits) {
        this.questions = questions;
        this.names = names;
        this.limits = limits;
    }

    /// Result of an operation.
    ///
    /// @param messages so many were removed or moved
    /// @param complete whether all that waited when it began were looked at; else ask again
    record Done(long messages, boolean complete) {}

    /// Begins an operation. Called on the shard's thread.
    interface Start {
        /// @param asked with what the user may do at this moment
        Operation apply(Asked asked, Shard shard, Selection selection, Operation.Result result);
    }

    /// A message as the shard has it.
    private static final class Shown {
        final long sequence;
        final int deliveries;
        final byte[] block;

        /// Bytes of a body that is in parts.
        final int partsBytes;

        Shown(long sequence, int deliveries, byte[] block, int partsBytes) {
            this.partsBytes = partsBytes;
            this.sequence = sequence;
            this.deliveries = deliveries;
            this.block = block;
        }
    }

    /// Messages that wait for a consumer, in the order of delivery.
    ///
    /// @param of finds whose messages are shown, on the shard's thread
    CompletionStage<Response> show(Function<Shard, StoredSubscription> of, Asked asked) {
        int limit = asked.limit();
        MessageFilter filter = filter(asked);
        return questions
                .<List<Shown>>ask(
                        0,
                        (shard, answer) -> {
                            Collector collector = new Collector(limit, answer);
                            collector.begin(
                                    shard.browse(of.apply(shard), filter, limit, collector));
                        })
                .thenCompose(this::page);
    }

    private CompletionStage<Response> page(List<Shown> found) {
        List<StoredMessageInfo> messages = new ArrayList<>();
        int characters = 0;
        for (Shown one : found) {
            StoredMessageInfo info =
                    StoredMessageInfo.of(
                            one.sequence, one.deliveries, one.block, one.partsBytes, names::name);
            characters += info.characters();
            if (characters > Listing.MAX_CHARACTERS && !messages.isEmpty()) {
                break;
            }
            messages.add(info);
        }
        return JsonPage.of(messages);
    }

    /// Gathers messages until there are no more, or enough. Owned by the shard's thread.
    private static final class Collector implements Browser.Receiver {
        private final int limit;
        private final CompletableFuture<List<Shown>> answer;
        private final List<Shown> found = new ArrayList<>();
        private int bytesLeft = MAX_SHOWN_BYTES;
        private @Nullable Browser browser;

        Collector(int limit, CompletableFuture<List<Shown>> answer) {
            this.limit = limit;
            this.answer = answer;
        }

        void begin(Browser begun) {
            browser = begun;
            begun.onCredit(limit, bytesLeft);
        }

        @Override
        public void onMessage(long sequence, int earlier, byte[] block, int maxNameId) {
            add(new Shown(sequence, earlier, block, 0));
        }

        @Override
        public void onMessageInParts(
                long sequence, int earlier, byte[] head, int maxNameId, int bodyBytes) {
            add(new Shown(sequence, earlier, head, bodyBytes));
        }

        private void add(Shown message) {
            found.add(message);
            bytesLeft -= message.block.length;
            if (answer.isDone() || bytesLeft <= 0) {
                if (browser != null) {
                    browser.close();
                }
                onEnd();
            }
        }

        @Override
        public void onEnd() {
            answer.complete(found);
        }

        @Override
        public void onFailed(LogException cause) {
            answer.completeExceptionally(unavailable(cause));
        }
    }

    /// Removes or moves messages, those that a selector names if there is one.
    ///
    /// @param what says for the log what was done with so many messages
    CompletionStage<Response> change(Asked asked, UnaryOperator<String> what, Start start) {
        return change(asked, asked::by, what, start);
    }

    /// The same where it is known later by which rule it may be done.
    ///
    /// @param by who does it; called on the shard's thread when it has been done
    CompletionStage<Response> change(
            Asked asked, Supplier<Operator> by, UnaryOperator<String> what, Start start) {
        String selector = asked.text(Parameter.SELECTOR);
        String which = selector.isEmpty() ? "" : ", selector: " + selector;
        LongConsumer told = messages -> by.get().did(what.apply(Operator.count(messages)) + which);
        MessageFilter filter = filter(asked);
        Selection selection = filter == null ? Selection.all() : Selection.matching(filter);
        return questions
                .<Done>change(
                        asked,
                        OPERATION_SECONDS,
                        (now, shard, answer) -> {
                            Result result = new Result(answer, told);
                            Operation operation = start.apply(now, shard, selection, result);
                            stopInTime(operation, result);
                        })
                .thenCompose(JsonPage::of);
    }

    private void stopInTime(Operation operation, Result result) {
        CompletableFuture.delayedExecutor(OPERATION_SECONDS, TimeUnit.SECONDS)
                .execute(() ->
                        questions.execute(() -> {
                            result.stopped = true;
                            operation.cancel();
                        }));
    }

    /// Answers when an operation ends. Owned by the shard's thread.
    private static final class Result implements Operation.Result {
        private final CompletableFuture<Done> answer;
        private final LongConsumer told;
        private boolean stopped;

        Result(CompletableFuture<Done> answer, LongConsumer told) {
            this.answer = answer;
            this.told = told;
        }

        @Override
        public void onDone(long messages) {
            told.accept(messages);
            answer.complete(new Done(messages, !stopped));
        }

        @Override
        public void onFailed(long messages, LogException cause) {
            told.accept(messages);
            answer.completeExceptionally(
                    new ProblemException(
                            503,
                            "the store has failed after "
                                    + messages
                                    + " messages: "
                                    + cause.getMessage()));
        }
    }

    /// Answer when the log takes no more.
    static ProblemException unavailable(LogException cause) {
        return new ProblemException(503, "the store has failed: " + cause.getMessage());
    }

    /// @throws winnow.selector.error.InvalidSelectorSyntaxException if the selector is none
    private @Nullable MessageFilter filter(Asked asked) {
        SubscriptionFilter filter = new SubscriptionFilter(asked.text(Parameter.SELECTOR), "");
        Selector selector = filter.parse(limits);
        return selector == null ? null : new SelectorFilter(filter, selector, names);
    }
}
