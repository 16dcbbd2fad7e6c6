package winnow.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import winnow.client.option.ClientOption;
import winnow.client.option.ConnectionOptions;
import winnow.client.option.ConnectionUrl;
import winnow.client.transport.endpoint.ConnectionTarget;

/// No text of the client shows a password or a part of it.
class PasswordSecrecyTest {
    private static final String CHARACTERS =
            "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789&&&===%%;;??##@@::// +'\"\\$<>[](){},.~^|!*-_äß€";

    /// Parts of a password that are long enough to be told from chance.
    private static final int PART_CHARACTERS = 4;

    private static final String WITHOUT_HOST = "winnow://u:%s";

    private static final List<String> FORMS =
            List.of(
                    "winnow://h:1?password=%s",
                    "winnow://h:1?password=%s&unknown=1",
                    "winnow://h:1?username=u&password=%s&sendTimeout=x",
                    "winnow://h:1?username=u&password=%s&sendTimeout=%%zz",
                    "winnow://h:1?password=%s&sendTimeout",
                    "winnow://h:1?password=x&password=%s",
                    "winnow://h:1?Password=%s",
                    "winnow://h:1?passwd=%s",
                    "winnow://h:1?password:%s",
                    "winnow://h:1?password%s",
                    "winnow://h:1?%s",
                    "winnow://h:1&password=%s",
                    "winnow://h:1;password=%s",
                    "winnow://h:1/password=%s",
                    "winnow://h:x?password=%s",
                    "winnow://h:70000?password=%s",
                    "winnow://a:1,b:2?password=%s",
                    "winnow://:1?password=%s",
                    "winnows://h:1?password=%s",
                    "winnows://h:1?trustStorePassword=%s",
                    "winnows://h:1?keyStorePassword=%s&verifyHost=x",
                    "tcp://h:1?password=%s",
                    "h:1?password=%s",
                    "winnow://u:%s@h:1",
                    "winnow://u:%s@h",
                    "winnow://u:%s@h:x?sendTimeout=1",
                    WITHOUT_HOST,
                    "winnow:/u:%s@h:1",
                    "u:%s@h:1",
                    "amqp://u:%s@h:1");

    private final long seed = Long.getLong("winnow.seed", System.nanoTime());
    private final Random random = new Random(seed);

    private String password() {
        StringBuilder text = new StringBuilder();
        int length = 6 + random.nextInt(14);
        for (int i = 0; i < length; i++) {
            text.append(CHARACTERS.charAt(random.nextInt(CHARACTERS.length())));
        }
        return text.toString();
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    /// All that could be printed of a failure.
    private static List<String> texts(@Nullable Throwable failure) {
        List<String> texts = new ArrayList<>();
        for (Throwable link = failure; link != null; link = link.getCause()) {
            texts.add(link.toString());
        }
        return texts;
    }

    private void requireSecret(String password, String form, List<String> texts) {
        for (int i = 0; i + PART_CHARACTERS <= password.length(); i++) {
            String part = password.substring(i, i + PART_CHARACTERS);
            long rare = part.chars().filter(c -> (c >= 'A' && c <= 'Z') || c > 127).count();
            if (rare >= 2) {
                assertThat(texts)
                        .as("-Dwinnow.seed=%d, password %s in %s", seed, password, form)
                        .noneMatch(text -> text.contains(part));
            }
        }
    }

    @Test
    void shouldShowNoPasswordOfAUrl() {
        for (int i = 0; i < 2000; i++) {
            // given
            String password = password();
            String form = FORMS.get(random.nextInt(FORMS.size()));
            List<String> texts = new ArrayList<>();

            // when
            for (String written : List.of(password, encoded(password))) {
                String url = form.formatted(written);
                Throwable failure = catchThrowable(() -> ConnectionUrl.parse(url));
                texts.addAll(texts(failure));
                // Without a host in the URL a text such as `9,AB` is a port and a second host.
                if (failure == null && !form.equals(WITHOUT_HOST)) {
                    texts.add(ConnectionUrl.parse(url).toString());
                    texts.add(new WinnowConnectionFactory(url).toString());
                }
            }

            // then
            requireSecret(password, form, texts);
        }
    }

    @Test
    void shouldShowNoPasswordWithACommaInPlaceOfTheHost() {
        Throwable failure = catchThrowable(() -> ConnectionUrl.parse("winnow://u:9,LXU#V8"));

        assertThat(failure)
                .hasMessageStartingWith("URL 'winnow://u:9…': expected a name of letters")
                .hasMessageNotContaining("LXU");
    }

    @Test
    void shouldShowNoPasswordWithAQuestionMarkBeforeTheHost() {
        Throwable failure =
                catchThrowable(() -> ConnectionUrl.parse("winnow://u:9?SECRET=T@h?sendTimeout=1"));

        assertThat(texts(failure)).isNotEmpty().noneMatch(text -> text.contains("SECRET"));
    }

    @Test
    void shouldShowNoPasswordOfAConnection() {
        for (int i = 0; i < 200; i++) {
            // given
            String password = password();
            WinnowConnectionFactory factory =
                    new WinnowConnectionFactory("winnow://127.0.0.1:1", "u", password);
            ConnectionOptions options =
                    ConnectionOptions.of(
                            ConnectionUrl.parse("winnows://h:1"),
                            Map.of(
                                    ClientOption.USERNAME,
                                    "u",
                                    ClientOption.PASSWORD,
                                    password,
                                    ClientOption.KEY_STORE_PASSWORD,
                                    password),
                            null);
            ConnectionTarget target = options.target("");

            // when
            List<String> texts =
                    List.of(
                            factory.toString(),
                            options.toString(),
                            target.toString(),
                            target.login().toString());

            // then
            requireSecret(password, "", texts);
            assertThat(target.login().password()).isEqualTo(password);
        }
    }

    @Test
    void shouldSayWhichPartOfAUrlIsWrongBehindThePassword() {
        // when
        Throwable failure =
                catchThrowable(() -> ConnectionUrl.parse("winnow://h?password=se&cret"));

        // then
        assertThat(failure)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("option 2 is unknown")
                .hasMessageContaining("'&' in a value is written %26")
                .hasMessageContaining("expected one of username, password");
    }
}
