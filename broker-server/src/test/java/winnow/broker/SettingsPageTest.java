package winnow.broker;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import winnow.broker.config.ConfigReader;
import winnow.broker.config.SettingInfo;

/// Keeps the broker's part of `docs/SETTINGS.md` as the records say.
class SettingsPageTest {
    private static final Path PAGE = Path.of("..", "docs", "SETTINGS.md");
    private static final String BEGIN = "<!-- broker settings: generated -->\n";
    private static final String END = "<!-- end of broker settings -->\n";

    @Test
    void shouldListAllSettings() throws IOException {
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
                        "docs/SETTINGS.md; to write it anew: ./winnow test -pl broker-server -am"
                                + " -Dtest=SettingsPageTest"
                                + " -Dsurefire.failIfNoSpecifiedTests=false"
                                + " -Dwinnow.docs.write=true")
                .isEqualTo(expected);
    }

    private static String table() {
        StringBuilder table =
                new StringBuilder(
                        """
                        | key | meaning | value | default | changes at run time |
                        |---|---|---|---|---|
                        """);
        for (SettingInfo info :
                ConfigReader.describe(BrokerConfig.DEFAULTS, BrokerConfig.DEFAULTS)) {
            table.append(
                    "| `%s` | %s | %s | %s | %s |\n"
                            .formatted(
                                    info.key(),
                                    cell(info.meaning()),
                                    cell(
                                            info.unit()
                                                    + (info.range().isEmpty() ? "" : "; ")
                                                    + info.range()),
                                    ofDefault(info),
                                    info.reloadable() ? "yes" : "no"));
        }
        return table.toString();
    }

    private static String ofDefault(SettingInfo info) {
        if (info.defaultIsZero()) {
            return "`0`: " + info.zero();
        }
        String zero = info.zero().isEmpty() ? "" : "; `0`: " + info.zero();
        return info.defaultValue().isEmpty() ? "empty" : "`" + info.defaultValue() + "`" + zero;
    }

    private static String cell(String text) {
        return text.replace("|", "\\|");
    }
}
