package winnow.selector.engine;

import java.util.List;
import winnow.selector.check.SelectorLimits;
import winnow.selector.compile.Predicate;
import winnow.selector.compile.SelectorCompiler;
import winnow.selector.compile.ShapeClasses;
import winnow.selector.expression.And;
import winnow.selector.expression.Condition;
import winnow.selector.parse.CorrelationIdFilterSyntax;
import winnow.selector.parse.SelectorSyntax;
import winnow.selector.simplify.CanonicalForm;
import winnow.selector.slot.SlotUses;
import winnow.selector.slot.Slots;

/// A parsed and checked message selector (Jakarta Messaging 3.1, 3.8.1). Immutable.
///
/// A null, empty or blank text means "no selector" to JMS. That is the caller's case: there is no
/// [Selector] that matches everything, and a blank text is a syntax error here.
public final class Selector {

    private final String text;
    private final Condition expression;

    private final boolean canonical;

    Selector(String text, Condition expression) {
        this(text, expression, false);
    }

    private Selector(String text, Condition expression, boolean canonical) {
        this.text = text;
        this.expression = expression;
        this.canonical = canonical;
    }

    /// @throws winnow.selector.error.InvalidSelectorSyntaxException if the text is not a selector
    ///   or above a limit
    public static Selector parse(String text) {
        return parse(text, SelectorLimits.DEFAULT);
    }

    /// @throws winnow.selector.error.InvalidSelectorSyntaxException if the text is not a selector
    ///   or above a limit
    public static Selector parse(String text, SelectorLimits limits) {
        return new Selector(text, SelectorSyntax.parse(text, limits));
    }

    /// A filter over the correlation ID alone: exact texts, wildcards and ranges such as
    /// `[#7;#13]`, joined by `|`.
    ///
    /// @throws winnow.selector.error.InvalidSelectorSyntaxException if the text is not a filter or
    ///   above a limit
    public static Selector ofCorrelationId(String filterText) {
        return ofCorrelationId(filterText, SelectorLimits.DEFAULT);
    }

    /// @throws winnow.selector.error.InvalidSelectorSyntaxException if the text is not a filter or
    ///   above a limit
    public static Selector ofCorrelationId(String filterText, SelectorLimits limits) {
        return new Selector(filterText, CorrelationIdFilterSyntax.parse(filterText, limits));
    }

    /// For a subscription with both a correlation-ID filter and a selector.
    public static Selector and(Selector a, Selector b) {
        return new Selector(
                "(" + a.text + ") AND (" + b.text + ")",
                new And(List.of(a.expression, b.expression)));
    }

    /// The text as it was given. For [#and] it is for people, not for the parser.
    public String text() {
        return text;
    }

    public Condition expression() {
        return expression;
    }

    /// The same selector in the form that an index needs, which takes a while for a large one. Any
    /// thread.
    public Selector canonical() {
        return canonical ? this : new Selector(text, CanonicalForm.of(expression), true);
    }

    /// True if it is in that form, because [#canonical] returned it.
    public boolean isCanonical() {
        return canonical;
    }

    /// Adds the names and constants of this selector to the slots and compiles it for them. Only
    /// the thread that owns the slots may call this. If it fails, the slots are as before.
    /// [Matcher#release] gives the names and constants back.
    public Matcher bind(Slots slots) {
        return bind(slots, ShapeClasses.OF_PROCESS);
    }

    Matcher bind(Slots slots, ShapeClasses shapeClasses) {
        SlotUses uses = new SlotUses(slots);
        Predicate predicate;
        try {
            predicate = new SelectorCompiler(uses).whenTrue(expression);
        } catch (RuntimeException | Error e) {
            uses.undo();
            throw e;
        }
        return new Matcher(predicate, shapeClasses, slots.publish(), slots, uses.take());
    }

    @Override
    public String toString() {
        return text;
    }
}
