/// Selectors: [winnow.selector] and [winnow.selector.error] are for everybody. The other packages
/// are the engine; they are for Winnow's broker and may change at any time.
// ANTLR's runtime and the broker have a name for the module path, but no descriptor.
@SuppressWarnings({"module", "requires-automatic"})
module winnow.selector {
    requires transitive org.jspecify;
    requires org.antlr.antlr4.runtime;

    exports winnow.selector;
    exports winnow.selector.error;
    exports winnow.selector.check to
            winnow.broker;
    exports winnow.selector.engine to
            winnow.broker;
    exports winnow.selector.explain to
            winnow.broker;
    exports winnow.selector.expression to
            winnow.broker;
    exports winnow.selector.index to
            winnow.broker;
    exports winnow.selector.index.api to
            winnow.broker;
    exports winnow.selector.index.report to
            winnow.broker;
    exports winnow.selector.order to
            winnow.broker;
    exports winnow.selector.slot to
            winnow.broker;
}
