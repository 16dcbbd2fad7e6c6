package winnow.broker.admin;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import winnow.broker.admin.request.Asked;
import winnow.broker.admin.request.JsonPage;
import winnow.broker.admin.request.NewPassword;
import winnow.broker.admin.request.Precondition;
import winnow.broker.admin.request.ProblemException;
import winnow.broker.config.NamePattern;
import winnow.broker.permission.AccessControl;
import winnow.broker.permission.Permission;
import winnow.broker.security.LastUser;
import winnow.broker.security.UserFile;
import winnow.broker.security.UserTags;
import winnow.broker.session.ConnectionInfo;
import winnow.broker.transport.HttpServer.Response;
import winnow.wire.Printable;

/// Users of the user file: shown without their credentials, made, changed and removed. A change
/// waits for the file and for the disk, so it runs on a thread of its own. Thread-safe.
final class UserPages {
    private static final int ANSWER_SECONDS = 5;
    private static final String USER = "user";
    private static final String USERS = "users";
    private static final String ONE = USERS + "/{" + USER + "}";

    private static final String NO_USERS =
            "expected a broker with a user file (security.users), found one without; give it one"
                    + " and start it again";

    private static final String IN_CLEAR =
            "a password is not taken in clear text from another machine, where others could have"
                    + " read it: use https (tls.certificate) or a loopback address";

    private final BrokerUsers users;
    private final AccessControl control;
    private final UserTags tags = new UserTags();

    UserPages(BrokerUsers users, AccessControl control) {
        this.users = users;
        this.control = control;
    }

    /// A user.
    ///
    /// @param etag changes with the password
    record StoredUser(String name, String etag) {}

    /// A user who was made, or whose password was set.
    ///
    /// @param created false if the user was there before
    /// @param ended numbers of the connections that the change has ended
    record WrittenUser(String name, String etag, boolean created, List<String> ended) {
        WrittenUser {
            ended = List.copyOf(ended);
        }
    }

    /// A user who was removed.
    ///
    /// @param ended numbers of the connections that the removal has ended
    record RemovedUser(String name, List<String> ended) {
        RemovedUser {
            ended = List.copyOf(ended);
        }
    }

    void addTo(List<Route> routes) {
        routes.add(
                Route.get(USERS, "listUsers", "users of the user file, without credentials")
                        .pagesOf(StoredUser.class)
                        .needs(Permission.ADMIN)
                        .conflict("the user file cannot be used as it is, and why")
                        .by(this::list));
        routes.add(
                Route.get(ONE, "getUser", "a user of the user file, without credentials")
                        .of(StoredUser.class)
                        .needs(Permission.ADMIN)
                        .conflict("the user file cannot be used as it is, and why")
                        .by(this::get));
        routes.add(
                Route.put(
                                ONE,
                                "putUser",
                                "makes a user, or sets a password, which ends the user's"
                                        + " connections")
                        .takes(NewPassword.class)
                        .of(WrittenUser.class)
                        .needs(Permission.ADMIN)
                        .conditional()
                        .conflict("there is no user file, or it cannot be changed, and why")
                        .by(this::put));
        routes.add(
                Route.delete(ONE, "removeUser", "removes a user, which ends the connections")
                        .of(RemovedUser.class)
                        .needs(Permission.ADMIN)
                        .conditional()
                        .conflict("nobody else has 'admin', or the file cannot be changed, and why")
                        .by(this::remove));
    }

    private CompletionStage<Response> list(Asked asked) {
        int limit = asked.limit();
        String after = asked.after();
        NamePattern names = asked.names();
        return aside(() -> {
            if (!users.enabled()) {
                return JsonPage.of(List.of());
            }
            UserFile all = users.users();
            List<StoredUser> found =
                    all.names().stream()
                            .filter(names::fits)
                            .filter(name -> name.compareTo(after) > 0)
                            .sorted()
                            .limit(limit + 1L)
                            .map(name -> stored(all, name))
                            .toList();
            return asked.page(
                    AdminApi.ROOT + USERS, found, one -> one.name().length(), StoredUser::name);
        });
    }

    private StoredUser stored(UserFile all, String name) {
        return new StoredUser(name, tags.of(all, name));
    }

    private CompletionStage<Response> get(Asked asked) {
        String name = asked.value(USER);
        return aside(() -> {
            if (!users.enabled()) {
                throw missing(name);
            }
            UserFile all = users.users();
            if (!all.has(name)) {
                throw missing(name);
            }
            StoredUser found = stored(all, name);
            return JsonPage.of(found).thenApply(page -> page.with(page.status(), found.etag()));
        });
    }

    private static ProblemException missing(String name) {
        return new ProblemException(
                404,
                "there is no %s; 'winnow user list' or GET /api/v1/users shows those that are there"
                        .formatted(user(name)));
    }

    private static String user(String name) {
        return "user '" + Printable.of(name) + "'";
    }

    private CompletionStage<Response> put(Asked asked) {
        if (!asked.request().confidential()) {
            throw new ProblemException(403, IN_CLEAR);
        }
        String name = asked.value(USER);
        UserFile.requireName(name);
        NewPassword wanted = NewPassword.parse(asked.request().body());
        Precondition condition = Precondition.of(asked.request().headers());
        return aside(() -> {
            if (!users.enabled()) {
                throw new ProblemException(409, NO_USERS);
            }
            BrokerUsers.UserChange change =
                    users.putUser(
                            name,
                            wanted.password(),
                            before -> {
                                var _ = asked.again();
                                condition.check(user(name), tags.of(before, name));
                            });
            boolean created = !change.written().before().has(name);
            asked.by().did((created ? "made " : "set the password of ") + user(name));
            String etag = tags.of(change.written().after(), name);
            return ended(change)
                    .thenCompose(ended -> JsonPage.of(new WrittenUser(name, etag, created, ended)))
                    .thenApply(page -> page.with(created ? 201 : 200, etag));
        });
    }

    private CompletionStage<Response> remove(Asked asked) {
        String name = asked.value(USER);
        Precondition condition = Precondition.of(asked.request().headers());
        return aside(() -> {
            if (!users.enabled()) {
                throw missing(name);
            }
            BrokerUsers.UserChange change =
                    users.removeUser(
                            name,
                            before -> {
                                var _ = asked.again();
                                checkRemoval(before, name, condition);
                            });
            asked.by().did("removed " + user(name));
            return ended(change).thenCompose(ended -> JsonPage.of(new RemovedUser(name, ended)));
        });
    }

    private void checkRemoval(UserFile before, String name, Precondition condition) {
        if (!before.has(name)) {
            throw missing(name);
        }
        condition.check(user(name), tags.of(before, name));
        String reason = LastUser.reason(before, name, control.current());
        if (!reason.isEmpty()) {
            throw new ProblemException(409, reason);
        }
    }

    /// Numbers of the connections that have ended.
    private static CompletionStage<List<String>> ended(BrokerUsers.UserChange change) {
        return change.ended()
                .toCompletableFuture()
                .orTimeout(ANSWER_SECONDS, TimeUnit.SECONDS)
                .thenApply(all -> all.stream().map(ConnectionInfo::id).sorted().toList());
    }

    /// Reads or changes the user file.
    @FunctionalInterface
    private interface FileWork {
        CompletionStage<Response> run() throws IOException;
    }

    private static CompletionStage<Response> aside(FileWork work) {
        return CompletableFuture.supplyAsync(
                        () -> {
                            try {
                                return work.run();
                            } catch (IOException e) {
                                return JsonPage.failure(409, String.valueOf(e.getMessage()));
                            }
                        },
                        Thread::startVirtualThread)
                .thenCompose(Function.identity());
    }
}
