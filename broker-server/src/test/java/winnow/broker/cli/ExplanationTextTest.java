package winnow.broker.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;

class ExplanationTextTest {

    private static List<String> text(String answer) throws JsonProcessingException {
        StringWriter out = new StringWriter();
        new ExplanationText(new PrintWriter(out)).explanation(new JsonMapper().readTree(answer));
        return out.toString().lines().toList();
    }

    @Test
    void shouldAlignSelectorsBehindLongNamesOfClients() throws JsonProcessingException {
        // given
        StringWriter out = new StringWriter();
        String client = "client-" + "7".repeat(40);

        // when
        new ExplanationText(new PrintWriter(out))
                .subscriptions(
                        new JsonMapper()
                                .readTree(
                                        """
                                        [{"id": 1, "client": "a", "selector": "x > 5"},
                                         {"id": 12, "client": "%s", "selector": "y > 5"}]
                                        """
                                                .formatted(client)));

        // then
        assertThat(out.toString().lines())
                .containsExactly(
                        "      id  client" + " ".repeat(41) + "  selector",
                        "       1  a" + " ".repeat(46) + "  x > 5",
                        "      12  " + client + "  y > 5");
    }

    @Test
    void shouldSayOfHowManyMessagesEachRateIs() throws JsonProcessingException {
        // when
        List<String> lines =
                text(
                        """
                        {"report": {
                          "keys": [{"kind": "EQUALITY", "text": "region = 'EU'",
                            "hitRate": 0.125, "sampledMessages": 64}],
                          "rejected": [{"text": "price > 5",
                            "hitRate": 0.5, "sampledMessages": 1280, "reason": "too common"}],
                          "observed": {"sampledMessages": 2000, "candidates": 9,
                            "evaluations": 8, "matches": 7, "nanosPerMessage": 21.53,
                            "measured": true}}}
                        """);

        // then
        assertThat(lines)
                .contains(
                        "key           equality: region = 'EU' (hit by 12.5 % of 64 sampled"
                                + " messages)",
                        "no key        price > 5 (hit by 50.0 % of 1,280 sampled"
                                + " messages): too common",
                        "observed      of 2,000 sampled messages: 9 candidates, 8 tests, 7 matches;"
                                + " per message 21.5 ns");
    }

    @Test
    void shouldSayWhereACostWasAssumed() throws JsonProcessingException {
        // when
        List<String> lines =
                text(
                        """
                        {"report": {"observed": {"sampledMessages": 2000, "candidates": 2000,
                            "evaluations": 0, "matches": 2000, "nanosPerMessage": 20.0,
                            "measured": false}},
                         "cost": {"filterNanos": 20.0, "measured": false, "transmitNanos": 987.6,
                           "samples": 5, "neededSamples": 100}}
                        """);

        // then
        assertThat(lines)
                .contains(
                        "observed      of 2,000 sampled messages: 2,000 candidates, 0 tests,"
                                + " 2,000 matches; per message 20 ns (assumed, not measured)")
                .anyMatch(line ->
                        line.startsWith(
                                "cost          t_fltr 20 ns (assumed, not measured),"
                                        + " t_tx 988 ns; "));
    }

    @Test
    void shouldSayWhyACostIsNotKnown() throws JsonProcessingException {
        String selector = "\"explanation\": {}, \"cost\": null, ";
        String observed = "\"report\": {\"observed\": {\"sampledMessages\": 3}}";
        assertThat(cost(selector + "\"report\": null"))
                .containsExactly(
                        "cost          not known before messages were tested and the broker has"
                                + " sent a copy of one");
        String sampling = "\"report\": {\"sampling\": {\"messages\": %d, \"observed\": %b}}";
        assertThat(cost(selector + sampling.formatted(0, false)))
                .containsExactly("cost          not known yet: nothing was observed");
        assertThat(cost(selector + sampling.formatted(154, true)))
                .containsExactly("cost          not known yet: nothing was observed");
        assertThat(cost(selector + sampling.formatted(1540, false)))
                .containsExactly(
                        "cost          not known: the broker does not observe this selector");
        assertThat(cost(selector + observed))
                .containsExactly(
                        "cost          not known yet: the broker has sent no copy of a message");
        assertThat(cost("\"explanation\": null, \"cost\": null, " + observed)).isEmpty();
        assertThat(cost("\"explanation\": {}, \"cost\": {\"neededSamples\": 0}, " + observed))
                .hasSize(1);
    }

    private static List<String> cost(String fields) throws JsonProcessingException {
        return text("{" + fields + "}").stream().filter(line -> line.startsWith("cost")).toList();
    }

    @Test
    void shouldSayWhyNothingWasObserved() throws JsonProcessingException {
        assertThat(unobserved(0, true))
                .contains("observed      nothing yet: no message was sampled");
        assertThat(unobserved(154, true))
                .contains(
                        "observed      nothing yet: no message was sampled since the broker began"
                                + " to observe this selector");
        assertThat(unobserved(1540, false))
                .contains(
                        "observed      nothing, because the broker observes at most 4,096 selectors"
                                + " of a topic, and this one is not among them (sampled messages of"
                                + " the topic: 1,540)");
    }

    private static List<String> unobserved(int messages, boolean observed)
            throws JsonProcessingException {
        return text(
                """
                {"report": {
                  "sampling": {"messages": %d, "observed": %b, "maxObserved": 4096},
                  "observed": {"sampledMessages": 0}}}
                """
                        .formatted(messages, observed));
    }

    @Test
    void shouldSayWhichMessagesTheRatesOfPartsAreOf() throws JsonProcessingException {
        // when
        List<String> lines =
                text(
                        """
                        {"report": {"access": "RESIDUAL",
                          "formula": {"text": "a AND (b OR c)", "passRate": 0.5, "nanos": 1234.5,
                            "operands": [
                              {"text": "a", "passRate": 0.906, "nanos": 0.00813, "operands": []},
                              {"text": "b OR c", "operands": [
                                {"text": "b", "passRate": 0.25, "nanos": 0, "operands": []}]}]}}}
                        """);

        // then
        assertThat(lines)
                .contains(
                        "tested        a AND (b OR c): passes 50.0 % of the candidates, 1,235 ns",
                        "                a: passes 90.6 % of the candidates, under 0.1 ns",
                        "                  b: passes 25.0 % of the candidates that get to it,"
                                + " 0 ns");
    }

    @Test
    void shouldCountInWords() throws JsonProcessingException {
        // when
        List<String> lines =
                text(
                        """
                        {"report": {"subscriptions": 1200,
                          "keys": [{"kind": "RANGE", "text": "price > 5", "selectors": 2040,
                            "narrowedBy": ["price", "region"]}],
                          "observed": {"sampledMessages": 154, "candidates": 1,
                            "evaluations": 1, "matches": 1, "nanosPerMessage": 3.14,
                            "measured": true}}}
                        """);

        // then
        assertThat(lines)
                .contains(
                        "shared by     1,200 subscriptions",
                        "              leads to 2,040 selectors; bitmaps of price, region leave"
                                + " this one out for messages that it cannot match",
                        "observed      of 154 sampled messages: 1 candidate, 1 test, 1 match;"
                                + " per message 3.1 ns");
    }
}
