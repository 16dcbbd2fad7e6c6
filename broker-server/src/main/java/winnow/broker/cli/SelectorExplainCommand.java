package winnow.broker.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;
import winnow.selector.error.InvalidSelectorSyntaxException;
import winnow.selector.explain.Explanation;
import winnow.selector.index.report.Plan;

/// `winnow selector explain`: canonical form, the formula that is evaluated, and warnings.
@Command(
        name = "explain",
        mixinStandardHelpOptions = true,
        description = {
            "Explains how a selector is evaluated and found, and warns of what may surprise.",
            "",
            "Prints a selector in canonical form, the formula that is evaluated for it, the form",
            "that equal selectors share, the access keys by which an index finds it, advice on",
            "parts that no index finds, and warnings about what may surprise.",
            "In the formula T(x) asks whether x is TRUE and F(x) whether it is FALSE."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:explained", "2:wrong usage or not a selector"})
final class SelectorExplainCommand implements Callable<Integer> {

    @Mixin private SelectorCommand.Input input = new SelectorCommand.Input();

    @Spec private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() {
        CommandLine line = spec.commandLine();
        Explanation explanation;
        try {
            explanation = Explanation.of(input.parse());
        } catch (InvalidSelectorSyntaxException e) {
            return SelectorCommand.refuse(line, input, e);
        }
        if (input.isJson()) {
            SelectorCommand.print(line.getOut(), toJson(explanation));
        } else if (input.isNoSelector()) {
            line.getOut()
                    .println("selector  none: a blank text is no selector, every message matches");
            line.getOut().flush();
        } else {
            print(line.getOut(), explanation);
        }
        return 0;
    }

    private static void print(PrintWriter out, Explanation explanation) {
        out.println("selector  " + explanation.canonical());
        out.println("formula   " + explanation.formula());
        out.println("same as   " + explanation.simplified());
        for (Plan.Key key : explanation.plan().keys()) {
            out.println("key       " + kindOf(key) + ": " + key.text());
        }
        for (String advice : explanation.advice()) {
            out.println("advice    " + advice);
        }
        SelectorCommand.print(out, explanation.warnings());
        out.flush();
    }

    private static String kindOf(Plan.Key key) {
        return key.kind().name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private ObjectNode toJson(Explanation explanation) {
        ObjectNode root = SelectorCommand.JSON.createObjectNode();
        root.put("selector", input.text())
                .put("canonical", explanation.canonical())
                .put("formula", explanation.formula());
        ArrayNode atoms = root.putArray("atoms");
        explanation.atoms().forEach(atoms::add);
        root.put("simplified", explanation.simplified());
        ArrayNode keys = root.putArray("keys");
        for (Plan.Key key : explanation.plan().keys()) {
            keys.addObject().put("kind", kindOf(key)).put("text", key.text());
        }
        root.put("exact", explanation.plan().exact());
        ArrayNode advice = root.putArray("advice");
        explanation.advice().forEach(advice::add);
        // What is evaluated for a blank text is TRUE, but nobody wrote that.
        SelectorCommand.add(root, input.isNoSelector() ? List.of() : explanation.warnings());
        return root;
    }
}
