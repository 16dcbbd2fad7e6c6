package winnow.broker.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import winnow.broker.TestUsers;
import winnow.broker.admin.request.ProblemException;
import winnow.broker.admin.request.Verb;
import winnow.broker.identity.ProvenUser;
import winnow.broker.permission.AccessControl;
import winnow.broker.security.UserFile;
import winnow.broker.security.UserFileWriter;
import winnow.broker.transport.HttpServer;
import winnow.broker.transport.HttpServer.Request;
import winnow.broker.transport.HttpServer.Response;

/// Passwords in clear text from another machine. UsersApiTest in winnow.broker has all the rest.
class UserPagesTest {
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

    private final List<String> changed = new ArrayList<>();

    private final Path file;
    private boolean known = true;

    /// Refuses all changes, after it has noted those that their guard allows.
    private final BrokerUsers users =
            new BrokerUsers() {
                @Override
                public boolean enabled() {
                    return true;
                }

                @Override
                public boolean proves(ProvenUser user) {
                    return known;
                }

                @Override
                public UserFile users() throws IOException {
                    throw new IOException("unreadable");
                }

                @Override
                public UserChange putUser(String name, String password, UserFileWriter.Guard guard)
                        throws IOException {
                    guard.check(UserFile.read(file));
                    changed.add(name);
                    throw new IOException("full");
                }

                @Override
                public UserChange removeUser(String name, UserFileWriter.Guard guard)
                        throws IOException {
                    guard.check(UserFile.read(file));
                    changed.add(name);
                    throw new IOException("full");
                }
            };

    UserPagesTest(@TempDir Path directory) throws IOException {
        file = TestUsers.write(directory, UserFile.line("bob", "secret"));
    }

    private Response put(boolean confidential) throws Exception {
        List<Route> routes = new ArrayList<>();
        new UserPages(users, AccessControl.none()).addTo(routes);
        Request request =
                new Request(
                                List.of("api", "v1", "users", "ann"),
                                Map.of(),
                                new HttpServer.Headers("", "", "", "application/json", "", ""),
                                "192.0.2.1",
                                confidential,
                                CLIENT)
                        .with("{\"password\": \"secret\"}");
        assertThat(request.toString()).doesNotContain("secret");
        return new Routes(routes, AccessControl.none(), users::proves)
                .answer(Verb.PUT, request)
                .toCompletableFuture()
                .get();
    }

    @Test
    void shouldTakeNoPasswordInClearTextFromAnotherMachine() {
        assertThatThrownBy(() -> put(false))
                .isInstanceOf(ProblemException.class)
                .hasMessage(
                        "a password is not taken in clear text from another machine, where others"
                                + " could have read it: use https (tls.certificate) or a loopback"
                                + " address")
                .extracting(failure -> ((ProblemException) failure).status())
                .isEqualTo(403);
        assertThat(changed).isEmpty();
    }

    @Test
    void shouldSayWhyTheFileCannotBeChanged() throws Exception {
        // when
        Response answer = put(true);

        // then
        assertThat(changed).containsExactly("ann");
        assertThat(answer.status()).isEqualTo(409);
        assertThat(answer.body()).contains("\"detail\":\"full\"");
    }

    @Test
    void shouldChangeNothingForAUserWhoWasRemovedMeanwhile() {
        // given
        known = false;

        // then
        assertThatThrownBy(() -> put(true))
                .hasRootCauseInstanceOf(ProblemException.class)
                .hasRootCauseMessage(
                        "expected a user of this broker, found that '' was removed or has another"
                                + " password");
        assertThat(changed).isEmpty();
    }
}
