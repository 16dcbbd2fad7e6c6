package winnow.broker.admin;

import java.io.UncheckedIOException;
import java.time.Clock;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import winnow.broker.admin.request.Asked;
import winnow.broker.admin.request.JsonPage;
import winnow.broker.admin.request.Operator;
import winnow.broker.admin.request.Parameter;
import winnow.broker.config.NamePattern;
import winnow.broker.permission.Permission;
import winnow.broker.storage.Backup;
import winnow.broker.storage.Backups;
import winnow.broker.transport.HttpServer.Response;
import winnow.store.LogException;

/// The backups beside the store: shown, made, removed. Thread-safe.
final class BackupPages {
    private static final String BACKUPS = "storage/backups";

    /// Name of the backup in the path.
    private static final String BACKUP = "backup";

    private static final String ITEM = BACKUPS + "/{" + BACKUP + "}";
    private static final String PATH = AdminApi.ROOT + BACKUPS;

    /// Time after which the answer does not wait for a backup any more.
    private static final int ANSWER_SECONDS = 5;

    private static final DateTimeFormatter NAME =
            DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss").withZone(ZoneOffset.UTC);

    private final Backups backups;
    private final Clock clock;

    /// @param clock gives backups their names where clients do not
    BackupPages(Backups backups, Clock clock) {
        this.backups = backups;
        this.clock = clock;
    }

    void addTo(List<Route> routes) {
        routes.add(
                Route.post(
                                BACKUPS,
                                "makeBackup",
                                "makes a backup of the store while the broker works")
                        .of(Backup.class)
                        .with(Parameter.BACKUP)
                        .needs(Permission.ADMIN)
                        .conflict("there is no store, one of that name, or as many as may be")
                        .by(asked -> make(asked.by(), asked.text(Parameter.BACKUP))));
        routes.add(
                Route.get(BACKUPS, "listBackups", "backups by name")
                        .pagesOf(Backup.class)
                        .needs(Permission.ADMIN)
                        .by(this::list));
        routes.add(
                Route.get(ITEM, "getBackup", "one backup")
                        .of(Backup.class)
                        .needs(Permission.ADMIN)
                        .by(asked -> {
                            String name = asked.value(BACKUP);
                            return item(name, () -> backups.find(name).map(JsonPage::of));
                        }));
        routes.add(
                Route.delete(ITEM, "deleteBackup", "removes a backup")
                        .of(Backup.class)
                        .needs(Permission.ADMIN)
                        .conflict("the backup is being made")
                        .by(asked -> {
                            String name = asked.value(BACKUP);
                            return item(name, () -> remove(asked, name));
                        }));
    }

    private CompletionStage<Response> list(Asked asked) {
        String after = asked.after();
        NamePattern names = asked.names();
        long count = asked.limit() + 1L;
        return blocking(() -> {
            List<Backup> found =
                    backups.list().stream()
                            .filter(one -> one.name().compareTo(after) > 0)
                            .filter(one -> names.fits(one.name()))
                            .limit(count)
                            .toList();
            return asked.page(PATH, found, one -> one.directory().length(), Backup::name);
        });
    }

    private CompletionStage<Response> item(
            String name, Supplier<Optional<CompletionStage<Response>>> question) {
        return blocking(() ->
                question.get()
                        .orElseGet(
                                () -> JsonPage.failure(404, "there is no backup '" + name + "'")));
    }

    private Optional<CompletionStage<Response>> remove(Asked asked, String name) {
        var _ = asked.again();
        return backups.remove(name)
                .map(removed -> {
                    asked.by().did("removed backup " + name);
                    return JsonPage.of(removed);
                });
    }

    private CompletionStage<Response> make(Operator by, String given) {
        String name = given.isEmpty() ? NAME.format(clock.instant()) : given;
        CompletableFuture<Backup> made;
        try {
            made = backups.make(name).toCompletableFuture().copy();
            by.did("began backup " + name);
        } catch (IllegalStateException e) {
            return JsonPage.failure(409, String.valueOf(e.getMessage()));
        }
        return made.completeOnTimeout(backups.underWay(name), ANSWER_SECONDS, TimeUnit.SECONDS)
                .handleAsync((backup, failure) ->
                        failure == null ? JsonPage.of(backup) : problem(failure))
                .thenCompose(Function.identity());
    }

    /// Files are looked at where no other request waits for it.
    private static CompletionStage<Response> blocking(Supplier<CompletionStage<Response>> answer) {
        return CompletableFuture.supplyAsync(answer, Thread::startVirtualThread)
                .handle((response, failure) -> failure == null ? response : problem(failure))
                .thenCompose(Function.identity());
    }

    private static CompletionStage<Response> problem(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null
                        ? failure.getCause()
                        : failure;
        String detail = String.valueOf(cause.getMessage());
        return switch (cause) {
            case IllegalArgumentException _ -> JsonPage.failure(400, detail);
            case IllegalStateException _ -> JsonPage.failure(409, detail);
            case LogException e when e.reason() == LogException.Reason.NO_SPACE ->
                    JsonPage.failure(507, detail);
            case LogException _ -> JsonPage.failure(503, detail);
            case UncheckedIOException _ -> JsonPage.failure(503, detail);
            default -> CompletableFuture.failedStage(cause);
        };
    }
}
