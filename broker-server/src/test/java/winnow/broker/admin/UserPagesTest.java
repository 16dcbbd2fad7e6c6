package winnow.broker.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import winnow.broker.permission.AccessControl;
import winnow.broker.session.UserFile;
import winnow.broker.session.UserFileWriter;
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

    /// Refuses all changes, after it has noted them.
    private final BrokerUsers users =
            new BrokerUsers() {
                @Override
                public boolean enabled() {
                    return true;
                }

                @Override
                public UserFile users() throws IOException {
                    throw new IOException("unreadable");
                }

                @Override
                public UserChange putUser(String name, String password, UserFileWriter.Guard guard)
                        throws IOException {
                    changed.add(name);
                    throw new IOException("full");
                }

                @Override
                public UserChange removeUser(String name, UserFileWriter.Guard guard)
                        throws IOException {
                    changed.add(name);
                    throw new IOException("full");
                }
            };

    private Response put(boolean confidential) throws Exception {
        List<Route> routes = new ArrayList<>();
        new UserPages(users, AccessControl.none()).addTo(routes);
        Request request =
                new Request(
                                List.of("api", "v1", "users", "ann"),
                                Map.of(),
                                new HttpServer.Headers("", "", ""),
                                "192.0.2.1",
                                confidential,
                                CLIENT)
                        .with("{\"password\": \"secret\"}");
        assertThat(request.toString()).doesNotContain("secret");
        return new Routes(routes, AccessControl.none())
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
}
