package winnow.broker.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class BacklogTextTest {
    private final StringWriter out = new StringWriter();
    private final BacklogText text = new BacklogText(new PrintWriter(out), "none");

    @Test
    void shouldTellTheSizeOfAMessageInParts() throws IOException {
        text.messages(
                SelectorCommand.JSON.readTree(
                        """
                        [{"sequence": 1, "deliveries": 1, "messageId": null,
                          "bodyType": "text", "bodyBytes": 5000000, "bodyStart": null}]
                        """));

        assertThat(out.toString())
                .contains("delivered once before")
                .contains("body         5,000,000 bytes of text, stored in parts, not shown");
    }

    @Test
    void shouldTellHowManyMessagesWereDamaged() throws IOException {
        text.queues(
                SelectorCommand.JSON.readTree(
                        """
                        [{"name": "whole", "counts": {"damaged": 0}},
                         {"name": "big", "counts": {"damaged": 2}}]
                        """));

        assertThat(out.toString())
                .contains("  whole\n")
                .contains("  big (damaged, put aside: 2)\n");
    }
}
