package winnow.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import winnow.client.option.ClientOption;

/// Keeps the client's part of `docs/SETTINGS.md` as [ClientOption] says.
class OptionsPageTest {
    private static final Path PAGE = Path.of("..", "docs", "SETTINGS.md");
    private static final String BEGIN = "<!-- client options: generated -->\n";
    private static final String END = "<!-- end of client options -->\n";

    @Test
    void shouldListAllOptions() throws IOException {
        // given
        String page = Files.readString(PAGE);
        int begin = page.indexOf(BEGIN) + BEGIN.length();
        String expected = page.substring(0, begin) + table() + page.substring(page.indexOf(END));

        // when
        if (Boolean.getBoolean("winnow.docs.write")) {
            Files.writeString(PAGE, expected);
        }

        // then
        assertThat(Files.readString(PAGE))
                .as(
                        "docs/SETTINGS.md; to write it anew: ./winnow test -pl client-lib -am"
                                + " -Dtest=OptionsPageTest"
                                + " -Dsurefire.failIfNoSpecifiedTests=false"
                                + " -Dwinnow.docs.write=true")
                .isEqualTo(expected);
    }

    private static String table() {
        StringBuilder table =
                new StringBuilder("| option | meaning | value | default |\n|---|---|---|---|\n");
        for (ClientOption option : ClientOption.values()) {
            table.append(
                    "| `%s` | %s | %s | %s |\n"
                            .formatted(
                                    option.key(),
                                    option.meaning(),
                                    option.unit(),
                                    option.defaultValue().isEmpty()
                                            ? "empty"
                                            : "`" + option.defaultValue() + "`"));
        }
        return table.toString();
    }
}
