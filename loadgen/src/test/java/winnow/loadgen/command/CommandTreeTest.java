package winnow.loadgen.command;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import winnow.loadgen.message.PubCommand;

class CommandTreeTest {
    @Test
    void shouldNotBlameTheArgumentsForWhatAMeasurementFinds() {
        // given
        var found = new NumberFormatException("For input string: \"\"");

        // then
        assertThat(CommandTree.isMisuse(found, new RunCommand())).isFalse();
        assertThat(CommandTree.isMisuse(found, new DemoCommand())).isFalse();
        assertThat(CommandTree.isMisuse(found, new FitCommand())).isFalse();
        assertThat(CommandTree.isMisuse(found, new PubCommand())).isTrue();
    }
}
